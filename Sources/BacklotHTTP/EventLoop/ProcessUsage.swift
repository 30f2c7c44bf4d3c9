#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// What this process has used of the machine.
package enum ProcessUsage {
    /// The time that its threads ran, in user and system mode.
    package static var cpu: Duration {
        let usage = usage
        return duration(usage.ru_utime) + duration(usage.ru_stime)
    }

    /// The most memory that it had, in bytes.
    package static var peakMemory: Int {
        #if canImport(Darwin)
        Int(usage.ru_maxrss)
        #else
        Int(usage.ru_maxrss) * 1024
        #endif
    }

    private static var usage: rusage {
        var usage = rusage()
        #if canImport(Glibc)
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        unsafe getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec))
    }
}
