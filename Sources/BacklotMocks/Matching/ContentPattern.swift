import Backlot

/// A condition on a value: one or more of WireMock's operators, which ``operators`` declares.
struct ContentPattern: Sendable, CustomStringConvertible {
    typealias Test = @Sendable (Subject, inout MatchBudget) -> Bool
    typealias Distance = @Sendable (Subject, inout MatchBudget) -> Double

    /// The condition in words.
    let description: String
    /// A value that matches; nil if unknown.
    let sample: Subject?
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

    /// A condition on a text, with the distance from an expected text.
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
        return Self.text(text, words, sample: .text(text)) { actual in
            ignoringCase ? actual?.lowercased() == folded : actual == text
        }
    }

    /// A text that contains another.
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
            // A comparison that was aborted doesn't match, and its opposite doesn't either.
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
                let found = budget.xml(path.source, { () throws(XMLError) in try path.values(inText: text).sources })
            else { return false }
            guard let pattern else { return !found.isEmpty }
            return found.contains { pattern.matches(.text($0), &budget) }
        }
    }

    // MARK: Operators

    /// An operator: its key, and the function that reads its value. ``MockReader`` has checked the types by then.
    private struct Operator: Sendable {
        let key: Key
        let options: [Key]
        let read: @Sendable (LocatedValue, LocatedValue, inout MockReader) throws -> ContentPattern

        /// - Parameters:
        ///   - options: the keys that may be beside it.
        ///   - read: reads its value and the matcher around it.
        init(
            _ name: String,
            _ type: ValueType,
            _ meaning: String,
            options: [Key] = [],
            _ read: @escaping @Sendable (LocatedValue, LocatedValue, inout MockReader) throws -> ContentPattern
        ) {
            (key, self.options, self.read) = (.optional(name, type, meaning), options, read)
        }

        /// An operator that compares numbers.
        static func number(
            _ name: String,
            _ meaning: String,
            _ words: String,
            _ holds: @escaping @Sendable (Double, Double) -> Bool
        ) -> Operator {
            Operator(name, .number, meaning) { value, _, _ in
                let number = value.value.number?.double ?? 0
                let text = number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number))" : "\(number)"
                return ContentPattern("a number \(words) \(number)", sample: .text(text)) { subject, _ in
                    subject.text.flatMap { Double($0) }.map { holds($0, number) } ?? false
                }
            }
        }

        /// An operator that compares dates.
        static func date(_ relation: DateTimePattern.Relation, _ meaning: String) -> Operator {
            Operator(relation.rawValue, .string, meaning, options: DateTimePattern.options) { value, matcher, _ in
                let pattern = try DateTimePattern(relation, value, matcher)
                return ContentPattern("\(pattern)") { subject, budget in
                    subject.text.map { pattern.matches($0, now: budget.now ?? .now) } ?? false
                }
            }
        }
    }

    /// The key beside a matcher below a path.
    private static let expression = Key.optional("expression", .string, "The path.")
    private static let matcher = ValueType.either([.string, .number, .bool, .object(.matcher)])
    private static let paths = ValueType.either([.string, .object(.matcher)])
    private static let beside = " something; or {\"expression\": PATH} with a matcher beside it."
    private static let inText = " a text that holds it."
    private static let caseOptions: [Key] = [
        .optional("caseInsensitive", .bool, "Whether upper and lower case are the same.", default: false)
    ]
    private static let jsonOptions: [Key] = [
        .optional("ignoreArrayOrder", .bool, "Whether the order of arrays doesn't count.", default: false),
        .optional("ignoreExtraElements", .bool, "Whether there may be more members and elements.", default: false),
    ]
    private static let schemaOptions: [Key] = [
        .optional("schemaVersion", .word(of: SchemaDraft.self), "The draft of the JSON Schema.", default: "V202012")
    ]
    private static let xPathOptions: [Key] = [
        .optional("xPathNamespaces", .map(.string), "The namespaces of the XPath, by their prefixes.")
    ]

    /// The names of the operators. A matcher has one of them; in our own files it may have several.
    private static let operators = declared.map(\.key.name)

    /// The keys of matchers: each operator with its options; options of several operators come after the last of them.
    static let keys: [Key] = declared.reversed().reduce(into: []) { keys, each in
        let new = ([each.key] + each.options).filter { key in !keys.contains { $0.name == key.name } }
        keys.insert(contentsOf: new, at: 0)
    }

    private static let declared: [Operator] = [
        Operator("equalTo", .scalar, "The text itself.", options: caseOptions) { value, matcher, _ in
            equalTo(try value.text(), ignoringCase: matcher.value["caseInsensitive"]?.bool ?? false)
        },
        Operator("contains", .scalar, "A part of the text.") { value, _, _ in contains(try value.text()) },
        Operator("doesNotContain", .scalar, "A text that mustn't occur in the text.") { value, _, _ in
            let text = try value.text()
            return Self.text(text, "a text without \(text.shown)") { !($0?.contains(text) ?? false) }
        },
        Operator("matches", .string, "A regular expression that matches the whole text.") { value, _, _ in
            let pattern = try value.pattern()
            return ContentPattern("a match of \(pattern.source.shown)") { subject, budget in
                subject.text.map { budget.match(pattern, whole: $0) == .matches } ?? false
            }
        },
        Operator("doesNotMatch", .string, "A regular expression that doesn't match the whole text.") { value, _, _ in
            let pattern = try value.pattern()
            return ContentPattern("no match of \(pattern.source.shown)") { subject, budget in
                subject.text.map { budget.match(pattern, whole: $0) == .differs } ?? true
            }
        },
        Operator("absent", .bool, "Whether the value must be missing.") { value, _, _ in
            value.value.bool == true ? absent : not(absent)
        },
        Operator("anything", .any, "Any value will do.") { _, _, _ in ContentPattern("anything") { _, _ in true } },
        Operator("equalToJson", .any, "The JSON value, or\(inText)", options: jsonOptions) { value, matcher, _ in
            let expected = try value.embeddedJSON()
            var comparison = JSONComparison(
                ignoresArrayOrder: matcher.value["ignoreArrayOrder"]?.bool ?? false,
                ignoresExtraElements: matcher.value["ignoreExtraElements"]?.bool ?? false
            )
            try comparison.prepare(expected)
            return equalToJson(expected.value, comparison)
        },
        Operator("matchesJsonPath", paths, "A path that leads to\(beside)", options: [expression]) {
            value,
            _,
            reading in
            path(try JSONPath(try value.expression("$.name")), try nested(value, &reading))
        },
        Operator("matchesJsonSchema", .any, "A JSON Schema that the value fits, or\(inText)", options: schemaOptions) {
            value,
            matcher,
            _ in
            let draft = matcher["schemaVersion"].flatMap { $0.value.string.flatMap(SchemaDraft.init(rawValue:)) }
            let document = (draft ?? .v202012).current(try value.embeddedJSON().value)
            let schema = try mapErrors({ value.problem("this isn't a schema: \($0)") }) { try JSONSchema(document) }
            return ContentPattern("a value that fits the schema") { subject, budget in
                // A text that isn't JSON is compared as a text.
                subject.text.map { budget.fits(subject.json ?? .string($0), schema) } ?? false
            }
        },
        Operator("equalToXml", .string, "The XML document.", options: XMLComparison.options) { value, matcher, _ in
            let comparison = try XMLComparison(value, matcher)
            return ContentPattern(comparison.source.shown) { subject, budget in
                subject.text.map { comparison.matches($0, &budget) } ?? false
            }
        },
        Operator("matchesXPath", paths, "An XPath that leads to\(beside)", options: xPathOptions) {
            value,
            matcher,
            reading in
            let prefixes = matcher.value["xPathNamespaces"]?.object?.members ?? []
            let namespaces = prefixes.reduce(into: [:]) { $0[$1.key] = $1.value.string ?? "" }
            let field = try value.expression("/order/total")
            let source = try field.string()
            let xPath = try mapErrors({ field.problem("'\(source)' can't be followed: \($0)") }) {
                try XPath(source, namespaces: namespaces)
            }
            return path(xPath, try nested(value, &reading))
        },
        Operator("binaryEqualTo", .base64, "The bytes, in base64.") { value, _, _ in
            let bytes = value.value.string.flatMap(Base64.decode) ?? []
            return ContentPattern("\(bytes.count) certain bytes", sample: .bytes(bytes)) { subject, _ in
                subject.bytes == bytes
            }
        },
        .date(.before, "A date and time that comes later, such as now +1 days."),
        .date(.after, "A date and time that comes earlier."), .date(.equalToDateTime, "The date and time."),
        Operator("and", .array(matcher), "Matchers that must all match.") { value, _, reading in
            all(try list(value, &reading))
        },
        Operator("or", .array(matcher), "Matchers; one of them must match.") { value, _, reading in
            any(try list(value, &reading))
        },
        Operator("not", matcher, "A matcher that must not match.") { value, _, reading in
            not(try ContentPattern(value, &reading))
        },
        .number("equalToNumber", "The number.", "equal to") { $0 == $1 },
        .number("greaterThanNumber", "A number below it.", "greater than") { $0 > $1 },
        .number("greaterThanEqualNumber", "A number that is not above it.", "of at least") { $0 >= $1 },
        .number("lessThanNumber", "A number above it.", "less than") { $0 < $1 },
        .number("lessThanEqualNumber", "A number that is not below it.", "of at most") { $0 <= $1 },
    ]

    private static func list(_ value: LocatedValue, _ reading: inout MockReader) throws(StubError) -> [ContentPattern] {
        let patterns = try value.matchers(&reading)
        guard !patterns.isEmpty else { throw value.problem("the list is empty; write at least one matcher") }
        return patterns
    }

    /// The matcher beside a path's expression; nil if there is only the path.
    private static func nested(
        _ value: LocatedValue,
        _ reading: inout MockReader
    ) throws(StubError) -> ContentPattern? {
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
    /// - Parameter isNested: whether it is below a path, beside the key `expression`.
    init(_ field: LocatedValue, _ reading: inout MockReader, isNested: Bool = false) throws(StubError) {
        guard case .object(let object) = field.value else {
            self = .equalTo(try field.text())
            return
        }
        // A null operator doesn't count, except `absent`, which may be null.
        let found = Self.declared.filter { each in
            field[each.key.name] != nil || each.key.name == "absent" && object["absent"] != nil
        }
        let options = found.flatMap(\.options).map(\.name).filter { $0 != Self.expression.name }
        try reading.refuse(field, but: Self.operators + options + (isNested ? [Self.expression.name] : []))
        guard !found.isEmpty else {
            throw field.problem(
                "it has no operator; write {\"equalTo\": …}, or another of \(Self.operators.joined(separator: ", "))"
            )
        }
        if found.count > 1, reading.isForeign {
            // WireMock takes the first and drops the others.
            throw field.problem(
                "\(found.map(\.key.name).alternatives) are side by side, but only one counts; put them into a list under 'and'"
            )
        }
        var patterns: [ContentPattern] = []
        for each in found {
            do {
                patterns.append(try field[each.key.name].map { try each.read($0, field, &reading) } ?? Self.absent)
            } catch let problem as StubError {
                throw problem
            } catch {
                throw field.problem("\(error)")
            }
        }
        self = patterns.count == 1 ? patterns[0] : .all(patterns)
    }
}

