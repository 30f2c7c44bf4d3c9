/// The time that building and encoding a page takes, with our writer and with JSONEncoder.
struct Encoding: Part {
    /// A page that both encode.
    private struct Page {
        var title: String
        var ours: EncodingSample.Name
        var theirs: EncodingSample.Name
        /// How many times as fast as JSONEncoder we mean to be.
        var goal: Double
    }

    private let pages = [
        Page(title: "the sign-up page", ours: .backlotSmall, theirs: .jsonEncoderSmall, goal: 12),
        Page(title: "a page of 210 widgets", ours: .backlotLarge, theirs: .jsonEncoderLarge, goal: 7),
    ]

    func run(_ plan: Plan) throws -> PartReport {
        var samples: [EncodingSample] = []
        for round in 1...plan.rounds {
            Progress.say("round \(round)/\(plan.rounds)  encoding")
            let program = plan.workspace.program("bench-encoding")
            let output = try ChildProcess("bench-encoding", executable: program, in: plan.workspace).finish()
            samples += try EncodingSample.parse(output)
        }
        var table = Table(columns: ["page", "Backlot µs", "JSONEncoder µs", "times as fast"])
        var goals: [Goal] = []
        for page in pages {
            let ours = try median(of: page.ours, samples)
            let theirs = try median(of: page.theirs, samples)
            table.add([
                page.title,
                Figure.decimal(ours / 1000),
                Figure.decimal(theirs / 1000),
                Figure.ratio(theirs, to: ours),
            ])
            goals.append(
                Goal(
                    text: "encoding \(page.title), times as fast as JSONEncoder",
                    direction: .atLeast,
                    bound: page.goal,
                    measured: Figure.quotient(theirs, ours),
                    unit: "×"
                )
            )
        }
        return PartReport(
            title: "Building and encoding a page, once: medians of \(plan.rounds) rounds",
            table: table,
            goals: goals
        )
    }

    private func median(of name: EncodingSample.Name, _ samples: [EncodingSample]) throws -> Double {
        guard let median = samples.filter({ $0.name == name }).map(\.nanoseconds).median else {
            throw CheckFailure("bench-encoding printed no figure for \"\(name.rawValue)\"")
        }
        return median
    }
}
