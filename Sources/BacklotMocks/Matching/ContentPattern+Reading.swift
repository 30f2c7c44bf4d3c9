import Backlot
import BacklotJSON

extension ContentPattern {
    /// The operators, of which a matcher has one, or more in our own files.
    static let operators =
        [
            "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "equalToJson",
            "matchesJsonPath", "matchesJsonSchema", "equalToXml", "matchesXPath", "binaryEqualTo", "before", "after",
            "equalToDateTime", "anything", "and", "or", "not",
        ] + NumberRelation.operators.keys.sorted()
    /// The keys beside each operator.
    static let options: [String: [String]] = [
        "equalTo": ["caseInsensitive"],
        "equalToJson": ["ignoreArrayOrder", "ignoreExtraElements"],
        "equalToXml": XMLComparison.options,
        "matchesXPath": ["xPathNamespaces"],
        "matchesJsonSchema": ["schemaVersion"],
        "before": DateTimePattern.options, "after": DateTimePattern.options,
        "equalToDateTime": DateTimePattern.options,
    ]

    /// Reads a matcher: `{"equalTo": "x"}`, or just `"x"`.
    ///
    /// - Parameter isNested: whether it stands below a path, beside the key `expression`.
    init(_ field: LocatedValue, _ reading: inout MockReader, isNested: Bool = false) throws(StubProblem) {
        guard case .object(let object) = field.value else {
            self = .equalTo(try field.text(), caseInsensitive: false)
            return
        }
        let found = Self.operators.filter { object[$0] != nil && ($0 == "absent" || field[$0] != nil) }
        let options = found.flatMap { Self.options[$0] ?? [] } + (isNested ? ["expression"] : [])
        try reading.refuse(field, but: found.isEmpty ? Self.operators : Self.operators + options)
        guard !found.isEmpty else {
            throw field.problem(
                "it has no operator; write {\"equalTo\": …}, or another of \(Self.operators.joined(separator: ", "))"
            )
        }
        if found.count > 1, reading.isForeign {
            // WireMock takes the first and drops the others.
            throw field.problem(
                "\(found.alternatives) stand side by side, of which one counts; put them into a list under 'and'"
            )
        }
        var patterns: [ContentPattern] = []
        for name in found {
            // A null operator doesn't count, except `absent`, which may be written so.
            guard let member = field[name] else {
                patterns.append(.absent)
                continue
            }
            patterns.append(try Self.pattern(name, member, field, &reading))
        }
        self = patterns.count == 1 ? patterns[0] : .and(patterns)
    }

    private static func pattern(
        _ name: String,
        _ value: LocatedValue,
        _ matcher: LocatedValue,
        _ reading: inout MockReader
    ) throws(StubProblem) -> ContentPattern {
        switch name {
        case "equalTo":
            return .equalTo(try value.text(), caseInsensitive: try matcher["caseInsensitive"]?.bool() ?? false)
        case "contains": return .contains(try value.text())
        case "doesNotContain": return .doesNotContain(try value.text())
        case "matches": return .matches(try TextPattern(value))
        case "doesNotMatch": return .doesNotMatch(try TextPattern(value))
        case "absent": return try value.bool() ? .absent : .not(.absent)
        case "equalToJson": return try equalToJson(value, matcher)
        case "matchesJsonPath": return try matchesJsonPath(value, &reading)
        case "matchesJsonSchema": return try matchesJsonSchema(value, matcher)
        case "equalToXml": return .equalToXml(try XMLComparison(value, matcher))
        case "matchesXPath": return try matchesXPath(value, matcher, &reading)
        case "anything": return .anything
        case "binaryEqualTo":
            guard let bytes = Base64.decode(try value.string()) else {
                throw value.problem("it is no base64; write letters, digits, + and /, with = at the end")
            }
            return .binaryEqualTo(bytes)
        case "and", "or":
            var patterns: [ContentPattern] = []
            for element in try value.elements() { patterns.append(try ContentPattern(element, &reading)) }
            guard !patterns.isEmpty else { throw value.problem("the list is empty; write at least one matcher") }
            return name == "and" ? .and(patterns) : .or(patterns)
        case "not": return .not(try ContentPattern(value, &reading))
        default:
            if let relation = DateTimePattern.Relation(rawValue: name) {
                return .dateTime(try DateTimePattern(relation, value, matcher))
            }
            if let relation = NumberRelation.operators[name] {
                return .number(relation, try value.double(in: -1e300...1e300))
            }
            throw value.problem("\(name) is not supported here")
        }
    }

