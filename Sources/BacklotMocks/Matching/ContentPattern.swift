import Backlot
import BacklotJSON

/// A condition on a value: one or more of WireMock's operators, which ``operators`` declares.
struct ContentPattern: Sendable, CustomStringConvertible {
    typealias Test = @Sendable (Subject, inout MatchBudget) -> Bool
    typealias Distance = @Sendable (Subject, inout MatchBudget) -> Double

    /// The condition in words.
    let description: String
    /// A value that matches; nil where none is known.
    let sample: Subject?
    /// The text that a value must be; nil where others match too.
    private(set) var onlyText: String?
    private let test: Test
    private let distance: Distance

    /// - Parameter distance: the distance of a value that doesn't match, from 0 to 1.
    init(
        _ description: String,
        sample: Subject? = nil,
        distance: @escaping Distance = { _, _ in 1 },
        _ test: @escaping Test
    ) {
        (self.description, self.sample, self.distance, self.test) = (description, sample, distance, test)
    }

    /// Whether a value matches.
    func matches(_ subject: Subject, _ budget: inout MatchBudget) -> Bool { test(subject, &budget) }

    /// The distance of a value that doesn't match, from 0 to 1.
    func distance(from subject: Subject, _ budget: inout MatchBudget) -> Double { distance(subject, &budget) }

    // MARK: Conditions on texts and values

    /// A condition on a text, which is near a text that it names.
    private static func text(
        _ text: String,
        _ description: String,
        sample: Subject? = nil,
        _ test: @escaping @Sendable (String?) -> Bool
    ) -> ContentPattern {
        ContentPattern(
            description,
            sample: sample,
            distance: { subject, _ in subject.text.map { EditDistance.share(text, $0) } ?? 1 },
            { subject, _ in test(subject.text) }
        )
    }

    /// The same text.
    static func equalTo(_ text: String, ignoringCase: Bool = false) -> ContentPattern {
        let folded = text.lowercased()
        let words = text.shown + (ignoringCase ? ", in any case," : "")
        var pattern = Self.text(text, words, sample: .text(text)) { actual in
            ignoringCase ? actual?.lowercased() == folded : actual == text
        }
        pattern.onlyText = text
        return pattern
    }

    /// A text with another in it.
    static func contains(_ text: String) -> ContentPattern {
        Self.text(text, "a text with \(text.shown)", sample: .text(text)) { $0?.contains(text) ?? false }
    }

    /// The same JSON value: `agree: true`.
    static func value(_ value: JSONValue) -> ContentPattern {
        json(value) { actual, _ in actual.map { $0 == value } ?? value.isNull }
    }

    /// A JSON value that equals another by some comparison.
    static func equalToJson(_ value: JSONValue, _ comparison: JSONComparison) -> ContentPattern {
        json(value) { actual, budget in actual.map { comparison.areEqual(value, $0, &budget) } ?? false }
    }

    private static func json(
        _ value: JSONValue,
        _ test: @escaping @Sendable (JSONValue?, inout MatchBudget) -> Bool
    ) -> ContentPattern {
        ContentPattern(
            value.excerpt,
            sample: .json(value),
            distance: { subject, _ in subject.json.map { EditDistance.share(value.description, $0.description) } ?? 1 },
            { subject, budget in test(subject.json, &budget) }
        )
    }

    private static let absent = ContentPattern("nothing") { subject, _ in subject.isAbsent }

    private static func not(_ pattern: ContentPattern) -> ContentPattern {
        ContentPattern("anything but \(pattern)") { subject, budget in
            // A comparison that was given up doesn't match, and its opposite doesn't either.
            let giveUps = budget.giveUps
            return !pattern.matches(subject, &budget) && budget.giveUps == giveUps
        }
    }

    private static func all(_ patterns: [ContentPattern]) -> ContentPattern {
        ContentPattern(
            patterns.map(\.description).joined(separator: " and "),
            sample: patterns.lazy.compactMap(\.sample).first,
            distance: { subject, budget in
                let distances = patterns.map { $0.matches(subject, &budget) ? 0 : $0.distance(from: subject, &budget) }
                return distances.reduce(0, +) / Double(max(1, patterns.count))
            },
            { subject, budget in patterns.allSatisfy { $0.matches(subject, &budget) } }
        )
    }

