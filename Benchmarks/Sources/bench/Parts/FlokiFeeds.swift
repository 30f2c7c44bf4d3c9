import Foundation

/// The cost of windows and searches in a Floki feed of many items, compared with few. A tenth of the items has expired. SQLite and
/// PostgreSQL hold them. It also measures windows beside searches, kept windows, and the number of times that the app data is encoded.
struct FlokiFeeds: Part {
    private static let thousand = 1_000
    private let few = 10_000
    private let many = 1_000_000

    func run(_ plan: Plan) throws -> PartReport {
        let files = try [Self.thousand, few, many].map { count in
            let file = plan.workspace.folder.appendingPathComponent("floki-\(count).sqlite").path
            try fill(file, count, plan)
            return file
        }
        let processes = try [PostgreSQLProcess(in: plan.workspace), PostgreSQLProcess(in: plan.workspace)]
        defer { for process in processes { process.stop() } }
        let databases = processes.map(\.url)
        for (database, count) in zip(databases, [Self.thousand, many]) { try fill(database, count, plan) }
        let peer = Peer.product("bench-floki", as: .backlot) { _ in
            ["serve", "small=\(files[1])", "thousand=\(files[0])", "large=\(files[2])"]
        }
        let server = try peer.start(plan.workspace)
        let other = Peer.product("bench-floki", as: .backlot) { _ in
            ["serve", "thousand=\(databases[0])", "large=\(databases[1])"]
        }
        let shared = try other.start(plan.workspace)
        let rounds = Rounds(plan: plan, servers: [server])
        var table = Table(columns: ["load", "answers/s", "CPU s/100,000"])
        func measure(_ title: String, _ path: String, firstID: Int? = nil, count: Int? = 50) throws -> Double? {
            if let count { try check(try LoopbackConnection(port: server.port).get(path), title, firstID, count) }
            let figures = try rounds.measure(title) {
                try Wrk.run(on: $0, Load(path: path), seconds: $1, in: plan.workspace)
            }
            let measured = figures[.backlot]
            table.add([title, Figure.whole(measured?.requestsPerSecond), Figure.decimal(measured?.cpu)])
            return measured?.cpu
        }
        let small = try measure("50 items of \(few)", "/small/news/en?d=2", firstID: few)
        let large = try measure("50 items of \(many)", "/large/news/en?d=2", firstID: many)
        let older = many / 2
        let title = "50 items of \(many), from the middle, over the expired"
        let middle = try measure(title, "/large/news/en?o=\(older)", firstID: older - many / 10 - 1)
        var searches: [Goal] = []
        for search in Search.all {
            let small = try measure("\(search.title), of \(few)", "/small\(search.path)", count: search.count)
            let large = try measure("\(search.title), of \(many)", "/large\(search.path)", count: search.count)
            searches.append(
                Goal(
                    text: "\(search.title) in \(many) items, CPU against \(few)",
                    direction: .atMost,
                    bound: 1.5,
                    measured: Figure.quotient(large, small),
                    unit: "×"
                )
            )
        }
        let stores = try windows(server, shared, plan, &table)
        let alone = try percentile(of: "/large/news/en", server, plan)
        let searchers = try self.searchers(server, plan)
        let beside = try percentile(of: "/large/news/en", server, plan)
        _ = try searchers.finish()
        for (title, milliseconds) in [("alone", alone), ("beside four searchers", beside)] {
            table.add(["p99 of a window \(title), ms", Figure.decimal(milliseconds * 1_000), Figure.none])
        }
        let data = try measure("the app data", "/small/v1-appdata", count: nil)
        let same = try measure("the same bytes", "/same", count: nil)
        let counted = try LoopbackConnection(port: server.port).get("/encodings").body
        let encodings = Double(String(decoding: counted, as: UTF8.self))
        return PartReport(
            title: "Floki feeds, under wrk -t1 -c64: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "a window of \(many) items, CPU against one of \(few)",
                    direction: .atMost,
                    bound: 1.5,
                    measured: Figure.quotient(large, small),
                    unit: "×"
                ),
                Goal(
                    text: "a window from the middle of \(many) items, CPU against the newest of \(few)",
                    direction: .atMost,
                    bound: 1.5,
                    measured: Figure.quotient(middle, small),
                    unit: "×"
                ),
            ] + stores + searches + [
                Goal(
                    text: "p99 of a window beside four searchers, against alone",
                    direction: .atMost,
                    bound: 3,
                    measured: Figure.quotient(beside, alone),
                    unit: "×"
                ),
                Goal(
                    text: "encodings of the app data for all these answers",
                    direction: .atMost,
                    bound: 1,
                    measured: encodings,
                    unit: ""
                ),
                Goal(
                    text: "the app data, CPU against the same bytes",
                    direction: .atMost,
                    bound: 1.2,
                    measured: Figure.quotient(data, same),
                    unit: "×"
                ),
            ]
        )
    }

    private func fill(_ store: String, _ count: Int, _ plan: Plan) throws {
        Progress.say("a store of \(count) items")
        _ = try ChildProcess(
            "bench-floki",
            executable: plan.workspace.program("bench-floki"),
            arguments: ["fill", store, String(count)],
            in: plan.workspace
        ).finish()
    }

    /// Windows of both stores, and those that are kept.
    private func windows(
        _ sqlite: RunningServer,
        _ postgreSQL: RunningServer,
        _ plan: Plan,
        _ table: inout Table
    ) throws -> [Goal] {
        func measure(_ title: String, _ servers: [RunningServer], _ path: String) throws -> [Double?] {
            if path != "/page" {
                for server in servers { try check(try LoopbackConnection(port: server.port).get(path), title, nil, 50) }
            }
            let figures = try Rounds(plan: plan, servers: servers).measureEach(title) {
                try Wrk.run(on: $0, Load(path: path), seconds: $1, in: plan.workspace)
            }
            for (name, measured) in zip(["SQLite", "PostgreSQL"], figures) {
                let row = path == "/page" ? title : "\(title), \(name)"
                table.add([row, Figure.whole(measured.requestsPerSecond), Figure.decimal(measured.cpu)])
            }
            return figures.map(\.requestsPerSecond)
        }
        let few = try measure("50 items of \(Self.thousand)", [sqlite, postgreSQL], "/thousand/news/en")
        let many = try measure("50 items of \(many)", [sqlite, postgreSQL], "/large/news/en")
        let kept = try measure("50 items of \(self.many), kept", [sqlite, postgreSQL], "/kept/news/en")
        let page = try measure("a page of Applin", [sqlite], "/page")
        func goal(
            _ text: String,
            _ direction: Goal.Direction,
            _ bound: Double,
            _ one: Double?,
            _ other: Double?
        ) -> Goal {
            Goal(text: text, direction: direction, bound: bound, measured: Figure.quotient(one, other), unit: "×")
        }
        return [
            goal("windows/s of \(Self.thousand) items against \(self.many), SQLite", .atMost, 1.5, few[0], many[0]),
            goal("windows/s of \(Self.thousand) items against \(self.many), PostgreSQL", .atMost, 1.5, few[1], many[1]),
            goal("windows/s of \(self.many) items, PostgreSQL against SQLite", .atLeast, 0.5, many[1], many[0]),
            goal("kept windows/s against an Applin page, SQLite", .atLeast, 0.9, kept[0], page[0]),
            goal("kept windows/s against an Applin page, PostgreSQL", .atLeast, 0.9, kept[1], page[0]),
        ]
    }

    /// The 99th percentile of the seconds that requests take, one after the other.
    private func percentile(of path: String, _ server: RunningServer, _ plan: Plan) throws -> Double {
        let connection = try LoopbackConnection(port: server.port)
        var durations: [Double] = []
        let end = ContinuousClock.now + .seconds(plan.seconds * plan.rounds)
        while ContinuousClock.now < end {
            let duration = try ContinuousClock().measure { _ = try connection.get(path) }
            durations.append(duration / .seconds(1))
        }
        durations.sort()
        return durations[durations.count * 99 / 100]
    }

    /// Four clients that search for one thing after the other, for longer than windows are measured.
    private func searchers(_ server: RunningServer, _ plan: Plan) throws -> ChildProcess {
        let paths = Search.all.map { "\"/large\($0.path)\"" }.joined(separator: ", ")
        let script = """
            local paths, n = {\(paths)}, 0
            function request()
              n = n + 1
              return wrk.format("GET", paths[n % #paths + 1])
            end
            """
        let file = try plan.workspace.file("search.lua", holding: script).path
        let seconds = plan.seconds * plan.rounds + 1
        return try ChildProcess(
            "wrk",
            executable: Executable.find("wrk"),
            arguments: ["-t1", "-c4", "-d\(seconds)s", "-s", file, "http://127.0.0.1:\(server.port)/"],
            in: plan.workspace
        )
    }

    private func check(_ response: Response, _ title: String, _ firstID: Int?, _ count: Int) throws {
        let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        let items = object?["items"] as? [[String: Any]]
        let id = items?.first?["id"] as? Int
        guard items?.count == count, firstID == nil || id == firstID else {
            let text = String(decoding: response.body, as: UTF8.self)
            throw CheckFailure("\(title) gave not \(count) items\(firstID.map { " from \($0) on" } ?? ""): \(text)")
        }
    }
}

/// A search of the feeds that `bench-floki` fills. Two of the 20 items with the rare word have expired.
private struct Search {
    var title: String
    var path: String
    /// The number of items that it finds.
    var count = 50

    static let all = [
        Search(title: "a rare word", path: "/news/search/en?q=xylophone&page=1", count: 18),
        Search(title: "an absent word", path: "/news/search/en?q=zyzzyva&page=1", count: 0),
        Search(title: "a word in every item", path: "/news/search/en?q=today&page=1"),
        Search(title: "one letter", path: "/news/search/en?q=t&page=1"),
        Search(title: "page 100 of a common word", path: "/news/search/en?q=today&page=100"),
    ]
}
