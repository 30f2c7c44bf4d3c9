import Foundation

/// The instructions of our own code that an answer with the sign-up page takes, as callgrind counts them.
///
/// They don't depend on what else the machine does, so a small change shows that the seconds of the `cpu` part hide.
struct Instructions: Part {
    /// The server is run with each number of requests; the difference of what it takes leaves its start and its end out.
    private let counts = (fewer: 1_000, more: 5_000)

    func run(_ plan: Plan) throws -> PartReport {
        let program = try stripped(plan)
        let each = try instructions(program, [], plan)
        let previewed = try instructions(program, ["--preview"], plan)
        let log = plan.workspace.folder.appendingPathComponent("shipped.log").path
        let shipped = try instructions(program, ["--shipped", log], plan)
        var table = Table(columns: ["server", "instructions per request"])
        table.add([ServerName.backlot.description, Figure.whole(each)])
        table.add(["\(ServerName.backlot) with preview", Figure.whole(previewed)])
        table.add(["\(ServerName.backlot) with all that demo-server has around a page", Figure.whole(shipped)])
        return PartReport(
            title: "GET \(DocumentedPage.path), one after the other on one connection, under callgrind",
            table: table,
            goals: [
                Goal(
                    text: "user-space instructions per request",
                    direction: .atMost,
                    bound: 17_500,
                    measured: each,
                    unit: ""
                ),
                Goal(
                    text: "the same with preview mounted, against without",
                    direction: .atMost,
                    bound: 1.03,
                    measured: Figure.quotient(previewed, each),
                    unit: "×"
                ),
                Goal(
                    text: "the same with log, metrics, sessions, compression and preview, as in demo-server",
                    direction: .atMost,
                    bound: 17_500,
                    measured: shipped,
                    unit: ""
                ),
            ]
        )
    }

    /// What a request for the page takes.
    func instructions(
        _ program: URL,
        _ arguments: [String],
        path: String = DocumentedPage.path,
        _ plan: Plan
    ) throws -> Double {
        let counted = try [counts.fewer, counts.more].map { requests in
            Progress.say("instructions: \(requests) requests for \(path) \(arguments.joined(separator: " "))")
            return try measure(program, arguments, path, requests: requests, plan)
        }
        return Double(counted[1] - counted[0]) / Double(counts.more - counts.fewer)
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
    private func measure(
        _ program: URL,
        _ options: [String],
        _ path: String,
        requests: Int,
        _ plan: Plan
    ) throws -> Int {
        let port = try FreePort.find()
        let process = try ChildProcess(
            "callgrind",
            executable: try Executable.find("valgrind"),
            arguments: ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path, "--port", String(port)]
                + options,
            in: plan.workspace
        )
        do {
            // Each answer is awaited, and none is lost when the connection closes at the end.
            let connection = try process.wait(atMost: 300) { try? LoopbackConnection(port: port) }
            for _ in 0..<requests {
                let answer = try connection.get(path, within: 30)
                try DocumentedPage.check(answer, from: "Backlot under callgrind")
            }
        }
        let output = try process.stopAndFinish()
        guard let report = CallgrindReport(parsing: output) else {
            throw CheckFailure("callgrind counted nothing. It printed:\n\(output)")
        }
        return report.instructions
    }
}
