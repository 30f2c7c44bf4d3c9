/// One element of a `Forwarded` field: what one proxy says about the request that it passed on (RFC 7239, section 4).
///
/// The field is split at bytes, not at characters: a client could end its part in a character that merges with the
/// comma after it, such as U+0600, and so hide what the next proxy says.
package struct ForwardedElement: Equatable, Sendable {
    private let pairs: [(name: String, value: String)]

    /// The elements of a field, the nearest proxy's last; nil when a quote is not closed.
    package static func all(in field: String) -> [ForwardedElement]? {
        split(field[...], at: ASCII.comma)?.map(ForwardedElement.init)
    }

    private init(_ element: Substring) {
        let parts = Self.split(element, at: ASCII.semicolon) ?? []
        pairs = parts.compactMap { part in
            let halves = part.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            return (String(Substring(halves[0]).trimmed).lowercased(), Self.unquoted(Substring(halves[1]).trimmed))
        }
    }

    package static func == (left: ForwardedElement, right: ForwardedElement) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.name == $1.name && $0.value == $1.value }
    }

    /// A parameter's value; nil where the element has none, or two (section 4 allows one).
    package subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    private static func unquoted(_ value: Substring) -> String {
        let bytes = value.utf8
        let isQuoted = bytes.count >= 2 && bytes.first == quote && bytes.last == quote
        return String(isQuoted ? Substring(bytes.dropFirst().dropLast()) : value)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The parts between separators that stand outside quotes; nil when a quote is not closed.
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring]? {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == quote {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }
}
