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

    /// The memory that it has now, in bytes; where the system doesn't say it, the most that it had.
    package static var memory: Int {
        #if os(Linux)
        // Its second number is in pages.
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return peakMemory }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        let numbers = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return peakMemory }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
        peakMemory
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
