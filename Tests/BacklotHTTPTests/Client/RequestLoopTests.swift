import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Many requests over kept connections.
@Suite(.timeLimit(.minutes(5))) struct RequestLoopTests {
    /// Sends requests, and gathers their results.
    private final class User: RequestLoopUser, @unchecked Sendable {
        let loop: RequestLoop
        private let count: Int
        private var results: [Int: Result<PooledResponse, ClientConnectionError>] = [:]
        private let (stream, continuation) = AsyncStream.makeStream(
            of: [Int: Result<PooledResponse, ClientConnectionError>].self
        )

        init(_ loop: RequestLoop, count: Int) { (self.loop, self.count) = (loop, count) }

        func run(
            _ method: HTTPRequest.Method,
            _ path: String,
            body: [UInt8] = []
        ) async -> [Int: Result<PooledResponse, ClientConnectionError>] {
            loop.start(self) {
                for token in 0..<self.count {
                    self.loop.send(
                        OutgoingRequest(
                            method: method,
                            target: path,
                            authority: "h",
                            headers: FieldList(),
                            body: .bytes(body)
                        ),
                        token: token
                    )
                }
            }
            for await results in stream { return results }
            return [:]
        }

        func responded(_ token: Int, _ result: Result<PooledResponse, ClientConnectionError>) {
            results[token] = result
            guard results.count == count else { return }
            continuation.yield(results)
            loop.stop()
        }

        func timeCame() {}
    }

    private func loop(_ address: SocketAddress, connections: Int) async throws -> RequestLoop {
        try await RequestLoop(
            name: "test",
            host: "127.0.0.1",
            port: address.port,
            over: nil,
            bounds: ClientBounds(head: 10_000, body: 100_000, idle: .seconds(20), total: .seconds(20)),
            mostConnections: connections
        )
    }

    @Test(arguments: [(1, 50), (5, 200)])
    func `Requests share connections`(connections: Int, count: Int) async throws {
        let open = Locked<Set<SocketAddress>>([])
        let results = try await withServer(
            FunctionHandler { request in
                open.withLock { _ = $0.insert(request.remoteAddress) }
                let body = try await request.body.collect()
                return Response(body: .bytes(body + Array(request.path.utf8)))
            }
        ) { address in
            await User(try await loop(address, connections: connections), count: count).run(
                .post,
                "/x",
                body: Array("ab".utf8)
            )
        }
        #expect(results.count == count)
        for result in results.values {
            #expect(try result.get().body == Array("ab/x".utf8))
            #expect(try result.get().status == .ok)
        }
        #expect((1...connections).contains(open.withLock { $0.count }))
    }

    @Test func `A server that ends each connection gets each request all the same`() async throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        let results = await User(try await loop(server.address, connections: 2), count: 20).run(.get, "/")
        #expect(results.count == 20)
        for result in results.values { #expect(try result.get().body == Array("hi".utf8)) }
    }

    /// The first address refuses the connections once all requests are under way; the second one, for multicast, fails at once.
    @Test(arguments: ["127.0.0.1", "224.0.0.1"])
    func `Requests under way together try the host's next address`(host: String) async throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        let loop = try await self.loop(server.address, connections: 5)
        loop.addresses = [try #require(SocketAddress(host: host, port: 1)), server.address]
        let results = await User(loop, count: 5).run(.get, "/")
        #expect(results.count == 5)
        for result in results.values { #expect(try result.get().body == Array("hi".utf8)) }
    }

    @Test func `Where nobody listens, each request fails`() async throws {
        let server = try RawServer { _ in }
        let address = server.address
        server.stop()
        let results = await User(try await loop(address, connections: 3), count: 10).run(.get, "/")
        #expect(results.count == 10)
        for result in results.values {
            guard case .failure(.notConnected) = result else {
                Issue.record("\(result)")
                continue
            }
        }
    }
}
