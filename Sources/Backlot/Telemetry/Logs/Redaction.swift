internal import BacklotHTTP

/// What must not be in a log: values whose names say that they are secrets.
enum Redaction {
    /// What stands in a secret's place.
    static let mark = "[redacted]"

    private static let words = [
        "password", "passwd", "secret", "token", "authorization", "cookie", "credential", "api-key", "api_key",
        "apikey",
    ]
    /// A program has few names, and uses them in every line.
    private static let known = Locked<[String: Bool]>([:])
    private static let mostKnown = 1000

    /// Whether a name is that of a secret. Letter case doesn't count.
    static func hides(_ name: String) -> Bool {
        if let answer = known.withLock({ $0[name] }) { return answer }
        let lowercased = name.lowercased()
        let answer = words.contains { lowercased.contains($0) }
        known.withLock { if $0.count < mostKnown { $0[name] = answer } }
        return answer
    }
}