    private static func any(_ patterns: [ContentPattern]) -> ContentPattern {
        ContentPattern(
            patterns.map(\.description).joined(separator: " or "),
            sample: patterns.lazy.compactMap(\.sample).first,
            distance: { subject, budget in patterns.map { $0.distance(from: subject, &budget) }.min() ?? 1 },
            { subject, budget in patterns.contains { $0.matches(subject, &budget) } }
        )
    }

    private static func path(_ path: JSONPath, _ pattern: ContentPattern?) -> ContentPattern {
        ContentPattern("\(path.source)\(pattern.map { " that is \($0)" } ?? "")") { subject, budget in
            let giveUps = budget.giveUps
            let found = subject.json.map { budget.values(of: path, in: $0) } ?? []
            guard budget.giveUps == giveUps else { return false }
            guard let pattern else { return found.contains { !$0.isNull && $0.array?.isEmpty != true } }
            guard !found.isEmpty else { return pattern.matches(.absent, &budget) }
            if found.contains(where: { pattern.matches(.json($0), &budget) }) { return true }
            return path.isIndefinite && pattern.matches(.json(.array(found)), &budget)
        }
    }

    private static func path(_ path: XPath, _ pattern: ContentPattern?) -> ContentPattern {
        ContentPattern("\(path.source)\(pattern.map { " that is \($0)" } ?? "")") { subject, budget in
            guard let text = subject.text, text.first(where: { !$0.isWhitespace }) == "<",
                let found = budget.xml(path.source, { () throws(XMLProblem) in try path.values(inText: text).sources })
            else { return false }
            guard let pattern else { return !found.isEmpty }
            return found.contains { pattern.matches(.text($0), &budget) }
        }
    }

    // MARK: Operators

    private struct Operator: Sendable {
        let name: String
        /// The keys beside it.
        var options: [String] = []
        /// Reads its value, and the matcher in which it stands.
        let read: @Sendable (LocatedValue, LocatedValue, inout MockReader) throws -> ContentPattern

