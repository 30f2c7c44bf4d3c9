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
    /// The longest time between two scans of the folder, in milliseconds.
    private static let interval = 400
    /// How long to wait after a change, in milliseconds: programs save a file in several steps.
    private static let settling = 30

    /// Reads files again whenever they change, until the task is cancelled. A file that is broken is served as it was before.
    ///
    /// Where the system reports no changes, as in a folder that is mounted from another machine, scans find them. Either way a
    /// saved file is live within a second.
    ///
    /// - Parameters:
    ///   - onChange: called whenever what is served has changed.
    ///   - onProblems: called with all that is wrong, at first and whenever that has changed.
    public func watch(
        onChange: @Sendable () -> Void = {},
        onProblems: @Sendable ([FileProblem]) -> Void = { _ in }
    ) async {
        await watch(FolderEvents(), onChange, onProblems)
    }

    func watch(
        _ events: FolderEvents,
        _ onChange: @Sendable () -> Void = {},
        _ onProblems: @Sendable ([FileProblem]) -> Void = { _ in }
    ) async {
        var problems: [FileProblem]?
        while !Task.isCancelled {
            let current = self.problems
            if current != problems { onProblems(current) }
            problems = current
            // This thread may block, so that it both waits and scans.
            guard let report = try? await Blocking.run({ [self] in look(events) }) else { return }
            log(report)
            if !report.changed.isEmpty || !report.removed.isEmpty { onChange() }
        }
    }

    private func look(_ events: FolderEvents) -> LoadReport {
        events.watch(folders)
        if events.wait(milliseconds: Self.interval) { _ = poll(nil, 0, Int32(Self.settling)) }
        return scan()
    }

    private func log(_ report: LoadReport) {
        let logger = backend.logger
        for file in report.changed { logger.info("\(file) is live") }
        for file in report.removed { logger.info("\(file) is gone, and its routes with it") }
        for warning in report.warnings { logger.warning("\(warning)") }
        for problem in report.problems { logger.error("\(problem)") }
    }
}

/// Reports changes in folders as inotify(7) does: for a network's file system, or another machine's folder that is mounted into a
/// container, there may be no reports, and scans at intervals find the changes.
final class FolderEvents: Sendable {
    /// Negative, as poll(2) ignores it, where nothing is heard.
    private let descriptor: Int32
    private let watched = Locked<Set<String>>([])

    /// - Parameter hears: false for no reports.
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

    /// Listens to these folders too.
    func watch(_ folders: [String]) {
        #if os(Linux)
        let new = watched.withLock { watched in
            let new = folders.filter { !watched.contains($0) }
            watched = Set(folders)
            return new
        }
        let interest =
            IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_ATTRIB
            | IN_DELETE_SELF
        // Where the system's limit of watches is reached, polling finds what changes.
        for folder in new { _ = unsafe inotify_add_watch(descriptor, folder, UInt32(interest)) }
        #endif
    }

    /// Waits until something has changed, or the time is over. It blocks.
    ///
    /// - Parameter milliseconds: how long to wait.
    /// - Returns: whether something has changed.
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
