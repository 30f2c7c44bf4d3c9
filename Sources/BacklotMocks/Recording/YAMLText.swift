import BacklotJSON

/// A value as YAML for people.
enum YAMLText {
    /// The value in block style, with a line break at its end.
    static func of(_ value: JSONValue) -> String {
        var text = ""
        write(value, indent: "", into: &text)
        if text.hasPrefix(" ") { text.removeFirst() }
        return text
    }

    /// Whether a value keeps its bytes when it is written, and read again.
    static func keeps(_ value: JSONValue) -> Bool {
        (try? YAMLDocument(of(["v": value]), file: ""))?.value["v"]?.bytes == value.bytes
    }

    /// Writes what stands after a key's colon or an element's dash: on the same line, or on lines below.
    private static func write(_ value: JSONValue, indent: String, into text: inout String) {
        switch value {
        case .object(let object) where object.count > 0:
            text += text.isEmpty || text.hasSuffix("- ") ? "" : "\n"
            var isFirst = text.isEmpty || text.hasSuffix("- ")
            for member in object.members {
                text += "\(isFirst ? "" : indent)\(key(member.key)):"
                isFirst = false
                write(member.value, indent: indent + "  ", into: &text)
            }
        case .array(let elements) where elements.contains { $0.object?.count ?? 0 > 0 || $0.array?.isEmpty == false }:
            text += "\n"
            for element in elements {
                text += "\(indent)- "
                write(element, indent: indent + "  ", into: &text)
            }
        case .array(let elements):
            pad(&text)
            text += "[\(elements.map(\.description).joined(separator: ", "))]\n"
        case .object:
            pad(&text)
            text += "{}\n"
        case .string(let string):
            pad(&text)
            text += "\(scalar(string, isKey: false))\n"
        default:
            pad(&text)
            text += "\(value)\n"
        }
    }

    private static func pad(_ text: inout String) {
        if !text.isEmpty, !text.hasSuffix(" ") { text += " " }
    }

    private static func key(_ text: String) -> String { scalar(text, isKey: true) }

    private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

    /// A text, in quotes where it could be read as something else.
    private static func scalar(_ text: String, isKey: Bool) -> String {
        let isPlain =
            text.utf8.count <= 80 && text.first.map { $0.isASCII && $0.isLetter || $0 == "/" } ?? false
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "_-./".utf8.contains(byte) || !isKey && byte == 0x20
            }
            && text.last != " " && !words.contains(text.lowercased())
        return isPlain ? text : JSONValue.string(text).description
    }
}
