#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The time as a loop last read it, once for every time it wakes.
struct LoopClock {
    /// Milliseconds of a clock that never jumps.
    private(set) var now: Int64 = 0
    /// The `Date` field line, ending included, made anew when the second has changed.
    private(set) var dateLine: [UInt8] = []
    private var second: Int = -1

    init() {
        update()
    }

    /// The same clock, now.
    func updated() -> LoopClock {
        var clock = self
        clock.update()
        return clock
    }

    /// Nanoseconds of the same clock at this moment, for what is shorter than a round of a loop.
    static var nanoseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private mutating func update() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        if time.tv_sec != second {
            second = time.tv_sec
            dateLine = Array("Date: \(HTTPDate(secondsSince1970: second))\r\n".utf8)
        }
    }
}
