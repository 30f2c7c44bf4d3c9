import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// Connections that are broken on purpose, byte for byte.
@Suite(.timeLimit(.minutes(5))) struct ConnectionFaultTests {
    /// Responds to `/…` with the fault of that name, and to any other path with the path.
    private struct Faulty: Handler {
        let suspends: Bool

        private func response(to request: Request) -> Response {
            guard let fault = ConnectionFault(rawValue: String(request.path.dropFirst())) else {
                return .text(request.path)
            }
            var response = Response.fault(fault)
            response.headers[.contentLanguage] = "en"
            return response
        }

        func respond(to request: Request) -> HandlerResult {
            guard suspends else { return .ready(response(to: request)) }
            return .pending {
                await Task.yield()
                return response(to: request)
            }
        }
    }

    /// The text that a client receives for a request, without the date, and the end of the connection.
    private static func exchange(_ wire: String, suspends: Bool) async throws -> (text: String, end: ConnectionEnd) {
        var result: (String, ConnectionEnd) = ("", .stillOpen)
        try await withTestClient(Faulty(suspends: suspends)) { client, _ in
            try await client.send(wire)
            let (bytes, end) = try await client.receiveToEnd()
            let lines = spelled(bytes).split(separator: "\r\n", omittingEmptySubsequences: false)
            result = (lines.filter { !$0.hasPrefix("Date: ") }.joined(separator: "\r\n"), end)
        }
        return result
    }

    @Test(arguments: [false, true])
    func `A reset sends no bytes`(_ suspends: Bool) async throws {
        #expect(try await Self.exchange(request("GET /CONNECTION_RESET_BY_PEER"), suspends: suspends) == ("", .reset))
    }

    @Test(arguments: [false, true])
    func `An empty response closes without bytes`(_ suspends: Bool) async throws {
        #expect(try await Self.exchange(request("GET /EMPTY_RESPONSE"), suspends: suspends) == ("", .closed))
    }

    private static let malformedChunk =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\nContent-Language: en\r\n\r\n"
        + "this is no chunk\r\n"

    @Test(arguments: [
        (false, "GET", "HTTP/1.1"), (true, "POST", "HTTP/1.1"), (false, "HEAD", "HTTP/1.1"), (true, "GET", "HTTP/1.0"),
    ])
    func `A malformed chunk follows the head`(_ suspends: Bool, _ method: String, _ version: String) async throws {
        let wire = request("\(method) /MALFORMED_RESPONSE_CHUNK", version: version)
        #expect(try await Self.exchange(wire, suspends: suspends) == (Self.malformedChunk, .closed))
    }

    @Test(arguments: [false, true])
    func `Random data differs each time and closes`(_ suspends: Bool) async throws {
        try await withTestServer(Faulty(suspends: suspends)) { server in
            var all: Set<[UInt8]> = []
            for _ in 0..<3 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /RANDOM_DATA_THEN_CLOSE"))
                let (bytes, end) = try await client.receiveToEnd()
                #expect(bytes.count == 64 && bytes[0] >= 0x80 && end == .closed)
                all.insert(bytes)
            }
            #expect(all.count == 3)
        }
    }

    @Test(
        arguments: [
            ("EMPTY_RESPONSE", 0), ("MALFORMED_RESPONSE_CHUNK", malformedChunk.utf8.count),
            ("RANDOM_DATA_THEN_CLOSE", 64),
        ],
        [false, true]
    )
    func `Responses before a fault arrive, and requests behind it are dropped`(
        _ fault: (name: String, length: Int),
        _ suspends: Bool
    ) async throws {
        let wire = request("GET /a") + request("GET /\(fault.name)") + request("GET /b")
        let result = try await Self.exchange(wire, suspends: suspends)
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n/a"
        #expect(result.text.hasPrefix(first) && result.end == .closed)
        // Random bytes may spell anything: they are counted.
        #expect(result.text.unicodeScalars.count == first.utf8.count + fault.length)
    }

    /// A body that nobody has read doesn't turn an orderly close into a reset.
    @Test func `A fault before the body has come closes without a reset`() async throws {
        try await withTestClient(Faulty(suspends: true)) { client, _ in
            try await client.send(request("POST /EMPTY_RESPONSE", "Content-Length: 100000", body: "abc"))
            try await client.send([UInt8](repeating: 97, count: 50_000))
            #expect(try await client.receiveToEnd() == ([], .closed))
        }
    }

    @Test(arguments: ConnectionFault.allCases)
    func `Over HTTP/2, a fault resets only its stream`(_ fault: ConnectionFault) async throws {
        for suspends in [false, true] {
            try await withHTTP2Client(Faulty(suspends: suspends)) { client, _ in
                try await client.send(.headers(1, Frame.get("/\(fault.rawValue)")))
                let reset = try await client.first { $0.stream == 1 && $0.kind != .windowUpdate && $0.kind != .headers }
                #expect(reset == .reset(1, ErrorCode.internalError.rawValue))
                let hadHead = await client.hasPending { $0.kind == .headers && $0.stream == 1 && !$0.endsStream }
                #expect(hadHead == (fault == .malformedChunk))
                #expect(try await client.exchange(3, Frame.get("/next")).text == "/next")
            }
        }
    }

    @Test(arguments: zip(ConnectionFault.allCases, [nil, nil, "a chunk has no size", "it begins with random bytes"]))
    func `In process, each fault is an error of its kind`(_ fault: ConnectionFault, _ text: String?) async throws {
        let server = InProcessServer(Faulty(suspends: true), logger: .init(label: "test"))
        for method in [HTTPRequest.Method.get, .head] {
            let request = try Request(method, "/\(fault.rawValue)")
            let error = await #expect(throws: ClientConnectionError.self) {
                _ = try await server.response(to: request, bodyLimit: 1000)
            }
            if let text, case .malformed(let reason) = error {
                #expect(reason.hasPrefix(text))
            } else {
                #expect(error == .cutShort(bodyBytes: nil) && text == nil)
            }
        }
    }
}
