#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The deadlines of a loop's channels, by slot: one for each channel, in milliseconds of the loop's clock.
///
/// A flat array. The loop searches it when the earliest deadline has come, but at most every `resolution` milliseconds. 10,000
/// channels take a few microseconds, and setting a deadline is one store.
struct Deadlines {
    /// The longest delay in noticing a deadline, in milliseconds.
    static let resolution: Int64 = 10

    private static let never = Int64.max
    private var times: [Int64] = []
    private var earliest = never

    /// Sets the deadline of a slot; nil removes it.
    mutating func set(_ slot: Int32, _ time: Int64?) {
        let index = Int(slot)
        if index >= times.count {
            guard time != nil else { return }
            grow(to: index + 1)
        }
        times[index] = time ?? Self.never
        if let time, time < earliest { earliest = time }
    }

    @inline(never)
    private mutating func grow(to count: Int) {
        times.append(contentsOf: repeatElement(Self.never, count: count - times.count))
    }

    /// Whether a deadline may have come.
    func mayHaveExpired(at now: Int64) -> Bool { now >= earliest }

    /// Removes and returns the slots with a deadline that has come.
    mutating func takeExpired(at now: Int64) -> [Int32] {
        guard mayHaveExpired(at: now) else { return [] }
        var expired: [Int32] = []
        earliest = Self.never
        for index in times.indices where times[index] != Self.never {
            if times[index] <= now {
                times[index] = Self.never
                expired.append(Int32(index))
            } else if times[index] < earliest {
                earliest = times[index]
            }
        }
        if earliest != Self.never { earliest = max(earliest, now + Self.resolution) }
        return expired
    }

    /// The longest sleep, in milliseconds. If the process is stopped while its loop sleeps, the clock counts at most this much of
    /// the lost time.
    static let longestSleep: Int64 = 1000

    /// The time that a loop may sleep, in milliseconds; -1 without a limit.
    func sleep(at now: Int64) -> Int32 {
        guard earliest != Self.never else { return -1 }
        return Int32(min(max(0, earliest - now), Self.longestSleep))
    }
}

/// The time in a loop's view, read once each time it wakes.
///
/// Time that the loop itself loses isn't counted, for example when a handler keeps it busy or the process gets no processor.
/// Otherwise the deadlines of its clients would come while their bytes still wait to be read.
package struct LoopClock {
    /// The longest time that a round may take for its work, and that a loop may wake late, in milliseconds: time beyond this
    /// counts as lost.
    static let patience: Int64 = 100

    /// Milliseconds of a clock that never jumps.
    private(set) var now: Int64 = 0
    /// The `Date` field line with its line ending, renewed each second.
    private(set) var dateLine: [UInt8] = []
    private var second: Int = -1
    /// The time that the loop has lost so far, in milliseconds.
    private var lost: Int64 = 0
    /// The time including lost time, for waits that don't concern a client. It is the same for all loops.
    var elapsed: Int64 { now + lost }

    init() {
        now = Self.nanoseconds / 1_000_000
        updateDate()
    }

    /// Reads the time after a round's work, to within some milliseconds.
    mutating func endWork() {
        var time = timespec()
        unsafe clock_gettime(Self.coarse, &time)
        advance(to: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000, allowed: 0)
    }

    /// Reads the time after a wait.
    ///
    /// - Parameter limit: the longest time the wait should have taken, in milliseconds; negative without a limit.
    mutating func endWait(of limit: Int32) {
        advance(to: Self.nanoseconds / 1_000_000, allowed: limit < 0 ? nil : Int64(limit))
        updateDate()
    }

    /// Nanoseconds of a clock that never jumps, for spans shorter than a round of a loop.
    package static var nanoseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    #if canImport(Darwin)
    private static let coarse = CLOCK_MONOTONIC
    #else
    /// The time of the system's last tick: reading it takes a third of the time.
    private static let coarse = CLOCK_MONOTONIC_COARSE
    #endif

    /// Advances to a time in milliseconds, minus the lost time.
    ///
    /// - Parameter allowed: the longest time that it should have taken; nil for any time.
    mutating func advance(to time: Int64, allowed: Int64?) {
        if let allowed { lost += max(0, time - lost - now - allowed - Self.patience) }
        // A coarse clock may be some milliseconds behind.
        now = max(now, time - lost)
    }

    private mutating func updateDate() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        if time.tv_sec != second {
            second = time.tv_sec
            dateLine = Array("Date: \(HTTPDate(secondsSince1970: second))\r\n".utf8)
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded to the nearest, but at least 1 for a positive time, so that a short wait doesn't vanish.
    /// Sums of a point in time and several waits must not overflow, so a quarter of the largest Int64 is the most.
    package var milliseconds: Int64 { min(whole(perSecond: 1000), Int64.max / 4) }

    /// Whole seconds, rounded in the same way.
    package var wholeSeconds: Int { Int(min(whole(perSecond: 1), Int64.max / 4)) }

    private func whole(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: units)
        guard !overflows, whole < .max - units else { return .max }
        let length = 1_000_000_000_000_000_000 / units
        let nearest = whole + (attoseconds + length / 2) / length
        return nearest == 0 && self > .zero ? 1 : nearest
    }
}
