import Foundation

/// demo-server as a process of its own, as a person starts it.
final class DemoProcess {
    /// What the process printed, and how it ended.
    struct Outcome {
        let output: String
        let errors: String
        let status: Int32
    }

    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts the demo-server that was built beside these tests, from the root of the checkout.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = try Self.executable()
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        process.environment = ProcessInfo.processInfo.environment
            .filter { $0.key != "HOST" && $0.key != "PORT" }
            .merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// The first line on standard output; nil when the process ends before it.
    func firstLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// Sends a signal.
    func signal(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits for the process to end.
    func outcome() -> Outcome {
        let output = output.fileHandleForReading.readDataToEndOfFile()
        let errors = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self),
            // A process that a signal has killed has no status of its own.
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        )
    }

    private static func executable() throws -> URL {
        let bundle = CommandLine.arguments.compactMap { argument in
            argument.range(of: ".xctest").map { _ in URL(filePath: argument) }
        }
        for url in bundle {
            var folder = url
            while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
            let executable = folder.appending(path: "demo-server")
            if FileManager.default.isExecutableFile(atPath: executable.path) { return executable }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
