import Testing

@testable import Backlot

/// What web pages of other origins may read.
@Suite(.timeLimit(.minutes(5))) struct CORSTests {
    private static let origin = "https://app.example"

    private static func ask(
        _ cors: CORS,
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        _ fields: HTTPFields
    ) async throws -> Response {
        let router = Router()
        router.use(cors)
        router.get("/") { _ in
            var response = Response.text("fine")
            response.headers[.vary] = "Accept-Encoding"
            return response
        }
        router.get("/fails") { _ in throw UserError("No.") }
        let handler = router.handler()
        let request = try Request(method, path, headers: fields)
        return try await handler(request)
    }

    /// The fields that matter, one a line.
    private static func fields(_ response: Response) -> [String] {
        response.headers.filter { $0.name == .vary || $0.name.canonicalName.hasPrefix("access-control-") }
            .map { "\($0.name): \($0.value)" }.sorted()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cors: CORS
        let origin: String?
        let fields: [String]
    }

    @Test(arguments: [
        Case(
            testDescription: "any origin",
            cors: CORS(.any),
            origin: origin,
            fields: ["Access-Control-Allow-Origin: *", "Vary: Accept-Encoding"]
        ),
        Case(testDescription: "no origin", cors: CORS(.any), origin: nil, fields: ["Vary: Accept-Encoding"]),
        Case(
            testDescription: "any origin, with cookies",
            cors: CORS(.any, allowsCredentials: true),
            origin: origin,
            fields: [
                "Access-Control-Allow-Credentials: true", "Access-Control-Allow-Origin: https://app.example",
                "Vary: Accept-Encoding, Origin",
            ]
        ),
        Case(
            testDescription: "a named origin, as the browser writes it",
            cors: CORS(.named(["https://APP.example", "http://localhost:3000"]), exposedFields: [.eTag, .location]),
            origin: origin,
            fields: [
                "Access-Control-Allow-Origin: https://app.example", "Access-Control-Expose-Headers: ETag, Location",
                "Vary: Accept-Encoding, Origin",
            ]
        ),
        Case(
            testDescription: "another origin",
            cors: CORS(.named(["https://app.example"]), allowsCredentials: true),
            origin: "https://app.example.evil.example",
            fields: ["Vary: Accept-Encoding, Origin"]
        ),
        Case(
            testDescription: "another port",
            cors: CORS(.named(["https://app.example"])),
            origin: "https://app.example:8443",
            fields: ["Vary: Accept-Encoding, Origin"]
        ),
        Case(
            testDescription: "a file's origin",
            cors: CORS(.named(["https://app.example"])),
            origin: "null",
            fields: ["Vary: Accept-Encoding, Origin"]
        ),
        Case(
            testDescription: "named origins, none asked",
            cors: CORS(.named(["https://app.example"])),
            origin: nil,
            fields: ["Vary: Accept-Encoding, Origin"]
        ),
    ])
    func `A response has the fields for its origin`(_ test: Case) async throws {
        var headers: HTTPFields = [:]
        headers[.origin] = test.origin
        let response = try await Self.ask(test.cors, fields: headers)
        #expect(response.bodyText == "fine")
        #expect(Self.fields(response) == test.fields)
    }

    private static func ask(_ cors: CORS, fields: HTTPFields) async throws -> Response {
        try await ask(cors, .get, "/", fields)
    }

    private static let preflight: HTTPFields = [
        .origin: origin, .accessControlRequestMethod: "PUT",
        .accessControlRequestHeaders: "content-type,x-own",
    ]

    @Test func `A preflight gets the methods and fields that are allowed`() async throws {
        let cors = CORS(.named([Self.origin]), maxAge: .seconds(60), allowsCredentials: true)
        let response = try await Self.ask(cors, .options, "/", Self.preflight)
        #expect(response.status == .noContent && response.bodyText == "")
        #expect(
            Self.fields(response) == [
                "Access-Control-Allow-Credentials: true", "Access-Control-Allow-Headers: content-type,x-own",
                "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE",
                "Access-Control-Allow-Origin: https://app.example", "Access-Control-Max-Age: 60",
                "Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
            ]
        )
    }

    @Test func `A preflight for any origin succeeds at a path without a route`() async throws {
        let response = try await Self.ask(CORS(.any, methods: [.get]), .options, "/nowhere", Self.preflight)
        #expect(
            Self.fields(response) == [
                "Access-Control-Allow-Headers: content-type,x-own", "Access-Control-Allow-Methods: GET",
                "Access-Control-Allow-Origin: *", "Access-Control-Max-Age: 600",
                "Vary: Access-Control-Request-Method, Access-Control-Request-Headers",
            ]
        )
    }

    @Test func `A preflight of another origin gets none of the fields`() async throws {
        let response = try await Self.ask(CORS(.named(["https://other.example"])), .options, "/", Self.preflight)
        #expect(response.status == .noContent)
        #expect(
            Self.fields(response) == ["Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers"]
        )
    }

    @Test(arguments: [[.origin: origin], [.accessControlRequestMethod: "PUT"]] as [HTTPFields])
    func `OPTIONS that isn't a preflight is a 405`(fields: HTTPFields) async throws {
        if fields[.origin] == nil {
            await #expect(throws: StatusError.self) { try await Self.ask(CORS(.any), .options, "/", fields) }
        } else {
            let response = try await Self.ask(CORS(.any), .options, "/", fields)
            #expect(response.status == .methodNotAllowed)
        }
    }

    @Test func `Errors can be read too`() async throws {
        let response = try await Self.ask(CORS(.any), .get, "/fails", [.origin: Self.origin])
        #expect(response.status == .unprocessableContent && response.bodyText == "No.")
        #expect(Self.fields(response) == ["Access-Control-Allow-Origin: *"])
        await #expect(throws: UserError.self) { try await Self.ask(CORS(.any), .get, "/fails", [:]) }
    }
}
