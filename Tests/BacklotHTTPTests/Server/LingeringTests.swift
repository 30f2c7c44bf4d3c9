import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Connections after their last response: the time that clients have to read it, and the number of such clients.
@Suite(.timeLimit(.minutes(5))) struct LingeringTests {
    private static let refusing = FunctionHandler { _ in
        var response = Response.text("no", status: .contentTooLarge)
        response.headers[.connection] = "close"
        return response
    }

    // MARK: Connections

    /// A client that only keeps the connection open has `linger`. A client that continues to send has `lingerInAll`.
    @Test(arguments: [false, true], [false, true])
    func `A client that stays after a refusal is cut in time`(_ sendsOn: Bool, _ isHTTP2: Bool) async throws {
        func configure(_ configuration: inout ServerConfiguration) {
            configuration.timeouts.linger = sendsOn ? .seconds(60) : .milliseconds(50)
            configuration.timeouts.lingerInAll = sendsOn ? .milliseconds(50) : .seconds(60)
        }
        try await withTestClient(configure: configure, Self.refusing) { client, server in
            if isHTTP2 {
                // Frames on stream 0 that can only be an error: the connection ends with a GOAWAY.
                try await client.send(Frame.preface + Frame.settings().bytes() + Frame.data(0, [1]).bytes())
            } else {
                try await client.send(request("POST /", "Content-Length: 100000000"))
            }
            let end = try await client.receiveToEnd().end
            #expect(end == .closed, "the response is whole")
            if sendsOn {
                await #expect(throws: RawClientError.self) {
                    while true { try await client.send([UInt8](repeating: 0, count: 10_000)) }
                }
            }
            try await expectEventually { server.connectionCount == 0 }
            try await expectEventually { server.context.lingering.load(ordering: .relaxed) == 0 }
        }
    }

    /// Above the limit, the server cuts the oldest connections. Other clients get their responses.
    @Test func `The number of lingering connections is limited`() async throws {
        func configure(_ configuration: inout ServerConfiguration) {
            configuration.eventLoops = 1
            configuration.limits.lingering = 2
            configuration.timeouts.linger = .seconds(60)
        }
        try await withTestServer(configure: configure, Self.refusing) { server in
            var clients: [RawClient] = []
            for count in 1...4 {
                let client = try await RawClient.connect(to: server.address)
                #expect(try await client.response(to: request("POST /", "Content-Length: 100000000")).status == 413)
                #expect(try await client.receiveToEnd().end == .closed)
                try await expectEventually { server.connectionCount == min(count, 2) }
                clients.append(client)
            }
            for client in clients[..<2] {
                await #expect(throws: RawClientError.self) {
                    while true { try await client.send([UInt8](repeating: 0, count: 10_000)) }
                }
            }
            for client in clients[2...] {
                try await client.send([UInt8](repeating: 0, count: 1_000_000))
                await client.close()
            }
        }
    }
}
