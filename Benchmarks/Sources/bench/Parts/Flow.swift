import Foundation

/// The time that a flow of 20 steps takes through a headless client, in process.
struct Flow: Part {
    /// The line that `bench-flow` prints.
    private struct Sample: Decodable {
        var nanoseconds: Double

        private enum CodingKeys: String, CodingKey {
            case nanoseconds = "ns_per_flow"
        }
    }

    /// How long it may take, in milliseconds.
    private let bound = 5.0

    func run(_ plan: Plan) throws -> PartReport {
        var times: [Double] = []
        for round in 1...plan.rounds {
            Progress.say("round \(round)/\(plan.rounds)  flow")
            let program = plan.workspace.program("bench-flow")
            let output = try ChildProcess("bench-flow", executable: program, in: plan.workspace).finish()
            guard let sample = try? JSONDecoder().decode(Sample.self, from: Data(output.utf8)) else {
                throw CheckFailure("bench-flow printed something of another form: \(output)")
            }
            times.append(sample.nanoseconds / 1_000_000)
        }
        var table = Table(columns: ["flow", "ms, median", "lowest", "highest"])
        table.add([
            "20 steps, in process",
            Figure.decimal(times.median),
            Figure.decimal(times.min()),
            Figure.decimal(times.max()),
        ])
        return PartReport(
            title: "A flow through a headless client, with every page judged: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "a flow of 20 steps in process",
                    direction: .atMost,
                    bound: bound,
                    measured: times.median,
                    unit: " ms"
                )
            ]
        )
    }
}
