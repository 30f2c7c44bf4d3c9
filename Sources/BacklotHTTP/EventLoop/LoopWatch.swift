internal import HTTPTypes
internal import Logging

/// Measures, in debug builds, how long a request's handler keeps its event loop busy, and logs a warning if it takes long: all
/// other clients of the loop wait meanwhile.
///
/// It is the executor of the request's tasks, which all run on the loop.
package final class LoopWatch: TaskExecutor {
    /// The longest time without a warning, in nanoseconds.
    private static let patience: Int64 = 100_000_000

    private let loop: EventLoop
    private let request: String
    private let logger: Logger
    private let details = Locked("")

    init(_ loop: EventLoop, _ request: Request, _ logger: Logger) {
        self.loop = loop
        self.request = "\(request.method) \(request.path)"
        self.logger = logger
    }

    /// Adds a detail to the warning, after the request.
    package func add(_ detail: String) { details.withLock { $0 += " (\(detail))" } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.executeLater {
            let start = LoopClock.nanoseconds
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.note(since: start)
        }
    }

    /// Logs a warning if too much time has passed.
    func note(since start: Int64) {
        let time = LoopClock.nanoseconds - start
        guard time > Self.patience else { return }
        logger.warning(
            """
            \(request)\(details.withLock(\.self)) held its event loop for \(time / 1_000_000) ms, while other clients waited: let the handler suspend, or \
            call Blocking.run
            """
        )
    }
}

private enum LoopWatchAttribute: RequestAttribute {
    typealias Value = LoopWatch
}

extension Request {
    /// Measures how long the handler keeps its event loop busy; nil in release builds.
    package internal(set) var loopWatch: LoopWatch? {
        get { attributes[LoopWatchAttribute.self] }
        set { attributes[LoopWatchAttribute.self] = newValue }
    }
}
