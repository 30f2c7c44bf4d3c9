/// The processor time that each server spends on a page, under the same load, in turns.
struct ServerCPU: Part {
    func run(_ plan: Plan) throws -> PartReport {
        let servers = try plan.peers().map { try $0.start(plan.workspace) }
        var bodies: [ServerName: Int] = [:]
        for server in servers {
            let response = try LoopbackConnection(port: server.port).get(DocumentedPage.path)
            try DocumentedPage.check(response, from: server.name.description)
            bodies[server.name] = response.body.count
        }
        let page = Load(path: DocumentedPage.path)
        let figures = try Rounds(plan: plan, servers: servers).measure("page") {
            try Wrk.run(on: $0, page, seconds: $1, in: plan.workspace)
        }
        return report(figures, bodies, plan)
    }

    private func report(
        _ figures: [ServerName: ServerFigures],
        _ bodies: [ServerName: Int],
        _ plan: Plan
    ) -> PartReport {
        var table = Table(columns: [
            "server",
            "CPU s/100,000",
            "lowest–highest",
            "vs nginx",
            "vs Hummingbird",
            "requests/s",
            "RSS MB",
            "body bytes",
        ])
        let nginx = figures[.nginx]?.cpu
        let hummingbird = figures[.hummingbird]?.cpu
        for name in ServerName.allCases {
            guard let server = figures[name] else { continue }
            table.add([
                name.description,
                Figure.decimal(server.cpu),
                server.cpuRange,
                Figure.ratio(server.cpu, to: nginx),
                Figure.ratio(server.cpu, to: hummingbird),
                Figure.whole(server.requestsPerSecond),
                Figure.decimal(server.residentBytes.map { $0 / 1_000_000 }, places: 1),
                bodies[name].map(String.init) ?? Figure.none,
            ])
        }
        let cpu = "server CPU per request"
        let ours = figures[.backlot]?.cpu
        let shipped = figures[.demo]?.cpu
        return PartReport(
            title: "GET \(DocumentedPage.path) under wrk -t1 -c64 -d\(plan.seconds)s: "
                + "medians of \(plan.rounds) rounds in turns",
            table: table,
            notes: ["CPU s/100,000: user and system seconds of the server and its workers for 100,000 requests."],
            goals: [
                Goal(
                    text: "\(cpu), against Hummingbird's",
                    direction: .atMost,
                    bound: 0.2,
                    measured: Figure.quotient(ours, hummingbird),
                    unit: "×"
                ),
                Goal(
                    text: "\(cpu), against nginx's static answer",
                    direction: .atMost,
                    bound: 1.15,
                    measured: Figure.quotient(ours, nginx),
                    unit: "×"
                ),
                Goal(
                    text: "the same of demo-server with its defaults",
                    direction: .atMost,
                    bound: 1.2,
                    measured: Figure.quotient(shipped, nginx),
                    unit: "×"
                ),
                Goal(
                    text: "the same, against nginx with its access log",
                    direction: .atMost,
                    bound: 0.95,
                    measured: Figure.quotient(shipped, figures[.loggingNginx]?.cpu),
                    unit: "×"
                ),
            ]
        )
    }
}
