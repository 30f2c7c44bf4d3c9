import Glibc

/// How many files and sockets this process, and each that it starts, may hold open.
enum FileLimit {
    /// Raises the limit to `wanted` if the system lets us, else as far as it goes.
    /// - Returns: The limit that now holds.
    static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        guard limit.rlim_cur < wanted else { return Int(clamping: limit.rlim_cur) }
        if limit.rlim_max < wanted {
            // Only root may raise the hard limit.
            var higher = rlimit(rlim_cur: rlim_t(wanted), rlim_max: rlim_t(wanted))
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &higher) == 0 { return wanted }
        }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
