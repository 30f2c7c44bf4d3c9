import Backlot
package import BacklotJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A part of a document, and the way to it, for errors.
package struct Field {
    package let value: JSONValue
    package let path: [StubProblem.Step]

    package init(_ value: JSONValue, at path: [StubProblem.Step] = []) {
        self.value = value
        self.path = path
    }

    /// The member of an object; nil where it is missing or null.
    package subscript(key: String) -> Field? {
        guard let member = value[key], !member.isNull else { return nil }
        return Field(member, at: path + [.key(key)])
    }

    package func problem(_ text: String) -> StubProblem { StubProblem(text, at: path) }

    func unexpected(_ expected: String) -> StubProblem {
        problem("\(value.kind) stands where \(expected) belongs")
    }

    // MARK: As one type

    package func object() throws(StubProblem) -> JSONObject {
        guard let object = value.object else { throw unexpected("an object, such as {\"key\": …},") }
        return object
    }

    /// The members of an object, in their order.
    package func members() throws(StubProblem) -> [(key: String, field: Field)] {
        try object().members.map { ($0.key, Field($0.value, at: path + [.key($0.key)])) }
    }

    package func elements() throws(StubProblem) -> [Field] {
        guard let elements = value.array else { throw unexpected("a list") }
        return elements.enumerated().map { Field($0.element, at: path + [.index($0.offset)]) }
    }

    package func string() throws(StubProblem) -> String {
        guard let string = value.string else { throw unexpected("a text in quotes") }
        return string
    }

    /// A text, or a number or boolean as a text: in YAML one is soon written for the other.
    func text() throws(StubProblem) -> String {
        switch value {
        case .string(let string): return string
        case .number, .bool: return value.description
        default: throw unexpected("a text")
        }
    }

    /// A text, or several in a list.
    func strings() throws(StubProblem) -> [String] {
        guard value.array != nil else { return [try string()] }
        var strings: [String] = []
        for element in try elements() { strings.append(try element.string()) }
        return strings
    }

    package func bool() throws(StubProblem) -> Bool {
        guard let bool = value.bool else { throw unexpected("true or false") }
        return bool
    }

    func int(in range: ClosedRange<Int>) throws(StubProblem) -> Int {
        guard let number = value.number?.int64, range.contains(Int(number)) else {
            throw problem("\(value.excerpt) is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    func double(in range: ClosedRange<Double>) throws(StubProblem) -> Double {
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
}

/// Bytes as text (RFC 4648, section 4).
package enum Base64 {
    /// The bytes; nil when the text isn't base64. Line breaks and blanks don't count, and padding may be missing.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits = text.filter { $0 != " " && !$0.isNewline && $0 != "\t" }
        if !digits.hasSuffix("=") { digits += String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4) }
        return Data(base64Encoded: digits).map(Array.init)
    }

    /// A text's bytes in base64.
    package static func encode(_ text: String) -> String { encode(bytes: Array(text.utf8)) }

    /// Bytes in base64.
    package static func encode(bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
