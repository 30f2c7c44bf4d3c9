#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Finds out whether another server of this machine has the same file open.
///
/// The system forgets a claim when the process ends, however it ends.
enum FileClaim {
    /// Claims a file for the rest of this process's life. The descriptor is never closed: with it the system would drop
    /// SQLite's own locks on the file (fcntl(2), "Record locks").
    ///
    /// - Returns: false when another process, or this one earlier, has claimed it.
    static func make(on path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        // A file that can't be opened is the store's to report.
        return descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
}
