/// The time that a flow of 20 steps takes through a headless client, in process.
struct Flow: Part {
    /// How long it may take, in milliseconds.
    private let bound = 5.0

    func run(_ plan: Plan) throws -> PartReport {
        guard let median = try TimedSample.medians(of: "bench-flow", plan).values.first else {
            throw CheckFailure("bench-flow printed nothing")
        }
        let time = median / 1_000_000
        var table = Table(columns: ["flow", "ms"])
        table.add(["20 steps, in process", Figure.decimal(time)])
        return PartReport(
            title: "A flow through a headless client, with every page judged: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "a flow of 20 steps in process",
                    direction: .atMost,
                    bound: bound,
                    measured: time,
                    unit: " ms"
                )
            ]
        )
    }
}
