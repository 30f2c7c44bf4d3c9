import Foundation

/// What requests of people cost who are logged in, by where the sessions are kept.
struct Sessions: Part {
    /// A store with some sessions, and a server of its own.
    private struct Row {
        var title: String
        /// What `bench-sessions` calls the store; in front of a folder where it needs one.
        var store: String
        var stored: Int
        /// How many of the sessions requests come for, in no order.
        var used: Int
        /// What is asked for: a page for those who are logged in.
        var path = "/account"
    }

    private static let page = "the same page for everybody"
    private static let memory = "memory, 100 sessions"
    private static let manyInMemory = "memory, 1,000,000 sessions"
    private static let cached = "SQLite, 100 sessions"
    private static let few = "SQLite, 100 sessions, each request reads the file"
    private static let many = "SQLite, 1,000,000 sessions, each request reads the file"
    private static let redis = "Redis, 100 sessions, each request asks it"
    private static let copiedRedis = "Redis, 100 sessions, with copies of a moment ago"
    private static let postgreSQL = "PostgreSQL, 100 sessions"
    private static let lowest = 20_000.0

    func run(_ plan: Plan) throws -> PartReport {
        let (redis, redisURL) = try startRedis(plan.workspace)
        defer { redis.stop() }
        let postgreSQL = try PostgreSQLProcess(in: plan.workspace)
        defer { postgreSQL.stop() }
        let rows = [
            Row(title: Self.page, store: "memory", stored: 100, used: 100, path: "/page"),
            Row(title: Self.memory, store: "memory", stored: 100, used: 100),
            Row(title: Self.manyInMemory, store: "memory", stored: 1_000_000, used: 1_000_000),
            Row(title: Self.cached, store: "sqlite:", stored: 100, used: 100),
            Row(title: Self.few, store: "sqlite-uncached:", stored: 100, used: 100),
            Row(title: Self.many, store: "sqlite-uncached:", stored: 1_000_000, used: 1_000_000),
            Row(title: Self.redis, store: redisURL, stored: 100, used: 100),
            Row(title: Self.copiedRedis, store: "copied-\(redisURL)", stored: 100, used: 100),
            Row(title: Self.postgreSQL, store: postgreSQL.url, stored: 100, used: 100),
        ]
        var figures: [String: ServerFigures] = [:]
        let servers = try rows.map { try start($0, plan.workspace) }
        for round in 0..<plan.rounds + 1 {
            for (row, server) in zip(rows, servers) {
                let sample = try Rounds.sample(of: server) {
                    try Wrk.run(on: server, load(row), seconds: round == 0 ? 1 : plan.seconds, in: plan.workspace)
                }
                // The first round fills caches and pools.
                guard round > 0 else { continue }
                figures[row.title, default: ServerFigures()].add(sample)
                Progress.say("round \(round)/\(plan.rounds)  \(row.title): \(sample)")
            }
        }
        return report(rows, figures, plan)
    }

