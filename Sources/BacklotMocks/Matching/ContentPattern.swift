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
    case matchesJsonSchema(JSONSchema)
    case equalToXml(XMLComparison)
    case matchesXPath(XPath, ContentPattern?)
    /// A number that is compared with another.
    case number(NumberRelation, Double)
    /// Whatever it is, or isn't.
    case anything
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
            if case .bytes(let own) = subject { return own == bytes }
            return subject.text.map { Array($0.utf8) == bytes } ?? false
        case .contains(let text): return subject.text?.contains(text) ?? false
        case .doesNotContain(let text): return !(subject.text?.contains(text) ?? false)
        case .matches(let pattern): return subject.text.map { pattern.matches($0, &budget) } ?? false
        case .doesNotMatch(let pattern): return subject.text.map { pattern.differs(from: $0, &budget) } ?? true
        case .absent: return subject.isAbsent
        case .equalToJson(let expected, let comparison):
            return subject.json.map { comparison.areEqual(expected, $0, &budget) } ?? false
        case .matchesJsonPath(let path, let pattern): return Self.matches(subject, path, pattern, &budget)
        case .matchesJsonSchema(let schema):
            // A text that isn't JSON is judged as a text.
            guard let text = subject.text else { return false }
            return budget.fits(subject.json ?? .string(text), schema)
        case .equalToXml(let comparison): return subject.text.map { comparison.matches($0, &budget) } ?? false
        case .matchesXPath(let path, let pattern): return Self.matches(subject, path, pattern, &budget)
        case .number(let relation, let number):
            return subject.text.flatMap { Double($0) }.map { relation.holds($0, number) } ?? false
        case .anything: return true
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

    private static func matches(
        _ subject: Subject,
        _ path: XPath,
        _ pattern: ContentPattern?,
        _ budget: inout MatchBudget
    ) -> Bool {
        guard let text = subject.text, text.first(where: { !$0.isWhitespace }) == "<",
            let found = budget.xml(path.source, { () throws(XMLProblem) in try path.values(inText: text).sources })
        else { return false }
        guard let pattern else { return !found.isEmpty }
        return found.contains { pattern.matches(.text($0), &budget) }
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
        case .matchesJsonSchema: "a value that fits the schema"
        case .equalToXml(let comparison): comparison.source.shown
        case .matchesXPath(let path, let pattern): "\(path.source)\(pattern.map { " that is \($0)" } ?? "")"
        case .number(let relation, let number): "a number \(relation.rawValue) \(number)"
        case .anything: "anything"
        case .dateTime(let pattern): "\(pattern)"
        case .and(let patterns): patterns.map(\.description).joined(separator: " and ")
        case .or(let patterns): patterns.map(\.description).joined(separator: " or ")
        case .not(let pattern): "anything but \(pattern)"
        }
    }
}

/// How a number is compared with another.
enum NumberRelation: String, Sendable {
    case equal = "equal to"
    case greater = "greater than"
    case greaterOrEqual = "of at least"
    case less = "less than"
    case lessOrEqual = "of at most"

    /// WireMock's operators.
    static let operators: [String: NumberRelation] = [
        "equalToNumber": .equal, "greaterThanNumber": .greater, "greaterThanEqualNumber": .greaterOrEqual,
        "lessThanNumber": .less, "lessThanEqualNumber": .lessOrEqual,
    ]

    func holds(_ number: Double, _ other: Double) -> Bool {
        switch self {
        case .equal: number == other
        case .greater: number > other
        case .greaterOrEqual: number >= other
        case .less: number < other
        case .lessOrEqual: number <= other
        }
    }
}
