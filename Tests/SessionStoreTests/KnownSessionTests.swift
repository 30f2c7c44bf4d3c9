import TestSupport
import Testing

@testable import Backlot
@testable import BacklotRedis
@testable import BacklotSQLite

/// Sessions that stores know without waiting.
@Suite(.timeLimit(.minutes(5))) struct KnownSessionTests {
    private let key = SessionHash(hashing: "a")

    /// The store's record of the session; nil if the caller must wait for it.
    private func known(_ store: any SessionStore) -> SessionRecord?? {
        if case .ready(let record) = store.session(at: key) { record } else { nil }
    }

    /// The store's record of the session just after a read. A copy that has grown too old meanwhile is read again.
    private func knownAfterReading(_ store: SQLiteSessionStore) async throws -> SessionRecord? {
        for _ in 0..<100 {
            _ = try await store.session(at: key).value
            if let record = known(store) { return record }
        }
        return nil
    }

    @Test func `Memory knows every key`() async throws {
        let store = MemorySessionStore()
        #expect(known(store) == .some(nil), "a session that was never there")
        let sample = SampleRecord.make("a", life: 1_000_000_000)
        try await store.insert(sample)
        #expect(known(store) == sample)
        await store.remove(key)
        #expect(known(store) == .some(nil), "a session that was removed")
    }

    @Test func `A file knows what was read a moment ago and has not changed since`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteSessionStore("\(folder.path)/sessions.sqlite", logger: .silent)
            #expect(known(store) == nil)
            try await store.insert(SampleRecord.make("a", values: [1]))
            #expect(known(store) == nil, "nobody has read it")
            #expect(try await knownAfterReading(store)?.values == [1])

            let changed = SampleRecord.make("a", values: [2], version: 1)
            #expect(try await store.replace(key, version: 0, with: changed))
            #expect(known(store) == nil, "a copy of what it was")
            #expect(try await knownAfterReading(store)?.values == [2])

            try await store.touch(key, lastSeen: SampleRecord.now + 5, expiresAt: SampleRecord.now + 2000)
            #expect(known(store) == nil, "a copy with the time of another request")
            _ = try await store.session("a")
            try await store.removeAll(of: "ada", mount: "/")
            #expect(known(store) == nil, "a copy of a session that has ended")
            #expect(try await store.session("a") == nil)
        }
    }

    @Test func `A file whose copies may have no age knows nothing`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteSessionStore(
                "\(folder.path)/sessions.sqlite",
                maximumAge: .zero,
                logger: .silent
            )
            try await store.insert(SampleRecord.make("a"))
            _ = try await store.session("a")
            #expect(known(store) == nil)
        }
    }
}

/// Copies of what is on a server of Redis, which says what has changed.
@Suite(.needsRedis, .timeLimit(.minutes(5))) struct RedisCopiesTests {
    private let key = SessionHash(hashing: "a")

    private func isKnown(_ store: RedisSessionStore) -> Bool {
        if case .ready = store.session(at: key) { true } else { false }
    }

    /// Whether something is so within half a minute.
    private func soon(_ condition: () async throws -> Bool) async throws -> Bool {
        let begun = ContinuousClock.now
        while begun.duration(to: .now) < .seconds(30) {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// Whether the store soon has a copy of the session: at first it must hear from the server.
    private func becomesKnown(_ store: RedisSessionStore) async throws -> Bool {
        try await soon {
            _ = try await store.session(at: key).value
            return isKnown(store)
        }
    }

    @Test func `What another replica changes is no copy any more, however old copies may be`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let store = RedisSessionStore(address, anyAge: .seconds(1000), logger: .silent)
        let replica = RedisSessionStore(address, timeout: .seconds(10), logger: .silent)
        try await replica.insert(SampleRecord.make("a", values: [1]))
        #expect(try await becomesKnown(store))
        #expect(try await replica.replace(key, version: 0, with: SampleRecord.make("a", values: [2], version: 1)))
        #expect(try await soon { try await store.session(at: key).value?.values == [2] })
        #expect(try await becomesKnown(store))
        try await replica.touch(key, lastSeen: SampleRecord.now + 7, expiresAt: SampleRecord.now + 2000)
        #expect(try await soon { try await store.session(at: key).value?.lastSeen == SampleRecord.now + 7 })
        #expect(try await becomesKnown(store))
        try await replica.removeAll(of: "ada", mount: "/")
        #expect(try await soon { try await store.session(at: key).value == nil })
        #expect(!isKnown(store))
    }

    @Test func `What the store itself changes is no copy from then on`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let store = RedisSessionStore(address, anyAge: .seconds(1000), logger: .silent)
        try await store.insert(SampleRecord.make("a", values: [1]))
        #expect(try await becomesKnown(store))
        #expect(try await store.replace(key, version: 0, with: SampleRecord.make("a", values: [2], version: 1)))
        #expect(!isKnown(store))
        #expect(try await store.session(at: key).value?.values == [2])
        try await store.remove(key)
        #expect(try await store.session(at: key).value == nil)
    }

    @Test func `While the server is away there are no copies, and when it is back there are some again`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let store = RedisSessionStore(address, anyAge: .seconds(1000), logger: .silent)
        try await store.insert(SampleRecord.make("a", values: [1]))
        #expect(try await becomesKnown(store))
        server.stop()
        #expect(try await soon { !isKnown(store) })
        try server.start()
        // It kept nothing.
        #expect(try await store.session(at: key).value == nil)
        try await store.insert(SampleRecord.make("a", values: [2]))
        #expect(try await becomesKnown(store))
        #expect(try await store.session(at: key).value?.values == [2])
    }

    @Test func `A user who may not listen gets every session from the server`() async throws {
        let server = try RedisServer()
        let client = try await RawClient.connect(
            to: #require(SocketAddress(host: "127.0.0.1", port: UInt16(server.port)))
        )
        try await client.send("ACL SETUSER app on >secret ~* +@all resetchannels\r\n")
        #expect(String(decoding: try await client.receivePiece(), as: UTF8.self) == "+OK\r\n")
        await client.close()
        let address = RedisAddress(host: "127.0.0.1", port: server.port, user: "app", password: "secret")
        let recorder = LogRecorder()
        let store = RedisSessionStore(address, anyAge: .seconds(1000), logger: recorder.logger)
        try await store.insert(SampleRecord.make("a", values: [1]))
        #expect(try await soon { recorder.lines.contains { $0.contains("doesn't say which change") } })
        for _ in 0..<50 { #expect(try await store.session(at: key).value?.values == [1]) }
        #expect(!isKnown(store))
    }

    @Test func `Without an age there are no copies`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let store = RedisSessionStore(address, timeout: .seconds(10), logger: .silent)
        try await store.insert(SampleRecord.make("a", values: [1]))
        for _ in 0..<50 { #expect(try await store.session(at: key).value?.values == [1]) }
        #expect(!isKnown(store))
    }

    @Test func `The digits of a hash are read, and nothing else`() {
        #expect(SessionHash(hexadecimal: key.description.utf8) == key)
        for text in ["", "00", String(repeating: "g", count: 64), String(repeating: "0", count: 65)] {
            #expect(SessionHash(hexadecimal: text.utf8) == nil)
        }
    }
}
