import Foundation

/// What mock routes cost beside compiled ones, and how many of them there may be.
struct Mocks: Part {
    /// The line that `bench-mocks load` prints.
    private struct Sample: Decodable {
        var milliseconds: Double
        var nanoseconds: Double

        private enum CodingKeys: String, CodingKey {
            case milliseconds
            case nanoseconds = "ns_per_request"
        }
    }

    /// The line that `bench-mocks add` prints.
    private struct Addition: Decodable {
        var microseconds: Double

        private enum CodingKeys: String, CodingKey {
            case microseconds = "us_per_stub"
        }
    }

    private let few = 10
    private let many = 10_000
    private let compiled = Load(path: DocumentedPage.path)
    private let mock = Load(
        path: "/mock\(DocumentedPage.path)?title=New%20Account&label=Username",
        headers: ["X-Agree: I agree"]
    )

    private let loop = Load(path: "/mock/loop")
    private let list = Load(path: "/mock/list")

    func run(_ plan: Plan) throws -> PartReport {
        let cpu = try measureCPU(plan)
        let (compiledCPU, mockCPU, loopCPU, listCPU) = (cpu[0], cpu[1], cpu[2], cpu[3])
        var load: [Double] = []
        var perRequest: [Int: [Double]] = [:]
        var perStub: [Double] = []
        for round in 1...plan.rounds {
            Progress.say("round \(round)/\(plan.rounds)  files")
            for count in [few, many] {
                let sample = try self.sample(count, plan)
                if count == many { load.append(sample.milliseconds) }
                perRequest[count, default: []].append(sample.nanoseconds)
            }
            perStub.append(try output(["add", String(many)], as: Addition.self, plan).microseconds)
        }
        var table = Table(columns: ["what", "median"])
        table.add(["a compiled page, CPU s/100,000", Figure.decimal(compiledCPU)])
        table.add(["the same as a mock, CPU s/100,000", Figure.decimal(mockCPU)])
        table.add(["a template with a loop over 20 items, CPU s/100,000", Figure.decimal(loopCPU)])
        table.add(["the same bytes without tags, CPU s/100,000", Figure.decimal(listCPU)])
        table.add(["reading \(many) route files, ms", Figure.whole(load.median)])
        for count in [few, many] {
            table.add(["an answer in process with \(count) route files, ns", Figure.whole(perRequest[count]?.median)])
        }
        table.add(["adding a stub by a command, the last of \(many), µs", Figure.whole(perStub.median)])
        return PartReport(
            title: "Mock routes: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "a mock page with three tags and a scenario, CPU against a compiled one",
                    direction: .atMost,
                    bound: 1.5,
                    measured: Figure.quotient(mockCPU, compiledCPU),
                    unit: "×"
                ),
                Goal(
                    text: "a template with a loop over 20 items, CPU against the same bytes",
                    direction: .atMost,
                    bound: 3,
                    measured: Figure.quotient(loopCPU, listCPU),
                    unit: "×"
                ),
                Goal(
                    text: "reading \(many) route files",
                    direction: .atMost,
                    bound: 2000,
                    measured: load.median,
                    unit: " ms"
                ),
                Goal(
                    text: "an answer with \(many) route files, against \(few)",
                    direction: .atMost,
                    bound: 1.1,
                    measured: Figure.quotient(perRequest[many]?.median, perRequest[few]?.median),
                    unit: "×"
                ),
                Goal(
                    text: "adding a stub by a command, the last of \(many)",
                    direction: .atMost,
                    bound: 1000,
                    measured: perStub.median,
                    unit: " µs"
                ),
            ]
        )
    }

    /// One server answers with all of them, in turns.
    private func measureCPU(_ plan: Plan) throws -> [Double?] {
        let peer = Peer.product("bench-mocks", as: .backlot) { _ in ["serve"] }
        let server = try peer.start(plan.workspace)
        let connection = try LoopbackConnection(port: server.port)
        try DocumentedPage.check(try connection.get(compiled.path), from: "the compiled page")
        let (looped, listed) = (try connection.get(loop.path), try connection.get(list.path))
        guard looped.status == 200, looped.body == listed.body else {
            throw CheckFailure("the template doesn't make the bytes of \(list.path)")
        }
        let rounds = Rounds(plan: plan, servers: [server])
        var figures: [Double?] = []
        for load in [compiled, mock, loop, list] {
            let measured = try rounds.measure(load.path) {
                try Wrk.run(on: $0, load, seconds: $1, in: plan.workspace)
            }
            figures.append(measured[.backlot]?.cpu)
        }
        return figures
    }

    private func sample(_ files: Int, _ plan: Plan) throws -> Sample {
        try output(["load", String(files)], as: Sample.self, plan)
    }

    private func output<Value: Decodable>(_ arguments: [String], as type: Value.Type, _ plan: Plan) throws -> Value {
        let program = plan.workspace.program("bench-mocks")
        let output = try ChildProcess(
            "bench-mocks",
            executable: program,
            arguments: arguments,
            in: plan.workspace
        ).finish()
        guard let sample = try? JSONDecoder().decode(type, from: Data(output.utf8)) else {
            throw CheckFailure("bench-mocks printed something of another form: \(output)")
        }
        return sample
    }
}
