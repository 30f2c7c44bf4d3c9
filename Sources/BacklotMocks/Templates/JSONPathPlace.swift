import BacklotJSON

/// The place of a tag in a JSON path: values stay one literal or one name there, whatever they contain.
struct JSONPathPlace: Sendable, Equatable {
    /// The quote or slash that ends the text or pattern around the place; nil outside of both.
    private var end: UInt8?
    private var isEscaped = false
    /// The last byte before the place, without blanks.
    private var last: UInt8?

    /// The signs of names, beside letters.
    private static let inNames = "_-#%0123456789"

    /// Reads on, up to the next tag.
    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if let end {
                isEscaped = byte == UInt8(ascii: "\\")
                if byte == end { self.end = nil }
            } else if "'\"".utf8.contains(byte) || byte == UInt8(ascii: "/") && last == UInt8(ascii: "~") {
                end = byte
            }
            if byte != UInt8(ascii: " ") { last = byte }
        }
    }

    /// The text that stands for a value at this place.
    func form(of value: String) -> String {
        switch end {
        case UInt8(ascii: "/"):
            return Self.escaped(value) {
                !$0.isASCII || $0.properties.isAlphabetic || "_0123456789".unicodeScalars.contains($0)
            }
        case .some: return Self.escaped(value, Self.isPlainInQuotes)
        case nil: break
        }
        // An empty value makes the path unreadable, so that the condition doesn't hold.
        if value.isEmpty { return "" }
        let isName = value.unicodeScalars.allSatisfy {
            Self.inNames.unicodeScalars.contains($0) || $0.properties.isAlphabetic
        }
        let isInName =
            last.map { ".\(Self.inNames)".utf8.contains($0) || Unicode.Scalar($0).properties.isAlphabetic } ?? false
        let isLiteral = ["true", "false", "null"].contains(value) || (try? JSONValue(parsing: value))?.number != nil
        return (isInName ? isName : isLiteral)
            ? value : "'\(Self.escaped(value, Self.isPlainInQuotes))'"
    }

    private static func isPlainInQuotes(_ scalar: Unicode.Scalar) -> Bool {
        !"'\"\\".unicodeScalars.contains(scalar)
    }

    private static func escaped(_ value: String, _ isPlain: (Unicode.Scalar) -> Bool) -> String {
        value.unicodeScalars.reduce(into: "") { text, scalar in
            if !isPlain(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }
}
