/// What must not be in a log: values whose names say that they are secrets.
package enum Redaction {
    /// What stands in a secret's place.
    package static let mark = "[redacted]"

    private static let words = [
        "password", "passwd", "secret", "token", "authorization", "cookie", "credential", "api-key", "api_key",
        "apikey",
    ]
    /// A program has few names, and uses them in every line.
    private static let known = Locked<[String: Bool]>([:])
    private static let mostKnown = 1000

    /// Whether a name is that of a secret. Letter case doesn't count.
    package static func hides(_ name: String) -> Bool {
        if let answer = known.withLock({ $0[name] }) { return answer }
        let lowercased = name.lowercased()
        let answer = words.contains { lowercased.contains($0) }
        known.withLock { if $0.count < mostKnown { $0[name] = answer } }
        return answer
    }
}

/// Texts of others in a line for people: control characters are spelled out, so that none can begin a line or reach the terminal.
package enum LogText {
    /// - Parameter lineBreak: what stands for a line break.
    package static func append(_ text: String, to line: inout [UInt8], lineBreak: String = "\\n") {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += lineBreak.utf8
            case "\r": line += "\\r".utf8
            case "\t": line += "\\t".utf8
            // C0, DEL and C1, and what turns the direction of the text around (U+202A to U+202E, U+2066 to U+2069).
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                line += "\\u{\(String(scalar.value, radix: 16))}".utf8
            default: line += String(Character(scalar)).utf8
            }
        }
    }
}
