#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Hears that something changes in folders, where the system tells; a network's file system, or a folder of another machine that
/// is mounted into a container, may tell nothing.
protocol FolderEvents: Sendable {
    /// Listens to these folders too.
    func watch(_ folders: [String])

    /// Waits until something has changed, or the time is over. It blocks.
    ///
    /// - Parameter milliseconds: how long to wait.
    /// - Returns: whether something has changed.
    func wait(milliseconds: Int) -> Bool
}

/// Hears nothing: what changes is found by looking.
struct SilentEvents: FolderEvents {
    func watch(_ folders: [String]) {}

    func wait(milliseconds: Int) -> Bool {
        _ = poll(nil, 0, Int32(milliseconds))
        return false
    }
}
