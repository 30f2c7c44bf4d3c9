import TestSupport
import Testing

@testable import Backlot

extension SessionTests {
    /// One session in several tasks, requests and replicas.
    struct Concurrency {
        private enum Numbered: CaseIterable {
            struct A: SessionKey {
                static let name = "a"
                typealias Value = Int
            }
            struct B: SessionKey {
                static let name = "b"
                typealias Value = Int
            }
        }

        private func make(_ clock: FakeClock = FakeClock(), _ store: RecordingStore? = nil) -> SessionApp {
            .make(clock: clock, store: store) { app in
                app.get("/add") { request in
                    let session = try await request.session
                    await Task.yield()
                    try session.update(Counter.self) { $0 = ($0 ?? 0) + 1 }
                    return Response()
                }
                app.get("/a") { request in
                    try await request.session.set(Numbered.A.self, to: 1)
                    return Response()
                }
                app.get("/b") { request in
                    try await request.session.set(Numbered.B.self, to: 2)
                    return Response()
                }
                app.get("/both") { request in
                    let session = try await request.session
                    return .text("\(session[Numbered.A.self] ?? 0) \(session[Numbered.B.self] ?? 0)")
                }
            }
        }

        @Test func `1,000 requests at a time lose no update`() async throws {
            let app = make()
            let id = try await app.logIn()
            let failures = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<1000 { group.addTask { try await app.get("add", id).code } }
                return try await group.reduce(into: 0) { $0 += $1 == 200 ? 0 : 1 }
            }
            #expect(failures == 0)
            #expect(try await app.get("counter", id).text == "1000")
        }

