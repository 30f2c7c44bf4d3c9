import TestSupport
import Testing

@testable import BacklotHTTP

@Suite struct ManyConnectionsTests {
    @Test func aThousandIdleConnectionsAreAllAnsweredAgain() async throws {
        try await withTestServer(configure: { $0.timeouts.head = 60_000 }, handler: { .text($0.path) }) { server in
            var clients: [RawClient] = []
            for number in 0..<1000 {
                let client = try await RawClient.connect(to: server.address)
                if number % 2 == 0 {
                    try await client.send(request("GET /first"))
                    #expect(try await client.receive().text == "/first")
                }
                clients.append(client)
            }
            let isOpen = try await eventually { server.connectionCount == 1000 }
            #expect(isOpen)
            let owned = Recorder<Bool>()
            await server.forEachConnection {
                owned.record($0.output.capacity > 0 || $0.partial != nil || $0.task != nil)
            }
            #expect(owned.events.count == 1000)
            #expect(!owned.events.contains(true), "an idle connection owns nothing")
            for client in clients { try await client.send(request("GET /again")) }
            for client in clients {
                #expect(try await client.receive().text == "/again")
                await client.close()
            }
        }
    }

    /// Connections beyond the limit wait in the system's queue until one closes.
    @Test func theLimitOfConnections() async throws {
        try await withTestServer(configure: { $0.limits.connections = 2 }, handler: { .text($0.path) }) { server in
            let first = try await RawClient.connect(to: server.address)
            let second = try await RawClient.connect(to: server.address)
            let third = try await RawClient.connect(to: server.address)
            for client in [first, second, third] { try await client.send(request("GET /a")) }
            for client in [first, second] { #expect(try await client.receive().text == "/a") }
            #expect(server.connectionCount == 2)
            async let answer = third.receive()
            // While two are open, they are served and no third is.
            for _ in 0..<10 {
                try await second.send(request("GET /b"))
                #expect(try await second.receive().text == "/b")
                #expect(server.connectionCount == 2)
            }
            await first.close()
            #expect(try await answer.text == "/a")
            await second.close()
            await third.close()
        }
    }

    @Test func manyClientsAtATime() async throws {
        try await withTestServer(handler: { .text($0.path + (try await $0.body.collect()).map(String.init).joined()) })
        {
            server in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        let client = try await RawClient.connect(to: server.address)
                        for round in 0..<10 {
                            try await client.send(request("POST /\(number)/\(round)", "Content-Length: 1", body: "A"))
                            let text = try await client.receive().text
                            #expect(text == "/\(number)/\(round)65")
                        }
                        await client.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
