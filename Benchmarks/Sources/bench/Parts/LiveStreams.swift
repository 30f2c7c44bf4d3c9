/// The cost of an echo over a WebSocket and of a streamed event: served by our server, and through `demo-server record` or nginx as the
/// proxy before it.
struct LiveStreams: Part {
    func run(_ plan: Plan) throws -> PartReport {
        let backend = try Peer.backlot.start(plan.workspace)
        let recorder = try Peer.recorder(before: backend.port).start(plan.workspace)
        let nginx = try Peer.nginx(before: backend.port).start(plan.workspace)
        let rounds = Rounds(plan: plan, servers: [backend, recorder, nginx])
        let echoes = try rounds.measureEach("echoes") { try LiveClients.echo(on: $0, seconds: $1) }
        let events = try rounds.measureEach("events") { try LiveClients.read(on: $0, seconds: $1) }
        var table = Table(columns: [
            "server", "echoes/s", "CPU s/100,000", "beside nginx", "events/s", "CPU s/100,000", "beside nginx",
        ])
        for (index, title) in ["served by Backlot", "through demo-server record", "through nginx"].enumerated() {
            table.add(
                [title]
                    + [echoes, events].flatMap { figures in
                        [
                            Figure.whole(figures[index].requestsPerSecond),
                            Figure.decimal(figures[index].cpu),
                            Figure.ratio(figures[index].cpu, to: figures[2].cpu),
                        ]
                    }
            )
        }
        return PartReport(
            title: "Messages of 32 bytes on \(LiveClients.webSockets) WebSockets, and an event each 10 ms on "
                + "\(LiveClients.streams) streams: medians of \(plan.rounds) rounds in turns",
            table: table,
            notes: ["The CPU of a proxy is without that of the server behind it."],
            goals: []
        )
    }
}

/// The clients of the part, which one thread serves.
private enum LiveClients {
    static let webSockets = 64
    static let streams = 256

    /// Sends a message on each WebSocket, waits for all of them, and repeats that.
    static func echo(on server: RunningServer, seconds: Int) throws -> LoadReport {
        let text = [UInt8](repeating: 0x61, count: 32)
        // A client's mask may be zero.
        let frame = [0x81, 0x80 | UInt8(text.count), 0, 0, 0, 0] + text
        let connections = try (0..<webSockets).map { _ in try open(server) }
        var buffer = [UInt8](repeating: 0, count: 1024)
        return try report(seconds) {
            for connection in connections { connection.sendWhatFits(frame) }
            for connection in connections {
                var received = 0
                while received < text.count + 2 { received += try connection.receive(into: &buffer, within: 5) }
                guard received == text.count + 2 else {
                    throw CheckFailure("\(server.name): an echo of \(received) bytes")
                }
            }
            return webSockets
        }
    }

    private static func open(_ server: RunningServer) throws -> LoopbackConnection {
        let connection = try LoopbackConnection(port: server.port)
        try connection.send(
            "GET /live/echo HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        var (head, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1024))
        while head.suffix(4) != [13, 10, 13, 10] {
            head += buffer[..<(try connection.receive(into: &buffer, within: 5))]
        }
        guard String(decoding: head, as: UTF8.self).hasPrefix("HTTP/1.1 101 ") else {
            throw CheckFailure("\(server.name): no WebSocket, but \(String(decoding: head, as: UTF8.self))")
        }
        return connection
    }

    /// Reads the events of many streams as they come.
    static func read(on server: RunningServer, seconds: Int) throws -> LoadReport {
        let connections = try (0..<streams).map { _ in
            let connection = try LoopbackConnection(port: server.port)
            try connection.send("GET /live/events HTTP/1.1\r\nHost: bench\r\n\r\n")
            return connection
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var last = [UInt8](repeating: 0, count: streams)
        return try report(seconds) {
            var count = 0
            for (index, connection) in connections.enumerated() {
                // An event ends with an empty line; those of heads and chunks end in CR LF.
                for byte in buffer[..<(try connection.receive(into: &buffer, within: 5))] {
                    if byte == 10, last[index] == 10 { count += 1 }
                    last[index] = byte
                }
            }
            return count
        }
    }

    /// Counts what `work` does until the time is over.
    private static func report(_ seconds: Int, _ work: () throws -> Int) throws -> LoadReport {
        let (began, deadline) = (ContinuousClock.now, Deadline(after: Double(seconds)))
        var count = 0
        while !deadline.hasPassed { count += try work() }
        guard count > 0 else { throw CheckFailure("nothing came in \(seconds) seconds") }
        return LoadReport(
            requests: count,
            requestsPerSecond: Double(count) / ((ContinuousClock.now - began) / .seconds(1))
        )
    }
}
