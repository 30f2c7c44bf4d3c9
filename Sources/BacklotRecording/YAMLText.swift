import BacklotJSON
import BacklotMocks

/// Writes a value as YAML in the style of route files.
enum YAMLText {
    /// The value in block style, with a line break at its end.
    static func of(_ value: JSONValue) -> String {
        var writer = YAMLWriter()
        writer.write(value, indent: "", afterKey: false)
        return writer.text
    }

    /// Whether a value stays the same after it is written and read again.
    static func keeps(_ value: JSONValue) -> Bool {
        (try? YAMLDocument(of(["v": value]), file: ""))?.value["v"]?.bytes == value.bytes
    }
}

private struct YAMLWriter {
    /// The maximum length of a list on one line.
    private static let longestLine = 80
    /// Words that some YAML readers don't read as texts.
    private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    private(set) var text = ""

    /// Writes a value and a line break.
    ///
    /// - Parameter afterKey: whether the value follows the colon of a key.
    mutating func write(_ value: JSONValue, indent: String, afterKey: Bool) {
        switch value {
        case .object(let object) where object.count > 0:
            if afterKey { text += "\n" }
            for (index, member) in object.members.enumerated() {
                if index > 0 || afterKey { text += indent }
                writeKey(member.key, indent: indent)
                write(member.value, indent: indent + "  ", afterKey: true)
            }
        case .array(let elements) where !elements.isEmpty:
            if let line = Self.line(elements) {
                text += (afterKey ? " " : "") + line + "\n"
                return
            }
            if afterKey { text += "\n" }
            for (index, element) in elements.enumerated() {
                if index > 0 || afterKey { text += indent }
                text += "- "
                write(element, indent: indent + "  ", afterKey: false)
            }
        default: text += (afterKey ? " " : "") + Self.scalar(value) + "\n"
        }
    }

    private mutating func writeKey(_ key: String, indent: String) {
        let shown = Self.scalar(.string(key))
        // Readers look for the colon within 1,024 characters, unless a question mark announces the key.
        text += shown.utf8.count < 500 ? "\(shown):" : "? \(shown)\n\(indent):"
    }

    /// A list of plain values on one line; nil if that would be too long.
    private static func line(_ elements: [JSONValue]) -> String? {
        guard elements.count <= longestLine, elements.allSatisfy({ $0.array == nil && $0.object == nil }) else {
            return nil
        }
        let line = "[" + elements.map(scalar).joined(separator: ", ") + "]"
        return line.utf8.count <= longestLine ? line : nil
    }

    private static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .array: "[]"
        case .object: "{}"
        case .string(let text): isPlain(text) ? text : quoted(text)
        default: value.description
        }
    }

    /// Whether a text needs no quotes, even in a list on one line.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, isLetter(first) || "_/$".unicodeScalars.contains(first),
            text.unicodeScalars.last != " ", !words.contains(text.lowercased())
        else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            isLetter(scalar) || scalar >= "0" && scalar <= "9" || " _-./$".unicodeScalars.contains(scalar)
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar >= "a" && scalar <= "z" || scalar >= "A" && scalar <= "Z"
    }

    /// A text in quotes (YAML 1.2, section 7.3.1), with escapes for nonprintable characters.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
                quoted += "\\u" + ("000" + String(scalar.value, radix: 16, uppercase: true)).suffix(4)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONObject {
    /// The object with the members of another one, which take precedence.
    func merging(_ other: JSONObject) -> JSONObject {
        other.members.reduce(into: self) { $0[$1.key] = $1.value }
    }
}