        /// An operator that compares numbers.
        static func number(
            _ name: String,
            _ words: String,
            _ holds: @escaping @Sendable (Double, Double) -> Bool
        ) -> Operator {
            Operator(name: name) { value, _, _ in
                let number = try value.double(in: -1e300...1e300)
                let text = number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number))" : "\(number)"
                return ContentPattern("a number \(words) \(number)", sample: .text(text)) { subject, _ in
                    subject.text.flatMap { Double($0) }.map { holds($0, number) } ?? false
                }
            }
        }
    }

    /// The operators, of which a matcher has one, or more in our own files.
    static let operators = declared.map(\.name)
    /// The keys beside each operator.
    static let options = Dictionary(uniqueKeysWithValues: declared.map { ($0.name, $0.options) })

    private static let declared: [Operator] = [
        Operator(name: "equalTo", options: ["caseInsensitive"]) { value, matcher, _ in
            equalTo(try value.text(), ignoringCase: try matcher["caseInsensitive"]?.bool() ?? false)
        },
        Operator(name: "contains") { value, _, _ in contains(try value.text()) },
        Operator(name: "doesNotContain") { value, _, _ in
            let text = try value.text()
            return Self.text(text, "a text without \(text.shown)") { !($0?.contains(text) ?? false) }
        },
        Operator(name: "matches") { value, _, _ in
            let pattern = try value.pattern()
            return ContentPattern("a match of \(pattern.source.shown)") { subject, budget in
                subject.text.map { budget.match(pattern, whole: $0) == .matches } ?? false
            }
        },
        Operator(name: "doesNotMatch") { value, _, _ in
            let pattern = try value.pattern()
            return ContentPattern("no match of \(pattern.source.shown)") { subject, budget in
                subject.text.map { budget.match(pattern, whole: $0) == .differs } ?? true
            }
        },
        Operator(name: "absent") { value, _, _ in try value.bool() ? absent : not(absent) },
        Operator(name: "equalToJson", options: ["ignoreArrayOrder", "ignoreExtraElements"]) { value, matcher, _ in
            let expected = try value.embeddedJSON()
            var comparison = JSONComparison(
                ignoresArrayOrder: try matcher["ignoreArrayOrder"]?.bool() ?? false,
                ignoresExtraElements: try matcher["ignoreExtraElements"]?.bool() ?? false
            )
            try comparison.prepare(expected)
            return equalToJson(expected.value, comparison)
        },
        Operator(name: "matchesJsonPath") { value, _, reading in
            path(try JSONPath(try value.expression("$.name")), try nested(value, &reading))
        },
        Operator(name: "matchesJsonSchema", options: ["schemaVersion"]) { value, matcher, _ in
            if let version = matcher["schemaVersion"], try version.string() != "V202012" {
                throw version.problem("\(version.value.excerpt) is not supported; write V202012, or leave the key out")
            }
            let document = try value.embeddedJSON().value
            let schema: JSONSchema
            do throws(JSONSchema.Mistake) {
                schema = try JSONSchema(document)
            } catch {
                throw value.problem("this is no schema: \(error)")
            }
            return ContentPattern("a value that fits the schema") { subject, budget in
                // A text that isn't JSON is judged as a text.
                subject.text.map { budget.fits(subject.json ?? .string($0), schema) } ?? false
            }
        },
        Operator(name: "equalToXml", options: XMLComparison.options) { value, matcher, _ in
            let comparison = try XMLComparison(value, matcher)
            return ContentPattern(comparison.source.shown) { subject, budget in
                subject.text.map { comparison.matches($0, &budget) } ?? false
            }
        },
        Operator(name: "matchesXPath", options: ["xPathNamespaces"]) { value, matcher, reading in
            var namespaces: [String: String] = [:]
            for (prefix, member) in try matcher["xPathNamespaces"]?.members() ?? [] {
                namespaces[prefix] = try member.string()
            }
            let field = try value.expression("/order/total")
            let (source, pattern) = (try field.string(), try nested(value, &reading))
            do throws(XMLProblem) {
                return path(try XPath(source, namespaces: namespaces), pattern)
            } catch {
                throw field.problem("'\(source)' can't be followed: \(error)")
            }
        },
        Operator(name: "binaryEqualTo") { value, _, _ in
            guard let bytes = Base64.decode(try value.string()) else {
                throw value.problem("it is no base64; write letters, digits, + and /, with = at the end")
            }
            return ContentPattern("\(bytes.count) certain bytes", sample: .bytes(bytes)) { subject, _ in
                subject.bytes == bytes
            }
        },
        dateTime(.before), dateTime(.after), dateTime(.equalToDateTime),
        Operator(name: "anything") { _, _, _ in ContentPattern("anything") { _, _ in true } },
        Operator(name: "and") { value, _, reading in all(try list(value, &reading)) },
        Operator(name: "or") { value, _, reading in any(try list(value, &reading)) },
        Operator(name: "not") { value, _, reading in not(try ContentPattern(value, &reading)) },
        .number("equalToNumber", "equal to") { $0 == $1 },
        .number("greaterThanEqualNumber", "of at least") { $0 >= $1 },
        .number("greaterThanNumber", "greater than") { $0 > $1 },
        .number("lessThanEqualNumber", "of at most") { $0 <= $1 },
        .number("lessThanNumber", "less than") { $0 < $1 },
    ]

    private static func dateTime(_ relation: DateTimePattern.Relation) -> Operator {
        Operator(name: relation.rawValue, options: DateTimePattern.options) { value, matcher, _ in
            let pattern = try DateTimePattern(relation, value, matcher)
            return ContentPattern("\(pattern)") { subject, _ in subject.text.map { pattern.matches($0) } ?? false }
        }
    }

    private static func list(_ value: LocatedValue, _ reading: inout MockReader) throws(StubProblem) -> [ContentPattern]
    {
        var patterns: [ContentPattern] = []
        for element in try value.elements() { patterns.append(try ContentPattern(element, &reading)) }
        guard !patterns.isEmpty else { throw value.problem("the list is empty; write at least one matcher") }
        return patterns
    }

    /// The matcher beside a path's expression; nil where there is only the path.
    private static func nested(
        _ value: LocatedValue,
        _ reading: inout MockReader
    ) throws(StubProblem) -> ContentPattern? {
        guard case .object = value.value else { return nil }
        let isAlone = try value.members().allSatisfy {
            $0.key == "expression" || $0.field.value.isNull && $0.key != "absent"
        }
        return isAlone ? nil : try ContentPattern(value, &reading, isNested: true)
    }
}

