extension [String] {
    /// `a, b or c`.
    package var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension String {
    /// The word after `a` or `an`.
    package var withArticle: String {
        self == "rpc" || "aeiou".contains(first?.lowercased() ?? "") ? "an \(self)" : "a \(self)"
    }

    /// The text with a capital letter at its start, for the start of a sentence.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// Whether the text, in lower case, contains another one that is in lower case.
    ///
    /// A search reads all of the other text. A long one isn't searched in short texts, however letters and accents are composed.
    package func contains(lowercase text: String) -> Bool {
        5 * utf8.count >= text.utf8.count && lowercased().contains(text)
    }

    /// A wire key, in the form for a rule's name.
    var ruleName: String { replacing("_", with: "-") }
}

extension StringProtocol {
    /// Whether a segment of a path may be an id, such as a number or a mail address, rather than a word. `v1` is a version.
    package var looksLikeID: Bool {
        (contains(where: \.isNumber) || contains("@")) && !(hasPrefix("v") && count <= 3)
    }
}

extension JSONValue {
    /// The value in a few words, for findings: `the string "yes"`.
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

extension String {
    /// The text with the special characters of HTML escaped, for texts and for values of attributes in quotation marks.
    public var htmlEscaped: String {
        guard utf8.contains(where: { Self.isSpecial($0) }) else { return self }
        // By scalars: a quotation mark with an accent would be another character.
        var escaped = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
        default: false
        }
    }
}
