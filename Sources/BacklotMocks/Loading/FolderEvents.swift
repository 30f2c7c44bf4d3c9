#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reports changes in folders as the system does: for a network's file system, or another machine's folder that is mounted into a
/// container, there may be no reports.
protocol FolderEvents: Sendable {
    /// Listens to these folders too.
    func watch(_ folders: [String])

    /// Waits until something has changed, or the time is over. It blocks.
    ///
    /// - Parameter milliseconds: how long to wait.
    /// - Returns: whether something has changed.
    func wait(milliseconds: Int) -> Bool
}

/// Reports nothing: scans at intervals find the changes.
struct SilentEvents: FolderEvents {
    func watch(_ folders: [String]) {}

    func wait(milliseconds: Int) -> Bool {
        _ = poll(nil, 0, Int32(milliseconds))
        return false
    }
}
