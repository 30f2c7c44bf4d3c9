import Testing

@testable import Backlot

extension SessionTests {
    /// Which of the cookies that a client sends is the session.
    struct Lookup {
        private let clock = FakeClock()

        private func make() -> (root: SessionApp, objects: SessionApp) {
            let root = SessionApp.make(clock: clock)
            return (root, SessionApp.make(path: "/objects/", clock: clock, store: root.store))
        }

        @Test func `No cookie, no look-up`() async throws {
            let (root, _) = make()
            #expect(try await root.get("me").text == "nobody")
            #expect(root.store.calls == [])
        }

        @Test func `A request that doesn't touch its session costs no look-up`() async throws {
            let (root, _) = make()
            let id = try await root.logIn()
            root.store.forgetCalls()
            #expect(try await root.get("plain", id).text == "plain")
            #expect(root.store.calls == [])
            #expect(try await root.get("me", id).text == "ada")
            #expect(root.store.calls == ["session"])
        }

        @Test func `Two apps on one host each find their own session`() async throws {
            let (root, objects) = make()
            let ada = try await root.logIn("ada")
            let bob = try await objects.logIn("bob")
            for ids in [[ada, bob], [bob, ada]] {
                #expect(try await root.get("me", ids[0], ids[1]).text == "ada")
                #expect(try await objects.get("me", ids[0], ids[1]).text == "bob")
            }
            #expect(try await objects.user(ada) == "nobody")
            #expect(try await root.user(bob) == "nobody")
        }

        @Test func `A log-in in one app leaves the other app's session alone`() async throws {
            let (root, objects) = make()
            let ada = try await root.logIn("ada")
            let bob = try #require(try await objects.get("log_in?bob", ada).id)
            #expect(try await root.get("me", bob, ada).text == "ada")
            _ = try await objects.get("log_out", bob, ada)
            #expect(try await root.user(ada) == "ada")
        }

        @Test func `Two sessions of one app are none, and a log-in or log-out ends both`() async throws {
            let (root, _) = make()
            let first = try await root.logIn("ada")
            let second = try await root.logIn("bob")
            #expect(try await root.get("me", first, second).text == "nobody")
            #expect(try await root.user(first) == "ada")
            let new = try #require(try await root.get("log_in?eve", first, second).id)
            #expect(try await root.get("me", new, second).text == "eve")
            #expect(try await root.user(first) == "nobody")
            #expect(try await root.user(second) == "nobody")

            let third = try await root.logIn("ada")
            _ = try await root.get("log_out", new, third)
            #expect(root.store.memory.count == 0)
        }

        @Test func `The same id twice is one session, an ended one is none`() async throws {
            let (root, _) = make()
            let id = try await root.logIn()
            let ended = try await root.logIn("bob")
            _ = try await root.get("log_out", ended)
            root.store.forgetCalls()
            #expect(try await root.get("me", id, id, ended, id).text == "ada")
            #expect(root.store.calls == ["session", "session"])
        }

        @Test func `Four are looked up, a fifth is not`() async throws {
            let (root, objects) = make()
            let id = try await root.logIn()
            var others: [String] = []
            for _ in 0..<4 { others.append(try await objects.logIn()) }
            root.store.forgetCalls()
            #expect(try await root.get("me", others[0], others[1], others[2], id, others[3]).text == "ada")
            #expect(root.store.calls.count == 4)
            #expect(try await root.get("me", others[0], others[1], others[2], others[3], id).text == "nobody")
            #expect(root.store.calls.count == 8)
        }

        @Test func `Cookies of that name that hold something else don't count`() async throws {
            let (root, _) = make()
            let id = try await root.logIn()
            root.store.forgetCalls()
            let garbage = (0..<6).map { "BAh7CEkiD3Nlc3Npb25faWQGOgZFVEkiJTQ5\($0)==--a1b2" }
            let header = (garbage + [id]).map { "session=\($0)" }.joined(separator: "; ")
            #expect(try await root.get("me", headers: [.cookie: header]).text == "ada")
            #expect(root.store.calls == ["session"])
        }

        @Test func `Nested apps set a cookie each`() async throws {
            let store = MemorySessionStore(clock: clock.clock)
            let router = Router()
            router.group("/", SessionMiddleware(path: "/", store: store)) { root in
                root.group("/objects/", SessionMiddleware(path: "/objects/", store: store)) { objects in
                    objects.get("/log_in") { request in
                        try await request.session.logIn(user: "bob")
                        return Response()
                    }
                }
            }
            let handler = router.handler()
            let response = try await handler(Request(.get, "/objects/log_in"))
            let cookies = response.headers[values: .setCookie]
            #expect(cookies.count == 1)
            #expect(cookies.first?.contains("; Path=/objects/;") == true)
        }

        @Test func `A middleware between two apps has the outer one's session, before and after the inner one's`()
            async throws
        {
            let store = MemorySessionStore(clock: clock.clock)
            let router = Router()
            let counting = FunctionMiddleware { request, next in
                try await request.session.update(Counter.self) { $0 = ($0 ?? 0) + 1 }
                let response = try await next(request)
                try await request.session.update(Counter.self) { $0 = ($0 ?? 0) + 1 }
                return response
            }
            router.group("/", SessionMiddleware(path: "/", store: store), counting) { root in
                root.group("/objects/", SessionMiddleware(path: "/objects/", store: store)) { objects in
                    objects.get("/log_in") { request in
                        let count = try await request.session[Counter.self]
                        #expect(count == nil)
                        try await request.session.logIn(user: "bob")
                        return Response()
                    }
                }
            }
            let handler = router.handler()
            let response = try await handler(Request(.get, "/objects/log_in"))
            let cookies = response.headers[values: .setCookie]
            #expect(cookies.count == 2 && cookies[0].contains("; Path=/objects/;") && cookies[1].contains("; Path=/;"))
            let inner = try await record(of: cookies[0], in: store)
            #expect(inner.user == "bob" && inner.values.isEmpty)
            let outer = try await record(of: cookies[1], in: store)
            #expect(outer.user == nil && String(decoding: outer.values, as: UTF8.self) == "7:counter,1:2,")
        }

        private func record(of cookie: String, in store: MemorySessionStore) async throws -> SessionRecord {
            let id = try #require(cookie.split(separator: ";").first?.split(separator: "=").last)
            return try #require(try await store.session(at: SessionHash(hashing: String(id))).value)
        }
    }
}
