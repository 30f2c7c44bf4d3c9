import Glibc

/// Measures servers in turns.
struct Rounds {
    var plan: Plan
    var servers: [RunningServer]

    /// Puts each server under a load in each round, and gives what was measured of it.
    ///
    /// - Parameter load: puts a server under load for some seconds.
    func measure(
        _ title: String,
        _ load: (RunningServer, Int) throws -> LoadReport
    ) throws -> [ServerName: ServerFigures] {
        let figures = try measureEach(title, load)
        return Dictionary(uniqueKeysWithValues: zip(servers.map(\.name), figures))
    }

    /// The same, for servers that may have one name: gives the figures in their order.
    func measureEach(_ title: String, _ load: (RunningServer, Int) throws -> LoadReport) throws -> [ServerFigures] {
        // The first second fills caches and pools, and is not measured.
        for server in servers { _ = try load(server, 1) }
        var figures = servers.map { _ in ServerFigures() }
        for round in 0..<plan.rounds {
            // Each round starts with another server, so that none always follows the same one.
            for turn in servers.indices {
                let index = (round + turn) % servers.count
                let server = servers[index]
                let sample = try Self.sample(of: server) { try load(server, plan.seconds) }
                figures[index].add(sample)
                Progress.say("round \(round + 1)/\(plan.rounds)  \(title)  \(server.name): \(sample)")
            }
        }
        return figures
    }

    /// Puts a server under load once, and gives what was measured of it.
    static func sample(of server: RunningServer, _ load: () throws -> LoadReport) throws -> ServerFigures.Sample {
        let tree = server.process.tree
        let before = tree.processorSeconds()
        let report = try load()
        // The client leaves with requests unread: give the server a moment to notice.
        usleep(50_000)
        return ServerFigures.Sample(
            requestsPerSecond: report.requestsPerSecond,
            cpu: (tree.processorSeconds() - before) / Double(report.requests) * 100_000,
            residentBytes: Double(tree.residentBytes())
        )
    }
}
