import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct MiddlewareTests {
    /// Adds a word to `Via` on the way out.
    private struct Mark: Middleware {
        let word: String

        func respond(to request: Request, next: any Handler) throws -> HandlerResult {
            try next.respond(to: request).map { response in
                var response = response
                let inner = response.headers[.via].map { "\($0) " } ?? ""
                response.headers[.via] = inner + word
                return response
            }
        }
    }

    /// Answers instead of what comes after it.
    private struct Stop: Middleware {
        func respond(to request: Request, next: any Handler) throws -> HandlerResult {
            throw StatusError(.forbidden, "stopped")
        }
    }

    /// Makes an answer of every error.
    private struct Catch: Middleware {
        func respond(to request: Request, next: any Handler) throws -> HandlerResult {
            try next.outcome(of: request).map { result in
                do {
                    return try result.get()
                } catch let error as StatusError {
                    return .text("caught \(error.status.code)")
                }
            }
        }
    }

    @Test func `The first middleware is outermost, groups are inside the router`() async throws {
        let router = Router()
        router.use(Mark(word: "first"))
        router.use(Mark(word: "second"))
        router.group("/api", Mark(word: "third")) { api in
            api.group("/v1", Mark(word: "fourth")) { v1 in
                v1.get("/users") { _ in .text("users") }
            }
            api.get("/status") { _ in .text("status") }
        }
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/api/v1/users")).headers[.via] == "fourth third second first")
        #expect(try await handler(Request(.get, "/api/status")).headers[.via] == "third second first")
    }

    @Test func `A middleware of a group stands before its routes only`() async throws {
        let router = Router()
        router.group("/closed", Stop()) { $0.get("/a") { _ in .text("a") } }
        router.get("/open") { _ in .text("open") }
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/open")).bodyText == "open")
        await #expect(throws: StatusError(.forbidden, "stopped")) {
            try await handler(Request(.get, "/closed/a"))
        }
    }

    @Test func `A middleware of the router sees what no route answers`() async throws {
        let router = Router()
        router.use(Catch())
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/nope")).bodyText == "caught 404")
    }

    @Test(arguments: [("", "/a"), ("/", "/a"), ("/x", "/x/a"), ("/x/", "/x/a")])
    func `A prefix is joined without doubling the slash`(prefix: String, path: String) {
        let router = Router()
        router.group(prefix) { $0.get("/a") { _ in .text("") } }
        #expect(router.routes.map(\.path) == [path])
    }
}
