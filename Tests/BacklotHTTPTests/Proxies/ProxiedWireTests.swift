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
            for wireCase in WireCase.all where wireCase.answers.last != "413" {
                let before = backend.requests.events.count
                let answers = try await answers(to: wireCase.wire, server, transport)
                let expected = wireCase.answers.map(Self.atBackend)
                #expect(answers == expected, "\(wireCase.title)")
                let arrived = backend.requests.events[before...].map { request in
                    "\(request.line.prefix { $0 != " " }) \(request.line.split(separator: " ")[1]) [\(request.body)]"
                }
                #expect(arrived == expected.filter { Int($0) == nil && !$0.hasPrefix("HEAD") }, "\(wireCase.title)")
            }
        }
    }

    private func answers(
        to wire: [UInt8],
        _ server: RunningServer,
        _ transport: TestTransport
    ) async throws -> [String] {
        let client = try await RawClient.connect(to: server.address, tls: transport.http1)
        // After a refusal the server may be gone before all is sent.
        try? await client.send(wire)
        await client.shutdownSending()
        var answers: [String] = []
        do {
            while true {
                let answer = try await client.receive()
                if answer.status != 100 {
                    answers.append(
                        answer.status == 200
                            ? spelled(answer.body) : answer.status == 502 ? answer.text : "\(answer.status)"
                    )
                }
            }
        } catch RawClientError.ended {
            await client.close()
        }
        return answers
    }

    /// What the backend sees of a request: its target is a path, whatever form it had.
    private static func atBackend(_ answer: String) -> String {
        guard let start = answer.lowercased().firstRange(of: "http://") ?? answer.firstRange(of: "https://") else {
            return answer
        }
        let rest = answer[start.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == " " } ?? rest.endIndex
        let path = rest[end...]
        return answer[..<start.lowerBound] + (path.hasPrefix("/") ? "" : "/") + path
    }
}
