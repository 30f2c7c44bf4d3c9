import Glibc

/// The resident memory that clients take which send or read as little as keeps them connected.
struct GreedyClients: Part {
    /// One way to be greedy.
    private struct Kind {
        var title: String
        /// What each client sends, or as much of it as the server takes.
        var bytes: String
    }

    private let clients = 500

    private let kinds = [
        Kind(
            title: "30 KB of a head, and no end",
            bytes: "GET / HTTP/1.1\r\nHost: h\r\n"
                + String(repeating: "X-F: \(String(repeating: "x", count: 1000))\r\n", count: 30)
        ),
        Kind(
            title: "256 KB of a body of 1 MB",
            bytes: "POST \(DocumentedPage.path) HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n"
                + String(repeating: "x", count: 262_144)
        ),
        Kind(
            title: "8 MB of requests, no answer read",
            bytes: String(repeating: "GET \(DocumentedPage.path) HTTP/1.1\r\nHost: h\r\n\r\n", count: 200_000)
        ),
        Kind(title: "a file of 1 MB, not read", bytes: "GET /1m.bin HTTP/1.1\r\nHost: h\r\n\r\n"),
    ]

    func run(_ plan: Plan) throws -> PartReport {
        _ = FileLimit.raise(to: 2 * clients + 256)
        var rows: [[String]] = kinds.map { [$0.title] }
        let peers: [Peer] = [.backlotWithFiles, .nginx].filter { !plan.skipped.contains($0.name) }
        for peer in peers {
            for (index, kind) in kinds.enumerated() {
                let memory = try measure(kind, peer, plan)
                Progress.say("\(peer.name): \(kind.title): \(Figure.whole(memory.each)) bytes for a client")
                rows[index] += [Figure.whole(memory.each), Figure.decimal(memory.all / 1_000_000, places: 1)]
            }
        }
        var table = Table(columns: ["each client sends"] + peers.flatMap { ["\($0.name), bytes each", "RSS MB"] })
        for row in rows { table.add(row) }
        return PartReport(
            title: "\(clients) greedy clients at a time, after 2 seconds",
            table: table,
            notes: ["What the system's own socket buffers hold is not in these figures."],
            goals: []
        )
    }

    private func measure(_ kind: Kind, _ peer: Peer, _ plan: Plan) throws -> (each: Double, all: Double) {
        let server = try peer.start(plan.workspace)
        _ = try Wrk.run(on: server, Load(path: DocumentedPage.path), seconds: 1, in: plan.workspace)
        let before = server.process.tree.residentBytes()
        let connections = try (0..<clients).map { _ in try LoopbackConnection(port: server.port) }
        let bytes = Array(kind.bytes.utf8)
        for connection in connections { connection.sendWhatFits(bytes) }
        usleep(2_000_000)
        let after = server.process.tree.residentBytes()
        // Everybody else is still served.
        try DocumentedPage.check(
            LoopbackConnection(port: server.port).get(DocumentedPage.path),
            from: server.name.description
        )
        withExtendedLifetime(connections) {}
        return (Double(after - before) / Double(clients), Double(after))
    }
}
