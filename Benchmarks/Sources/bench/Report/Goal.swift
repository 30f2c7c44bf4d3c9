/// A bound that a figure of ours is to keep, and what was measured.
struct Goal: Equatable {
    /// On which side of the bound the figure must be.
    enum Direction: String {
        case atMost = "≤"
        case atLeast = "≥"
    }

    enum Verdict: String {
        case met
        case notMet = "NOT met"
        case notMeasured = "not measured"
    }

    /// What is measured, and against what.
    var text: String
    var direction: Direction
    var bound: Double
    /// nil if the run left out what it takes.
    var measured: Double?
    /// What follows the figures: `×`, or ` bytes`.
    var unit: String

    var verdict: Verdict {
        guard let measured else { return .notMeasured }
        switch direction {
        case .atMost: return measured <= bound ? .met : .notMet
        case .atLeast: return measured >= bound ? .met : .notMet
        }
    }

    /// A table of `goals`.
    static func table(_ goals: [Goal]) -> Table {
        var table = Table(columns: ["goal", "bound", "measured", "verdict"])
        for goal in goals {
            let measured = goal.measured.map { goal.figure($0) } ?? Figure.none
            let bound = "\(goal.direction.rawValue) \(goal.figure(goal.bound))"
            table.add([goal.text, bound, measured, goal.verdict.rawValue])
        }
        return table
    }

    private func figure(_ value: Double) -> String {
        (unit == "×" ? Figure.decimal(value) : Figure.whole(value)) + unit
    }
}
