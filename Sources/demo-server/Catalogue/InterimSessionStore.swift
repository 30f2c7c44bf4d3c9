/// Who is logged in, until the framework keeps sessions: in memory, and bounded.
actor InterimSessionStore {
    /// A session.
    struct Entry: Sendable {
        /// The app that it belongs to.
        let mount: String
        var user: String?
        var count = 0
    }

    /// The most sessions. When there are more, all end.
    private static let maximumCount = 10_000

    private var entries: [String: Entry] = [:]

    subscript(id: String) -> Entry? { entries[id] }

    /// Keeps a new session, and returns its secret.
    func insert(_ entry: Entry) -> String {
        if entries.count >= Self.maximumCount { entries = [:] }
        var generator = SystemRandomNumberGenerator()
        let words = (0..<3).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
        let id = words.map { String($0, radix: 36) }.joined(separator: "-")
        entries[id] = entry
        return id
    }

    func count(_ id: String) { entries[id]?.count += 1 }

    func remove(_ id: String) { entries[id] = nil }

    func removeAll(of user: String, mount: String) {
        entries = entries.filter { $0.value.user != user || $0.value.mount != mount }
    }
}
