/// A regular expression that a whole text must match.
struct TextPattern: Sendable {
    let source: String
    private let regex: CompiledRegex

    /// - Parameter source: the expression, as WireMock's users write them.
    init(_ field: Field) throws(StubProblem) {
        source = try field.text()
        do {
            regex = CompiledRegex(try Regex(source))
        } catch {
            throw field.problem("'\(source)' is no regular expression: \(error)")
        }
    }

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool { regex.matches(text) }
}

/// A regular expression is only ever read; Swift doesn't say so of its type, since one may hold functions.
private final class CompiledRegex: @unchecked Sendable {
    private let regex: Regex<AnyRegexOutput>

    init(_ regex: Regex<AnyRegexOutput>) {
        self.regex = regex.matchingSemantics(.unicodeScalar)
    }

    func matches(_ text: String) -> Bool { (try? regex.wholeMatch(in: text)) != nil }
}
