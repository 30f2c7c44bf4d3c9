public import BacklotHTTP
internal import Foundation

/// A server in a separate process, started as a person would.
public final class ServerProcess {
    /// The output of the process, and its status.
    public struct Outcome {
        /// Standard output, but for what was read before.
        public let output: String
        /// Standard error.
        public let errors: String
        /// The exit status; for a process that a signal has killed, the signal's number with a minus sign.
        public let status: Int32
    }

    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    /// The folder for the state of the process, unless `environment` names another: it never uses a person's own state.
    private let state = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")

    /// Starts a program that was built beside these tests.
    ///
    /// - Parameters:
    ///   - descriptors: the maximum number of open files and sockets; nil for that of the tests.
    ///   - prelude: `sh` commands before the shell becomes the program, such as `ulimit -f 100`.
    ///   - folder: its working directory; nil for the root of the checkout.
    public init(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        descriptors: Int? = nil,
        prelude: String? = nil,
        in folder: String? = nil
    ) throws {
        let program = try Self.executable(name)
        if let prelude = prelude ?? descriptors.map({ "ulimit -n \($0)" }) {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "\(prelude); exec \"$0\" \"$@\"", program.path] + arguments
        } else {
            process.executableURL = program
            process.arguments = arguments
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        process.currentDirectoryURL = folder.map { URL(filePath: $0) } ?? root
        process.environment = ProcessInfo.processInfo.environment
            .filter { !["BACKLOT_PATIENCE", "HOST", "PORT"].contains($0.key) }
            .merging(["XDG_STATE_HOME": state.path]) { $1 }
            .merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        // Foundation holds a process until somebody has waited for its end.
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: state)
    }

    /// The first line on standard output; nil when the process ends before it, or is killed because it takes too long.
    public func firstLine() -> String? { nextLine() }

    /// The next line on standard output; nil as for the first.
    public func nextLine() -> String? { process.limited(seconds: 60) { Self.nextLine(from: output) } }

    /// The text of standard error up to a line with some words, that line included; all of it when the process ends before, or is
    /// killed because it takes too long.
    public func errors(upTo words: String) -> String {
        process.limited(seconds: 60) {
            var text = ""
            while !text.contains(words), let line = Self.nextLine(from: errors) { text += line + "\n" }
            return text
        }
    }

    private static func nextLine(from pipe: Pipe) -> String? {
        var line: [UInt8] = []
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// The server's address, from its first line `listening on http://HOST:PORT/`; nil for any other line.
    public func address() -> SocketAddress? {
        guard let line = firstLine(), let url = line.split(separator: " ").last.flatMap({ URL(string: String($0)) }),
            let host = url.host(), let port = url.port.flatMap(UInt16.init)
        else { return nil }
        return SocketAddress(host: host, port: port)
    }

    /// The process's number.
    public var identifier: Int32 { process.processIdentifier }

    /// Sends a signal.
    public func signal(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for the process to end, and kills it if it doesn't.
    public func outcome() -> Outcome {
        let texts = process.limited {
            defer { process.waitUntilExit() }
            return Pipe.texts(of: output, errors)
        }
        return Outcome(
            output: texts.output,
            errors: texts.errors,
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        )
    }

    private static func executable(_ name: String) throws -> URL {
        let bundle = CommandLine.arguments.compactMap { argument in
            argument.range(of: ".xctest").map { _ in URL(filePath: argument) }
        }
        for url in bundle {
            var folder = url
            while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
            let executable = folder.appending(path: name)
            if FileManager.default.isExecutableFile(atPath: executable.path) { return executable }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
