internal import Backlot

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Checks whether another server on this machine uses the same file.
///
/// The system drops a claim when the process ends, even after a crash.
enum FileClaim {
    /// Claims a file for the rest of this process's life. The descriptor is never closed, since the system would also drop
    /// SQLite's own locks on the file (fcntl(2), "Record locks").
    ///
    /// - Returns: false if another process has claimed it, or this process has done so before.
    static func make(on path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        // If a file can't be opened, the store reports that.
        return descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// The file that a path names now; nil without one. It opens no descriptor: closing it would drop SQLite's own locks.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    /// Whether the disk of a folder, or of its nearest existing parent, has no room for a new file of sessions.
    static func isFull(_ folder: String) -> Bool {
        var status = statvfs()
        var folder = folder
        while unsafe statvfs(folder, &status) != 0 {
            guard let slash = folder.lastIndex(of: "/"), slash > folder.startIndex else { return false }
            folder = String(folder[..<slash])
        }
        return isFull(status)
    }

    /// Whether a file system has no room for a new file of sessions.
    static func isFull(_ status: statvfs) -> Bool {
        // A file system without limits may have any number of free blocks.
        let room = Double(status.f_bavail) * Double(status.f_frsize)
        // Some file systems have no blocks, or no fixed number of files.
        return status.f_blocks > 0 && room < smallestRoom || status.f_files > 0 && status.f_favail == 0
    }

    /// The size of the file, its journal and its shared memory, in bytes.
    private static let smallestRoom: Double = 160 * 1024
}
