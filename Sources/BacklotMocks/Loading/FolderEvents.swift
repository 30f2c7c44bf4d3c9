import BacklotHTTP
import Logging

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

extension RouteFiles {
    /// The longest time between two scans of the folder, in milliseconds: if all changes are reported, and otherwise.
    private static let intervals = (reported: 60_000, unreported: 400)
    /// The wait after a change, in milliseconds: programs save a file in several steps.
    private static let settling = 30

    /// Reads files again after each change, until the task is cancelled. The earlier version of a broken file stays in service.
    ///
    /// If the system doesn't report changes, as in a folder that is mounted from another machine, scans find them. In both cases a
    /// saved file is live within a second.
    ///
    /// - Parameters:
    ///   - onChange: called after each change of the served routes.
    ///   - onProblems: called with all mistakes, first and after each change.
    public func watch(
        onChange: @Sendable () -> Void = {},
        onProblems: @Sendable ([MockFileError]) -> Void = { _ in }
    ) async {
        await watch(FolderEvents(), onChange, onProblems)
    }

    func watch(
        _ events: FolderEvents,
        _ onChange: @Sendable () -> Void = {},
        _ onProblems: @Sendable ([MockFileError]) -> Void = { _ in }
    ) async {
        await withTaskCancellationHandler {
            var problems: [MockFileError]?
            while !Task.isCancelled {
                let current = self.problems
                if current != problems { onProblems(current) }
                problems = current
                // This thread may block, so that it both waits and scans.
                guard let report = try? await Blocking.run({ [self] in look(events) }) else { return }
                log(report)
                if !report.changed.isEmpty || !report.removed.isEmpty { onChange() }
            }
        } onCancel: {
            events.endWait()
        }
    }

    private func look(_ events: FolderEvents) -> RouteFilesReport {
        let interval = events.watch(folders) ? Self.intervals.reported : Self.intervals.unreported
        if events.wait(milliseconds: interval) { _ = poll(nil, 0, Int32(Self.settling)) }
        return scan()
    }

    private func log(_ report: RouteFilesReport) {
        let logger = backend.logger
        for file in report.changed { logger.info("\(file) is live") }
        for file in report.removed { logger.info("\(file) is gone, and its routes with it") }
        for warning in report.warnings { logger.warning("\(warning)") }
        for problem in report.problems { logger.error("\(problem)") }
    }
}

/// Reports changes in folders with inotify(7). There may be no reports for a network's file system, or for another machine's folder
/// in a container.
final class FolderEvents: Sendable {
    /// Negative if nothing is reported, since poll(2) ignores it then.
    private let descriptor: Int32
    /// The watch of each folder, negative without one.
    private let watches = Locked<[Int32]>([])

    /// - Parameter hears: false to turn reports off.
    init(hears: Bool = true) {
        #if os(Linux)
        descriptor = hears ? inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) : -1
        #else
        descriptor = -1
        #endif
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Listens to these folders from now on. Pass all of them each time, since another folder may have got the name of one.
    ///
    /// - Returns: whether it reports all changes since the last call.
    func watch(_ folders: [String]) -> Bool {
        #if os(Linux)
        let interest =
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF
        // Also negative at the system's limit of watches.
        let new = folders.map { unsafe inotify_add_watch(descriptor, $0, UInt32(interest)) }
        let isSame = watches.withLock { watches in
            defer { watches = new }
            return watches == new
        }
        return isSame && !new.contains { $0 < 0 } && folders.allSatisfy(Self.isLocal)
        #else
        return false
        #endif
    }

    /// Ends the current wait, or the next one: the end of a watch is an event.
    func endWait() {
        #if os(Linux)
        watches.withLock { if let first = $0.first { inotify_rm_watch(descriptor, first) } }
        #endif
    }

    #if os(Linux)
    /// Whether only this machine can change a folder, according to the type of its file system.
    private static func isLocal(_ folder: String) -> Bool {
        var system = statfs()
        guard unsafe statfs(folder, &system) == 0 else { return false }
        return [
            BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, UInt32(EXT4_SUPER_MAGIC), UInt32(OVERLAYFS_SUPER_MAGIC),
            UInt32(TMPFS_MAGIC), UInt32(XFS_SUPER_MAGIC),
        ].contains(UInt32(truncatingIfNeeded: system.f_type))
    }
    #endif

    /// Waits for a change, or until the time ends. It blocks.
    ///
    /// - Parameter milliseconds: the longest wait.
    /// - Returns: whether something has changed.
    func wait(milliseconds: Int) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&polled, 1, Int32(milliseconds)) > 0 else { return false }
        drain()
        return true
    }

    /// The events only report that something has changed; a scan of the folder finds the changes.
    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
        }
    }
}
