import Glibc

/// The resident memory that an idle keep-alive connection costs each server.
struct IdleConnections: Part {
    /// How many of the idle connections must still answer in the end.
    private let sample = 100

    func run(_ plan: Plan) throws -> PartReport {
        try plan.raiseFileLimit()
        var table = Table(columns: [
            "server", "bytes per connection", "RSS before, MB", "RSS after, MB", "kernel's bytes per connection",
        ])
        var ours: Double?
        for peer in plan.peers([.backlot, .hummingbird, .nginx]) {
            let memory = try measure(peer, plan)
            let each = Double(memory.after - memory.before) / Double(plan.idleConnections)
            if peer.name == .backlot { ours = each }
            Progress.say("\(peer.name): \(Figure.whole(each)) bytes for an idle connection")
            table.add([
                peer.name.description,
                Figure.whole(each),
                Figure.decimal(Double(memory.before) / 1_000_000),
                Figure.decimal(Double(memory.after) / 1_000_000),
                Figure.whole(Double(memory.kernel) / Double(plan.idleConnections)),
            ])
        }
        let count = Figure.whole(Double(plan.idleConnections))
        return PartReport(
            title: "\(count) idle keep-alive connections, each after one GET \(DocumentedPage.path)",
            table: table,
            notes: [
                "nginx reserves part of what a connection needs when it starts: that part is in \"RSS before\".",
                "The kernel's bytes are those of both ends, the server's and the client's, which are on one machine here.",
            ],
            goals: [
                Goal(
                    text: "resident memory of an idle connection",
                    direction: .atMost,
                    bound: 190,
                    measured: ours,
                    unit: " bytes"
                )
            ]
        )
    }

    private func measure(_ peer: Peer, _ plan: Plan) throws -> (before: Int, after: Int, kernel: Int) {
        let server = try peer.start(plan.workspace.holding(connections: plan.idleConnections))
        try warmUp(server)
        let before = server.process.settledMemory()
        let kernelBefore = KernelMemory.slabBytes
        let connections = try open(plan.idleConnections, to: server)
        let after = server.process.settledMemory()
        let kernel = KernelMemory.slabBytes - kernelBefore
        for index in stride(from: 0, to: connections.count, by: max(1, connections.count / sample)) {
            try ask(connections[index], of: server)
        }
        return (before, after, kernel)
    }

    /// Lets every thread of the server answer, so that code and pools that are loaded once don't count as connections.
    private func warmUp(_ server: RunningServer) throws {
        let connections = try open(64, to: server)
        for _ in 0..<20 {
            for connection in connections { try ask(connection, of: server) }
        }
    }

    /// Opens connections one after the other, each of which asks once.
    private func open(_ count: Int, to server: RunningServer) throws -> [LoopbackConnection] {
        var connections: [LoopbackConnection] = []
        var source: UInt8 = 1
        while connections.count < count {
            do {
                let connection = try LoopbackConnection(port: server.port, source: source)
                try ask(connection, of: server)
                connections.append(connection)
            } catch let failure as ConnectionFailure where failure.outOfPorts && source < 99 {
                source += 1
            } catch let failure as ConnectionFailure {
                throw CheckFailure("\(server.name): connection \(connections.count + 1) of \(count): \(failure)")
            }
        }
        return connections
    }

    private func ask(_ connection: LoopbackConnection, of server: RunningServer) throws {
        do {
            try DocumentedPage.check(connection.get(DocumentedPage.path), from: server.name.description)
        } catch let failure as ConnectionFailure {
            throw CheckFailure("\(server.name): a keep-alive connection no longer answers: \(failure)")
        }
    }
}

extension Plan {
    /// Lets this process and those that it starts hold the idle connections: a socket each, and some more for logs and
    /// libraries.
    func raiseFileLimit() throws {
        let needed = idleConnections + 256
        let limit = FileLimit.raise(to: needed)
        guard limit >= needed else {
            throw CheckFailure(
                "\(idleConnections) connections need \(needed) open files, and the limit is \(limit): "
                    + "raise it with `ulimit -n \(needed)` as root, or pass --idle-connections \(max(0, limit - 256))"
            )
        }
    }
}

extension ChildProcess {
    /// The resident bytes of the program and what it started, once they have stayed within 64 KiB for a second, or
    /// after ten.
    func settledMemory() -> Int {
        let deadline = Deadline(after: 10)
        var latest: [Int] = []
        while true {
            latest = latest.suffix(4) + [tree.residentBytes()]
            let spread = (latest.max() ?? 0) - (latest.min() ?? 0)
            if latest.count == 5, spread <= 65536 || deadline.hasPassed { return latest[4] }
            usleep(250_000)
        }
    }
}
