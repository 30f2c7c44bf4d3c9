import Foundation

/// What `demo-server record` costs, as the proxy before our own server: processor time for a page, against the direct answer, and
/// memory while a gigabyte goes up or down.
struct ProxyCost: Part {
    private static let gigabyte = 1 << 30

    func run(_ plan: Plan) throws -> PartReport {
        let backend = try Peer.backlot.start(plan.workspace)
        let proxy = try Peer.recorder(before: backend.port).start(plan.workspace)
        let servers = [backend, proxy]
        for server in servers {
            let response = try LoopbackConnection(port: server.port).get(DocumentedPage.path)
            try DocumentedPage.check(response, from: server.name.description)
        }
        let page = Load(path: DocumentedPage.path)
        let figures = try Rounds(plan: plan, servers: servers).measureEach("page") {
            try Wrk.run(on: $0, page, seconds: $1, in: plan.workspace)
        }
        let down = try growth(of: proxy, while: download)
        let up = try growth(of: proxy, while: upload)
        var table = Table(columns: ["answer", "CPU s/100,000", "requests/s"])
        for (title, figures) in zip(["direct", "through the proxy"], figures) {
            table.add([title, Figure.decimal(figures.cpu), Figure.whole(figures.requestsPerSecond)])
        }
        return PartReport(
            title: "A recording proxy, under wrk -t1 -c64: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "CPU of the proxy for a page, against the direct answer's",
                    direction: .atMost,
                    bound: 2.2,
                    measured: Figure.quotient(figures[1].cpu, figures[0].cpu),
                    unit: "×"
                ),
                Goal(
                    text: "memory that a download of 1 GB takes",
                    direction: .atMost,
                    bound: 16,
                    measured: down,
                    unit: " MB"
                ),
                Goal(
                    text: "memory that an upload of 1 GB takes",
                    direction: .atMost,
                    bound: 16,
                    measured: up,
                    unit: " MB"
                ),
            ]
        )
    }

    /// The most resident memory that a server has beyond what it had before, in MB.
    private func growth(
        of server: RunningServer,
        while transfer: (_ port: Int, _ look: () -> Void) throws -> Void
    ) throws -> Double {
        let before = server.process.tree.residentBytes()
        var most = before
        try transfer(server.port) { most = max(most, server.process.tree.residentBytes()) }
        return Double(most - before) / 1_000_000
    }

    private func download(_ port: Int, _ look: () -> Void) throws {
        let connection = try LoopbackConnection(port: port)
        try connection.send("GET /gigabyte HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var received = 0
        var looked = 0
        while received < Self.gigabyte {
            received += try connection.receive(into: &buffer, within: 10)
            if received - looked > 16 << 20 {
                looked = received
                look()
            }
        }
    }

    private func upload(_ port: Int, _ look: () -> Void) throws {
        let connection = try LoopbackConnection(port: port)
        let head = "POST /sink HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: \(Self.gigabyte)\r\n\r\n"
        try connection.send(head)
        let piece = String(repeating: "x", count: 1 << 20)
        for index in 0..<(Self.gigabyte >> 20) {
            try connection.send(piece, within: 10)
            if index % 16 == 15 { look() }
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = try connection.receive(into: &buffer, within: 20)
        let response = String(decoding: buffer[..<count], as: UTF8.self)
        guard response.hasPrefix("HTTP/1.1 200 "), response.contains("\(Self.gigabyte)") else {
            throw CheckFailure("an upload of 1 GB was answered: \(response.prefix(200))")
        }
    }
}

extension Peer {
    /// The shipped demo-server as a recording proxy before a server of this machine. `make static` builds it.
    static func recorder(before port: Int) -> Peer {
        Peer(name: .demo) { workspace in
            let folder = workspace.folder.appendingPathComponent("recorded-\(UUID().uuidString)").path
            let process = try ChildProcess(
                "demo-server",
                executable: workspace.demoServer,
                arguments: ["record", "http://127.0.0.1:\(port)", "--into", folder, "--port", "0"],
                in: workspace
            )
            return RunningServer(name: .demo, port: try process.announcedPort(), process: process)
        }
    }
}
