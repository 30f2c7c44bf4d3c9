import Testing

@testable import Backlot

extension SessionTests {
    /// Handlers that get the session: they are answered without a task where nothing has to be waited for.
    struct AtOnce {
        private let clock = FakeClock()

        /// An app whose handlers get the session, in a store that always knows.
        private func make(
            _ store: any SessionStore,
            _ respond: @escaping @Sendable (Request, Session) throws -> Response
        ) -> any Handler {
            var configuration = SessionConfiguration()
            configuration.clock = clock.clock
            let router = Router()
            let middleware = SessionMiddleware(path: "/", store: store, configuration: configuration)
            router.group("/", middleware) { app in
                app.get("/", respond)
                app.get("/log_in") { request in
                    try await request.session.logIn(user: "ada")
                    return Response()
                }
            }
            return router.handler()
        }

        private func memory() -> MemorySessionStore { MemorySessionStore(clock: clock.clock) }

        private func request(_ id: String?, _ target: String = "/") throws -> Request {
            try Request(.get, target, headers: id.map { [.cookie: "session=\($0)"] } ?? [:])
        }

        private func logIn(_ handler: any Handler, _ former: String? = nil) async throws -> String {
            let response = try await handler(request(former, "/log_in"))
            return try #require(SessionResponse(response: response, error: nil).id)
        }

        /// The text of an answer that takes no task; nil for one that does.
        private func text(_ result: HandlerResult) -> String? {
            if case .ready(let response) = result { response.bodyText } else { nil }
        }

        @Test func `Reading a session in memory takes no task`() async throws {
            let handler = make(memory()) { _, session in .text(session.user ?? "nobody") }
            let id = try await logIn(handler)
            #expect(text(try handler.respond(to: request(id))) == "ada")
            #expect(text(try handler.respond(to: request(nil))) == "nobody")
            let unknown = String(repeating: "x", count: 32)
            #expect(text(try handler.respond(to: request(unknown))) == "nobody")
            #expect(text(try handler.respond(to: request("no id"))) == "nobody")
        }

        @Test func `A store that must be waited for gives the same session later`() async throws {
            let handler = make(RecordingStore(memory())) { _, session in .text(session.user ?? "nobody") }
            let id = try await logIn(handler)
            let response = try handler.respond(to: request(id))
            #expect(text(response) == nil)
            #expect(try await response.response().bodyText == "ada")
        }

        @Test func `A session that has ended by itself is nobody's, at once`() async throws {
            let handler = make(memory()) { _, session in .text(session.user ?? "nobody") }
            let id = try await logIn(handler)
            clock.move(90 * 86_400 - 1)
            #expect(try await handler(request(id)).bodyText == "ada")
            clock.move(90 * 86_400)
            #expect(text(try handler.respond(to: request(id))) == "nobody")
        }

        @Test func `A log-in ends the old id, which is nobody's at once`() async throws {
            let handler = make(memory()) { _, session in .text(session.user ?? "nobody") }
            let old = try await logIn(handler)
            let new = try await logIn(handler, old)
            #expect(old != new)
            #expect(text(try handler.respond(to: request(old))) == "nobody")
            #expect(text(try handler.respond(to: request(new))) == "ada")
        }

        @Test func `The time of a request is saved when it is due, before the response`() async throws {
            let store = memory()
            let handler = make(store) { _, session in .text(session.user ?? "nobody") }
            let id = try await logIn(handler)
            clock.move(59)
            #expect(text(try handler.respond(to: request(id))) == "ada")
            #expect(try await store.session(at: SessionHash(hashing: id)).value?.lastSeen == clock.now - 59)
            clock.move(1)
            let response = try handler.respond(to: request(id))
            #expect(text(response) == nil)
            _ = try await response.response()
            #expect(try await store.session(at: SessionHash(hashing: id)).value?.lastSeen == clock.now)
            #expect(text(try handler.respond(to: request(id))) == "ada")
        }

