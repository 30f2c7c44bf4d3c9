import BacklotHTTP

#if os(Linux)
import CInotify
#endif
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

#if os(Linux)
/// Hears of changes by inotify(7).
final class InotifyEvents: FolderEvents {
    private static let interest = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF
    )

    private let descriptor: Int32
    private let watched = Locked<Set<String>>([])

    /// nil when the system is out of descriptors.
    init?() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    func watch(_ folders: [String]) {
        let new = watched.withLock { watched in
            let new = folders.filter { !watched.contains($0) }
            watched = Set(folders)
            return new
        }
        // Where the system's limit of watches is reached, polling finds what changes.
        for folder in new { _ = unsafe inotify_add_watch(descriptor, folder, Self.interest) }
    }

    func wait(milliseconds: Int) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&polled, 1, Int32(milliseconds)) > 0 else { return false }
        drain()
        return true
    }

    /// The events only say that something has changed; a scan of the folder finds out what.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
        }
    }
}
#endif
