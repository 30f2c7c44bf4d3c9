import Foundation

/// The load: one thread of wrk on keep-alive connections.
enum Wrk {
    /// Asks `server` for something as fast as it answers, for some seconds.
    /// - Throws: ``CheckFailure`` if one answer failed, or one connection.
    static func run(
        on server: RunningServer,
        _ load: Load,
        seconds: Int,
        connections: Int = 64,
        overTLS: Bool = false,
        in workspace: Workspace
    ) throws -> LoadReport {
        var arguments = ["-t1", "-c\(connections)", "-d\(seconds)s"]
        for header in load.headers { arguments += ["-H", header] }
        if let script = load.wrkScript { arguments += ["-s", try workspace.file("load.lua", holding: script).path] }
        let output = try ChildProcess(
            "wrk",
            executable: Executable.find("wrk"),
            arguments: arguments + ["http\(overTLS ? "s" : "")://127.0.0.1:\(server.port)\(load.path)"],
            in: workspace
        ).finish()
        guard let report = WrkReport(parsing: output) else {
            throw CheckFailure("\(server.name): wrk reported no totals:\n\(output)")
        }
        guard report.requests > 0, report.failedResponses == 0, report.socketErrors == 0 else {
            throw CheckFailure("\(server.name): answers or connections failed under load:\n\(output)")
        }
        return LoadReport(requests: report.requests, requestsPerSecond: report.requestsPerSecond)
    }
}
