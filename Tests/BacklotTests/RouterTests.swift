import FoundationEssentials
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct RouterTests {
    /// A router that answers each `METHOD path` with that text and the parameters.
    private func make(_ routes: String...) -> any Handler {
        let router = Router()
        for route in routes {
            let parts = route.split(separator: " ").map(String.init)
            router.on(HTTPRequest.Method(parts[0]) ?? .get)(parts[1]) { request in
                let values = ["id", "name", "rest"].compactMap { name in
                    request.parameters[name].map { "\(name)=\($0)" }
                }
                return .text(([route] + values).joined(separator: " "))
            }
        }
        return router.handler()
    }

    private func ask(_ handler: any Handler, _ method: HTTPRequest.Method, _ target: String) async throws -> String {
        try await handler(Request(method, target)).bodyText
    }

    @Test(arguments: [
        ("/", "GET /"),
        ("/users", "GET /users"),
        ("/users/", "GET /users/"),
        ("/users/me", "GET /users/me"),
        ("/users/7", "GET /users/{id} id=7"),
        ("/users/7?x=1", "GET /users/{id} id=7"),
        ("/users/me/edit", "GET /users/{id}/edit id=me"),
        ("/users/me/profile", "GET /users/me/profile"),
        ("/files/a", "GET /files/{rest...} rest=a"),
        ("/files/a/b/c", "GET /files/{rest...} rest=a/b/c"),
        ("/files/a/", "GET /files/{rest...} rest=a/"),
        ("/files/readme", "GET /files/readme"),
        ("/users/a%2Fb", "GET /users/{id} id=a/b"),
        ("/users/%252F", "GET /users/{id} id=%2F"),
        ("/%75sers/me", "GET /users/me"),
        ("http://localhost/users/me", "GET /users/me"),
    ])
    func `Finds the most literal route`(target: String, expected: String) async throws {
        let handler = make(
            "GET /",
            "GET /users",
            "GET /users/",
            "GET /users/me",
            "GET /users/{id}",
            "GET /users/{id}/edit",
            "GET /users/me/profile",
            "GET /files/{rest...}",
            "GET /files/readme"
        )
        #expect(try await ask(handler, .get, target) == expected)
    }

    @Test(arguments: ["/nope", "/users//edit", "/users/7/", "/files/", "//", "/Users"])
    func `Responds with 404 where no route is`(target: String) async throws {
        let handler = make("GET /users/{id}", "GET /users/{id}/edit", "GET /files/{rest...}")
        let error = await #expect(throws: StatusError.self) { try await handler(Request(.get, target)) }
        #expect(error?.status == .notFound)
    }

    @Test func `A path that isn't UTF-8 is 400`() async throws {
        let handler = make("GET /users/{id}")
        let error = await #expect(throws: StatusError.self) { try await handler(Request(.get, "/users/%FF")) }
        #expect(error?.status == .badRequest)
    }

    @Test func `Another method is 405 with Allow`() async throws {
        let handler = make("GET /a", "DELETE /a", "POST /b")
        let error = await #expect(throws: StatusError.self) { try await handler(Request(.post, "/a")) }
        #expect(error?.status == .methodNotAllowed)
        #expect(error?.headers[.allow] == "DELETE, GET, HEAD")
        #expect(error?.reason == "POST is not answered here; allowed: DELETE, GET, HEAD")
        let other = await #expect(throws: StatusError.self) { try await handler(Request(.get, "/b")) }
        #expect(other?.headers[.allow] == "POST")
    }

    @Test func `Methods are told apart by letter case`() async throws {
        let handler = make("GET /a")
        let method = try #require(HTTPRequest.Method("get"))
        let error = await #expect(throws: StatusError.self) { try await handler(Request(method, "/a")) }
        #expect(error?.status == .methodNotAllowed)
    }

    @Test func `HEAD is answered by GET unless it has a route`() async throws {
        let handler = make("GET /a", "GET /b", "HEAD /b")
        #expect(try await ask(handler, .head, "/a") == "GET /a")
        #expect(try await ask(handler, .head, "/b") == "HEAD /b")
    }

    @Test func `OPTIONS about the whole server is answered`() async throws {
        let handler = make("GET /a")
        let response = try await handler(Request(.options, "*"))
        #expect(response.status == .noContent)
    }

    @Test func `Two routes of one shape may name their parameters differently`() async throws {
        let handler = make("GET /{id}", "POST /{name}")
        #expect(try await ask(handler, .get, "/7") == "GET /{id} id=7")
        #expect(try await ask(handler, .post, "/7") == "POST /{name} name=7")
    }

    @Test func `Mistakes keep the server from starting, all at once`() throws {
        let router = Router()
        router.get("/a", file: "App/One.swift", line: 1) { _ in .text("") }
        router.get("/a", file: "App/Two.swift", line: 2) { _ in .text("") }
        router.get("/{x}", file: "App/Three.swift", line: 3) { _ in .text("") }
        router.get("/{y}", file: "App/Four.swift", line: 4) { _ in .text("") }
        router.get("b", file: "App/Five.swift", line: 5) { _ in .text("") }
        router.files("no such folder", file: "App/Six.swift", line: 6)
        let error = #expect(throws: StartupError.self) { try Server(router, port: 0).start() }
        #expect(
            error?.description == """
                can't start, because of 4 mistakes:
                  App/Two.swift:2: GET /a is taken by /a, registered at App/One.swift:1
                  App/Four.swift:4: GET /{y} is taken by /{x}, registered at App/Three.swift:3
                  App/Five.swift:5: the path 'b' is malformed: a path begins with /
                  App/Six.swift:6: the folder 'no such folder' doesn't exist, so no files can be served from it
                """
        )
    }

    @Test func `Ten thousand routes are found as one is`() async throws {
        let router = Router()
        for number in 0..<10_000 {
            router.get("/group\(number / 100)/{id}/item\(number)") { _ in .text("\(number)") }
        }
        let handler = router.handler()
        for number in stride(from: 0, to: 10_000, by: 997) {
            #expect(try await ask(handler, .get, "/group\(number / 100)/x/item\(number)") == "\(number)")
        }
    }

    // MARK: Typed parameters and JSON answers

    private func typed() -> any Handler {
        let router = Router()
        router.get("/items/{id}") { request in
            .text("\(try request.parameter("id", as: Int.self) + 1)")
        }
        router.get("/sizes/{size}") { request in .text("\(try request.parameter("size", as: Double.self) * 2)") }
        router.get("/names/{name}") { request in .text(try request.parameter("name")) }
        router.get("/wrong/{name}") { request in .text(try request.parameter("nmae")) }
        return router.handler()
    }

    @Test(arguments: [("/items/7", "8"), ("/items/-7", "-6"), ("/sizes/2.5", "5.0"), ("/names/a%20b", "a b")])
    func `A parameter is read as a type`(target: String, expected: String) async throws {
        #expect(try await ask(typed(), .get, target) == expected)
    }

    @Test(arguments: [
        ("/items/x7", #"the path's 'id' is "x7": write a whole number"#),
        ("/items/7.5", #"the path's 'id' is "7.5": write a whole number"#),
        ("/items/99999999999999999999", #"the path's 'id' is "99999999999999999999": write a whole number"#),
        ("/sizes/big", #"the path's 'size' is "big": write a number"#),
    ])
    func `A parameter of another type is 400, and named`(target: String, reason: String) async throws {
        let handler = typed()
        let error = try #require(
            await #expect(throws: StatusError.self) { _ = try await handler(Request(.get, target)) }
        )
        #expect(error.status == .badRequest)
        #expect(error.reason == reason)
    }

    @Test func `A parameter that the route hasn't is the program's mistake`() async throws {
        let handler = typed()
        let error = await #expect(throws: MissingParameter.self) { _ = try await handler(Request(.get, "/wrong/a")) }
        #expect(error?.description == "the route has no parameter 'nmae': write {nmae} into its path")
    }

    private struct User: Encodable {
        let name: String
        let born: Date
        let ratio: Double
        let site = "a/b"
    }

    @Test func `A value is answered as JSON`() throws {
        let user = User(name: "Ada \"é\"", born: Date(timeIntervalSince1970: 0), ratio: 0.5)
        let response = try Response.json(user, status: .created)
        #expect(response.status == .created)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.bodyText == #"{"born":"1970-01-01T00:00:00Z","name":"Ada \"é\"","ratio":0.5,"site":"a/b"}"#)
    }

    @Test func `A value that JSON can't hold is an error`() {
        #expect(throws: EncodingError.self) { try Response.json(Double.infinity) }
    }
}

extension Response {
    /// The body as text; nil for one that is streamed.
    var bodyText: String {
        switch body {
        case .empty: ""
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .file(let slice): (try? slice.read(slice.count, from: 0)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        case .stream: "(a stream)"
        case .fault(let fault): "(\(fault.rawValue))"
        }
    }
}
