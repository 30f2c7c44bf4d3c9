/// How long answers take when a server is half as busy as nginx can be.
struct Latency: Part {
    private let connections = 256

    func run(_ plan: Plan) throws -> PartReport {
        let servers = try plan.peers([.backlot, .nginx]).map { try $0.start(plan.workspace) }
        guard let nginx = servers.first(where: { $0.name == .nginx }) else {
            throw CheckFailure("the rate is half of nginx's: don't leave it out")
        }
        var load = H2Load.Plan(amount: .seconds(plan.seconds), connections: connections, isHTTP1: true)
        let most = try run(load, on: nginx, plan).report.requestsPerSecond
        load.rate = (most / 2 / Double(connections)).rounded()
        var percentiles: [ServerName: [Double]] = [:]
        for round in 0..<plan.rounds {
            for turn in servers.indices {
                let server = servers[(round + turn) % servers.count]
                let durations = try run(load, on: server, plan).durations.sorted()
                guard !durations.isEmpty else { throw CheckFailure("\(server.name): h2load logged no answers") }
                let percentile = durations[durations.count * 99 / 100]
                percentiles[server.name, default: []].append(percentile)
                Progress.say("round \(round + 1)/\(plan.rounds)  \(server.name): p99 \(milliseconds(percentile)) ms")
            }
        }
        var table = Table(columns: ["server", "p99 ms, median", "lowest", "highest"])
        for server in servers {
            let values = percentiles[server.name] ?? []
            table.add([
                server.name.description,
                milliseconds(values.median),
                milliseconds(values.min()),
                milliseconds(values.max()),
            ])
        }
        let rate = Figure.whole((load.rate ?? 0) * Double(connections))
        return PartReport(
            title: "GET \(DocumentedPage.path) on \(connections) connections, \(rate) requests/s in all, "
                + "half of nginx's maximum: \(plan.rounds) rounds in turns, under h2load --h1 --rps",
            table: table,
            goals: [
                Goal(
                    text: "p99 at half of nginx's maximum, against nginx's",
                    direction: .atMost,
                    bound: 1.5,
                    measured: Figure.quotient(percentiles[.backlot]?.median, percentiles[.nginx]?.median),
                    unit: "×"
                )
            ]
        )
    }

    private func run(
        _ load: H2Load.Plan,
        on server: RunningServer,
        _ plan: Plan
    ) throws -> (report: LoadReport, durations: [Double]) {
        try H2Load.run(port: server.port, path: DocumentedPage.path, load, server: server.name, in: plan.workspace)
    }

    private func milliseconds(_ seconds: Double?) -> String {
        Figure.decimal(seconds.map { $0 * 1000 })
    }
}