    private func report(_ rows: [Row], _ figures: [String: ServerFigures], _ plan: Plan) -> PartReport {
        let base = figures[Self.memory]?.requestsPerSecond
        var table = Table(columns: ["store", "requests/s", "beside memory", "CPU s/100,000"])
        for row in rows {
            let measured = figures[row.title]
            table.add([
                row.title,
                Figure.whole(measured?.requestsPerSecond),
                Figure.ratio(measured?.requestsPerSecond, to: base),
                Figure.decimal(measured?.cpu),
            ])
        }
        func cpu(_ title: String, against other: String) -> Double? {
            Figure.quotient(figures[title]?.cpu, figures[other]?.cpu)
        }
        let bound = min(Self.lowest, (base ?? .infinity) / 2)
        let sqlite = [(Self.cached, "SQLite"), (Self.few, "SQLite, each request reads the file")].map { title, text in
            Goal(
                text: "requests of people who are logged in, \(text)",
                direction: .atLeast,
                bound: bound,
                measured: figures[title]?.requestsPerSecond,
                unit: "/s"
            )
        }
        return PartReport(
            title: "Sessions: a page for those who are logged in, under wrk -t1 -c64: medians of \(plan.rounds) rounds",
            table: table,
            notes: ["CPU is that of the server alone, without that of Redis and PostgreSQL."],
            goals: sqlite + [
                Goal(
                    text: "a page for those who are logged in, CPU against the same for everybody, memory",
                    direction: .atMost,
                    bound: 1.2,
                    measured: cpu(Self.memory, against: Self.page),
                    unit: "×"
                ),
                Goal(
                    text: "the same with SQLite's copies of a moment ago",
                    direction: .atMost,
                    bound: 1.2,
                    measured: cpu(Self.cached, against: Self.page),
                    unit: "×"
                ),
                Goal(
                    text: "requests of people who are logged in, Redis beside memory, where each request asks",
                    direction: .atLeast,
                    bound: 0.3,
                    measured: Figure.quotient(figures[Self.redis]?.requestsPerSecond, base),
                    unit: "×"
                ),
                Goal(
                    text: "requests of people who are logged in, Redis beside memory, with copies of a moment ago",
                    direction: .atLeast,
                    bound: 0.7,
                    measured: Figure.quotient(figures[Self.copiedRedis]?.requestsPerSecond, base),
                    unit: "×"
                ),
                Goal(
                    text: "requests of people who are logged in, PostgreSQL beside Redis, where each request asks",
                    direction: .atLeast,
                    bound: 0.4,
                    measured: Figure.quotient(
                        figures[Self.postgreSQL]?.requestsPerSecond,
                        figures[Self.redis]?.requestsPerSecond
                    ),
                    unit: "×"
                ),
                Goal(
                    text: "a request with 1,000,000 sessions in memory, CPU against 100",
                    direction: .atMost,
                    bound: 1.1,
                    measured: cpu(Self.manyInMemory, against: Self.memory),
                    unit: "×"
                ),
                Goal(
                    text: "a request with 1,000,000 sessions in SQLite, CPU against 100",
                    direction: .atMost,
                    bound: 1.1,
                    measured: cpu(Self.many, against: Self.few),
                    unit: "×"
                ),
            ]
        )
    }

    private func start(_ row: Row, _ workspace: Workspace) throws -> RunningServer {
        Progress.say("filling: \(row.title)")
        var store = row.store
        if store.hasSuffix(":") {
            let folder = workspace.folder.appendingPathComponent("sessions-\(UUID().uuidString)", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            store += folder.path
        }
        let name = "bench-sessions"
        let process = try ChildProcess(
            name,
            executable: workspace.program(name),
            arguments: [store, String(row.stored)],
            in: workspace
        )
        let port = try process.announcedPort(atMost: 300)
        let server = RunningServer(name: .backlot, port: port, process: process)
        let response = try LoopbackConnection(port: port).ask(
            Load(path: "/me", headers: ["Cookie: session=\(String(repeating: "0", count: 31))7"])
        )
        guard response.status == 200, String(decoding: response.body, as: UTF8.self) == "user7" else {
            throw CheckFailure("\(row.title): nobody is logged in")
        }
        return server
    }

    private func load(_ row: Row) -> Load {
        var load = Load(path: row.path)
        load.script = """
            local text = "GET \(row.path) HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nCookie: session=%032d\\r\\n\\r\\n"
            local random = math.random
            function request() return text:format(random(0, \(row.used - 1))) end

            """
        return load
    }

    private func startRedis(_ workspace: Workspace) throws -> (ChildProcess, String) {
        let port = try FreePort.find()
        let process = try ChildProcess(
            "redis-server",
            executable: Executable.find("redis-server"),
            arguments: ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            in: workspace
        )
        _ = try process.wait(atMost: 20) { process.output.contains("Ready to accept connections") ? true : nil }
        return (process, "redis://127.0.0.1:\(port)/0")
    }
}
