import Foundation

/// The load of handshakes: `bench-tls`, which opens a connection over TLS for each it ends.
enum Handshakes {
    /// Shakes hands on 16 connections as fast as the server does, for some seconds, on the second processor.
    ///
    /// - Parameter resumed: whether each takes up the session of one before.
    /// - Throws: ``CheckFailure`` if one handshake failed, or was full where it should not be.
    static func run(
        on server: RunningServer,
        resumed: Bool,
        seconds: Int,
        in workspace: Workspace
    ) throws -> LoadReport {
        let output = try ChildProcess(
            "bench-tls",
            executable: workspace.program("bench-tls"),
            arguments: [resumed ? "resumed" : "full", "\(server.port)", "\(seconds)", "16"],
            in: workspace.on(processor: 1)
        ).finish()
        guard let report = report(parsing: output), report.requests > 0 else {
            throw CheckFailure("\(server.name): bench-tls reported no handshakes:\n\(output)")
        }
        return report
    }

    /// Parses `6000 handshakes in 3.000 s`; nil when that isn't there.
    static func report(parsing text: String) -> LoadReport? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 5, words[1] == "handshakes", let count = Int(words[0]), let seconds = Double(words[3]),
            seconds > 0
        else { return nil }
        return LoadReport(requests: count, requestsPerSecond: Double(count) / seconds)
    }
}
