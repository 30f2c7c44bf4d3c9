import Backlot
import BacklotJSON

/// A condition on a value: one or more of WireMock's operators.
indirect enum ContentPattern: Sendable {
    case equalTo(String, caseInsensitive: Bool)
    case binaryEqualTo([UInt8])
    case contains(String)
    case doesNotContain(String)
    case matches(TextPattern)
    case doesNotMatch(TextPattern)
    case absent
    case equalToJson(JSONValue, JSONComparison)
    case matchesJsonPath(JSONPath, ContentPattern?)
    case dateTime(DateTimePattern)
    case and([ContentPattern])
    case or([ContentPattern])
    case not(ContentPattern)
    /// The same JSON value: `agree: true`.
    case value(JSONValue)

    /// Whether a value matches.
    func matches(_ subject: Subject, _ budget: inout MatchBudget) -> Bool {
        switch self {
        case .equalTo(let text, let caseInsensitive):
            guard let actual = subject.text else { return false }
            return caseInsensitive ? actual.lowercased() == text.lowercased() : actual == text
        case .binaryEqualTo(let bytes):
            if case .body(let request) = subject { return request.body == bytes }
            return subject.text.map { Array($0.utf8) == bytes } ?? false
        case .contains(let text): return subject.text?.contains(text) ?? false
        case .doesNotContain(let text): return !(subject.text?.contains(text) ?? false)
        case .matches(let pattern): return subject.text.map { pattern.matches($0, &budget) } ?? false
        case .doesNotMatch(let pattern): return subject.text.map { pattern.differs(from: $0, &budget) } ?? true
        case .absent: return subject.isAbsent
        case .equalToJson(let expected, let comparison):
            return subject.json.map { comparison.areEqual(expected, $0) } ?? false
        case .matchesJsonPath(let path, let pattern): return Self.matches(subject, path, pattern, &budget)
        case .dateTime(let pattern): return subject.text.map(pattern.matches) ?? false
        case .and(let patterns): return patterns.allSatisfy { $0.matches(subject, &budget) }
        case .or(let patterns): return patterns.contains { $0.matches(subject, &budget) }
        case .not(let pattern):
            // A comparison that was given up doesn't match, and its opposite doesn't either.
            let giveUps = budget.giveUps
            return !pattern.matches(subject, &budget) && budget.giveUps == giveUps
        case .value(let expected): return subject.json.map { $0 == expected } ?? expected.isNull
        }
    }

    private static func matches(
        _ subject: Subject,
        _ path: JSONPath,
        _ pattern: ContentPattern?,
        _ budget: inout MatchBudget
    ) -> Bool {
        let giveUps = budget.giveUps
        let found = subject.json.map { budget.values(of: path, in: $0) } ?? []
        guard budget.giveUps == giveUps else { return false }
        guard let pattern else { return found.contains { !$0.isNull && $0.array?.isEmpty != true } }
        guard !found.isEmpty else { return pattern.matches(.absent, &budget) }
        if found.contains(where: { pattern.matches(.json($0), &budget) }) { return true }
        return path.isIndefinite && pattern.matches(.json(.array(found)), &budget)
    }

    /// The distance of a value that doesn't match, from 0 to 1.
    func distance(from subject: Subject, _ budget: inout MatchBudget) -> Double {
        switch self {
        case .equalTo(let text, _): return subject.text.map { EditDistance.share(text, $0) } ?? 1
        case .contains(let text), .doesNotContain(let text):
            return subject.text.map { EditDistance.share(text, $0) } ?? 1
        case .equalToJson(let expected, _), .value(let expected):
            return subject.json.map { EditDistance.share(expected.description, $0.description) } ?? 1
        case .and(let patterns):
            let distances = patterns.map { $0.matches(subject, &budget) ? 0 : $0.distance(from: subject, &budget) }
            return distances.reduce(0, +) / Double(max(1, patterns.count))
        case .or(let patterns): return patterns.map { $0.distance(from: subject, &budget) }.min() ?? 1
        default: return 1
        }
    }
}

extension ContentPattern: CustomStringConvertible {
    /// The condition in words.
    var description: String {
        switch self {
        case .equalTo(let text, let caseInsensitive): text.shown + (caseInsensitive ? ", in any case," : "")
        case .binaryEqualTo(let bytes): "\(bytes.count) certain bytes"
        case .contains(let text): "a text with \(text.shown)"
        case .doesNotContain(let text): "a text without \(text.shown)"
        case .matches(let pattern): "a match of \(pattern.source.shown)"
        case .doesNotMatch(let pattern): "no match of \(pattern.source.shown)"
        case .absent: "nothing"
        case .equalToJson(let value, _), .value(let value): value.excerpt
        case .matchesJsonPath(let path, let pattern):
            "\(path.source)\(pattern.map { " that is \($0)" } ?? "")"
        case .dateTime(let pattern): "\(pattern)"
        case .and(let patterns): patterns.map(\.description).joined(separator: " and ")
        case .or(let patterns): patterns.map(\.description).joined(separator: " or ")
        case .not(let pattern): "anything but \(pattern)"
        }
    }
}

/// How two JSON values are compared.
struct JSONComparison: Sendable, Equatable {
    /// Whether the elements of a list may come in any order.
    var ignoresArrayOrder = false
    /// Whether there may be more members and elements than expected.
    var ignoresExtraElements = false

    func areEqual(_ expected: JSONValue, _ actual: JSONValue) -> Bool {
        switch (expected, actual) {
        case (.object(let expected), .object(let actual)):
            guard ignoresExtraElements || expected.count == actual.count else { return false }
            return expected.members.allSatisfy { member in
                actual[member.key].map { areEqual(member.value, $0) } ?? false
            }
        case (.array(let expected), .array(let actual)):
            guard ignoresExtraElements && ignoresArrayOrder || expected.count == actual.count else { return false }
            if !ignoresArrayOrder { return zip(expected, actual).allSatisfy { areEqual($0, $1) } }
            var left = actual
            for element in expected {
                guard let index = left.firstIndex(where: { areEqual(element, $0) }) else { return false }
                left.remove(at: index)
            }
            return true
        case (.string("${json-unit.ignore}"), _), (.string("${json-unit.any-string}"), .string),
            (.string("${json-unit.any-number}"), .number), (.string("${json-unit.any-boolean}"), .bool):
            return true
        default: return expected == actual
        }
    }
}