        @Test func `Changes of different values are all kept`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.store.beforeNextReplace { _ = try await app.get("b", id) }
            _ = try await app.get("a", id)
            #expect(try await app.get("both", id).text == "1 2")
        }

        @Test func `Of one value the last one saved counts`() async throws {
            let app = make()
            let id = try await app.logIn()
            app.store.beforeNextReplace { _ = try await app.get("count", id) }
            #expect(try await app.get("count", id).text == "1")
            #expect(try await app.get("counter", id).text == "1")
        }

        @Test(arguments: ["log_out", "log_out_everywhere", "renew"])
        func `A change or renewal brings no session back that another request has ended`(end: String) async throws {
            for target in ["count", "renew"] {
                let app = make()
                let id = try await app.logIn()
                if end != "renew" {
                    app.store.beforeNextReplace { _ = try await app.get(end, id) }
                } else {
                    app.store.beforeNextReplace { _ = try await app.get("renew", id) }
                }
                let response = try await app.get(target, id)
                #expect(response.code == 200)
                #expect(response.setCookies == [])
                #expect(app.store.memory.count == (end == "renew" ? 1 : 0))
                #expect(try await app.user(id) == "nobody")
            }
        }

        @Test func `A log-in goes on when another request has ended the session`() async throws {
            let app = make()
            let id = try #require(try await app.get("count").id)
            app.store.beforeNextReplace { _ = try await app.get("log_out", id) }
            let new = try await app.logIn("ada", id)
            #expect(try await app.user(new) == "ada")
            #expect(try await app.get("counter", new).text == "0")
        }

        @Test func `Two replicas see each other's changes`() async throws {
            let app = make()
            let other = make(app.clock, app.store)
            let id = try await app.logIn()
            #expect(try await other.get("count", id).text == "1")
            #expect(try await app.get("count", id).text == "2")
            _ = try await other.get("log_out", id)
            #expect(try await app.user(id) == "nobody")
        }

        @Test func `A session may be used from any task`() async throws {
            let app = SessionApp.make { app in
                app.get("/tasks") { request in
                    let increment: @Sendable () async throws -> Void = {
                        try await request.session.update(Counter.self) { $0 = ($0 ?? 0) + 1 }
                    }
                    var tasks: [Task<Void, any Error>] = []
                    for _ in 0..<50 {
                        tasks.append(Task { try await increment() })
                        tasks.append(Task.detached { try await increment() })
                    }
                    for task in tasks { try await task.value }
                    try await Task.detached { try await request.session.logIn(user: "ada") }.value
                    return .text("\(try await request.session[Counter.self] ?? 0)")
                }
            }
            let id = try #require(try await app.get("count").id)
            let response = try await app.get("tasks", id)
            #expect(response.text == "101")
            #expect(try await app.get("counter", response.id).text == "101")
        }

        @Test func `An update may use the session itself`() async throws {
            let sessions = Locked<[Weak]>([])
            let app = SessionApp.make { app in
                app.get("/nested") { request in
                    let session = try await request.session
                    sessions.withLock { $0.append(Weak(session)) }
                    try session.set(Numbered.A.self, to: 3)
                    try session.update(Numbered.B.self) { $0 = (session[Numbered.A.self] ?? 0) + 1 }
                    return .text("\(session[Numbered.B.self] ?? 0)")
                }
            }
            #expect(try await app.get("nested").text == "4")
            #expect(sessions.withLock { $0.map { $0.object == nil } } == [true], "the session outlives its request")
        }

        @Test func `A body that comes after the response sees the session as the handler left it`() async throws {
            let kept = Locked<Request?>(nil)
            let app = SessionApp.make { app in
                for (path, user) in [("/in", "eve" as String?), ("/out", nil)] {
                    app.get(path) { request in
                        kept.withLock { $0 = request }
                        let session = try await request.session
                        if let user { try session.logIn(user: user) } else { try session.logOut() }
                        return Response()
                    }
                }
            }
            for former in [nil, try await app.logIn()] {
                let id = try await app.get("in", former).id
                #expect(try await #require(kept.withLock { $0 }).session.user == "eve")
                _ = try await app.get("out", id)
                #expect(try await #require(kept.withLock { $0 }).session.user == nil)
            }
        }

        @Test func `A handler whose time is over changes nothing`() async throws {
            let app = SessionApp.make { app in
                app.with(Timeout(.milliseconds(20))).get("/slow") { request in
                    try await request.session.set(Counter.self, to: 7)
                    try await request.session.logIn(user: "eve")
                    try await Task.sleep(for: .seconds(60))
                    return Response()
                }
                app.group("/wrapped", JSONErrors(), Timeout(.milliseconds(20))) { group in
                    group.get("/slow") { request in
                        try await request.session.set(Counter.self, to: 9)
                        try await Task.sleep(for: .seconds(60))
                        return Response()
                    }
                }
                app.get("/busy") { request in
                    try await request.session.set(Counter.self, to: 8)
                    throw StatusError(.serviceUnavailable, "busy")
                }
            }
            let id = try #require(try await app.get("count").id)
            #expect(try await app.get("slow", id).code == 503)
            #expect(try await app.get("counter", id).text == "1")
            #expect(try await app.user(id) == "nobody")
            // A middleware between them makes a response of the error.
            #expect(try await app.get("wrapped/slow", id).code == 503)
            #expect(try await app.get("counter", id).text == "1")
            #expect(try await app.get("busy", id).code == 503)
            #expect(try await app.get("counter", id).text == "8")
        }

        @Test func `Sessions after others of the same request are their own`() async throws {
            let clock = FakeClock()
            let inner = SessionMiddleware(path: "/", store: MemorySessionStore(clock: clock.clock))
            let request = try Request(.get, "/")
            for user in ["ann", "bob"] {
                _ = try await inner.exchange(request) { request in
                    #expect(try await request.session.user == nil)
                    try await request.session.logIn(user: user)
                    return Response()
                }
                #expect(try await request.session.user == user)
            }
        }

        @Test func `What comes after the response is refused, and can be read still`() async throws {
            let kept = Locked<Request?>(nil)
            let app = SessionApp.make { app in
                app.get("/keep") { request in
                    kept.withLock { $0 = request }
                    try await request.session.set(Counter.self, to: 5)
                    return Response()
                }
                app.get("/keep_untouched") { request in
                    kept.withLock { $0 = request }
                    return Response()
                }
            }
            let id = try await app.logIn()
            for target in ["keep", "keep_untouched"] {
                _ = try await app.get(target, id)
                let session = try await #require(kept.withLock { $0 }).session
                #expect(session.user == "ada")
                #expect(session[Counter.self] == 5)
                #expect(throws: SessionError.finished) { try session.logOut() }
                #expect(throws: SessionError.finished) { try session.logIn(user: "bob") }
                #expect(throws: SessionError.finished) { try session.renew() }
                #expect(throws: SessionError.finished) { try session.update(Counter.self) { $0 = 1 } }
                #expect(throws: SessionError.finished) { try session.set(Counter.self, to: 6) }
                #expect(session[Counter.self] == 5)
                #expect(try await app.user(id) == "ada")
            }
        }
    }
}
