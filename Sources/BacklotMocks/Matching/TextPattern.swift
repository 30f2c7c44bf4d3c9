import Backlot

/// A regular expression that a whole text must match.
struct TextPattern: Sendable {
    private let pattern: Pattern

    var source: String { pattern.source }

    /// - Parameter field: the expression, as WireMock's users write them.
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        let source = try field.text()
        do throws(PatternError) {
            pattern = try Pattern(source)
        } catch {
            throw field.problem("'\(source)' is no regular expression: \(error)")
        }
        if let risk = pattern.risk {
            reading.warn(
                ofRisk: field.problem(
                    "'\(risk)' can match one text in very many ways, and is given up where that takes too many steps; let each repetition match in one way only, such as a+ instead of (a+)+, or don't let it give back: (?>…)"
                )
            )
        }
    }

    /// Whether the whole text matches.
    func matches(_ text: String, _ budget: inout MatchBudget) -> Bool {
        budget.match(pattern, whole: text) == .matches
    }

    /// Whether it is known that the whole text doesn't match.
    func differs(from text: String, _ budget: inout MatchBudget) -> Bool {
        budget.match(pattern, whole: text) == .differs
    }
}
