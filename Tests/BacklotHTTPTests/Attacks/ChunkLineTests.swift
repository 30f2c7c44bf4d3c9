import TestSupport
import Testing

@testable import BacklotHTTP

/// LF, CR and NUL at every offset of a chunked body with extensions: two readers could disagree on where a line ends, and so
/// on what is a request.
@Suite(.timeLimit(.minutes(5))) struct ChunkLineTests {
    struct Example: Sendable {
        let body: [UInt8]
        /// The content of the body; nil if the server refuses it.
        let content: String?
        /// The bytes between the body and the next request.
        var rest: ArraySlice<UInt8> = []

        /// An empty line before a request doesn't belong to it (RFC 9112, section 2.2).
        var statuses: [Int] {
            content == nil ? [400] : rest.isEmpty || rest == [0x0D, 0x0A] ? [200, 200] : [200, 400]
        }
        var isNextSeen: Bool { statuses == [200, 200] }
    }

    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

    static let examples: [Example] = {
        let body = bytes("5;a=b;c=\"d\"\r\nhello\r\n0;e=f\r\n\r\n")
        let data = 13..<18
        var examples: [Example] = []
        for intruder: [UInt8] in [[0x0A], [0x0D], [0x00], [0x0D, 0x0A], [0x0A, 0x0A]] {
            for index in body.indices {
                let longer = Array(body[..<index]) + intruder + body[index...]
                let isWhole = longer.starts(with: body)
                let rest = isWhole ? longer[body.count...] : []
                examples.append(Example(body: longer, content: isWhole ? "hello" : nil, rest: rest))
                guard intruder.count == 1, body[index] != intruder[0] else { continue }
                var replaced = body
                replaced[index] = intruder[0]
                let content = data.contains(index) ? spelled(replaced[data]) : nil
                examples.append(Example(body: replaced, content: content))
            }
        }
        return examples
    }()

    private static let head = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: TestTransport.allCases)
    func `No bytes behind an odd chunk line become a request`(_ transport: TestTransport) async throws {
        let seen = Recorder<String>()
        let handler = FunctionHandler { request in
            let body = try await request.body.collect()
            seen.record("\(request.path) \(spelled(body))")
            return Response()
        }
        try await withTestServer(over: transport, handler) { server in
            for example in Self.examples {
                let before = seen.events.count
                let statuses = try await statuses(of: example, server, transport)
                #expect(statuses == example.statuses, "\(spelled(example.body).debugDescription)")
                let expected = example.content.map { ["/a \($0)"] + (example.isNextSeen ? ["/smuggled "] : []) } ?? []
                #expect(seen.events[before...] == expected[...], "\(spelled(example.body).debugDescription)")
            }
        }
    }

    /// The backend gets the body in chunks that the proxy has written, or nothing.
    @Test(arguments: TestTransport.allCases)
    func `No odd chunk line reaches a backend`(_ transport: TestTransport) async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address, over: transport) { server in
            for example in Self.examples {
                let before = backend.requests.events.count
                _ = try await statuses(of: example, server, transport)
                let expected = example.content.map { [$0] + (example.isNextSeen ? [""] : []) } ?? []
                #expect(
                    backend.requests.events[before...].map(\.body) == expected,
                    "\(spelled(example.body).debugDescription)"
                )
            }
        }
    }

    private func statuses(
        of example: Example,
        _ server: RunningServer,
        _ transport: TestTransport
    ) async throws -> [Int] {
        let client = try await RawClient.connect(to: server.address, tls: transport.http1)
        try await client.send(bytes(Self.head) + example.body + bytes(Self.smuggled))
        await client.shutdownSending()
        var statuses: [Int] = []
        do {
            while true { statuses.append(try await client.receive().status) }
        } catch RawClientError.ended(let end, let rest) {
            #expect(end == .closed && rest.isEmpty)
        }
        await client.close()
        return statuses
    }
}
