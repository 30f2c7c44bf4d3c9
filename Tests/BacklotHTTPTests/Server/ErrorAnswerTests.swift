import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ErrorAnswerTests {
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
    @Test func aStatusBelow200IsNoAnswer() async throws {
        try await withTestServer(Self.handler) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("GET /early") + request())
            let answer = try await client.receive()
            #expect(answer.status == 500)
            #expect(answer.text == "The server failed to answer: a handler's status must be 200 or above")
            #expect(try await client.receive().status == 200)
            await client.close()
        }
    }

    @Test(arguments: ["/refusal", "/later"])
    func anHTTPErrorIsAnsweredWithItsStatus(_ path: String) async throws {
        try await withTestServer(Self.handler) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("GET \(path)") + request())
            let answer = try await client.receive()
            #expect(answer.status == 405)
            #expect(answer[values: "Content-Type"] == ["text/plain; charset=utf-8"])
            #expect(answer[values: "Allow"] == ["GET"])
            #expect(answer["Retry-After"] == "3")
            #expect(answer.text == "only GET — ok?")
            #expect(answer["Connection"] == nil)
            #expect(try await client.receive().status == 200)
            await client.close()
        }
    }

    @Test func anHTTPErrorHasNoFieldsUnlessItSaysSo() async throws {
        try await withTestServer(Self.handler) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("GET /plain"))
            let answer = try await client.receive()
            #expect(answer.status == 409)
            #expect(answer.fields.map(\.name) == ["Date", "Content-Length", "Content-Type"])
            await client.close()
        }
    }

    @Test(arguments: [false, true], ["/unexpected", "/cancelled"])
    func anyOtherErrorIsA500(_ showsDetails: Bool, _ path: String) async throws {
        try await withTestServer(configure: { $0.showsErrorDetails = showsDetails }, Self.handler) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("GET \(path)") + request())
            let answer = try await client.receive()
            #expect(answer.status == 500)
            #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
            #expect(answer.text.hasPrefix("The server failed to answer: "))
            #expect(answer.text.contains("s3cret") == (showsDetails && path == "/unexpected"))
            #expect(answer.text.hasSuffix("the log of the server says why") == !showsDetails)
            #expect(try await client.receive().status == 200)
            await client.close()
        }
    }
}
