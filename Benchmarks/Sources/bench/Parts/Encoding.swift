/// The time that building and encoding a page takes, with our writer and with JSONEncoder.
struct Encoding: Part {
    /// A page that both encode, and how many times as fast as JSONEncoder we mean to be.
    private let pages = [("the sign-up page", "small", 12.0), ("a page of 210 widgets", "large", 7.0)]

    func run(_ plan: Plan) throws -> PartReport {
        let medians = try TimedSample.medians(of: "bench-encoding", plan)
        var table = Table(columns: ["page", "Backlot µs", "JSONEncoder µs", "times as fast"])
        var goals: [Goal] = []
        for (title, size, bound) in pages {
            guard let ours = medians["backlot \(size)"], let theirs = medians["jsonencoder \(size)"] else {
                throw CheckFailure("bench-encoding printed no figures for \(title)")
            }
            table.add([
                title,
                Figure.decimal(ours / 1000),
                Figure.decimal(theirs / 1000),
                Figure.ratio(theirs, to: ours),
            ])
            goals.append(
                Goal(
                    text: "encoding \(title), times as fast as JSONEncoder",
                    direction: .atLeast,
                    bound: bound,
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
}
