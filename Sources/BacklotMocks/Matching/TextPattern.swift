import Backlot

/// A regular expression that a whole text must match.
struct TextPattern: Sendable {
    private let pattern: Pattern

    var source: String { pattern.source }

    /// - Parameter field: the expression, as WireMock's users write them.
    init(_ field: LocatedValue) throws(StubProblem) {
        let source = try field.text()
        do throws(PatternError) {
            pattern = try Pattern(source)
        } catch {
            throw field.problem("'\(source)' is no regular expression: \(error)")
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
