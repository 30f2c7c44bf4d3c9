import Foundation

/// The load: one thread of wrk on 64 keep-alive connections.
enum Wrk {
    /// Asks `server` for `path` as fast as it answers, for some seconds.
    /// - Throws: ``CheckFailure`` if one answer failed, or one connection.
    static func run(on server: RunningServer, path: String, seconds: Int, in workspace: Workspace) throws -> WrkReport {
        let address = "http://127.0.0.1:\(server.port)\(path)"
        let output = try ChildProcess(
            "wrk",
            executable: Executable.find("wrk"),
            arguments: ["-t1", "-c64", "-d\(seconds)s", address],
            in: workspace
        ).finish()
        guard let report = WrkReport(parsing: output) else {
            throw CheckFailure("\(server.name): wrk reported no totals:\n\(output)")
        }
        guard report.requests > 0, report.failedAnswers == 0, report.socketErrors == 0 else {
            throw CheckFailure("\(server.name): answers or connections failed under load:\n\(output)")
        }
        return report
    }
}
