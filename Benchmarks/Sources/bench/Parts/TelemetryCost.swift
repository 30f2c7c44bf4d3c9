import Foundation

/// What a line of the log and metrics for each request cost.
struct TelemetryCost: Part {
    func run(_ plan: Plan) throws -> PartReport {
        let log = plan.workspace.folder.appending(path: "requests.log").path
        let peers = [
            Peer.backlot,
            Peer.product("bench-server-backlot", as: .backlot) { _ in ["--telemetry", log] },
        ]
        let servers = try peers.map { try $0.start(plan.workspace) }
        for server in servers {
            let connection = try LoopbackConnection(port: server.port)
            try DocumentedPage.check(try connection.get(DocumentedPage.path), from: "the page")
        }
        let load = Load(path: DocumentedPage.path)
        let figures = try Rounds(plan: plan, servers: servers).measureEach("telemetry") {
            try Wrk.run(on: $0, load, seconds: $1, in: plan.workspace)
        }
        var table = Table(columns: ["telemetry", "requests/s", "CPU s/100,000"])
        for (title, figures) in zip(["none", "a line of JSON in a file, and metrics"], figures) {
            table.add([title, Figure.whole(figures.requestsPerSecond), Figure.decimal(figures.cpu)])
        }
        return PartReport(
            title: "Telemetry, under wrk -t1 -c64: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "answers a second with log and metrics, against without",
                    direction: .atLeast,
                    bound: 0.95,
                    measured: Figure.quotient(figures[1].requestsPerSecond, figures[0].requestsPerSecond),
                    unit: "×"
                )
            ]
        )
    }
}
