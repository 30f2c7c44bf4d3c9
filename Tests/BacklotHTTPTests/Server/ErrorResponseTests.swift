import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ErrorResponseTests {
    private struct Refusal: HTTPError {
        var status: HTTPResponse.Status { .methodNotAllowed }
        var reason: String { "only GET — ok?" }
        var headers: HTTPFields { [.allow: "GET", .retryAfter: "3"] }
    }

    private struct Plain: HTTPError {
        var status: HTTPResponse.Status { .conflict }
        var reason: String { "" }
    }

    private struct Unexpected: Error { var secret = "s3cret" }

    private static let handler = FunctionHandler { request in
        switch request.path {
        case "/refusal": throw Refusal()
        case "/plain": throw Plain()
        case "/unexpected": throw Unexpected()
        case "/cancelled": throw CancellationError()
        case "/early": return Response(status: .earlyHints)
        case "/later":
            await Task.yield()
            throw Refusal()
        default: return Response()
        }
    }

    /// A client would wait for ever after a status that only announces an answer (RFC 9110, section 15.2).
    @Test func `A handler's status below 200 is a 500`() async throws {
        try await withTestClient(Self.handler) { client, server in
            let response = try await client.response(to: request("GET /early") + request())
            #expect(response.status == 500)
            #expect(response.text == "The server failed to respond: a handler's status must be 200 or above")
            #expect(try await client.receive().status == 200)
        }
    }

    @Test(arguments: ["/refusal", "/later"])
    func `An HTTP error gives its status, fields and reason`(_ path: String) async throws {
        try await withTestClient(Self.handler) { client, _ in
            let response = try await client.response(to: request("GET \(path)") + request())
            #expect(response.status == 405)
            #expect(response[values: "Content-Type"] == ["text/plain; charset=utf-8"])
            #expect(response[values: "Allow"] == ["GET"])
            #expect(response["Retry-After"] == "3")
            #expect(response.text == "only GET — ok?")
            #expect(response["Connection"] == nil)
            #expect(try await client.receive().status == 200)
        }
    }

    @Test func `An HTTP error has no fields by default`() async throws {
        try await withTestClient(Self.handler) { client, _ in
            let response = try await client.response(to: request("GET /plain"))
            #expect(response.status == 409)
            #expect(response.fields.map(\.name) == ["Date", "Content-Length", "Content-Type"])
        }
    }

    @Test(arguments: [false, true], ["/unexpected", "/cancelled"])
    func `Any other error is a 500, with details only if they are on`(_ showsDetails: Bool, _ path: String) async throws
    {
        try await withTestClient(configure: { $0.showsErrorDetails = showsDetails }, Self.handler) { client, server in
            let response = try await client.response(to: request("GET \(path)") + request())
            #expect(response.status == 500)
            #expect(response["Content-Type"] == "text/plain; charset=utf-8")
            #expect(response.text.hasPrefix("The server failed to respond: "))
            #expect(response.text.contains("s3cret") == (showsDetails && path == "/unexpected"))
            #expect(response.text.hasSuffix("the log of the server says why") == !showsDetails)
            #expect(try await client.receive().status == 200)
        }
    }

    // MARK: ResponseHeader

    private static let endings = ["a\r\nX: b", "a\nb", "a\rb", "a\0b", "\r\n\r\n"]

    @Test(arguments: endings)
    func `A value that can't be sent is an error`(value: String) {
        var headers: HTTPFields = [.location: "/before"]
        #expect(throws: HeaderError.value(value, name: "Location")) { try headers.set(.location, to: value) }
        #expect(throws: HeaderError.value(value, name: "X-Name")) { try headers.set("X-Name", to: value) }
        #expect(throws: HeaderError.value(value, name: "Location")) { try Response.redirect(to: value) }
        #expect(headers == [.location: "/before"])
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "a\0", "é", "a\n"])
    func `A name that can't be sent is an error`(name: String) {
        var headers = HTTPFields()
        #expect(throws: HeaderError.name(name)) { try headers.set(name, to: "value") }
        #expect(headers.isEmpty)
    }

    @Test(arguments: [
        (
            HeaderError.name("a\r\nb"),
            "'a\\r\\nb' can't be the name of a header field: it takes letters, digits and !#$%&'*+-.^_`|~"
        ),
        (
            .value("/\0x", name: "Location"),
            "'/\\0x' can't be the value of Location: it takes no control characters and no blanks around it"
        ),
    ])
    func `The error says what is wrong on one line`(error: HeaderError, text: String) {
        #expect(error.description == text)
    }

    /// The library's own initialisers, which can't fail, put spaces there.
    @Test(arguments: endings)
    func `However a field is made, it stays on its line`(value: String) {
        var changed = HTTPField(name: .location, value: "/")
        changed.value = value
        let fields = [
            HTTPField(name: .location, value: value),
            HTTPField(name: .location, value: Array(value.utf8)),
            HTTPField(name: .location, lenientValue: Array(value.utf8)),
            changed,
        ]
        for field in fields {
            var output: [UInt8] = []
            let encoder = ResponseEncoder(isHead: false, isHTTP10: false, isPersistent: true, dateLine: [])
            encoder.write(Response(headers: HTTPFields([field])), into: &output)
            let lines = String(decoding: output, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.count == 3)
            #expect(!output.contains(0))
            #expect(output.count { $0 == 0x0A } == 4)
        }
    }

    @Test func `A redirect has a status and a location`() throws {
        let response = try Response.redirect(to: "/a?b=c%20d")
        #expect(response.status == .found)
        #expect(response.headers == [.location: "/a?b=c%20d"])
        #expect(try Response.redirect(to: "https://example.com/", status: .seeOther).status == .seeOther)
    }
}
