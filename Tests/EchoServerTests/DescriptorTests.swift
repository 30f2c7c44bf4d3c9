import Foundation
import TestSupport
import Testing

/// A server that has run out of descriptors, as only a process of its own can.
struct DescriptorTests {
    /// Clients that come when no descriptor is left wait, and are served as soon as others have gone.
    @Test func `It accepts again when descriptors come back`() async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--log-level", "critical"], descriptors: 32)
        let address = try #require(server.address())
        var clients: [RawClient] = []
        for _ in 0..<40 { clients.append(try await RawClient.connect(to: address)) }
        for client in clients { try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
        // The first ones are answered; for the last ones there is no descriptor.
        #expect(try await clients[0].receive().status == 200)
        for client in clients.dropLast(4) { await client.close() }
        for client in clients.suffix(4) {
            #expect(try await client.receive().text == "GET /\n")
            await client.close()
        }
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }
}
