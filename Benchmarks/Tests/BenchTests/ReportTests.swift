import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    @Test func `Columns of a table are aligned`() {
        var table = Table(columns: ["server", "CPU", ""])
        table.add(["Backlot", "0.60", ""])
        table.add(["nginx", "10.57", "×"])
        #expect(table.lines == ["server     CPU", "Backlot   0.60", "nginx    10.57  ×"])
    }

    @Test(arguments: [([], nil), ([3], 3), ([9, 1, 5], 5), ([4, 1, 3, 2], 2.5)] as [([Double], Double?)])
    func `The median is the middle, or the mean of the two middle values`(values: [Double], expected: Double?) {
        #expect(values.median == expected)
    }

    @Test func `Figures have separators, and ratios have three digits`() {
        #expect(Figure.whole(1_234_567.5) == "1,234,568")
        #expect(Figure.whole(-999.6) == "-1,000")
        #expect(Figure.whole(12) == "12")
        #expect(Figure.ratio(1, to: 4) == "0.25×")
        #expect(Figure.ratio(50, to: 4) == "12.5×")
        #expect(Figure.ratio(1, to: 0) == Figure.none)
        #expect(Figure.ratio(nil, to: 4) == Figure.none)
    }

    @Test(
        arguments: [
            (Goal.Direction.atMost, 1.39, Goal.Verdict.met),
            (.atMost, 1.4, .met),
            (.atMost, 1.41, .notMet),
            (.atLeast, 1.39, .notMet),
            (.atLeast, 1.4, .met),
            (.atLeast, nil, .notMeasured),
        ] as [(Goal.Direction, Double?, Goal.Verdict)]
    )
    func `A goal is met at its bound`(direction: Goal.Direction, measured: Double?, expected: Goal.Verdict) {
        let goal = Goal(text: "x", direction: direction, bound: 1.4, measured: measured, unit: "×")
        #expect(goal.verdict == expected)
    }
}
