/// What must not be in a log: values whose names say that they are secrets.
enum Redaction {
    /// What stands in a secret's place.
    static let mark = "[redacted]"

    private static let words = [
        "password", "passwd", "secret", "token", "authorization", "cookie", "credential", "api-key", "api_key",
        "apikey",
    ]

    /// Whether a name is that of a secret. Letter case doesn't count.
    static func hides(_ name: String) -> Bool {
        let name = name.lowercased()
        return words.contains { name.contains($0) }
    }
}
