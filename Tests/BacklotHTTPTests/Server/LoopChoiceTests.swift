import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Which event loop a connection gets.
@Suite(.timeLimit(.minutes(5))) struct LoopChoiceTests {
    private static let loops = 4

    /// The connections of each loop.
    private func counts(_ server: RunningServer) -> [Int] {
        server.loops.map { $0.connections.load(ordering: .relaxed) }
    }

    private func connect(_ count: Int, to server: RunningServer) async throws -> [RawClient] {
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request())
            #expect(try await client.receive().status == 200)
            clients.append(client)
        }
        return clients
    }

    private func withServer(_ body: (RunningServer) async throws -> Void) async throws {
        let handler = FunctionHandler { _ in .text("") }
        try await withTestServer(configure: { $0.eventLoops = Self.loops }, handler, body)
    }

    @Test func eachLoopGetsAsManyAsTheOthers() async throws {
        try await withServer { server in
            let clients = try await connect(10, to: server)
            #expect(counts(server) == [3, 3, 2, 2])
            for client in clients { await client.close() }
            let areClosed = try await eventually { counts(server) == [0, 0, 0, 0] }
            #expect(areClosed)
        }
    }

    /// New clients take the places of those that have gone.
    @Test func loopsThatLostTheirConnectionsGetTheNextOnes() async throws {
        try await withServer { server in
            var clients = try await connect(16, to: server)
            for index in stride(from: 12, through: 0, by: -4) { await clients.remove(at: index).close() }
            let haveLeft = try await eventually { counts(server) == [0, 4, 4, 4] }
            #expect(haveLeft, "\(counts(server))")
            clients += try await connect(4, to: server)
            #expect(counts(server) == [4, 4, 4, 4])
            clients += try await connect(4, to: server)
            #expect(counts(server) == [5, 5, 5, 5])
            for client in clients { await client.close() }
        }
    }
}
