#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Measures a duration in nanoseconds, by a clock that never jumps.
struct Stopwatch {
    private let start = Stopwatch.now

    var nanoseconds: Int64 { Self.now - start }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
