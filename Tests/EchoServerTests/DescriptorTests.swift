import BacklotHTTP
import Foundation
import TestSupport
import Testing

/// A server that has run out of descriptors. It needs a separate process.
@Suite(.timeLimit(.minutes(5))) struct DescriptorTests {
    /// Clients that come when no descriptor is left wait while handlers are at work for the others.
    @Test func `It accepts again when descriptors come back`() async throws {
        try await withServer { address in
            var clients: [RawClient] = []
            for _ in 0..<40 {
                let client = try await RawClient.connect(to: address)
                try await client.send("GET /slow?ms=200 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                clients.append(client)
            }
            for client in clients {
                #expect(try await client.receive().text == "waited 200 ms\n")
                await client.close()
            }
        }
    }

    /// The longest-idle connections are closed for those that come.
    @Test func `Idle connections lock nobody out`() async throws {
        try await withServer { address in
            var clients: [RawClient] = []
            for _ in 0..<40 {
                let client = try await RawClient.connect(to: address)
                try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try await client.receive().text == "GET /\n")
                clients.append(client)
            }
            for client in clients { await client.close() }
        }
    }

    private func withServer(_ body: (SocketAddress) async throws -> Void) async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--log-level", "critical"], descriptors: 32)
        try await body(try #require(server.address()))
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }
}