extension LocatedValue {
    /// The matchers of a list.
    func matchers(_ reading: inout MockReader) throws(StubError) -> [ContentPattern] {
        var patterns: [ContentPattern] = []
        for element in try elements() { patterns.append(try ContentPattern(element, &reading)) }
        return patterns
    }

    /// A regular expression, in the form of WireMock's users.
    func pattern() throws(StubError) -> PCRERegex {
        let source = try text()
        return try mapErrors({ problem("'\(source)' isn't a regular expression: \($0)") }) { try PCRERegex(source) }
    }

    /// JSON, or a text that holds JSON.
    fileprivate func embeddedJSON() throws(StubError) -> LocatedValue {
        guard let text = value.string else { return self }
        return try mapErrors({ problem("the text is not JSON: \($0)") }) {
            LocatedValue(try JSONValue(parsing: text), at: path)
        }
    }

    /// The path itself, or the path in it beside a matcher.
    fileprivate func expression(_ sample: String) throws(StubError) -> LocatedValue {
        guard case .object = value else { return self }
        guard let expression = self["expression"] else {
            throw problem("the key 'expression' is missing: the path, such as \(sample)")
        }
        return expression
    }
}

/// A part of a request that a condition compares.
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

    /// As text: strings without quotes, other JSON unchanged.
    var text: String? {
        switch self {
        case .absent: nil
        case .text(let text): text
        case .json(let value): value.string ?? value.description
        case .body(let request): request.text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self).withFewMarks
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

    /// The value for messages.
    var shown: String? {
        if case .json(let value) = self { return value.excerpt }
        return isAbsent ? nil : text?.shown
    }
}
