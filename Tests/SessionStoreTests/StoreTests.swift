import Backlot
import TestSupport
import Testing

/// Tests that run with every kind of store.
@Suite(.timeLimit(.minutes(5))) struct StoreTests {
    @Test(arguments: StoreKind.available)
    func `What is kept comes back as it was`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            let all = (0...255).map { UInt8($0) }
            let records = [
                SampleRecord.make("a", values: all + all, version: 7),
                SampleRecord.make("b", user: nil),
                SampleRecord.make("c", mount: "/objects/", user: "Ada \u{1F600}:0\u{0}\"'\n"),
                SampleRecord.make("d", values: [UInt8](repeating: 0, count: 64 * 1024)),
            ]
            for record in records { try await store.insert(record) }
            for record in records {
                let isSame = try await store.session(at: record.key).value == record
                #expect(isSame, "\(record.key)")
            }
            #expect(try await store.session("e") == nil)
        }
    }

    @Test(arguments: StoreKind.available)
    func `A new session takes the place of an ended one with its key`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.insert(SampleRecord.make("a", user: "ada", version: 4))
            try await store.insert(SampleRecord.make("a", user: "bob", version: 0))
            #expect(try await store.session("a")?.user == "bob")
            #expect(try await store.session("a")?.version == 0)
            try await store.removeAll(of: "ada", mount: "/")
            #expect(try await store.names("a") == ["a"])
            try await store.removeAll(of: "bob", mount: "/")
            #expect(try await store.names("a") == [])
        }
    }

    @Test(arguments: StoreKind.available)
    func `A replacement needs the version`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.insert(SampleRecord.make("a", version: 3))
            let key = SessionHash(hashing: "a")
            let changed = SampleRecord.make("a", values: [1], version: 4)
            let wrongVersion = try await store.replace(key, version: 2, with: changed)
            #expect(!wrongVersion)
            let wrongKey = try await store.replace(SessionHash(hashing: "x"), version: 3, with: changed)
            #expect(!wrongKey)
            #expect(try await store.names("a", "x") == ["a"])
            #expect(try await store.session("a")?.values == [])
            let right = try await store.replace(key, version: 3, with: changed)
            #expect(right)
            #expect(try await store.session("a") == changed)
        }
    }

    @Test(arguments: StoreKind.available)
    func `With another key a session moves, and so does its user`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.insert(SampleRecord.make("a", user: "ada"))
            let moved = try await store.replace(
                SessionHash(hashing: "a"),
                version: 0,
                with: SampleRecord.make("b", user: "bob", version: 1)
            )
            #expect(moved)
            #expect(try await store.names("a", "b") == ["b"])
            try await store.removeAll(of: "ada", mount: "/")
            #expect(try await store.names("b") == ["b"])
            try await store.removeAll(of: "bob", mount: "/")
            #expect(try await store.names("b") == [])
        }
    }

    @Test(arguments: StoreKind.available)
    func `A touch takes nothing back and changes no version`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            let now = SampleRecord.now
            try await store.insert(SampleRecord.make("a", values: [1, 2], version: 3))
            let key = SessionHash(hashing: "a")
            try await store.touch(key, lastSeen: now + 50, expiresAt: now + 5000)
            try await store.touch(key, lastSeen: now + 40, expiresAt: now + 4000)
            let stored = try await store.session(at: key).value
            #expect(stored?.lastSeen == now + 50)
            #expect(stored?.expiresAt == now + 5000)
            #expect(stored?.version == 3)
            #expect(stored?.values == [1, 2])
            try await store.touch(SessionHash(hashing: "x"), lastSeen: now, expiresAt: now + 10)
            #expect(try await store.names("x") == [])
        }
    }

    @Test(arguments: StoreKind.available)
    func `What is removed is gone, and only that`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            for name in ["a", "b", "c"] { try await store.insert(SampleRecord.make(name)) }
            try await store.insert(SampleRecord.make("bob", user: "bob"))
            try await store.insert(SampleRecord.make("elsewhere", mount: "/objects/"))
            try await store.insert(SampleRecord.make("nobody", user: nil))
            try await store.remove(SessionHash(hashing: "a"))
            try await store.remove(SessionHash(hashing: "x"))
            #expect(try await store.names("a", "b", "c") == ["b", "c"])
            try await store.removeAll(of: "ada", mount: "/")
            try await store.removeAll(of: "eve", mount: "/")
            #expect(try await store.names("b", "c", "bob", "elsewhere", "nobody") == ["bob", "elsewhere", "nobody"])
        }
    }

    @Test(arguments: StoreKind.available)
    func `Of many changes at the same time one counts`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.insert(SampleRecord.make("a"))
            let won = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<50 {
                    group.addTask {
                        try await store.replace(
                            SessionHash(hashing: "a"),
                            version: 0,
                            with: SampleRecord.make("a", values: [UInt8(index)], version: 1)
                        )
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(won == 1)
            #expect(try await store.session("a")?.version == 1)
        }
    }

    @Test(arguments: StoreKind.available)
    func `Who has saved something sees it, however much happens at the same time`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<20 {
                    group.addTask {
                        let key = SessionHash(hashing: "\(client)")
                        try await store.insert(SampleRecord.make("\(client)"))
                        for version in 0..<20 {
                            let seen = try await store.session(at: key).value?.version
                            #expect(seen == version)
                            let next = SampleRecord.make("\(client)", version: version + 1)
                            let done = try await store.replace(key, version: version, with: next)
                            #expect(done)
                        }
                        try await store.remove(key)
                        let isGone = try await store.session(at: key).value == nil
                        #expect(isGone)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: StoreKind.available)
    func `A store that works says so`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.check()
            try await store.insert(SampleRecord.make("a"))
            try await store.insert(SampleRecord.make("b"))
            // Redis could tell only by looking at every key.
            #expect(try await store.sessionCount() == ([.redis, .postgreSQL].contains(kind) ? nil : 2))
        }
    }

    @Test(arguments: StoreKind.available)
    func `What a check tries leaves nothing behind, and ends nobody's session`(kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.insert(SampleRecord.make("a"))
            for _ in 0..<20 { try await store.check() }
            #expect(try await store.names("a") == ["a"])
            #expect(try await store.sessionCount() == ([.redis, .postgreSQL].contains(kind) ? nil : 1))
        }
        let full = MemorySessionStore(maximumCount: 1, maximumBytes: 1024)
        try await full.insert(SampleRecord.make("a"))
        await full.check()
        #expect(try await full.names("a") == ["a"])
    }

    @Test(arguments: StoreKind.available)
    func `A handler's changes last, through the whole of what brings them`(kind: StoreKind) async throws {
        enum Counter: SessionKey {
            static let name = "counter"
            typealias Value = Int
        }
        try await kind.withStore { store in
            let router = Router()
            router.group("/", SessionMiddleware(path: "/", store: store, logger: .silent)) { app in
                app.get("/log_in") { request in
                    try await request.session.logIn(user: "ada")
                    return Response()
                }
                app.get("/count") { request in
                    let session = try await request.session
                    try session.update(Counter.self) { $0 = ($0 ?? 0) + 1 }
                    return .text("\(session.user ?? "nobody")")
                }
                app.get("/counter") { .text("\(try await $0.session[Counter.self] ?? 0)") }
                app.get("/log_out") { request in
                    try await request.session.logOut()
                    return Response()
                }
            }
            let handler = router.handler()
            let result = try await handler(try Request(.get, "/log_in"))
            let cookie = String(try #require(result.headers[.setCookie]).prefix { $0 != ";" })
            @Sendable func get(_ path: String) async throws -> String {
                let response = try await handler(try Request(.get, path, headers: [.cookie: cookie]))
                guard case .bytes(let bytes) = response.body else { return "" }
                return String(decoding: bytes, as: UTF8.self)
            }
            // At the same time, so that most of them find that another one was faster.
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await get("/count") } }
                for try await user in group { #expect(user == "ada") }
            }
            #expect(try await get("/counter") == "20")
            _ = try await get("/log_out")
            #expect(try await get("/counter") == "0")
        }
    }
}
