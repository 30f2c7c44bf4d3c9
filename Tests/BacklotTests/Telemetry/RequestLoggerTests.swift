import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct RequestLoggerTests {
    private func make(_ lines: LoggedLines) -> Router {
        let router = Router()
        router.use(Telemetry(logger: lines.output.logger(label: "test", format: .json)))
        router.get("/notes/{id}") { request in
            request.logger.notice("found")
            return .text(request.id)
        }
        router.group("/app/", SessionMiddleware(path: "/app/", store: MemorySessionStore())) { app in
            app.get("in") { request in
                try await request.session.logIn(user: "ada")
                return .text("in")
            }
            app.get("me") { request in
                _ = try await request.session.user
                request.logger.notice("known")
                return .text("me")
            }
        }
        return router
    }

    private func objects(_ lines: LoggedLines) throws -> [JSONValue] {
        try lines.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    }

    @Test func `What a handler logs has the request's id and route`() async throws {
        let lines = LoggedLines()
        let handler = make(lines).handler()
        let ids = [
            try await handler(Request(.get, "/notes/7")).bodyText,
            try await handler(Request(.get, "/notes/8")).bodyText,
        ]
        #expect(ids[0] != ids[1])
        let found = try objects(lines)
        #expect(found.map { $0["message"]?.string } == ["found", "GET /notes/7 200", "found", "GET /notes/8 200"])
        #expect(found.map { $0["request-id"]?.string } == [ids[0], ids[0], ids[1], ids[1]])
        #expect(found.map { $0["route"]?.string } == Array(repeating: "/notes/{id}", count: 4))
    }

    @Test func `It has the session too, once the handler has asked for that`() async throws {
        let lines = LoggedLines()
        let handler = make(lines).handler()
        let logIn = try await handler(Request(.get, "/app/in"))
        let cookie = try #require(logIn.headers[.setCookie]?.split(separator: ";").first)
        _ = try await handler(Request(.get, "/app/me", headers: [.cookie: String(cookie)]))
        let found = try objects(lines)
        let hash = try #require(found.last?["session-hash"]?.string)
        #expect(found.first { $0["message"] == "known" }?["session-hash"]?.string == hash)
    }

    @Test func `Without Telemetry there are an id and a logger all the same`() async throws {
        let router = Router()
        router.get("/") { request in .text("\(request.id) \(request.logger.label)") }
        let request = try Request(.get, "/")
        let handler = router.handler()
        #expect(try await handler(request).bodyText == "\(request.id) backlot")
    }

    @Test func `What a check requests is not reported`() async throws {
        let lines = LoggedLines()
        let handler = make(lines).handler()
        var request = try Request(.get, "/notes/7")
        request.isCheck = true
        _ = try await handler(request)
        _ = try await handler(Request(.get, "/notes/8"))
        #expect(try objects(lines).compactMap { $0["message"]?.string }.filter { $0.contains("/notes/7") } == [])
    }

    private static func hold() {
        let end = ContinuousClock.now + .milliseconds(150)
        while ContinuousClock.now < end {}
    }

    @Test(.enabled(if: BuildDefaults.watchesLoops, "release builds don't watch"), arguments: HTTPVersions.each)
    func `A handler that holds its loop is named`(version: HTTPVersions) async throws {
        let lines = LoggedLines()
        let router = Router()
        router.get("/early/{id}") { _ in
            Self.hold()
            return .text("early")
        }
        router.get("/late") { _ in
            // The rest runs when the task comes back to its loop.
            try await Task.sleep(for: .milliseconds(1))
            Self.hold()
            return .text("late")
        }
        let logger = lines.output.logger(label: "test", format: .json)
        let running = try Server(router.handler(), port: 0, logger: logger).start()
        for path in ["/early/7", "/late"] { _ = try await running.address.exchange(version, path) }
        await running.shutdown()
        let warnings = try objects(lines).filter { $0["level"] == "warning" }.compactMap { $0["message"]?.string }
        // On a busy machine there may be others, of what had to wait for a processor.
        for start in ["GET /early/7 (route /early/{id}) held its event loop for ", "GET /late (route /late) held "] {
            #expect(warnings.contains { $0.hasPrefix(start) }, "\(warnings)")
        }
    }
}
