#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
#if os(Linux)
internal import CLinux
#endif

/// The resources that this process has used.
package enum ProcessUsage {
    /// The time that its threads ran, in user and system mode.
    package static var cpu: Duration {
        let usage = usage
        return duration(usage.ru_utime) + duration(usage.ru_stime)
    }

    /// The most memory that it has used, in bytes.
    package static var peakMemory: Int {
        #if canImport(Darwin)
        Int(usage.ru_maxrss)
        #else
        Int(usage.ru_maxrss) * 1024
        #endif
    }

    /// The memory that it uses now, in bytes; if the system doesn't report it, the most that it has used.
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

    /// The time when the program first read this value, which a server does at its start, in seconds since 1970 began in UTC.
    package static let start: Double = {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }()

    /// The number of open file descriptors; 0 if the system doesn't report it.
    package static var descriptors: Int {
        #if canImport(Darwin)
        let folder = "/dev/fd"
        #else
        let folder = "/proc/self/fd"
        #endif
        guard let entries = unsafe opendir(folder) else { return 0 }
        defer { unsafe closedir(entries) }
        var count = 0
        while unsafe readdir(entries) != nil { count += 1 }
        // Without "." and "..", and without the descriptor of the folder itself.
        return max(0, count - 3)
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

/// The processors of the machine.
package enum Processors {
    /// The number of processors that this process may use: a container, or `taskset`, may allow it only some of them.
    package static var count: Int {
        #if os(Linux)
        let allowed = Int(processors_allowed())
        if allowed > 0 { return allowed }
        #endif
        return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}

/// The memory of the C library.
enum SystemAllocator {
    /// The size from which on a block of memory is mapped by itself, in bytes.
    static let mappedSize = 256 * 1024

    /// Has the C library keep less memory that was freed, from now on.
    ///
    /// glibc gives each thread an arena of its own, up to eight for each processor, and each arena keeps the most that was ever in
    /// use in it. Threads that block come and go, so that a server would grow for hours. And once a large block has been freed, glibc
    /// puts others of its size among the small ones, where what is freed stays: the bodies of slow clients would take more than twice
    /// what is counted. `MALLOC_ARENA_MAX`, `MALLOC_MMAP_THRESHOLD_` and `GLIBC_TUNABLES` set other numbers.
    static let isFrugal: Void = {
        #if canImport(Glibc)
        let tunables = unsafe getenv("GLIBC_TUNABLES").map { unsafe String(cString: $0) } ?? ""
        func isSet(_ variable: String, _ tunable: String) -> Bool {
            unsafe getenv(variable) != nil || tunables.contains("glibc.malloc.\(tunable)")
        }
        if !isSet("MALLOC_ARENA_MAX", "arena_max") { malloc_arenas(Int32(Processors.count + 1)) }
        // Each has its default where only the other is set, and a low one of the second would cost a system call for many responses.
        if !isSet("MALLOC_MMAP_THRESHOLD_", "mmap_threshold") { malloc_thresholds(Int32(mappedSize), 1024 * 1024) }
        #endif
    }()

    /// Returns unused freed memory to the system. It takes some milliseconds per gigabyte, and may run on any thread.
    static func giveBack() {
        #if canImport(Glibc)
        malloc_trim(0)
        #elseif canImport(Darwin)
        malloc_zone_pressure_relief(nil, 0)
        #endif
    }
}

/// The number of descriptors that the process may have open at a time.
package enum DescriptorLimit {
    /// Raises the process's soft limit to its hard one, and returns it.
    ///
    /// The soft limit is low, commonly 1,024, for programs that use `select`; a server needs one for each connection.
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            let soft = limit.rlim_cur
            limit.rlim_cur = most(limit.rlim_max)
            if unsafe setrlimit(resource, &limit) != 0 { limit.rlim_cur = soft }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Darwin)
    private static let resource = RLIMIT_NOFILE

    /// Darwin accepts at most OPEN_MAX, regardless of its hard limit.
    private static func most(_ hard: rlim_t) -> rlim_t { min(hard, rlim_t(OPEN_MAX)) }
    #else
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))

    private static func most(_ hard: rlim_t) -> rlim_t { hard }
    #endif
}
