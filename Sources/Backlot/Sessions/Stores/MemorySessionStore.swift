/// Sessions in the memory of the process: they end with it, and no other replica sees them.
///
/// It is bounded. Sessions that have ended are dropped whenever one is added or changed. When there is no room for a new
/// one, those without a user go first, and of each kind those that end soonest. What an operation costs grows at most with
/// the logarithm of the number of sessions.
public final class MemorySessionStore: SessionStore {
    private let table: Locked<SessionTable>
    private let clock: SessionClock

    /// An empty store.
    ///
    /// - Parameters:
    ///   - maximumCount: the most sessions, at least 1.
    ///   - maximumBytes: the most bytes for all of them, with 768 for each beside its texts and values; at least 1,024.
    ///   - clock: what tells which sessions have ended.
    public init(maximumCount: Int = 100_000, maximumBytes: Int = 128 << 20, clock: SessionClock = .system) {
        precondition(maximumCount > 0, "maximumCount must be at least 1, but is \(maximumCount)")
        precondition(maximumBytes >= 1024, "maximumBytes must be at least 1,024, but is \(maximumBytes)")
        table = Locked(SessionTable(maximumCount: maximumCount, maximumBytes: maximumBytes))
        self.clock = clock
    }

    /// How many sessions there are, those that have ended and were not dropped yet among them.
    public var count: Int { table.withLock { $0.count } }

    /// How many bytes they count for.
    public var byteCount: Int { table.withLock { $0.byteCount } }

    /// The session with that key, always ready; nil for an unknown key.
    public func session(at key: SessionHash) -> Ready<SessionRecord?> { .ready(table.withLock { $0[key] }) }

    /// Keeps a new session.
    ///
    /// - Throws: `MemorySessionStoreError` when it alone is larger than the store may be.
    public func insert(_ record: SessionRecord) async throws {
        let now = clock.secondsSince1970
        guard table.withLock({ $0.insert(record, at: now) }) else { throw tooLarge(record) }
    }

    /// Replaces a session, if it is still there and has not been changed since `version`.
    ///
    /// - Throws: `MemorySessionStoreError` when the new one alone is larger than the store may be.
    public func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        let now = clock.secondsSince1970
        guard let fits = table.withLock({ $0.replace(key, version: version, with: record, at: now) }) else {
            return false
        }
        guard fits else { throw tooLarge(record) }
        return true
    }

    /// Notes that a request came.
    public func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async {
        table.withLock { $0.touch(key, lastSeen: lastSeen, expiresAt: expiresAt) }
    }

    /// Forgets a session.
    public func remove(_ key: SessionHash) async { table.withLock { $0.remove(key) } }

    /// Forgets all sessions of a user in an app.
    public func removeAll(of user: String, mount: String) async {
        table.withLock { $0.removeAll(of: user, mount: mount) }
    }

    /// Tries nothing: memory takes each new session, and a trial might end another one.
    public func check() async {}

    /// As `count`.
    public func sessionCount() async -> Int? { count }

    /// Drops the sessions that have ended now, without waiting for the next one to be added.
    public func removeExpired() {
        let now = clock.secondsSince1970
        table.withLock { $0.removeExpired(at: now) }
    }

    private func tooLarge(_ record: SessionRecord) -> MemorySessionStoreError {
        MemorySessionStoreError(bytes: SessionTable.size(record), limit: table.withLock { $0.maximumBytes })
    }
}

/// A session that is larger than a `MemorySessionStore` may be with all of them.
public struct MemorySessionStoreError: Error, Equatable, CustomStringConvertible {
    /// What the session counts for, in bytes.
    public let bytes: Int
    /// How many bytes the store may have.
    public let limit: Int

    /// What is wrong.
    public var description: String { "a session of \(bytes) bytes is larger than the whole store, \(limit) bytes" }
}
