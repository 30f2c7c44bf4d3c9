import Foundation

/// h2load, of Debian's nghttp2-client: load over HTTP/2, or over HTTP/1.1 at a fixed rate.
enum H2Load {
    /// When it ends.
    enum Amount {
        case seconds(Int)
        case requests(Int)
    }

    /// How it asks.
    struct Plan {
        var amount: Amount
        var connections: Int
        /// How many requests each connection has in flight at a time.
        var streams = 1
        var isHTTP1 = false
        /// Requests a second on each connection; nil for as many as are answered.
        var rate: Double?
    }

    /// Asks for something as long as the plan says.
    ///
    /// - Returns: what it came to, and how long each answer took, in seconds.
    /// - Throws: ``CheckFailure`` if one answer failed.
    static func run(
        port: Int,
        path: String,
        _ plan: Plan,
        server: ServerName,
        in workspace: Workspace
    ) throws -> (report: LoadReport, durations: [Double]) {
        let log = workspace.folder.appendingPathComponent("h2load-\(UUID().uuidString).tsv")
        defer { try? FileManager.default.removeItem(at: log) }
        var arguments = ["-t1", "-c\(plan.connections)", "-m\(plan.streams)"]
        switch plan.amount {
        case .seconds(let seconds): arguments.append("-D\(seconds)")
        case .requests(let requests): arguments.append("-n\(requests)")
        }
        if plan.isHTTP1 { arguments.append("--h1") }
        if let rate = plan.rate { arguments += ["--rps=\(rate)", "--log-file=\(log.path)"] }
        let output = try ChildProcess(
            "h2load",
            executable: Executable.find("h2load"),
            arguments: arguments + ["http://127.0.0.1:\(port)\(path)"],
            in: workspace
        ).finish()
        guard let report = H2LoadReport(parsing: output) else {
            throw CheckFailure("\(server): h2load reported no totals:\n\(output)")
        }
        guard report.succeeded > 0, report.failed == 0, report.otherThan2xx == 0 else {
            throw CheckFailure("\(server): answers failed under load:\n\(output)")
        }
        let durations = plan.rate == nil ? [] : H2LoadReport.durations(in: try String(contentsOf: log, encoding: .utf8))
        return (LoadReport(requests: report.succeeded, requestsPerSecond: report.requestsPerSecond), durations)
    }
}
