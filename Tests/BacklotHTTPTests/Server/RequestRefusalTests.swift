import TestSupport
import Testing

@testable import BacklotHTTP

/// Requests and connections that no handler sees, or that end with their bodies: they are counted by reason, and logged.
@Suite(.timeLimit(.minutes(5))) struct RequestRefusalTests {
    private static let long = String(repeating: "x", count: 5000)

    @Test(
        arguments: [
            ("NONSENSE\r\n\r\n", .malformed), ("GET /\(long) HTTP/1.1\r\nHost: h\r\n\r\n", .targetTooLong),
            ("GET / HTTP/1.1\r\nHost: h\r\nA: \(long)\r\n\r\n", .headTooLarge),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nmore than 10", .bodyTooLarge),
            ("GET / HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n", .expectation),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .notImplemented),
            ("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n", .notImplemented),
            ("GET / HTTP/3.0\r\nHost: h\r\n\r\n", .version),
            ("GET / HT", .timedOut), ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nsome", .timedOut),
        ] as [(String, RequestRefusal)]
    )
    func `A request that is refused is counted by its reason, and logged`(
        bytes: String,
        reason: RequestRefusal
    ) async throws {
        let log = Recorder<String>()
        let handler = FunctionHandler { .text("\(try await $0.body.collect().count)") }
        let configure: (inout ServerConfiguration) -> Void = {
            ($0.limits.requestLine, $0.limits.head, $0.limits.body) = (4000, 4000, 10)
            ($0.timeouts.head, $0.timeouts.body) = (.milliseconds(200), .milliseconds(200))
        }
        try await withTestServer(configure: configure, log: log, handler) { server in
            for count in 1...2 {
                let client = try await server.client(sending: bytes)
                #expect(try await client.receive(responseTo: "POST").status >= 400)
                await client.close()
                #expect(await server.statistics().refusals == [reason: count])
            }
        }
        // The second one within a minute is counted alone.
        let lines = log.events.filter { $0.hasPrefix("notice: refused") }
        #expect(
            lines.count == 1 && lines[0].contains("refused 1 request or connection, the last from 127.0.0.1: "),
            "\(lines)"
        )
    }

    @Test func `A connection without the header of its load balancer is counted`() async throws {
        let loopback = try AddressRange("127.0.0.1")
        try await withTestServer(
            configure: { $0.proxyProtocolSources = [loopback] },
            FunctionHandler { _ in .text("") }
        ) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request())
            _ = try? await client.receive()
            await client.close()
            #expect(await server.statistics().refusals == [.proxyHeader: 1])
        }
    }
}
