/// An entity tag: a name for the exact bytes of a response, or for their meaning if it is weak (RFC 9110, section 8.8.3).
public struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotation marks.
    public let value: String
    /// Whether responses with the same tag may differ in insignificant ways.
    public let isWeak: Bool

    /// Creates a tag.
    ///
    /// - Parameter value: printable ASCII characters except `"`, or other characters that a header field permits. Other values stop
    ///   the program, because they come from the program itself.
    public init(_ value: String, isWeak: Bool = false) {
        precondition(value.utf8.allSatisfy(Self.isTagCharacter), "'\(value)' can't be an entity tag")
        self.init(unchecked: value, isWeak: isWeak)
    }

    /// Parses a tag in wire form: `"x"`, or `W/"x"` for a weak one; nil if the text isn't a tag.
    public init?(parsing text: String) {
        var rest = text[...].utf8
        guard let tag = ETag(readingFrom: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    private init(unchecked value: String, isWeak: Bool) {
        self.value = value
        self.isWeak = isWeak
    }

    /// The tag in wire form.
    public var description: String { isWeak ? "W/\"\(value)\"" : "\"\(value)\"" }

    /// Whether both identify the same bytes: the values are equal, and neither is weak (RFC 9110, section 8.8.3.2).
    public func stronglyMatches(_ other: ETag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Whether both identify the same meaning: the values are equal.
    public func weaklyMatches(_ other: ETag) -> Bool { value == other.value }

    /// Takes a tag from the start of `rest`; nil, with `rest` unchanged, if it doesn't begin with one.
    init?(readingFrom rest: inout Substring.UTF8View) {
        var text = rest
        let isWeak = text.starts(with: "W/".utf8)
        if isWeak { text = text.dropFirst(2) }
        guard text.popFirst() == UInt8(ascii: "\"") else { return nil }
        let value = text.prefix { $0 != UInt8(ascii: "\"") }
        guard value.endIndex < text.endIndex, value.allSatisfy(Self.isTagCharacter) else { return nil }
        rest = text[value.endIndex...].dropFirst()
        self.init(unchecked: String(Substring(value)), isWeak: isWeak)
    }

    /// `etagc`: no blank, no control and no quotation mark.
    private static func isTagCharacter(_ byte: UInt8) -> Bool {
        byte == 0x21 || (byte >= 0x23 && byte != 0x7F)
    }
}

/// The value of `If-Match` and `If-None-Match`: `*`, or a list of entity tags (RFC 9110, sections 13.1.1 and 13.1.2).
enum ETagCondition: Equatable {
    /// Matches any existing resource.
    case any
    case tags([ETag])

    /// Reads a field's value. A list ends at its first invalid member; the members after it never match.
    init(_ field: String) {
        var rest = field[...].utf8
        Self.skip(&rest, commas: false)
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [ETag] = []
        Self.skip(&rest, commas: true)
        while let tag = ETag(readingFrom: &rest) {
            tags.append(tag)
            Self.skip(&rest, commas: false)
            guard rest.first == UInt8(ascii: ",") else { break }
            Self.skip(&rest, commas: true)
        }
        self = .tags(tags)
    }

    private static func skip(_ rest: inout Substring.UTF8View, commas: Bool) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || (commas && $0 == UInt8(ascii: ",")) }
    }

    /// Whether the current tag is among these, byte for byte.
    func stronglyMatches(_ tag: ETag?) -> Bool { matches(tag) { $0.stronglyMatches($1) } }

    /// Whether the current tag is among these, weak or not.
    func weaklyMatches(_ tag: ETag?) -> Bool { matches(tag) { $0.weaklyMatches($1) } }

    private func matches(_ tag: ETag?, _ isMatch: (ETag, ETag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tag.map { tag in tags.contains { isMatch($0, tag) } } ?? false
        }
    }
}

/// A short name for some bytes; other bytes have other names.
package enum ContentHash {
    /// The SHA-256 of some bytes, as 64 hexadecimal digits in lower case.
    package static func text(of bytes: [UInt8]) -> String { SHA256.hash(bytes).hexadecimalText }
}