extension ContentPattern {
    /// Reads a matcher: `{"equalTo": "x"}`, or just `"x"`.
    ///
    /// - Parameter isNested: whether it stands below a path, beside the key `expression`.
    init(_ field: LocatedValue, _ reading: inout MockReader, isNested: Bool = false) throws(StubProblem) {
        guard case .object(let object) = field.value else {
            self = .equalTo(try field.text())
            return
        }
        // A null operator doesn't count, except `absent`, which may be written so.
        let found = Self.declared.filter { field[$0.name] != nil || $0.name == "absent" && object["absent"] != nil }
        let options = found.flatMap(\.options) + (isNested ? ["expression"] : [])
        try reading.refuse(field, but: found.isEmpty ? Self.operators : Self.operators + options)
        guard !found.isEmpty else {
            throw field.problem(
                "it has no operator; write {\"equalTo\": …}, or another of \(Self.operators.joined(separator: ", "))"
            )
        }
        if found.count > 1, reading.isForeign {
            // WireMock takes the first and drops the others.
            throw field.problem(
                "\(found.map(\.name).alternatives) stand side by side, of which one counts; put them into a list under 'and'"
            )
        }
        var patterns: [ContentPattern] = []
        for each in found {
            do {
                patterns.append(try field[each.name].map { try each.read($0, field, &reading) } ?? Self.absent)
            } catch let problem as StubProblem {
                throw problem
            } catch {
                throw field.problem("\(error)")
            }
        }
        self = patterns.count == 1 ? patterns[0] : .all(patterns)
    }
}

extension LocatedValue {
    /// A regular expression, as WireMock's users write them.
    func pattern() throws(StubProblem) -> Pattern {
        let source = try text()
        do throws(PatternError) {
            return try Pattern(source)
        } catch {
            throw problem("'\(source)' is no regular expression: \(error)")
        }
    }

    /// JSON, or a text that holds JSON.
    fileprivate func embeddedJSON() throws(StubProblem) -> LocatedValue {
        guard let text = value.string else { return self }
        do throws(JSONParseError) {
            return LocatedValue(try JSONValue(parsing: text), at: path)
        } catch {
            throw problem("the text is not JSON: \(error)")
        }
    }

    /// The path that it is, or that stands in it beside a matcher.
    fileprivate func expression(_ sample: String) throws(StubProblem) -> LocatedValue {
        guard case .object = value else { return self }
        guard let expression = self["expression"] else {
            throw problem("the key 'expression' is missing: the path, such as \(sample)")
        }
        return expression
    }
}

/// A part of a request that a condition looks at.
enum Subject: Sendable {
    /// Missing.
    case absent
    /// The value of a field, a cookie or a parameter.
    case text(String)
    /// A part of a JSON document.
    case json(JSONValue)
    /// The body.
    case body(MockRequest)
    /// The body of a part of a form.
    case bytes([UInt8])

    var isAbsent: Bool {
        switch self {
        case .absent: true
        case .body(let request): request.body.isEmpty
        case .text, .json, .bytes: false
        }
    }

    /// As text: strings without quotes, other JSON as it is written.
    var text: String? {
        switch self {
        case .absent: nil
        case .text(let text): text
        case .json(let value): value.string ?? value.description
        case .body(let request): request.text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    fileprivate var bytes: [UInt8]? {
        switch self {
        case .body(let request): request.body
        case .bytes(let bytes): bytes
        default: text.map { Array($0.utf8) }
        }
    }

    /// As JSON; nil for a text that isn't JSON.
    var json: JSONValue? {
        switch self {
        case .absent: nil
        case .text(let text): try? JSONValue(parsing: text)
        case .json(let value): value
        case .body(let request): request.json
        case .bytes(let bytes): try? JSONValue(parsing: bytes)
        }
    }

    /// The value; a text as a string.
    var value: JSONValue? { if case .json(let value) = self { value } else { text.map(JSONValue.string) } }

    /// The value as a message shows it.
    var shown: String? {
        if case .json(let value) = self { return value.excerpt }
        return isAbsent ? nil : text?.shown
    }
}
