/// Sessions in the memory of the process: they end with it, and other replicas don't see them.
///
/// It is bounded. Each new or changed session makes it drop expired ones. Without room for a new one, it drops sessions without a
/// user first, and of each kind those that end soonest. The cost of an operation grows at most with the logarithm of the number of
/// sessions.
///
/// ```swift
/// router.applin("/", sessions: MemorySessionStore(maximumCount: 10_000)) { addPages(to: $0) }
/// ```
public final class MemorySessionStore: SessionStore {
    private let table: Locked<SessionTable>
    private let clock: SessionClock

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - maximumCount: the maximum number of sessions, at least 1.
    ///   - maximumBytes: the maximum size of all of them, with 768 bytes for each beside its texts and values; at least 1,024.
    ///   - clock: the clock for their expiry.
    public init(maximumCount: Int = 100_000, maximumBytes: Int = 128 << 20, clock: SessionClock = .system) {
        precondition(maximumCount > 0, "maximumCount must be at least 1, but is \(maximumCount)")
        precondition(maximumBytes >= 1024, "maximumBytes must be at least 1,024, but is \(maximumBytes)")
        table = Locked(SessionTable(maximumCount: maximumCount, maximumBytes: maximumBytes))
        self.clock = clock
    }

    /// The number of sessions, including expired ones that weren't dropped yet.
    public var count: Int { table.withLock { $0.count } }

    /// The size of all sessions in bytes.
    public var byteCount: Int { table.withLock { $0.byteCount } }

    /// The session with that key, always ready; nil for an unknown key.
    public func session(at key: SessionHash) -> Ready<SessionRecord?> { .ready(table.withLock { $0[key] }) }

    /// Stores a new session.
    ///
    /// - Throws: `MemorySessionStoreError` if it alone exceeds the limit of the store.
    public func insert(_ record: SessionRecord) async throws {
        let now = clock.secondsSince1970
        guard table.withLock({ $0.insert(record, at: now) }) else { throw tooLarge(record) }
    }

    /// Replaces a session, if it still exists and hasn't changed since `version`.
    ///
    /// - Throws: `MemorySessionStoreError` if the new one alone exceeds the limit of the store.
    public func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        let now = clock.secondsSince1970
        guard let fits = table.withLock({ $0.replace(key, version: version, with: record, at: now) }) else {
            return false
        }
        guard fits else { throw tooLarge(record) }
        return true
    }

    /// Notes the time of a request.
    public func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async {
        table.withLock { $0.touch(key, lastSeen: lastSeen, expiresAt: expiresAt) }
    }

    /// Removes a session.
    public func remove(_ key: SessionHash) async { table.withLock { $0.remove(key) } }

    /// Removes all sessions of a user in an app.
    public func removeAll(of user: String, mount: String) async {
        table.withLock { $0.removeAll(of: user, mount: mount) }
    }

    /// Does nothing: memory accepts each new session, and storing one for a check might end another.
    public func check() async {}

    /// The number of sessions, which is ``count``.
    public func sessionCount() async -> Int? { count }

    /// Drops expired sessions now, without waiting for the next new one.
    public func removeExpired() {
        let now = clock.secondsSince1970
        table.withLock { $0.removeExpired(at: now) }
    }

    private func tooLarge(_ record: SessionRecord) -> MemorySessionStoreError {
        MemorySessionStoreError(bytes: SessionTable.size(record), limit: table.withLock { $0.maximumBytes })
    }
}

/// The error for a session that is larger than the limit of a `MemorySessionStore`.
public struct MemorySessionStoreError: Error, Equatable, CustomStringConvertible {
    /// The size of the session, in bytes.
    public let bytes: Int
    /// The limit of the store, in bytes.
    public let limit: Int

    /// The problem.
    public var description: String { "a session of \(bytes) bytes is larger than the whole store, \(limit) bytes" }
}
