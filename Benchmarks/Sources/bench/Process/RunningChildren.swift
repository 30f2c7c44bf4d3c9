import Foundation
import Glibc
import Synchronization

/// The programs that the run has started and not yet stopped, so that none is left behind: not by a failure, and not by
/// an interrupted run.
final class RunningChildren: Sendable {
    /// The list for this run.
    static let shared = RunningChildren()

    private let roots = Mutex<Set<pid_t>>([])

    private init() {}

    /// Starts `process` and remembers it, with no moment in between.
    func start(_ process: Process) throws {
        try roots.withLock { roots in
            try process.run()
            roots.insert(process.processIdentifier)
        }
    }

    /// Forgets a program that has ended by itself.
    func forget(_ pid: pid_t) {
        roots.withLock { _ = $0.remove(pid) }
    }

    /// Ends one program and what it started; does nothing if it was stopped or forgotten before.
    func stop(_ pid: pid_t) {
        let known = roots.withLock { $0.remove(pid) != nil }
        if known { Self.end([pid]) }
    }

    /// Ends all of them, then calls `finish`.
    ///
    /// Nothing is started or stopped elsewhere before `finish` returns.
    func stopAll(finish: () -> Void = {}) {
        roots.withLock { roots in
            Self.end(roots)
            roots = []
            finish()
        }
    }

    /// Asks each to end, and forces those that have not after five seconds, with their children.
    private static func end(_ pids: Set<pid_t>) {
        let everything = pids.flatMap { ProcessTree(root: $0).processes() }
        for pid in pids { kill(pid, SIGTERM) }
        let deadline = Deadline(after: 5)
        while !deadline.hasPassed {
            guard everything.contains(where: isAlive) else { return }
            usleep(5000)
        }
        for process in everything where isAlive(process) { kill(process.pid, SIGKILL) }
    }

    private static func isAlive(_ process: ProcessStat) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(process.pid)/stat", encoding: .utf8) else { return false }
        guard let now = ProcessStat(parsing: line) else { return false }
        return now.state != "Z"
    }
}
