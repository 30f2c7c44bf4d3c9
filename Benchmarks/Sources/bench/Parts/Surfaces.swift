/// The time that a surface of A2UI takes in process, beside the page of Applin with the same texts.
struct Surfaces: Part {
    /// What is done, to what it is compared, and the largest ratio.
    private let goals = [
        ("surface", "page", 1.5), ("surface with a fixed tree", "page", 1.5), ("update of a value", "page", 0.5),
        ("update of 1 of 1000", "update of 1 of 10", 3.0),
    ]

    func run(_ plan: Plan) throws -> PartReport {
        let medians = try TimedSample.medians(of: "bench-surfaces", plan)
        var table = Table(columns: ["request", "µs"])
        for (name, time) in medians.sorted(by: { $0.key < $1.key }) { table.add([name, Figure.decimal(time / 1000)]) }
        return PartReport(
            title: "A surface of 40 components and updates of it, in process: medians of \(plan.rounds) rounds",
            table: table,
            goals: try goals.map { name, other, bound in
                guard let ours = medians[name], let theirs = medians[other] else {
                    throw CheckFailure("bench-surfaces printed no figures for \(name)")
                }
                return Goal(
                    text: "\(name), beside \(other)",
                    direction: .atMost,
                    bound: bound,
                    measured: Figure.quotient(ours, theirs),
                    unit: "×"
                )
            }
        )
    }
}
