import Logging
import TestSupport
import Testing

@testable import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private struct Plot: Codable, Equatable, Sendable {
    var id: Int
    var name: String?
}

private struct NewPlot: Codable, Sendable {
    enum Soil: String, Codable, CaseIterable { case sand, clay }

    var size: Double
    var tags: [String]
    var soil: Soil
    var isSunny: Bool
    var price: Decimal?
    var since: Date?
    var note: String?
}

@Suite(.timeLimit(.minutes(5))) struct JSONRouteTests {
    private static func router() -> Router {
        let router = Router()
        router.get("/plots") { _ in [Plot(id: 1, name: "North")] }
        router.get("/plots/{id}") { request async throws -> Plot? in
            try request.parameter("id", as: Int.self) == 1 ? Plot(id: 1) : nil
        }
        router.post("/plots", body: NewPlot.self, status: .created) { new, _ in
            JSONResponse(Plot(id: new.tags.count, name: new.note), headers: [.location: "/plots/\(new.tags.count)"])
        }
        router.put("/plots", body: NewPlot.self) { _, _ in JSONResponse(Plot(id: 2), status: .accepted) }
        router.get("/hello") { _ in "hello" }
        return router
    }

    private static func response(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "",
        _ router: Router = router()
    ) async throws -> (status: Int, type: String?, text: String, headers: HTTPFields) {
        let server = InProcessServer(router.handler(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let response = try await server.response(
            to: try Request(method, path, body: Array(body.utf8)),
            bodyLimit: 10_000
        )
        return (
            response.status.code, response.headers[.contentType], String(decoding: response.body, as: UTF8.self),
            response.headers
        )
    }

    private static let good = #"{"size":2,"tags":["a","b"],"soil":"clay","isSunny":true,"note":""}"#

    @Test(
        arguments: [
            (.get, "/plots", "", 200, "application/json", #"[{"id":1,"name":"North"}]"#),
            (.get, "/plots/1", "", 200, "application/json", #"{"id":1}"#),
            (.get, "/plots/2", "", 404, "text/plain; charset=utf-8", "nothing answers at /plots/2"),
            (.post, "/plots", good, 201, "application/json", #"{"id":2,"name":""}"#),
            (.put, "/plots", good, 202, "application/json", #"{"id":2}"#),
            (.get, "/hello", "", 200, "text/plain; charset=utf-8", "hello"),
        ] as [(HTTPRequest.Method, String, String, Int, String, String)]
    )
    func `A handler's value is the response`(
        method: HTTPRequest.Method,
        path: String,
        body: String,
        status: Int,
        type: String,
        text: String
    ) async throws {
        let response = try await Self.response(method, path, body)
        #expect(response.status == status && response.type == type && response.text == text, "\(response)")
        #expect(response.headers[.location] == (status == 201 ? "/plots/2" : nil))
    }

    @Test(arguments: [
        ("[]", "the body is an array: it must be an object"),
        ("{}", "the body's /size is missing: expected a number"),
        (#"{"size":"2"}"#, "the body's /size is a string: it must be a number"),
        (#"{"size":2,"tags":"a"}"#, "the body's /tags is a string: it must be a list"),
        (#"{"size":2,"tags":["a",1]}"#, "the body's /tags/1 is a number: it must be a text"),
        (#"{"size":2,"tags":[],"soil":"loam"}"#, "the body's /soil is a string: it must be one of sand, clay"),
        (
            #"{"size":2,"tags":[],"soil":"sand","isSunny":"true"}"#,
            "the body's /isSunny is a string: it must be true or false"
        ),
        (
            #"{"size":2,"tags":[],"soil":"sand","isSunny":true,"price":"1"}"#,
            "the body's /price is a string: it must be a number"
        ),
        (
            #"{"size":2,"tags":[],"soil":"sand","isSunny":true,"price":""}"#,
            "the body's /price is a string: it must be a number"
        ),
        (
            #"{"size":2,"tags":[],"soil":"sand","isSunny":true,"since":3}"#,
            "the body's /since is a number: it must be a date, such as 2026-12-31"
        ),
        (#"{"size":nul}"#, "the body is not JSON: invalid literal, at line 1, column 9 (byte 8)"),
    ])
    func `A wrong body is 400 with its place`(body: String, text: String) async throws {
        let response = try await Self.response(.post, "/plots", body)
        #expect(response.status == 400)
        if !body.contains("nul}") {
            #expect(response.text == text)
        } else {
            #expect(response.text.contains("not JSON"))
        }
    }

    @Test func `Keys with slashes and tildes are escaped in pointers`() async throws {
        struct Odd: Decodable, Sendable {
            enum CodingKeys: String, CodingKey { case key = "a/b~c" }
            var key: Int
        }
        let request = try Request(.post, "/", body: Array(#"{"a/b~c":true}"#.utf8))
        let error = await #expect(throws: JSONBodyError.self) { try await request.json(as: Odd.self) }
        #expect(error == JSONBodyError(pointer: "/a~1b~0c", problem: "is a boolean: it must be a whole number"))
    }

    @Test func `A decimal number keeps its digits`() async throws {
        let request = try Request(.post, "/", body: Array(#"{"price":0.1}"#.utf8))
        #expect(try await request.json(as: [String: Decimal].self)["price"] == Decimal(string: "0.1"))
    }

    // MARK: Problems

    private struct Unexpected: Error {}

    private static func problems() -> Router {
        let router = Router()
        router.group("/api", JSONErrors(), BearerAuthentication(realm: "Garden")) { api in
            api.post("/plots", body: NewPlot.self) { new, _ in new }
        }
        router.group("/open", JSONErrors()) { api in
            api.post("/plots", body: NewPlot.self) { new, _ in new }
            api.get("/taken") { _ -> Plot in
                throw ProblemDetails(
                    .conflict,
                    "Plot 7 has a gardener.",
                    type: "https://garden.example/taken",
                    title: "Taken",
                    members: ["plot": 7],
                    headers: [.retryAfter: "9"]
                )
            }
            api.get("/form") { _ -> Response in throw FormErrors(["name": "is taken", "age": "is low"]) }
            api.get("/broken") { _ -> Response in throw Unexpected() }
            api.get("/late") { _ async throws -> Plot in throw StatusError(.gone, "it is gone") }
        }
        return router
    }

    @Test(
        arguments: [
            (
                .get, "/open/taken", "", 409,
                #"{"type":"https://garden.example/taken","title":"Taken","status":409,"detail":"Plot 7 has a gardener.","plot":7}"#
            ),
            (.get, "/open/late", "", 410, #"{"title":"Gone","status":410,"detail":"it is gone"}"#),
            (
                .get, "/open/form", "", 422,
                ##"{"title":"Unprocessable Content","status":422,"detail":"Please correct the marked fields.\nis low\nis taken","errors":[{"pointer":"#/age","detail":"is low"},{"pointer":"#/name","detail":"is taken"}]}"##
            ),
            (
                .post, "/open/plots", "{}", 400,
                ##"{"title":"Bad Request","status":400,"detail":"the body's /size is missing: expected a number","errors":[{"pointer":"#/size","detail":"is missing: expected a number"}]}"##
            ),
            (
                .get, "/open/broken", "", 500,
                #"{"title":"Internal Server Error","status":500,"detail":"the log of the server says why"}"#
            ),
            (
                .post, "/api/plots", "{}", 401,
                #"{"title":"Unauthorized","status":401,"detail":"a token is needed here"}"#
            ),
        ] as [(HTTPRequest.Method, String, String, Int, String)]
    )
    func `Errors of a group are problem details`(
        method: HTTPRequest.Method,
        path: String,
        body: String,
        status: Int,
        text: String
    ) async throws {
        let response = try await Self.response(method, path, body, Self.problems())
        #expect(response.status == status && response.type == "application/problem+json")
        #expect(response.text == text)
        #expect(response.headers[.retryAfter] == (status == 409 ? "9" : nil))
        #expect(response.headers.contains(.wwwAuthenticate) == (status == 401))
    }

    @Test func `Middleware behind JSONErrors makes problem details of an error, too`() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let requestID = try #require(RequestID.fieldName)
        let router = Router()
        router.use(JSONErrors())
        router.group("/session", SessionMiddleware(path: "/session/", store: MemorySessionStore())) { app in
            app.get("/log-in") { request async throws -> Response in
                try await request.session.set(Counter.self, to: 1)
                throw StatusError(.forbidden, "no")
            }
        }
        router.with(CORS(.any)).get("/cors") { _ -> Response in throw StatusError(.forbidden, "no") }
        router.with(Telemetry(logger: logger)).get("/busy") { _ -> Response in
            throw StatusError(.serviceUnavailable, "no")
        }
        let server = InProcessServer(router.handler(), logger: logger)
        for (path, field) in [
            ("/session/log-in", .setCookie), ("/cors", .accessControlAllowOrigin), ("/busy", requestID),
        ] as [(String, HTTPField.Name)] {
            let request = try Request(.get, path, headers: [.origin: "https://app.example"])
            let response = try await server.response(to: request, bodyLimit: 1000)
            #expect(response.headers[.contentType] == "application/problem+json", "\(path)")
            #expect(String(decoding: response.body, as: UTF8.self).hasSuffix(#""detail":"no"}"#), "\(path)")
            #expect(response.headers.contains(field), "\(path)")
        }
    }

    @Test func `An unexpected error is logged once, with its cause`() async throws {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .text)
        for telemetry in [nil, Telemetry(logger: logger)] {
            let router = Router()
            if let telemetry { router.use(telemetry) }
            router.with(JSONErrors()).get("/broken") { _ -> Response in throw Unexpected() }
            let server = InProcessServer(router.handler(), logger: logger)
            let response = try await server.response(to: try Request(.get, "/broken"), bodyLimit: 1000)
            let id = try #require(RequestID.fieldName.flatMap { response.headers[$0] })
            #expect(id.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            #expect(response.headers[.contentType] == "application/problem+json")
        }
        let text = lines.text
        #expect(text.split(separator: "\n").count { $0.contains("Unexpected()") } == 2, "\(text)")
    }

    @Test func `Elsewhere a problem is a text`() async throws {
        let router = Router()
        router.get("/") { _ -> Response in throw ProblemDetails(.conflict, title: "Taken") }
        let response = try await Self.response(.get, "/", "", router)
        #expect(response.status == 409 && response.text == "Taken")
    }
}

extension BearerAuthentication {
    fileprivate init(realm: String) {
        enum User: RequestAttribute { typealias Value = String }
        self.init(User.self, realm: realm) { $0 == "good" ? "ann" : nil }
    }
}
