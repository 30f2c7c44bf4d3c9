import TestSupport
import Testing

@testable import Backlot
@testable import BacklotRedis

/// The behaviour that only the Redis store has.
@Suite(.needsRedis, .timeLimit(.minutes(5))) struct RedisStoreTests {
    private func make(_ server: RedisServer, timeout: Duration = .seconds(10)) -> RedisSessionStore {
        RedisSessionStore(RedisAddress(host: "127.0.0.1", port: server.port), timeout: timeout, logger: .silent)
    }

    @Test func `Two stores share what is on the server, at once`() async throws {
        let server = try RedisServer()
        let one = make(server)
        let other = make(server)
        try await one.insert(SampleRecord.make("a", values: [1]))
        #expect(try await other.session("a")?.values == [1])
        let done = try await other.replace(
            SessionHash(hashing: "a"),
            version: 0,
            with: SampleRecord.make("a", values: [2], version: 1)
        )
        #expect(done)
        #expect(try await one.session("a")?.values == [2])
        try await one.removeAll(of: "ada", mount: "/")
        #expect(try await other.names("a") == [])
    }

    @Test func `Databases and prefixes keep sessions apart`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        var second = address
        second.database = 1
        let stores = [
            RedisSessionStore(address, timeout: .seconds(10), logger: .silent),
            RedisSessionStore(second, timeout: .seconds(10), logger: .silent),
            RedisSessionStore(address, prefix: "other:", timeout: .seconds(10), logger: .silent),
        ]
        try await stores[0].insert(SampleRecord.make("a"))
        for store in stores.dropFirst() { #expect(try await store.names("a") == []) }
        try await stores[2].insert(SampleRecord.make("a"))
        try await stores[0].removeAll(of: "ada", mount: "/")
        #expect(try await stores[2].names("a") == ["a"])
    }

    @Test func `Redis ends sessions by itself`() async throws {
        let server = try RedisServer()
        let store = make(server)
        try await store.insert(SampleRecord.make("ended", life: -1))
        #expect(try await store.names("ended") == [])
        try await store.insert(SampleRecord.make("long"))
        var end = 0
        // Again if the session ended before the touch.
        repeat {
            // Redis uses the current time, and the records a fixed one.
            end = SessionClock.system.secondsSince1970 + 2
            for name in ["short", "touched"] {
                try await store.insert(SampleRecord.make(name, life: end - SampleRecord.now))
            }
            try await store.touch(
                SessionHash(hashing: "touched"),
                lastSeen: SampleRecord.now,
                expiresAt: SampleRecord.now + 1000
            )
        } while SessionClock.system.secondsSince1970 >= end
        let begun = ContinuousClock.now
        while try await store.names("short") != [], begun.duration(to: .now) < .seconds(30) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await store.names("short", "long", "touched") == ["long", "touched"])
        try await store.removeAll(of: "ada", mount: "/")
        #expect(try await store.names("long", "touched") == [])
    }

    @Test func `A server that is away fails within a bounded time, and is found again when it is back`() async throws {
        let server = try RedisServer()
        let store = make(server, timeout: .milliseconds(500))
        try await firstSuccess { try await store.insert(SampleRecord.make("a")) }
        server.stop()
        let begun = ContinuousClock.now
        await #expect(throws: RedisError.self) { try await store.check() }
        await #expect(throws: RedisError.self) { try await store.check() }
        // Not a bound on speed: without a limit it would be tried for ever.
        #expect(begun.duration(to: .now) < .seconds(30))
        try server.start()
        // It kept nothing.
        #expect(try await firstSuccess { try await store.names("a") } == [])
        try await firstSuccess { try await store.insert(SampleRecord.make("b")) }
        #expect(try await firstSuccess { try await store.names("b") } == ["b"])
    }

    @Test func `A server that hangs fails within a bounded time, and is asked again when it goes on`() async throws {
        let server = try RedisServer()
        let store = make(server, timeout: .milliseconds(500))
        try await firstSuccess { try await store.insert(SampleRecord.make("a")) }
        server.hold()
        await #expect(throws: RedisError.timeout) { try await store.check() }
        server.release()
        #expect(try await firstSuccess { try await store.names("a") } == ["a"])
    }

    @Test func `A restart that takes a moment is noticed by nobody`() async throws {
        let server = try RedisServer()
        let store = make(server, timeout: .seconds(30))
        try await store.check()
        server.stop()
        async let waiting: Void = store.check()
        try server.start()
        try await waiting
    }

    /// A replica that only follows: it is read as ever.
    @Test func `A server that refuses writes isn't ready`() async throws {
        let server = try RedisServer()
        let store = make(server, timeout: .seconds(10))
        try await store.insert(SampleRecord.make("a"))
        try await store.check()
        let client = try await RawClient.connect(
            to: #require(SocketAddress(host: "127.0.0.1", port: UInt16(server.port)))
        )
        try await client.send("REPLICAOF 127.0.0.1 1\r\n")
        #expect(String(decoding: try await client.receivePiece(), as: UTF8.self) == "+OK\r\n")
        let error = try await #require(throws: RedisError.self) { try await store.check() }
        #expect("\(error)".contains("READONLY"), "\(error)")
        #expect(try await store.names("a") == ["a"])
        try await client.send("REPLICAOF NO ONE\r\n")
        #expect(String(decoding: try await client.receivePiece(), as: UTF8.self) == "+OK\r\n")
        try await firstSuccess { try await store.check() }
        await client.close()
    }

    @Test func `A store may be made before its server is there`() async throws {
        let server = try RedisServer()
        server.stop()
        let store = make(server, timeout: .milliseconds(200))
        await #expect(throws: RedisError.self) { try await store.check() }
        try server.start()
        try await firstSuccess { try await store.check() }
    }

    @Test(arguments: [
        ("", "redis://127.0.0.1:", "/0", "NOAUTH"),
        ("secret", "redis://:wrong@127.0.0.1:", "/0", "WRONGPASS"),
        ("secret", "redis://:secret@127.0.0.1:", "/99", "DB index is out of range"),
        ("secret", "redis://nobody:secret@127.0.0.1:", "/0", "WRONGPASS"),
    ])
    func `What Redis refuses is passed on`(password: String, start: String, end: String, text: String) async throws {
        let server = try RedisServer(password: password.isEmpty ? "other" : password)
        let store = RedisSessionStore(
            try RedisAddress("\(start)\(server.port)\(end)"),
            timeout: .milliseconds(500),
            logger: .silent
        )
        let found = try await failureReason(containing: text) { try await store.check() }
        #expect(found.contains(text), "\(found)")
    }

    @Test func `A server that is away is answered with 503, and when to try again`() async throws {
        let server = try RedisServer()
        let store = make(server, timeout: .milliseconds(100))
        server.stop()
        let router = Router()
        router.group("/", SessionMiddleware(path: "/", store: store, logger: .silent)) { app in
            app.get("/me") { .text(try await $0.session.user ?? "nobody") }
        }
        let handler = router.handler()
        let cookie = "session=" + String(repeating: "a", count: 32)
        await #expect(throws: SessionStoreError(retryAfter: .seconds(5))) {
            try await handler(try Request(.get, "/me", headers: [.cookie: cookie]))
        }
        // A request without a session doesn't need the store.
        let response = try await handler(try Request(.get, "/me"))
        #expect(response.status == .ok)
    }

    /// As in a process that was paused for longer than the limit.
    @Test func `What has come is read, even after the limit`() async throws {
        let server = try RedisServer()
        let address = RedisAddress(host: "127.0.0.1", port: server.port)
        let connections = try (0..<2).map { _ in
            try RedisConnection(to: address, over: TLSConnector.trusting(.system), timeout: .seconds(60))
        }
        _ = try connections[0].response(to: RedisCommand("SUBSCRIBE", "news"), within: .seconds(60))
        _ = try connections[1].response(to: RedisCommand("PUBLISH", "news", "one"), within: .seconds(60))
        // Bytes that the server sent unasked look like a response.
        while connections[0].isAlive { try await Task.sleep(for: .milliseconds(5)) }
        let outcome = connections[0].exchange([RedisCommand("PING")], until: .now)
        let texts = ["message", "news", "one"].map { RedisReply.bytes(Array($0.utf8)) }
        #expect(outcome.replies == [.array(texts)])
        #expect(outcome.failure == nil)
    }
}
