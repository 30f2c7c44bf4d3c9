/// The tests of TechEmpower and HttpArena that need no database, on an entry in their form.
struct Arena: Part {
    /// One load, and who can be measured beside the entry.
    private struct Row {
        var title: String
        var load: Load
        var peers: [ServerName] = []
        /// The most processor time that an answer may take, as a share of nginx's.
        var goal: Double?
    }

    private let rows = [
        Row(title: "plaintext, 16 at once", load: .pipelined("/plaintext"), peers: [.hummingbird, .nginx], goal: 0.5),
        Row(title: "plaintext", load: Load(path: "/plaintext"), peers: [.hummingbird, .flyingfox, .nginx]),
        Row(title: "json", load: Load(path: "/json"), peers: [.hummingbird, .flyingfox, .nginx], goal: 1),
        Row(title: "plaintext, 10 a connection", load: .short("/plaintext"), peers: [.nginx], goal: 1.2),
        Row(title: "baseline, GET", load: Load(path: "/baseline11?a=13&b=42")),
        Row(title: "baseline, POST", load: Load(path: "/baseline11?a=13&b=42", method: "POST", body: "20")),
        Row(title: "50 items", load: Load(path: "/json/50?m=6")),
        Row(title: "50 items, gzip", load: Load(path: "/json/50?m=6", headers: ["Accept-Encoding: gzip, br"])),
    ]

    func run(_ plan: Plan) throws -> PartReport {
        let folder = try ArenaFolder(in: plan.workspace)
        let names: [ServerName] = [.backlot, .hummingbird, .flyingfox, .nginx]
        let servers = try names.filter { !plan.skipped.contains($0) }.map { name in
            try (name == .backlot ? Peer.arenaEntry(folder) : Peer.named(name)).start(plan.workspace)
        }
        for server in servers {
            guard server.name == .backlot else { try check(server); continue }
            try ArenaChecks(port: server.port, folder: folder, workspace: plan.workspace).run()
        }
        var table = Table(columns: ["load", "server", "answers/s", "CPU s/100,000", "Backlot's CPU against it"])
        var goals: [Goal] = []
        for row in rows {
            let measured = servers.filter { $0.name == .backlot || row.peers.contains($0.name) }
            let figures = try Rounds(plan: plan, servers: measured).measure(row.title) {
                try Wrk.run(on: $0, row.load, seconds: $1, in: plan.workspace)
            }
            let ours = figures[.backlot]?.cpu
            for server in measured {
                let theirs = figures[server.name]
                table.add([
                    row.title, server.name.description, Figure.whole(theirs?.requestsPerSecond),
                    Figure.decimal(theirs?.cpu), server.name == .backlot ? "" : Figure.ratio(ours, to: theirs?.cpu),
                ])
            }
            guard let bound = row.goal else { continue }
            goals.append(
                Goal(
                    text: "\(row.title): server CPU, against nginx's fixed answer",
                    direction: .atMost,
                    bound: bound,
                    measured: Figure.quotient(ours, figures[.nginx]?.cpu),
                    unit: "×"
                )
            )
        }
        return PartReport(
            title: "Tests of TechEmpower and HttpArena under wrk -t1 -c64: medians of \(plan.rounds) rounds in turns",
            table: table,
            notes: [
                "Every rule of theirs that ArenaChecks has is checked of the entry before it is measured.",
                "nginx has both answers in its configuration, so that its json is no entry by their rules. FlyingFox sends no Date.",
            ],
            goals: goals
        )
    }

    /// Checks that a peer gives the same answers.
    private func check(_ server: RunningServer) throws {
        do {
            try ArenaRules.requireText("Hello, World!", try LoopbackConnection(port: server.port).get("/plaintext"))
            try ArenaRules.requireMessage(try LoopbackConnection(port: server.port).get("/json"))
        } catch {
            throw CheckFailure("\(server.name): \(error)")
        }
    }
}

extension Load {
    /// Sixteen requests are sent at once, and then their answers awaited.
    static func pipelined(_ path: String) -> Load {
        Load(
            path: path,
            script: """
                init = function() requests = string.rep(wrk.format(), 16) end
                request = function() return requests end
                """
        )
    }

    /// Every tenth request is the last of its connection.
    static func short(_ path: String) -> Load {
        Load(
            path: path,
            script: """
                local count = 0
                init = function()
                    keeping = wrk.format()
                    closing = wrk.format(nil, nil, { Host = wrk.headers.Host, Connection = "close" })
                end
                request = function()
                    count = count + 1
                    return count % 10 == 0 and closing or keeping
                end
                """
        )
    }
}
