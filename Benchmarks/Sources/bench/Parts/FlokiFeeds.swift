import Foundation

/// What a window of a Floki feed in SQLite costs with many items beside few, and how often the app data is encoded.
struct FlokiFeeds: Part {
    private let few = 1_000
    private let many = 1_000_000

    func run(_ plan: Plan) throws -> PartReport {
        var files: [String] = []
        for count in [few, many] {
            Progress.say("a file of \(count) items")
            let file = plan.workspace.folder.appendingPathComponent("floki-\(count).sqlite").path
            _ = try ChildProcess(
                "bench-floki",
                executable: plan.workspace.program("bench-floki"),
                arguments: ["fill", file, String(count)],
                in: plan.workspace
            ).finish()
            files.append(file)
        }
        let paths = files
        let peer = Peer.product("bench-floki", as: .backlot) { _ in ["serve"] + paths }
        let server = try peer.start(plan.workspace)
        let connection = try LoopbackConnection(port: server.port)
        let rounds = Rounds(plan: plan, servers: [server])
        var table = Table(columns: ["load", "answers/s", "CPU s/100,000"])
        func measure(_ title: String, _ path: String, firstID: Int?) throws -> Double? {
            if let firstID { try check(try connection.get(path), title, firstID) }
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
        let title = "50 items of \(many), from the middle"
        let middle = try measure(title, "/large/news/en?o=\(older)", firstID: older - 1)
        let data = try measure("the app data", "/small/v1-appdata", firstID: nil)
        let same = try measure("the same bytes", "/same", firstID: nil)
        let encodings = Double(String(decoding: try connection.get("/encodings").body, as: UTF8.self))
        return PartReport(
            title: "Floki feeds in SQLite, under wrk -t1 -c64: medians of \(plan.rounds) rounds",
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

    private func check(_ answer: Answer, _ title: String, _ firstID: Int) throws {
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let items = object?["items"] as? [[String: Any]] ?? []
        guard items.count == 50, items.first?["id"] as? Int == firstID else {
            let text = String(decoding: answer.body, as: UTF8.self)
            throw CheckFailure("\(title) gave not 50 items from \(firstID) on: \(text)")
        }
    }
}