    /// The expected value: JSON, or a text that holds JSON.
    private static func equalToJson(
        _ value: LocatedValue,
        _ matcher: LocatedValue
    ) throws(StubProblem) -> ContentPattern {
        var expected = value.value
        if let text = expected.string {
            do {
                expected = try JSONValue(parsing: text)
            } catch {
                throw value.problem("the text is not JSON: \(error)")
            }
        }
        var comparison = JSONComparison(
            ignoresArrayOrder: try matcher["ignoreArrayOrder"]?.bool() ?? false,
            ignoresExtraElements: try matcher["ignoreExtraElements"]?.bool() ?? false
        )
        try comparison.prepare(LocatedValue(expected, at: value.path))
        return .equalToJson(expected, comparison)
    }

    private static func matchesJsonPath(
        _ value: LocatedValue,
        _ reading: inout MockReader
    ) throws(StubProblem) -> ContentPattern {
        guard case .object = value.value else { return .matchesJsonPath(try JSONPath(value), nil) }
        return .matchesJsonPath(try JSONPath(try expression(value, "$.name")), try nested(value, &reading))
    }

    /// The schema: JSON, or a text that holds JSON.
    private static func matchesJsonSchema(
        _ value: LocatedValue,
        _ matcher: LocatedValue
    ) throws(StubProblem) -> ContentPattern {
        if let version = matcher["schemaVersion"] {
            guard try version.string() == "V202012" else {
                throw version.problem("\(version.value.excerpt) is not supported; write V202012, or leave the key out")
            }
        }
        var document = value.value
        if let text = document.string {
            do {
                document = try JSONValue(parsing: text)
            } catch {
                throw value.problem("the text is not JSON: \(error)")
            }
        }
        do throws(JSONSchema.Mistake) {
            return .matchesJsonSchema(try JSONSchema(document))
        } catch {
            throw value.problem("this is no schema: \(error)")
        }
    }

    private static func matchesXPath(
        _ value: LocatedValue,
        _ matcher: LocatedValue,
        _ reading: inout MockReader
    ) throws(StubProblem) -> ContentPattern {
        var namespaces: [String: String] = [:]
        for (prefix, member) in try matcher["xPathNamespaces"]?.members() ?? [] {
            namespaces[prefix] = try member.string()
        }
        var path = value
        var pattern: ContentPattern?
        if case .object = value.value {
            path = try expression(value, "/order/total")
            pattern = try nested(value, &reading)
        }
        let source = try path.string()
        do throws(XMLProblem) {
            return .matchesXPath(try XPath(source, namespaces: namespaces), pattern)
        } catch {
            throw path.problem("'\(source)' can't be followed: \(error)")
        }
    }

    private static func expression(_ value: LocatedValue, _ sample: String) throws(StubProblem) -> LocatedValue {
        guard let expression = value["expression"] else {
            throw value.problem("the key 'expression' is missing: the path, such as \(sample)")
        }
        return expression
    }

    /// The matcher beside a path's expression; nil where there is only the expression.
    private static func nested(
        _ value: LocatedValue,
        _ reading: inout MockReader
    ) throws(StubProblem) -> ContentPattern? {
        let isAlone = try value.members().allSatisfy {
            $0.key == "expression" || $0.field.value.isNull && $0.key != "absent"
        }
        return isAlone ? nil : try ContentPattern(value, &reading, isNested: true)
    }
}