        @Test func `A change is saved before the response`() async throws {
            let store = memory()
            let handler = make(store) { _, session in
                try session.set(Counter.self, to: (session[Counter.self] ?? 0) + 1)
                return .text("\(session[Counter.self] ?? 0)")
            }
            let first = SessionResponse(response: try await handler.respond(to: request(nil)).response(), error: nil)
            let id = try #require(first.id)
            let response = try handler.respond(to: request(id))
            #expect(text(response) == nil)
            #expect(try await response.response().bodyText == "2")
            let record = try #require(try await store.session(at: SessionHash(hashing: id)).value)
            #expect(String(decoding: record.values, as: UTF8.self) == "7:counter,1:2,")
        }

        @Test func `A change is saved too where the handler refuses`() async throws {
            let store = memory()
            let handler = make(store) { _, session in
                try session.set(Counter.self, to: 7)
                throw StatusError(.conflict, "no")
            }
            let response = try await handler.respond(to: request(nil)).response()
            #expect(response.status == .conflict)
            let id = try #require(SessionResponse(response: response, error: nil).id)
            #expect(try await store.session(at: SessionHash(hashing: id)).value != nil)
        }

        @Test func `What a handler throws comes at once where nothing is to be saved`() async throws {
            let handler = make(memory()) { _, session in .text(try session.requireLogin()) }
            #expect(throws: StatusError.self) { try handler.respond(to: request(nil)) }
            let id = try await logIn(handler)
            #expect(text(try handler.respond(to: request(id))) == "ada")
        }

        @Test func `The session can't be changed after a response that took no task`() async throws {
            let kept = Locked<Session?>(nil)
            let handler = make(memory()) { _, session in
                kept.withLock { $0 = session }
                return .text("")
            }
            let id = try await logIn(handler)
            #expect(text(try handler.respond(to: request(id))) != nil)
            let session = try #require(kept.withLock { $0 })
            #expect(throws: SessionError.finished) { try session.set(Counter.self, to: 1) }
            #expect(throws: SessionError.finished) { try session.logOut() }
            #expect(session.user == "ada")
        }

        @Test func `1,000 requests at once that change one session lose no change`() async throws {
            let handler = make(memory()) { request, session in
                if request.rawQuery == nil { try session.update(Counter.self) { $0 = ($0 ?? 0) + 1 } }
                return .text("\(session[Counter.self] ?? 0)")
            }
            let id = try await logIn(handler)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<1000 {
                    group.addTask { _ = try await handler.respond(to: request(id)).response() }
                }
                try await group.waitForAll()
            }
            #expect(text(try handler.respond(to: request(id, "/?read"))) == "1000")
        }

        @Test func `RequireLogin takes no task either`() async throws {
            var configuration = SessionConfiguration()
            configuration.clock = clock.clock
            let router = Router()
            let middleware = SessionMiddleware(path: "/", store: memory(), configuration: configuration)
            router.group("/", middleware) { app in
                app.get("/log_in") { request in
                    try await request.session.logIn(user: "ada")
                    return Response()
                }
                app.group("", RequireLogin("members only")) { members in
                    members.get("/members") { _ in .text("in") }
                }
            }
            let handler = router.handler()
            #expect(throws: StatusError(.forbidden, "members only")) {
                try handler.respond(to: request(nil, "/members"))
            }
            let id = try await logIn(handler)
            #expect(text(try handler.respond(to: request(id, "/members"))) == "in")
        }

        @Test func `The session is there behind a middleware that reads compressed bodies`() async throws {
            var configuration = SessionConfiguration()
            configuration.clock = clock.clock
            let router = Router()
            let middleware = SessionMiddleware(path: "/", store: memory(), configuration: configuration)
            router.group("/", middleware, Decompression()) { app in
                app.post("/") { _, session in .text(session.user ?? "nobody") }
            }
            let request = try Request(.post, "/", headers: [.contentEncoding: "identity"], body: [1])
            #expect(text(try router.handler().respond(to: request)) == "nobody")
        }

        @Test func `A route outside of a group with sessions says what is missing`() throws {
            let router = Router()
            router.get("/") { (_: Request, _: Session) in Response() }
            #expect(throws: SessionError.noMiddleware) { try router.handler().respond(to: request(nil)) }
        }
    }
}
