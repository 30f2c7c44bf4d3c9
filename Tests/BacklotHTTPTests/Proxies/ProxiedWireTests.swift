import TestSupport
import Testing

@testable import BacklotHTTP

/// Nothing is smuggled through a proxy: every request of the wire cases reaches the backend once and whole, or not at all.
@Suite(.timeLimit(.minutes(5))) struct ProxiedWireTests {
    @Test(arguments: [TestTransport.clearText, .tls])
    func `Each request reaches the backend once and whole, or not at all`(_ transport: TestTransport) async throws {
        let backend = try RecordingBackend { request in
            let target = request.line.split(separator: " ")[1]
            let text = "\(request.line.prefix { $0 != " " }) \(target) [\(request.body)]"
            return "HTTP/1.1 200 OK\r\nContent-Length: \(bytes(text).count)\r\n\r\n\(text)"
        }
        try await withProxy(to: backend.address, over: transport) { server in
            for wireCase in WireCase.all where wireCase.responses.last != "413" {
                let before = backend.requests.events.count
                let responses = try await responses(to: wireCase.wire, server, transport)
                let expected = wireCase.responses.map(Self.atBackend)
                #expect(responses == expected, "\(wireCase.title)")
                let arrived = backend.requests.events[before...].map { request in
                    "\(request.line.prefix { $0 != " " }) \(request.line.split(separator: " ")[1]) [\(request.body)]"
                }
                #expect(arrived == expected.filter { Int($0) == nil && !$0.hasPrefix("HEAD") }, "\(wireCase.title)")
            }
        }
    }

    private func responses(
        to wire: [UInt8],
        _ server: RunningServer,
        _ transport: TestTransport
    ) async throws -> [String] {
        let client = try await RawClient.connect(to: server.address, tls: transport.http1)
        // After a refusal the server may be gone before all is sent.
        try? await client.send(wire)
        await client.shutdownSending()
        var responses: [String] = []
        do {
            while true {
                let response = try await client.receive()
                if response.status != 100 {
                    responses.append(
                        response.status == 200
                            ? spelled(response.body) : response.status == 502 ? response.text : "\(response.status)"
                    )
                }
            }
        } catch RawClientError.ended {
            await client.close()
        }
        return responses
    }

    /// What the backend sees of a request: its target is a path, whatever form it had.
    private static func atBackend(_ response: String) -> String {
        guard let start = response.lowercased().firstRange(of: "http://") ?? response.firstRange(of: "https://") else {
            return response
        }
        let rest = response[start.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == " " } ?? rest.endIndex
        let path = rest[end...]
        return response[..<start.lowerBound] + (path.hasPrefix("/") ? "" : "/") + path
    }
}
