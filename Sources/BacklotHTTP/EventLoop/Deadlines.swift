#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// When each channel of a loop runs out of time, by its slot: one deadline each, in milliseconds of the loop's clock.
///
/// A flat array that is looked through when its earliest deadline has come, and never more often than every
/// `resolution`: 10,000 channels take a few microseconds, and setting a deadline is one store.
struct Deadlines {
    /// How late a deadline may be noticed, in milliseconds.
    static let resolution: Int64 = 10

    private static let never = Int64.max
    private var times: [Int64] = []
    private var earliest = never

    /// Sets, or with nil removes, the deadline of a slot.
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

    /// Whether some deadline may have come.
    func mayHaveExpired(at now: Int64) -> Bool { now >= earliest }

    /// Takes out the slots whose deadline has come.
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

    /// The longest sleep, in milliseconds. A process that is stopped while its loop sleeps loses time, of which the clock counts
    /// no more than the sleep was to last.
    static let longestSleep: Int64 = 1000

    /// How long a loop may sleep, in milliseconds; -1 without a limit.
    func sleep(at now: Int64) -> Int32 {
        guard earliest != Self.never else { return -1 }
        return Int32(min(max(0, earliest - now), Self.longestSleep))
    }
}

/// The time as a loop last read it, once for every time it wakes.
///
/// Time that the loop itself loses, as when a handler keeps it or the process gets no processor, isn't counted: the deadlines of its
/// clients would come while what they have sent still waits to be read.
package struct LoopClock {
    /// How much time a round may take for its work, and how late a loop may wake, in milliseconds: time beyond this counts as lost.
    static let patience: Int64 = 100

    /// Milliseconds of a clock that never jumps.
    private(set) var now: Int64 = 0
    /// The `Date` field line, ending included, made anew when the second has changed.
    private(set) var dateLine: [UInt8] = []
    private var second: Int = -1
    /// How much time the loop has lost so far, in milliseconds.
    private var lost: Int64 = 0
    /// The same with the time that was lost, for what isn't a client's to wait for. It is the same for all loops.
    var elapsed: Int64 { now + lost }

    init() {
        now = Self.nanoseconds / 1_000_000
        updateDate()
    }

    /// Reads the time after a round's work, to some milliseconds.
    mutating func endWork() {
        var time = timespec()
        unsafe clock_gettime(Self.coarse, &time)
        advance(to: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000, allowed: 0)
    }

    /// Reads the time after a wait.
    ///
    /// - Parameter limit: how long the wait was to last at most, in milliseconds; negative: without a limit.
    mutating func endWait(of limit: Int32) {
        advance(to: Self.nanoseconds / 1_000_000, allowed: limit < 0 ? nil : Int64(limit))
        updateDate()
    }

    /// Nanoseconds of a clock that never jumps, for what is shorter than a round of a loop.
    package static var nanoseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    #if canImport(Darwin)
    private static let coarse = CLOCK_MONOTONIC
    #else
    /// The time of the system's last tick: it takes a third of the time to read.
    private static let coarse = CLOCK_MONOTONIC_COARSE
    #endif

    /// Advances to a time in milliseconds, less what has been lost.
    ///
    /// - Parameter allowed: how long that may have taken; nil for any time.
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
    /// Whole milliseconds, the nearest, but at least 1 for a time that isn't zero: a short wait doesn't become none. What Int64
    /// can't hold is its largest value.
    package var milliseconds: Int64 { whole(perSecond: 1000) }

    /// Whole seconds, in the same way.
    package var wholeSeconds: Int { Int(whole(perSecond: 1)) }

    private func whole(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: units)
        guard !overflows, whole < .max - units else { return .max }
        let length = 1_000_000_000_000_000_000 / units
        let nearest = whole + (attoseconds + length / 2) / length
        return nearest == 0 && self > .zero ? 1 : nearest
    }
}
