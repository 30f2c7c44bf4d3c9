import Foundation
import Glibc

/// A program that the run started. Whatever it prints goes to a log file.
final class ChildProcess {
    /// What messages call the program.
    let name: String
    /// The program and what it starts.
    let tree: ProcessTree
    /// When it was started: what comes before, such as making a file for its log, isn't its own.
    let start: ContinuousClock.Instant

    private let process = Process()
    private let log: URL

    /// Starts a program.
    /// - Parameters:
    ///   - name: What messages call it.
    ///   - executable: Its path.
    ///   - arguments: Its arguments.
    ///   - workspace: Where its log goes.
    init(_ name: String, executable: URL, arguments: [String] = [], in workspace: Workspace) throws {
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw CheckFailure("\(name): there is no program \(executable.path)")
        }
        self.name = name
        log = try workspace.file("\(name)-\(UUID().uuidString).log", holding: "")
        let output = try FileHandle(forWritingTo: log)
        defer { try? output.close() }
        if let processor = workspace.processor {
            process.executableURL = try Executable.find("taskset")
            process.arguments = ["-c", "\(processor)", executable.path] + arguments
        } else {
            process.executableURL = executable
            process.arguments = arguments
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        start = .now
        try RunningChildren.shared.start(process)
        tree = ProcessTree(root: process.processIdentifier)
    }

    /// Everything that the program has printed, on either stream.
    var output: String {
        (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    }

    /// Polls `ready` until it gives a value.
    /// - Throws: ``CheckFailure`` with what the program printed, if it ends before that or takes longer than `seconds`.
    func wait<Value>(atMost seconds: Double, until ready: () throws -> Value?) throws -> Value {
        let deadline = Deadline(after: seconds)
        while true {
            if let value = try ready() { return value }
            guard process.isRunning else { throw CheckFailure("\(name) ended at once. It printed:\n\(output)") }
            guard !deadline.hasPassed else {
                throw CheckFailure("\(name) is not ready after \(seconds) s. It printed:\n\(output)")
            }
            usleep(2000)
        }
    }

    /// Waits for the program to end by itself, and gives what it printed.
    /// - Throws: ``CheckFailure`` if it reports an error.
    func finish() throws -> String {
        process.waitUntilExit()
        RunningChildren.shared.forget(process.processIdentifier)
        guard process.terminationStatus == 0 else {
            throw CheckFailure("\(name) failed with status \(process.terminationStatus). It printed:\n\(output)")
        }
        return output
    }

    /// Asks the program to end, waits until it has, and gives what it printed.
    /// - Throws: ``CheckFailure`` if it reports an error.
    func stopAndFinish() throws -> String {
        kill(process.processIdentifier, SIGTERM)
        return try finish()
    }

    /// Ends the program and what it started.
    func stop() {
        RunningChildren.shared.stop(process.processIdentifier)
    }

    deinit {
        stop()
    }
}
