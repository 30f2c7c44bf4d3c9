import Foundation

/// Two event loops against one: what the page costs, and how evenly connections are spread over them.
struct LoopScale: Part {
    private let counts = [64, 256, 1000]

    func run(_ plan: Plan) throws -> PartReport {
        let servers = try ["1", "2"].map { try Peer.backlot(options: "--loops", $0).start(plan.workspace) }
        let page = Load(path: DocumentedPage.path)
        let figures = try Rounds(plan: plan, servers: servers).measureEach("loops") {
            try Wrk.run(on: $0, page, seconds: $1, in: plan.workspace)
        }
        var table = Table(columns: ["what", "1 loop", "2 loops", "2 against 1"])
        table.add([
            "answers a second", Figure.whole(figures[0].requestsPerSecond), Figure.whole(figures[1].requestsPerSecond),
            Figure.ratio(figures[1].requestsPerSecond, to: figures[0].requestsPerSecond),
        ])
        table.add([
            "CPU s/100,000", Figure.decimal(figures[0].cpu), Figure.decimal(figures[1].cpu),
            Figure.ratio(figures[1].cpu, to: figures[0].cpu),
        ])
        var worst = 0.0
        for count in counts {
            let spread = try spread(of: count, over: servers[1])
            table.add(["\(count) connections, on each loop", "\(count)", Self.text(spread.opened), ""])
            table.add([
                "the same, after those of a loop have left and others came", "\(count)", Self.text(spread.replaced), "",
            ])
            worst = max(worst, Self.share(spread.opened, of: count), Self.share(spread.replaced, of: count))
        }
        return PartReport(
            title: "GET \(DocumentedPage.path) with 2 event loops against 1: medians of \(plan.rounds) rounds in turns",
            table: table,
            notes: [
                "wrk takes a processor: where the machine has two, more loops can't answer twice as fast, and CPU is the figure."
            ],
            goals: [
                Goal(
                    text: "CPU per request with 2 loops, against 1",
                    direction: .atMost,
                    bound: 1.1,
                    measured: Figure.quotient(figures[1].cpu, figures[0].cpu),
                    unit: "×"
                ),
                Goal(
                    text: "connections of the fullest of 2 loops, against half of all",
                    direction: .atMost,
                    bound: 1.05,
                    measured: worst,
                    unit: "×"
                ),
            ]
        )
    }

    /// How many connections each loop has.
    private func spread(of count: Int, over server: RunningServer) throws -> (opened: [Int], replaced: [Int]) {
        var connections = try open(count, to: server)
        let opened = Self.counts(connections)
        guard let left = connections.first?.loop else { return (opened, []) }
        connections.removeAll { $0.loop == left }
        // The server needs a moment to see that they have left.
        usleep(200_000)
        connections += try open(count - connections.count, to: server)
        return (opened, Self.counts(connections))
    }

    /// Opens connections, each of which asks for its loop.
    private func open(
        _ count: Int,
        to server: RunningServer
    ) throws -> [(connection: LoopbackConnection, loop: [UInt8])] {
        try (0..<count).map { _ in
            let connection = try LoopbackConnection(port: server.port)
            let response = try connection.get("/loop")
            guard response.status == 200 else {
                throw CheckFailure("\(server.name): /loop gave status \(response.status)")
            }
            return (connection, response.body)
        }
    }

    private static func counts(_ connections: [(connection: LoopbackConnection, loop: [UInt8])]) -> [Int] {
        Dictionary(grouping: connections, by: \.loop).values.map(\.count).sorted()
    }

    private static func text(_ counts: [Int]) -> String { counts.map(String.init).joined(separator: " and ") }

    /// The connections of the fuller loop, divided by half of all connections: 1 is a fair spread.
    private static func share(_ counts: [Int], of count: Int) -> Double {
        Double((counts.max() ?? count) * 2) / Double(count)
    }
}
