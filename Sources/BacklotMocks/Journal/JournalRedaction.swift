/// Keeps secrets out of what a journal shows: whoever may look at it needs no other people's sessions.
enum JournalRedaction {
    /// What stands in the place of a secret.
    static let mark = "(redacted)"

    /// The value of a header field as it may be shown: of cookies only their names, of credentials only their scheme.
    static func shown(_ value: String, of name: String) -> String {
        switch name.lowercased() {
        case "authorization", "proxy-authorization":
            guard let space = value.firstIndex(of: " ") else { return mark }
            return "\(value[..<space]) \(mark)"
        case "cookie":
            return value.split(separator: ";").map { pair($0) }.joined(separator: ";")
        case "set-cookie":
            let end = value.firstIndex(of: ";") ?? value.endIndex
            return pair(value[..<end]) + value[end...]
        default: return value
        }
    }

    /// `name=(redacted)`; a text without an equals sign may be a value, and is hidden whole.
    private static func pair(_ text: Substring) -> String {
        guard let equals = text.firstIndex(of: "=") else { return mark }
        return "\(text[...equals])\(mark)"
    }
}
