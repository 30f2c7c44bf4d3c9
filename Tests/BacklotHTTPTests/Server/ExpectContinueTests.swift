import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ExpectContinueTests {
    private static let handler = FunctionHandler { request in
        let body = request.body
        switch request.path {
        case "/refuse": return .text("no", status: .forbidden)
        case "/stream":
            return Response(body: .stream { writer in for try await piece in body { try await writer.write(piece) } })
        default: return .text(String(decoding: try await body.collect(), as: UTF8.self))
        }
    }

    private static func head(_ path: String, _ framing: String = "Content-Length: 5") -> String {
        request("POST \(path)", framing, "Expect: 100-continue")
    }

    @Test(arguments: [("Content-Length: 5", "hello"), ("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n")])
    func `A client gets a 100 when the handler reads`(_ framing: String, _ body: String) async throws {
        try await withTestClient(Self.handler) { client, _ in
            for _ in 0..<2 {
                let response = try await client.response(to: Self.head("/", framing))
                #expect(response.status == 100)
                #expect(response.fields == [])
                #expect(try await client.response(to: body).text == "hello")
            }
        }
    }

    /// A client that gets a final answer instead may send the body or not: only closing makes that clear.
    @Test func `A refusal before the body closes the connection`() async throws {
        try await withTestClient(Self.handler) { client, _ in
            let response = try await client.response(to: Self.head("/refuse"))
            #expect(response.status == 403)
            #expect(response["Connection"] == "close")
            try await client.send("hello" + request("GET /smuggled"))
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `A body that is sent without waiting needs no 100`() async throws {
        try await withTestClient(Self.handler) { client, _ in
            try await client.send(Self.head("/") + "hello" + Self.head("/", "Transfer-Encoding: chunked") + "0\r\n\r\n")
            #expect(try await client.receive(2).map(\.status) == [200, 200])
            // And none where there is no body.
            try await client.send(Self.head("/", "Content-Length: 0") + request("POST /", "Expect: 100-continue"))
            #expect(try await client.receive(2).map(\.status) == [200, 200])
        }
    }

    @Test func `The body of a response holds no 100`() async throws {
        try await withTestClient(Self.handler) { client, _ in
            #expect(try await client.response(to: Self.head("/stream")).status == 100)
            let response = try await client.response(to: "hello")
            #expect(response.status == 200)
            #expect(response.text == "hello")
        }
    }

    @Test func `HTTP/1.0 knows no expectations`() async throws {
        try await withTestClient(Self.handler) { client, _ in
            try await client.send(request("POST /", "Content-Length: 5", "Expect: 100-continue", version: "HTTP/1.0"))
            #expect(try await client.response(to: "hello").text == "hello")
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test func `Another expectation is a 417`() async throws {
        try await withTestClient(Self.handler) { client, _ async throws in
            #expect(try await client.response(to: request("GET /", "Expect: tea") + request()).status == 417)
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }
}
