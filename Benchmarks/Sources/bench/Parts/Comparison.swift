/// Loads under which Backlot and nginx are measured in turns: how many answers a second, and at what processor time.
struct Comparison: Part {
    /// One load.
    struct Row {
        var title: String
        var load: Load
        /// How the load is made.
        var tool = Tool.wrk
        /// The least share of nginx's answers a second that we mean to reach.
        var throughputGoal: Double?
        /// The most processor time that an answer may take, as a share of nginx's.
        var cpuGoal: Double?
        /// What an answer must be like, beside being a 200.
        var check: @Sendable (Response) -> Bool = { _ in true }
    }

    /// What makes a load.
    enum Tool {
        case wrk
        /// Over TLS.
        case wrkOverTLS
        /// Connections over TLS that end with their handshakes: full ones, or such as take up an earlier session.
        case handshakes(resumed: Bool)
        /// Over HTTP/2, with so many requests in flight on each of 16 connections.
        case h2load(streams: Int)
    }

    var title: String
    var peers: [Peer] = [.backlotWithFiles, .nginx]
    var rows: [Row]
    var notes: [String] = []

    func run(_ plan: Plan) throws -> PartReport {
        let servers = try peers.filter { !plan.skipped.contains($0.name) }.map { try $0.start(plan.workspace) }
        var table = Table(columns: [
            "load", "Backlot/s", "nginx/s", "throughput", "Backlot CPU", "nginx CPU", "CPU",
        ])
        var goals: [Goal] = []
        for row in rows {
            for server in servers { try check(row, on: server) }
            let figures = try Rounds(plan: plan, servers: servers).measure(row.title) { server, seconds in
                try load(row, on: server, seconds: seconds, plan)
            }
            let (ours, theirs) = (figures[.backlot], figures[.nginx])
            table.add([
                row.title,
                Figure.whole(ours?.requestsPerSecond),
                Figure.whole(theirs?.requestsPerSecond),
                Figure.ratio(ours?.requestsPerSecond, to: theirs?.requestsPerSecond),
                Figure.decimal(ours?.cpu),
                Figure.decimal(theirs?.cpu),
                Figure.ratio(ours?.cpu, to: theirs?.cpu),
            ])
            if let bound = row.throughputGoal {
                goals.append(
                    Goal(
                        text: "\(row.title): answers a second, against nginx's",
                        direction: .atLeast,
                        bound: bound,
                        measured: Figure.quotient(ours?.requestsPerSecond, theirs?.requestsPerSecond),
                        unit: "×"
                    )
                )
            }
            if let bound = row.cpuGoal {
                goals.append(
                    Goal(
                        text: "\(row.title): server CPU, against nginx's",
                        direction: .atMost,
                        bound: bound,
                        measured: Figure.quotient(ours?.cpu, theirs?.cpu),
                        unit: "×"
                    )
                )
            }
        }
        return PartReport(
            title: "\(title): medians of \(plan.rounds) rounds in turns",
            table: table,
            notes: ["CPU: user and system seconds of the server and its workers for 100,000 requests."] + notes,
            goals: goals
        )
    }

    private func check(_ row: Row, on server: RunningServer) throws {
        switch row.tool {
        case .wrk, .h2load: break
        // Their clients check what comes.
        case .wrkOverTLS, .handshakes: return
        }
        let response = try LoopbackConnection(port: server.port).ask(row.load)
        guard response.status == 200, row.check(response) else {
            throw CheckFailure(
                "\(server.name): \(row.title): status \(response.status), \(response.body.count) bytes, \(response.fields)"
            )
        }
    }

    private func load(_ row: Row, on server: RunningServer, seconds: Int, _ plan: Plan) throws -> LoadReport {
        switch row.tool {
        case .wrk: return try Wrk.run(on: server, row.load, seconds: seconds, in: plan.workspace)
        case .wrkOverTLS:
            return try Wrk.run(on: server, row.load, seconds: seconds, overTLS: true, in: plan.workspace)
        case .handshakes(let resumed):
            return try Handshakes.run(on: server, resumed: resumed, seconds: seconds, in: plan.workspace)
        case .h2load(let streams):
            let port = server.http2Port
            let load = H2Load.Plan(amount: .seconds(seconds), connections: 16, streams: streams)
            return try H2Load.run(port: port, path: row.load.path, load, server: server.name, in: plan.workspace).report
        }
    }
}
