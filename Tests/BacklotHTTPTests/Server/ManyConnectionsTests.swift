import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ManyConnectionsTests {
    @Test func `A thousand idle connections all get responses again`() async throws {
        try await withTestServer(configure: { $0.timeouts.head = .seconds(60) }, handler: { .text($0.path) }) {
            server in
            var clients: [RawClient] = []
            for number in 0..<1000 {
                let client = try await RawClient.connect(to: server.address)
                if number % 2 == 0 {
                    #expect(try await client.response(to: request("GET /first")).text == "/first")
                }
                clients.append(client)
            }
            try await expectEventually { server.connectionCount == 1000 }
            let owned = Recorder<Bool>()
            await server.forEachConnection {
                owned.record($0.output != nil || $0.partial != nil || $0.activity != nil)
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

    /// Connections beyond the limit wait in the system's queue as long as handlers are at work on all others.
    @Test func `Connections beyond the limit wait in the system's queue`() async throws {
        let goOn = Signal()
        let begun = Recorder<String>()
        let handler = FunctionHandler { request in
            begun.record(request.path)
            await goOn.wait()
            return .text(request.path)
        }
        try await withTestServer(configure: { $0.limits.connections = 2 }, handler) { server in
            var clients: [RawClient] = []
            for number in 0..<3 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(request("GET /\(number)"))
                if number < 2 { #expect(try await eventually { begun.events.count == number + 1 }) }
                clients.append(client)
            }
            // Long enough for the listener to have tried again.
            try await Task.sleep(for: .milliseconds(120))
            #expect(server.connectionCount == 2)
            #expect(begun.events == ["/0", "/1"])
            goOn.fire()
            for (number, client) in clients.enumerated() {
                #expect(try await client.receive().text == "/\(number)")
                await client.close()
            }
        }
    }

    @Test func `Many clients at a time get their own responses`() async throws {
        try await withTestServer(handler: { .text($0.path + (try await $0.body.collect()).map(String.init).joined()) })
        {
            server in
            try await withThrowingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        let client = try await RawClient.connect(to: server.address)
                        for round in 0..<10 {
                            try await client.send(request("POST /\(number)/\(round)", "Content-Length: 1", body: "A"))
                            #expect(try await client.receive().text == "/\(number)/\(round)65")
                        }
                        await client.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    // MARK: LoopChoice

    private static let loops = 4

    /// The connections of each loop.
    private func counts(_ server: RunningServer) -> [Int] {
        server.loops.map { $0.connections.load(ordering: .relaxed) }
    }

    private func connect(_ count: Int, to server: RunningServer) async throws -> [RawClient] {
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = try await RawClient.connect(to: server.address)
            #expect(try await client.response(to: request()).status == 200)
            clients.append(client)
        }
        return clients
    }

    private func withServer(_ body: (RunningServer) async throws -> Void) async throws {
        let handler = FunctionHandler { _ in .text("") }
        try await withTestServer(configure: { $0.eventLoops = Self.loops }, handler, body)
    }

    @Test func `Each loop gets as many connections as the others`() async throws {
        try await withServer { server in
            let clients = try await connect(10, to: server)
            #expect(counts(server) == [3, 3, 2, 2])
            for client in clients { await client.close() }
            try await expectEventually { counts(server) == [0, 0, 0, 0] }
        }
    }

    @Test func `Loops that lost their connections get the next ones`() async throws {
        try await withServer { server in
            var clients = try await connect(16, to: server)
            for index in stride(from: 12, through: 0, by: -4) { await clients.remove(at: index).close() }
            try await expectEventually("\(counts(server))") { counts(server) == [0, 4, 4, 4] }
            clients += try await connect(4, to: server)
            #expect(counts(server) == [4, 4, 4, 4])
            clients += try await connect(4, to: server)
            #expect(counts(server) == [5, 5, 5, 5])
            for client in clients { await client.close() }
        }
    }
}
