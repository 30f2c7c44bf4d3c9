import Backlot
import Logging
import TestSupport
import Testing

/// What somebody who knows Hummingbird writes first: it compiles, or the error says what to write.
@Suite(
    .enabled(if: CompilerSnippets.modules != nil, "the compiled modules are not beside the test bundle"),
    .timeLimit(.minutes(5))
)
struct GuessTests {
    @Test(arguments: snippets.mistakes.indices)
    func `Names of others lead to ours`(_ index: Int) async throws {
        let mistake = Self.snippets.mistakes[index]
        let errors = try await Self.errors.value.filter { mistake.lines.contains($0.line) }
        #expect(errors.contains { $0.line == mistake.badLine && $0.message.contains(mistake.message) }, "\(errors)")
    }

    @Test func `Seven guesses compile`() async throws {
        let errors = try await Self.errors.value
        #expect(errors.filter { $0.line <= Self.snippets.goodLines } == [])
    }

    private static let errors = Task { try await snippets.compile() }

    private static let snippets = CompilerSnippets(
        good: """
            import Backlot
            import Logging
            import ServiceLifecycle
            struct Plot: Codable, Sendable { var id: Int, name: String }
            func good(_ router: Router, _ server: Server) {
                router.get("/hello") { request in "Hello" }
                router.get("/plots") { _ in [Plot(id: 1, name: "North")] }
                router.post("/plots") { request -> Response in
                    let plot = try await request.json(as: Plot.self)
                    return Response(status: .created, headers: [.location: "/plots/\\(plot.id)"])
                }
                router.get("/plots/{id}") { request async throws -> Plot? in
                    guard let id = request.parameters["id"] else { return nil }
                    return Plot(id: Int(id) ?? 0, name: id)
                }
                let api = router.group("/api", JSONErrors())
                api.get("/text") { request, session in .text(request.parameters["id"] ?? "") }
                router.group("/admin", { request, next in try await next(request) }) { admin in
                    admin.delete("/plots/{id}") { _ in Response(status: .noContent) }
                }
                router.use { request, next in
                    var response = try await next(request)
                    response.headers[.server] = "Backlot"
                    return response
                }
                let group = ServiceGroup(services: [server.service], logger: Logger(label: "x"))
                _ = group
            }
            """,
        opening: "(_ router: Router, _ server: Server, _ middleware: some Middleware) async throws {",
        [
            ("router.add(middleware: middleware) // bad", "'add(middleware:)' has been renamed to 'use(_:)'"),
            (#"router.ws("/chat") { inbound, outbound, context in } // bad"#, "write router.webSocket(path)"),
            (
                """
                router.get("/x/{id}") { request, context in
                    .text(context.parameters.get("id") ?? "") // bad
                }
                """, "write request.parameters"
            ),
            (
                """
                router.get("/x/{id}") { request in
                    .text(try request.parameters.require("id")) // bad
                }
                """, #"write try request.parameter("id", as: Int.self)"#
            ),
            (
                """
                router.get("/x") { request in
                    .text(request.uri.path) // bad
                }
                """, #"write request.path, request.query("name")"#
            ),
            (
                """
                router.post("/x") { request, context -> Response in
                    let plot = try await request.decode(as: Plot.self, context: context) // bad
                    return .text(plot.name)
                }
                """, "has been renamed to 'json(as:)'"
            ),
            (
                """
                router.post("/x") { request -> Response in
                    let plot = try await request.decode(Plot.self) // bad
                    return .text(plot.name)
                }
                """, "has been renamed to 'json(as:)'"
            ),
            (#"_ = try Cookie(name: "a", value: "b") // bad"#, "has been renamed to 'SetCookie'"),
            (
                #"_ = ServiceGroup(services: [server], logger: Logger(label: "x")) // bad"#,
                "write ServiceGroup(services: [server.service]"
            ),
        ]
    )

    @Test(arguments: [("/x/:id", "write {id} for a parameter, not :id"), ("x/{id}", "begin"), ("/x/*", "write {id}")])
    func `A path of others keeps the server from starting`(path: String, text: String) throws {
        let router = Router()
        router.get(path) { request, context in .text("") }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        #expect(error?.description.contains(text) == true, "\(String(describing: error))")
    }

    @Test func `A value per request needs no optional, and says what is missing`() async throws {
        enum User: RequestAttribute { typealias Value = String }
        let router = Router()
        let known = RequestValue(User.self) { request in
            guard let name = request.queryValue("as") else { throw StatusError(.unauthorized, "Please log in.") }
            return name
        }
        router.group("/garden", known) { garden in
            garden.get("/me") { request in .text(try request[User.self]) }
        }
        router.get("/me") { request in .text(try request[User.self]) }
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/garden/me?as=ann")).bodyText == "ann")
        let refused = await #expect(throws: StatusError.self) { try await handler(Request(.get, "/garden/me")) }
        #expect(refused?.status == .unauthorized)
        let missing = await #expect(throws: (any Error).self) { try await handler(Request(.get, "/me")) }
        #expect(missing.map { "\($0)" }?.hasPrefix("the request has no User: put the route in a group with a") == true)
    }

    @Test func `A group's middleware may be a closure`() async throws {
        let router = Router()
        router.group(
            "/x",
            { request, next in
                var response = try await next(request)
                response.headers[.server] = "x"
                return response
            }
        ) { group in group.get("/y") { _ in .text("y") } }
        let handler = router.handler()
        let response = try await handler(Request(.get, "/x/y"))
        #expect(response.bodyText == "y" && response.headers[.server] == "x")
    }
}
