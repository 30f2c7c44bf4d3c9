#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How many descriptors the process may have open at a time.
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

    /// Darwin takes no more than OPEN_MAX, whatever its hard limit says.
    private static func most(_ hard: rlim_t) -> rlim_t { min(hard, rlim_t(OPEN_MAX)) }
    #else
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))

    private static func most(_ hard: rlim_t) -> rlim_t { hard }
    #endif
}
