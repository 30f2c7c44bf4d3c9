import Backlot
package import BacklotJSON

/// A part of a document, and the way to it, for errors.
package struct LocatedValue {
    package let value: JSONValue
    package let path: [StubProblem.Step]

    package init(_ value: JSONValue, at path: [StubProblem.Step] = []) {
        self.value = value
        self.path = path
    }

    /// The member of an object; nil where it is missing or null.
    package subscript(key: String) -> LocatedValue? {
        guard let member = value[key], !member.isNull else { return nil }
        return LocatedValue(member, at: path + [.key(key)])
    }

    package func problem(_ text: String) -> StubProblem { StubProblem(text, at: path) }

    /// A problem with the key under which the value stands.
    package func keyProblem(_ text: String) -> StubProblem { StubProblem(text, at: path, isAboutKey: true) }

    private func unexpected(_ expected: String) -> StubProblem {
        problem("\(value.kind) stands where \(expected) belongs")
    }

    // MARK: As one type

    package func object() throws(StubProblem) -> JSONObject {
        guard let object = value.object else { throw unexpected("an object, such as {\"key\": …},") }
        return object
    }

    /// The members of an object, in their order.
    package func members() throws(StubProblem) -> [(key: String, field: LocatedValue)] {
        try object().members.map { ($0.key, LocatedValue($0.value, at: path + [.key($0.key)])) }
    }

    package func elements() throws(StubProblem) -> [LocatedValue] {
        guard let elements = value.array else { throw unexpected("a list") }
        return elements.enumerated().map { LocatedValue($0.element, at: path + [.index($0.offset)]) }
    }

    /// The elements of a list, or the value alone.
    package var each: [LocatedValue] { (try? elements()) ?? [self] }

    package func string() throws(StubProblem) -> String {
        guard let string = value.string else { throw unexpected("a text in quotes") }
        return string
    }

    /// A text, or a number or boolean as a text: in YAML one is soon written for the other.
    package func text() throws(StubProblem) -> String {
        switch value {
        case .string(let string): return string
        case .number, .bool: return value.description
        default: throw unexpected("a text")
        }
    }

    package func bool() throws(StubProblem) -> Bool {
        guard let bool = value.bool else { throw unexpected("true or false") }
        return bool
    }

    package func int(in range: ClosedRange<Int>) throws(StubProblem) -> Int {
        guard let number = value.int, range.contains(number) else {
            throw problem("\(value.excerpt) is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func double(in range: ClosedRange<Double>) throws(StubProblem) -> Double {
        guard let number = value.number?.double, range.contains(number) else {
            throw problem("\(value.excerpt) is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of a few words.
    package func word(of words: [String]) throws(StubProblem) -> String {
        let text = try string()
        guard !words.contains(text) else { return text }
        throw problem(
            "'\(text)' is not known here; write \(words.alternatives)\(Suggestion.hint(for: text, among: words))"
        )
    }
}

extension JSONValue {
    /// What the value is, with its article.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value as JSON, cut where it gets long.
    package var excerpt: String { description.excerpt(upTo: 80) }

    /// A whole number; nil for all else.
    package var int: Int? { number?.int64.map { Int($0) } }

    /// One of a type's words; nil for all else.
    package func word<Word: RawRepresentable>(_ type: Word.Type = Word.self) -> Word? where Word.RawValue == String {
        string.flatMap { Word(rawValue: $0) }
    }
}
