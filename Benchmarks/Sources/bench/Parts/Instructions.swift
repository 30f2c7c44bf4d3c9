import Foundation

/// The instructions of our own code that a response with the sign-up page takes, as callgrind counts them, with the misses of the
/// caches that it simulates and the memory that is asked for.
///
/// They don't depend on what else the machine does, so a small change shows that the seconds of the `cpu` part hide.
struct Instructions: Part {
    /// The server is run with each number of requests; the difference of what it takes leaves its start and its end out.
    private let counts = (fewer: 1_000, more: 5_000)
    /// The connections take turns, so that what one of them keeps is seldom in a cache when its turn comes.
    private let connections = 50
    /// The same caches on every machine: 32 KB for data, as many for instructions, and 8 MB behind both.
    private let caches = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"]
    private let streams = 32

    func run(_ plan: Plan) throws -> PartReport {
        let program = try stripped(plan)
        let page = try cost(program, [], plan)
        let previewed = try cost(program, ["--preview"], plan)
        let log = plan.workspace.folder.appendingPathComponent("shipped.log").path
        let shipped = try cost(program, ["--shipped", log], plan)
        let overHTTP2 = try cost(program, [], plan) { port, requests in
            let load = H2Load.Plan(amount: .requests(requests), connections: 1, streams: streams)
            _ = try H2Load.run(port: port, path: DocumentedPage.path, load, server: .backlot, in: plan.workspace)
        }
        var table = Table(columns: [
            "server", "instructions", "L1 misses of instructions", "of data", "last-level misses", "allocations",
        ])
        for (name, cost) in [
            ("", page), (" with preview", previewed),
            (" with all that demo-server has around a page", shipped), (" over HTTP/2, \(streams) streams", overHTTP2),
        ] {
            table.add([
                "\(ServerName.backlot)\(name)", Figure.whole(cost.instructions), Figure.whole(cost.instructionMisses),
                Figure.decimal(cost.dataMisses), Figure.decimal(cost.lastMisses), Figure.decimal(cost.allocationCount),
            ])
        }
        func bound(_ text: String, _ bound: Double, _ measured: Double?, _ unit: String = "") -> Goal {
            Goal(text: text, direction: .atMost, bound: bound, measured: measured, unit: unit)
        }
        return PartReport(
            title:
                "GET \(DocumentedPage.path), one after the other on \(connections) connections, under callgrind: each request",
            table: table,
            notes: try ["Memory for a page over HTTP/1.1 is asked for"] + page.allocationLines(plan)
                + ["and for one over HTTP/2"] + overHTTP2.allocationLines(plan),
            goals: [
                bound("user-space instructions per request", 14_700, page.instructions),
                bound(
                    "the same with preview mounted, against without",
                    1.03,
                    Figure.quotient(previewed.instructions, page.instructions),
                    "×"
                ),
                bound(
                    "the same with log, metrics, sessions, compression and preview, as in demo-server",
                    17_500,
                    shipped.instructions
                ),
                bound("the same over HTTP/2, \(streams) streams", 22_000, overHTTP2.instructions),
                bound("first-level misses of data per request", 100, page.dataMisses),
                bound("last-level misses per request", 1, page.lastMisses),
                bound("allocations per request", 12, page.allocationCount),
                bound("allocations per request over HTTP/2, the library's included", 18, overHTTP2.allocationCount),
            ]
        )
    }

    /// What a request for the page takes on connections that take turns.
    func cost(
        _ program: URL,
        _ arguments: [String],
        path: String = DocumentedPage.path,
        _ plan: Plan
    ) throws -> RequestCost {
        try cost(program, arguments, plan) { port, requests in
            let all = try (0..<connections).map { _ in try LoopbackConnection(port: port, within: 30) }
            for index in 0..<requests {
                // Each response is awaited, and none is lost when the connections close at the end.
                let response = try all[index % connections].get(path, within: 30)
                try DocumentedPage.check(response, from: "Backlot under callgrind")
            }
        }
    }

    /// - Parameter send: sends so many requests to a port.
    private func cost(
        _ program: URL,
        _ arguments: [String],
        _ plan: Plan,
        _ send: (_ port: Int, _ requests: Int) throws -> Void
    ) throws -> RequestCost {
        let reports = try [counts.fewer, counts.more].map { requests in
            Progress.say("instructions: \(requests) requests \(arguments.joined(separator: " "))")
            return try count(program, arguments, plan) { try send($0, requests) }
        }
        return RequestCost(from: reports[0], to: reports[1], requests: counts.more - counts.fewer)
    }

    /// The server's program without what debuggers want, which valgrind would read first.
    func stripped(_ plan: Plan) throws -> URL {
        let program = plan.workspace.folder.appendingPathComponent("bench-server-backlot")
        let original = plan.workspace.program("bench-server-backlot")
        _ = try ChildProcess(
            "strip",
            executable: try Executable.find("strip"),
            arguments: ["-g", "-o", program.path, original.path],
            in: plan.workspace
        ).finish()
        return program
    }

    /// All that the server runs from its start to its end.
    private func count(
        _ program: URL,
        _ options: [String],
        _ plan: Plan,
        _ send: (_ port: Int) throws -> Void
    ) throws -> CallgrindReport {
        let port = try FreePort.find()
        let file = try plan.workspace.file("callgrind.out", holding: "")
        let process = try ChildProcess(
            "callgrind",
            executable: try Executable.find("valgrind"),
            arguments: ["--tool=callgrind", "--callgrind-out-file=\(file.path)"] + caches
                + [program.path, "--port", String(port)] + options,
            in: plan.workspace
        )
        _ = try process.wait(atMost: 300) { try? LoopbackConnection(port: port) }
        try send(port)
        let output = try process.stopAndFinish()
        guard let report = CallgrindReport(parsing: try String(contentsOf: file, encoding: .utf8)) else {
            throw CheckFailure("callgrind counted nothing. It printed:\n\(output)")
        }
        return report
    }
}
