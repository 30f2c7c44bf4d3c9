import Backlot

/// The options for comparing two JSON values.
struct JSONComparison: Sendable {
    /// Whether the elements of a list may come in any order.
    var ignoresArrayOrder = false
    /// Whether there may be more members and elements than expected.
    var ignoresExtraElements = false
    /// The texts of the expected value that are placeholders.
    private var placeholders: [String: Placeholder] = [:]

    init(ignoresArrayOrder: Bool = false, ignoresExtraElements: Bool = false) {
        (self.ignoresArrayOrder, self.ignoresExtraElements) = (ignoresArrayOrder, ignoresExtraElements)
    }

    func areEqual(_ expected: JSONValue, _ actual: JSONValue, _ budget: inout MatchBudget) -> Bool {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            var count = 0
            for member in expected.members {
                let placeholder = member.value.string.flatMap { placeholders[$0] }
                let isIgnored = if case .ignoreElement? = placeholder { true } else { false }
                guard let value = actual[member.key] else {
                    if isIgnored { continue }
                    return false
                }
                guard isIgnored || areEqual(member.value, value, &budget) else { return false }
                count += 1
            }
            return ignoresExtraElements || count == actual.count
        case (.array(let expected), .array(let actual)):
            guard ignoresExtraElements && ignoresArrayOrder || expected.count == actual.count else { return false }
            if !ignoresArrayOrder {
                for (one, other) in zip(expected, actual) where !areEqual(one, other, &budget) { return false }
                return true
            }
            var left = actual
            for element in expected {
                let found = left.firstIndex { budget.spendComparison() && areEqual(element, $0, &budget) }
                guard let index = found else { return false }
                left.remove(at: index)
            }
            return true
        case (.string(let text), _):
            guard let placeholder = placeholders[text] else { return expected == actual }
            return placeholder.stands(for: actual, &budget)
        default: return expected == actual
        }
    }

    /// Whether a text of an expected value stands for any value of a kind.
    static func isPlaceholder(_ text: String) -> Bool {
        text.hasPrefix("${json-unit.") || text.hasPrefix("#{json-unit.")
    }

    /// Reads the placeholders of an expected value, and refuses unknown ones.
    mutating func prepare(_ field: LocatedValue) throws(StubError) {
        switch field.value {
        case .object: for member in try field.members() { try prepare(member.field) }
        case .array: for element in try field.elements() { try prepare(element) }
        case .string(let text):
            guard Self.isPlaceholder(text) else { return }
            placeholders[text] = try mapErrors({
                field.problem("'\(text.dropFirst(18))' isn't a regular expression: \($0)")
            }) { try Placeholder(jsonUnit: text.dropFirst(12)) }
            guard placeholders[text] == nil else { return }
            throw field.problem(
                "the placeholder \(("$" + text.dropFirst()).shown) is not known here; write ${json-unit.ignore}, ${json-unit.any-string} or ${json-unit.regex}[A-Z]+"
            )
        default: break
        }
    }
}

/// A text of an expected document that stands for any value of a kind: JsonUnit's `${json-unit.any-string}`, or with `#` in place
/// of `$`, and XMLUnit's `${xmlunit.isNumber}`.
enum Placeholder: Sendable {
    case ignore, ignoreElement, string, number, boolean, dateTime
    case regex(PCRERegex)

    /// - Parameter text: the text after `${json-unit.`.
    /// - Returns: nil for an unknown one.
    fileprivate init?(jsonUnit text: Substring) throws(PatternError) {
        switch text {
        case "ignore}": self = .ignore
        case "ignore-element}": self = .ignoreElement
        case "any-string}": self = .string
        case "any-number}": self = .number
        case "any-boolean}": self = .boolean
        default:
            guard text.hasPrefix("regex}") else { return nil }
            self = .regex(try PCRERegex(String(text.dropFirst(6))))
        }
    }

    /// - Parameter word: the text between the delimiters.
    /// - Returns: nil for an unknown one.
    init?(xmlUnit word: String) {
        switch word {
        case "xmlunit.ignore": self = .ignore
        case "xmlunit.isNumber": self = .number
        case "xmlunit.isDateTime": self = .dateTime
        default:
            guard word.hasPrefix("xmlunit.matchesRegex("), word.hasSuffix(")"),
                let pattern = try? PCRERegex(String(word.dropFirst(21).dropLast()))
            else { return nil }
            self = .regex(pattern)
        }
    }

    fileprivate func stands(for value: JSONValue, _ budget: inout MatchBudget) -> Bool {
        switch (self, value) {
        case (.ignore, _), (.ignoreElement, _), (.string, .string), (.number, .number), (.boolean, .bool): true
        case (.regex, .string(let text)): stands(for: text, &budget)
        default: false
        }
    }

    func stands(for text: String, _ budget: inout MatchBudget) -> Bool {
        switch self {
        case .ignore, .ignoreElement, .string: true
        case .number: Double(text) != nil
        case .boolean: text == "true" || text == "false"
        case .dateTime: CivilTime(text) != nil
        case .regex(let pattern): budget.match(pattern, whole: text) == .matches
        }
    }
}
