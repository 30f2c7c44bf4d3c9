import BacklotHTTP
import Foundation
import TestSupport
import Testing

/// The ends of the program.
@Suite(.timeLimit(.minutes(5))) struct SignalTests {
    /// One SIGINT waits for what is in flight; a second one, from a person who won't wait, ends the process at once.
    @Test func `A second SIGINT ends it at once`() async throws {
        let server = try ServerProcess("echo-server", ["--port", "0", "--log-level", "info"])
        let address = try #require(server.address())
        let client = try await RawClient.connect(to: address)
        try await client.send("GET /slow?ms=60000 HTTP/1.1\r\nHost: h\r\n\r\n")
        let probe = try await RawClient.connect(to: address)
        try await probe.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await probe.receive().status == 200)
        server.signal(SIGINT)
        // Told to be the last: the server is stopping.
        while true {
            try await probe.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            if try await probe.receive()["Connection"] == "close" { break }
        }
        server.signal(SIGINT)
        #expect(server.outcome().status == -SIGINT)
    }

    /// Connections that are in use all get an answer to what they have sent, however the clients go about it.
    @Test(arguments: [1, 8]) func `No request is lost when it stops`(pipelined: Int) async throws {
        let server = try ServerProcess("echo-server", ["--port", "0"])
        let address = try #require(server.address())
        let process = server.identifier
        let isStopped = Locked(false)
        var clients: [RawClient] = []
        // Before any of them stops the server: it would refuse the others.
        for _ in 0..<8 {
            let client = try await RawClient.connect(to: address)
            _ = try await client.response(to: "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            clients.append(client)
        }
        let responses = try await withThrowingTaskGroup { group in
            for client in clients {
                group.addTask {
                    var count = 0
                    while true {
                        try await client.send(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: pipelined))
                        let received = try await client.receive(pipelined)
                        count += received.count
                        // Stopped by the first client that is well under way; a second signal would end it at once.
                        if count >= 200 * pipelined {
                            isStopped.withLock { isStopped in
                                if !isStopped { kill(process, SIGTERM) }
                                isStopped = true
                            }
                        }
                        if received.last?["Connection"] == "close" { return count }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(responses.count == 8)
        #expect(responses.allSatisfy { $0 % pipelined == 0 })
        #expect(server.outcome().status == 0)
    }
}
