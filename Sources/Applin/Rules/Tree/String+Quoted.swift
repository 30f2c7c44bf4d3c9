import BacklotJSON

extension String {
    /// The text for one line of a terminal: without control characters, and not too long.
    var excerpt: String {
        let limit = 40
        var text = ""
        text.unicodeScalars.append(
            contentsOf: unicodeScalars.prefix(limit).lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
        )
        return unicodeScalars.dropFirst(limit).isEmpty ? text : text + "…"
    }

    /// The excerpt in quotes.
    var quoted: String { "\"\(excerpt)\"" }

    /// The text as a step of a JSON pointer, with its slash (RFC 6901, section 3).
    var pointerStep: String {
        unicodeScalars.reduce(into: "/") { step, scalar in
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
    }
}

extension JSONValue {
    /// The value in a few words, for the texts of findings: `the string "yes"`.
    var summary: String {
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
