import BacklotHTTP
import Logging

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
        #if os(Linux)
        await watch(InotifyEvents() ?? SilentEvents(), onChange, onProblems)
        #else
        await watch(SilentEvents(), onChange, onProblems)
        #endif
    }

    func watch(
        _ events: any FolderEvents,
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

    private func look(_ events: any FolderEvents) -> LoadReport {
        events.watch(folders)
        if events.wait(milliseconds: Self.interval) { _ = SilentEvents().wait(milliseconds: Self.settling) }
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
