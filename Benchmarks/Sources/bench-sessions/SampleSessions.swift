import Backlot
import BacklotPostgreSQL
import BacklotRedis
import BacklotSQLite

/// The sessions that are there before anybody asks.
enum SampleSessions {
    /// How many are written at the same time.
    private static let writers = 256

    /// Puts sessions into a store, each of a user of its own, with a few values.
    static func fill(_ store: any SessionStore, count: Int) async throws {
        let now = SessionClock.system.secondsSince1970
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<min(writers, count) {
                group.addTask {
                    for number in stride(from: writer, to: count, by: writers) {
                        try await store.insert(record(number, at: now))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func record(_ number: Int, at now: Int) -> SessionRecord {
        let digits = String(number)
        let id = String(repeating: "0", count: 32 - digits.count) + digits
        return SessionRecord(
            key: SessionHash(hashing: id),
            mount: "/",
            user: "user\(number)",
            values: Array(#"4:cart,27:{"items":["tea","bread","x"]},"#.utf8),
            createdAt: now,
            // Nobody's last request is to be written while this is measured.
            lastSeen: now + 3600,
            expiresAt: now + 1_000_000
        )
    }
}

/// The store that an argument names.
func makeStore(_ name: String) throws -> any SessionStore {
    if name == "memory" { return MemorySessionStore(maximumCount: 2_000_000, maximumBytes: 4 << 30) }
    if name.hasPrefix("redis://") { return RedisSessionStore(try RedisAddress(name), timeout: .seconds(10)) }
    let copied = "copied-"
    if name.hasPrefix(copied) {
        let address = try RedisAddress(String(name.dropFirst(copied.count)))
        return RedisSessionStore(address, timeout: .seconds(10), maximumAge: .seconds(1))
    }
    if name.hasPrefix("postgres://") {
        return PostgreSQLSessionStore(PostgreSQLDatabase(try PostgreSQLAddress(name), timeout: .seconds(10)))
    }
    let parts = name.split(separator: ":", maxSplits: 1)
    return try SQLiteSessionStore(
        "\(parts[1])/sessions.sqlite",
        maximumAge: parts[0] == "sqlite" ? .seconds(1) : .zero
    )
}
