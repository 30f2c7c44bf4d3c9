package import BacklotJSON

extension String {
    /// The text for one line of a terminal: without control characters, and not too long.
    package var excerpt: String { excerpt(upTo: 40) }

    /// The text for one line of a terminal: without control characters, and not longer than so many characters.
    package func excerpt(upTo limit: Int) -> String {
        if utf8.count <= limit, utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var text = ""
        text.unicodeScalars.append(
            contentsOf: unicodeScalars.prefix(limit).lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        )
        return unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// The excerpt in quotes.
    package var quoted: String { "\"\(excerpt)\"" }
}

extension JSONValue {
    /// The value in a few words, for the texts of findings: `the string "yes"`.
    package var summary: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: "the number \(description)"
        case .string(let value): "the string \(value.quoted)"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
