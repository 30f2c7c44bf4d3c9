/// An entity tag: a name for the very bytes of an answer, or for their meaning if it is weak (RFC 9110, section 8.8.3).
public struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// What stands between the quotation marks.
    public let value: String
    /// Whether answers with the same tag may differ in ways that don't matter.
    public let isWeak: Bool

    /// A tag.
    ///
    /// - Parameter value: printable ASCII characters but for `"`, or any others that a header field may have; the program stops
    ///   where it is not, because values come from the program itself.
    public init(_ value: String, isWeak: Bool = false) {
        precondition(value.utf8.allSatisfy(Self.isTagCharacter), "'\(value)' can't be an entity tag")
        self.init(unchecked: value, isWeak: isWeak)
    }

    /// Reads a tag as it is sent: `"x"`, or `W/"x"` for a weak one; nil when it is none.
    public init?(parsing text: String) {
        var rest = text[...].utf8
        guard let tag = ETag(readingFrom: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    private init(unchecked value: String, isWeak: Bool) {
        self.value = value
        self.isWeak = isWeak
    }

    /// The tag as it is sent.
    public var description: String { isWeak ? "W/\"\(value)\"" : "\"\(value)\"" }

    /// Whether both stand for the same bytes: the values are equal, and neither is weak (RFC 9110, section 8.8.3.2).
    public func stronglyMatches(_ other: ETag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Whether both stand for the same meaning: the values are equal.
    public func weaklyMatches(_ other: ETag) -> Bool {
        value == other.value
    }

    /// Takes a tag from the start of `rest`; nil, with `rest` as it was, when there is none.
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
