extension String {
    /// The text in double quotes, on one line: line breaks and other control characters are written as escapes.
    var inQuotes: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// At most so many characters, and an ellipsis where there were more.
    func cut(to limit: Int) -> String { count > limit ? prefix(limit) + "…" : self }

    /// The lines, each behind some blanks.
    func indented(by blanks: Int = 2) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: blanks) + $0 }
            .joined(separator: "\n")
    }
}
