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

    /// Sends SIGTERM to each, and after five seconds SIGKILL to those that still run, with their children. Then waits for their end.
    private static func end(_ pids: Set<pid_t>) {
        let everything = pids.flatMap { ProcessTree(root: $0).processes() }
        for pid in pids { kill(pid, SIGTERM) }
        if waitForEnd(of: everything) { return }
        for process in everything where isAlive(process) { kill(process.pid, SIGKILL) }
        // A killed process ends when a processor runs it once more.
        _ = waitForEnd(of: everything)
    }

    /// Whether all of them have ended within five seconds.
    private static func waitForEnd(of processes: [ProcessStat]) -> Bool {
        let deadline = Deadline(after: 5)
        while processes.contains(where: isAlive) {
            if deadline.hasPassed { return false }
            usleep(5000)
        }
        return true
    }

    private static func isAlive(_ process: ProcessStat) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(process.pid)/stat", encoding: .utf8) else { return false }
        guard let now = ProcessStat(parsing: line) else { return false }
        return now.state != "Z"
    }
}
