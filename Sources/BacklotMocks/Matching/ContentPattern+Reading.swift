import BacklotJSON

extension ContentPattern {
    /// The operators, of which a matcher has one or more.
    static let operators = [
        "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "equalToJson", "matchesJsonPath",
        "binaryEqualTo", "before", "after", "equalToDateTime", "and", "or", "not",
    ]
    private static let options = ["caseInsensitive", "ignoreArrayOrder", "ignoreExtraElements", "expression"]

    /// Reads a matcher: `{"equalTo": "x"}`, or just `"x"`.
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        guard case .object(let object) = field.value else {
            self = .equalTo(try field.text(), caseInsensitive: false)
            return
        }
        let found = Self.operators.filter { object[$0] != nil }
        try reading.check(field, knows: Self.operators + Self.options)
        guard !found.isEmpty else {
            throw field.problem(
                "it has no operator; write {\"equalTo\": …}, or another of \(Self.operators.joined(separator: ", "))"
            )
        }
        var patterns: [ContentPattern] = []
        for name in found {
            // A null operator doesn't count, except `absent`, which may be written so.
            guard let member = field[name] else {
                if name == "absent" { patterns.append(.absent) }
                continue
            }
            patterns.append(try Self.pattern(name, member, field, &reading))
        }
        self = patterns.count == 1 ? patterns[0] : .and(patterns)
    }

    private static func pattern(
        _ name: String,
        _ value: Field,
        _ matcher: Field,
        _ reading: inout StubReading
    ) throws(StubProblem) -> ContentPattern {
        switch name {
        case "equalTo":
            return .equalTo(try value.text(), caseInsensitive: try matcher["caseInsensitive"]?.bool() ?? false)
        case "contains": return .contains(try value.text())
        case "doesNotContain": return .doesNotContain(try value.text())
        case "matches": return .matches(try TextPattern(value, &reading))
        case "doesNotMatch": return .doesNotMatch(try TextPattern(value, &reading))
        case "absent": return try value.bool() ? .absent : .not(.absent)
        case "equalToJson": return try equalToJson(value, matcher)
        case "matchesJsonPath": return try matchesJsonPath(value, &reading)
        case "binaryEqualTo":
            guard let bytes = Base64.decode(try value.string()) else {
                throw value.problem("it is no base64; write letters, digits, + and /, with = at the end")
            }
            return .binaryEqualTo(bytes)
        case "before", "after", "equalToDateTime":
            let text = try value.string()
            guard let relation = DateTimePattern.Relation(rawValue: name), let pattern = DateTimePattern(relation, text)
            else {
                throw value.problem("'\(text)' is no time that is known here; write one such as 2030-01-31T12:00:00Z")
            }
            return .dateTime(pattern)
        case "and", "or":
            var patterns: [ContentPattern] = []
            for element in try value.elements() { patterns.append(try ContentPattern(element, &reading)) }
            guard !patterns.isEmpty else { throw value.problem("the list is empty; write at least one matcher") }
            return name == "and" ? .and(patterns) : .or(patterns)
        default: return .not(try ContentPattern(value, &reading))
        }
    }

    /// The expected value: JSON, or a text that holds JSON.
    private static func equalToJson(_ value: Field, _ matcher: Field) throws(StubProblem) -> ContentPattern {
        var expected = value.value
        if let text = expected.string {
            do {
                expected = try JSONValue(parsing: text)
            } catch {
                throw value.problem("the text is not JSON: \(error)")
            }
        }
        let comparison = JSONComparison(
            ignoresArrayOrder: try matcher["ignoreArrayOrder"]?.bool() ?? false,
            ignoresExtraElements: try matcher["ignoreExtraElements"]?.bool() ?? false
        )
        return .equalToJson(expected, comparison)
    }

    private static func matchesJsonPath(
        _ value: Field,
        _ reading: inout StubReading
    ) throws(StubProblem) -> ContentPattern {
        guard case .object(let object) = value.value else { return .matchesJsonPath(try JSONPath(value), nil) }
        guard let expression = value["expression"] else {
            throw value.problem("the key 'expression' is missing: the path, such as $.name")
        }
        let hasOperator = object.keys.contains { operators.contains($0) }
        return .matchesJsonPath(try JSONPath(expression), hasOperator ? try ContentPattern(value, &reading) : nil)
    }
}
