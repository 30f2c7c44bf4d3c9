/// One element of a `Forwarded` field: what one proxy says about the request that it passed on (RFC 7239, section 4).
package struct ForwardedElement: Equatable, Sendable {
    private let pairs: [(name: String, value: String)]

    /// The elements of a field, the nearest proxy's last; nil when a quote is not closed.
    package static func all(in field: String) -> [ForwardedElement]? {
        split(field[...], at: ",")?.map(ForwardedElement.init)
    }

    private init(_ element: Substring) {
        let parts = Self.split(element, at: ";") ?? []
        pairs = parts.compactMap { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            return (String(halves[0].trimmed).lowercased(), Self.unquoted(halves[1].trimmed))
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
        let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
        return String(isQuoted ? value.dropFirst().dropLast() : value)
    }

    /// The parts between separators that stand outside quotes; nil when a quote is not closed.
    private static func split(_ text: Substring, at separator: Character) -> [Substring]? {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return isQuoted ? nil : parts + [text[start...]]
    }
}

extension Substring {
    /// Without the blanks at both ends (RFC 9110, section 5.6.3).
    package var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
