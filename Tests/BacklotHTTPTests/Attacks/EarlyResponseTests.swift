import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Responses that come before a body with bytes that look like a request, and a request behind that body. The server drops the body
/// as a body, or ends the connection.
@Suite(.timeLimit(.minutes(5))) struct EarlyResponseTests {
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
    private static let next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n"

    struct Case: Sendable, CustomTestStringConvertible {
        let path: String
        let fields: [String]
        let body: String
        let status: Int
        /// Whether the request behind the body gets a response.
        let goesOn: Bool

        var testDescription: String { "\(path), \(fields.joined(separator: ", "))" }
    }

    private static func length(_ count: Int) -> String { "Content-Length: \(count)" }

    private static let large = String(repeating: smuggled, count: 40_000)
    private static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n0\r\n\r\n"
    }

    private static let cases: [Case] = [
        .init(path: "/401", fields: [length(smuggled.utf8.count)], body: smuggled, status: 401, goesOn: true),
        .init(path: "/401", fields: [length(large.utf8.count)], body: large, status: 401, goesOn: false),
        .init(
            path: "/401",
            fields: [length(900_000)],
            body: String(large.prefix(900_000)),
            status: 401,
            goesOn: false
        ),
        .init(
            path: "/401",
            fields: ["Transfer-Encoding: chunked"],
            body: chunk(smuggled),
            status: 401,
            goesOn: false
        ),
        .init(
            path: "/401",
            fields: ["Expect: 100-continue", length(smuggled.utf8.count)],
            body: smuggled,
            status: 401,
            goesOn: false
        ),
        .init(path: "/413", fields: [length(smuggled.utf8.count)], body: smuggled, status: 413, goesOn: true),
        .init(path: "/413", fields: ["Transfer-Encoding: chunked"], body: chunk(smuggled), status: 413, goesOn: false),
        .init(path: "/", fields: ["Transfer-Encoding: chunked"], body: chunk(large), status: 413, goesOn: false),
        .init(path: "/", fields: [length(9_223_372_036_854_775_807)], body: smuggled, status: 413, goesOn: false),
    ]

    private static func handler(_ seen: Recorder<String>) -> FunctionHandler {
        FunctionHandler { request in
            seen.record(request.path)
            switch request.path {
            case "/401": return .text("no", status: .unauthorized)
            case "/413":
                guard request.body.declaredLength ?? .max > 10 else { return Response() }
                return .text("too much", status: .contentTooLarge)
            default: return Response(body: .bytes(try await request.body.collect()))
            }
        }
    }

    /// The client sends all at once, or the head alone before the response.
    @Test(arguments: cases, [false, true])
    func `An early response in HTTP/1 makes no request of the body`(_ example: Case, _ waits: Bool) async throws {
        for transport in TestTransport.allCases {
            let seen = Recorder<String>()
            let configure: (inout ServerConfiguration) -> Void = { $0.timeouts.linger = .seconds(5) }
            try await withTestClient(over: transport, configure: configure, Self.handler(seen)) { client, _ in
                let head = request("POST \(example.path)", example.fields.joined(separator: "\r\n"))
                var status = 0
                if waits {
                    try await client.send(head)
                    // A handler that waits for the body hasn't responded yet.
                    if example.path != "/" { status = try await client.receive().status }
                    try? await client.send(example.body + Self.next)
                } else {
                    try? await client.send(head + example.body + Self.next)
                }
                await client.shutdownSending()
                if status == 0 { status = try await client.receive().status }
                #expect(status == example.status)
                // All of a body that has come with its head is dropped at no cost.
                var goesOn = example.goesOn
                if let response = try? await client.receive() {
                    #expect(response.status == 200)
                    #expect(seen.events.last == "/next")
                    if !waits { goesOn = true }
                    #expect(goesOn)
                } else {
                    #expect(!goesOn)
                }
                #expect(try await client.receiveToEnd() == ([], .closed))
                #expect(!seen.events.contains("/smuggled"))
            }
        }
    }

    /// In HTTP/2 the stream is reset without an error, the rest of its body is dropped, and other streams stay open.
    @Test(arguments: ["/401", "/413", "/"], TestTransport.allCases)
    func `An early response in HTTP/2 makes no request of the body`(
        _ path: String,
        _ transport: TestTransport
    ) async throws {
        let seen = Recorder<String>()
        let configure: (inout ServerConfiguration) -> Void = { $0.limits.body = 100 }
        try await withHTTP2Client(over: transport, configure: configure, Self.handler(seen)) { client, _ in
            let body = Array(Self.smuggled.utf8) + Frame.headers(5, Frame.get("/smuggled")).bytes()
            try await client.send(.headers(1, Frame.post(path), endStream: false))
            try await client.send((0..<4).map { _ in .data(1, body, endStream: false) })
            #expect(try await client.response().status == (path == "/401" ? 401 : 413))
            #expect(try await client.first(.reset) == .reset(1, 0))
            // More than the windows of the stream and of the connection would take.
            for _ in 0..<40 {
                try await client.send(.data(1, [UInt8](repeating: 0, count: 16_000), endStream: false))
                try await client.roundTrip()
            }
            try await client.send(.data(1, body))
            #expect(try await client.exchange(3, Frame.get("/next")).status == 200)
            #expect(seen.events == [path, "/next"])
        }
    }
}
