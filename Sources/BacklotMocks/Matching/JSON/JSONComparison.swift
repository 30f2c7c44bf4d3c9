import Backlot
import BacklotJSON

/// How two JSON values are compared.
struct JSONComparison: Sendable {
    /// Whether the elements of a list may come in any order.
    var ignoresArrayOrder = false
    /// Whether there may be more members and elements than expected.
    var ignoresExtraElements = false
    /// The expressions of placeholders, by how they are written.
    private var patterns: [String: Pattern] = [:]

    init(ignoresArrayOrder: Bool = false, ignoresExtraElements: Bool = false) {
        self.ignoresArrayOrder = ignoresArrayOrder
        self.ignoresExtraElements = ignoresExtraElements
    }

    func areEqual(_ expected: JSONValue, _ actual: JSONValue, _ budget: inout MatchBudget) -> Bool {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            var count = 0
            for wanted in expected.members {
                let (key, value) = (wanted.key, wanted.value)
                let isIgnored = value.string.flatMap(JSONPlaceholder.init)?.kind == .ignoreElement
                guard let member = actual[key] else {
                    if isIgnored { continue }
                    return false
                }
                guard isIgnored || areEqual(value, member, &budget) else { return false }
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
                guard let index = left.firstIndex(where: { areEqual(element, $0, &budget) }) else { return false }
                left.remove(at: index)
            }
            return true
        case (.string(let text), _):
            guard let placeholder = JSONPlaceholder(text) else { return expected == actual }
            return placeholder.stands(for: actual, patterns, &budget)
        default: return expected == actual
        }
    }

    /// Reads the placeholders of an expected value, and refuses those that aren't known here.
    mutating func prepare(_ field: LocatedValue) throws(StubProblem) {
        switch field.value {
        case .object: for member in try field.members() { try prepare(member.field) }
        case .array: for element in try field.elements() { try prepare(element) }
        case .string(let text):
            guard let rest = JSONPlaceholder.rest(of: text) else { return }
            guard let placeholder = JSONPlaceholder(text) else {
                throw field.problem(
                    "the placeholder \(("${json-unit." + rest).shown) is not known here; write ${json-unit.ignore}, ${json-unit.any-string} or ${json-unit.regex}[A-Z]+"
                )
            }
            guard case .regex(let source) = placeholder.kind else { return }
            do throws(PatternError) {
                patterns[source] = try Pattern(source)
            } catch {
                throw field.problem("'\(source)' is no regular expression: \(error)")
            }
        default: break
        }
    }
}

/// A text that stands for any value of a kind, as JsonUnit has it: `${json-unit.any-string}`, or with `#` in place of `$`.
struct JSONPlaceholder {
    enum Kind: Equatable {
        case ignore, ignoreElement
        case anyString, anyNumber, anyBoolean
        case regex(String)
    }

    let kind: Kind

    /// nil for a text that is none.
    init?(_ text: String) {
        guard let rest = Self.rest(of: text) else { return nil }
        switch rest {
        case "ignore}": kind = .ignore
        case "ignore-element}": kind = .ignoreElement
        case "any-string}": kind = .anyString
        case "any-number}": kind = .anyNumber
        case "any-boolean}": kind = .anyBoolean
        default:
            guard rest.hasPrefix("regex}") else { return nil }
            kind = .regex(String(rest.dropFirst(6)))
        }
    }

    /// What follows the beginning of each placeholder.
    static func rest(of text: String) -> Substring? {
        guard text.utf8.count > 12, text.hasPrefix("${json-unit.") || text.hasPrefix("#{json-unit.") else { return nil }
        return text.dropFirst(12)
    }

    func stands(for value: JSONValue, _ patterns: [String: Pattern], _ budget: inout MatchBudget) -> Bool {
        switch (kind, value) {
        case (.ignore, _), (.ignoreElement, _), (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool): true
        case (.regex(let source), .string(let text)):
            patterns[source].map { budget.match($0, whole: text) == .matches } ?? false
        default: false
        }
    }
}
