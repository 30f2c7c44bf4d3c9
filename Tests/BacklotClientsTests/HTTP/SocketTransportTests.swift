import Backlot
import BacklotTesting
import TestSupport
import Testing

/// The client over TCP: what it sends, byte for byte, and what it takes.
@Suite(.timeLimit(.minutes(5))) struct SocketTransportTests {
    /// The requests that a server has received.
    private final class Received: Sendable {
        private let texts = Locked<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// The client's way to the server.
    enum Way: CaseIterable {
        case clearText, tls
    }

    private func exchange(
        _ way: Way,
        _ request: (HTTPURL) -> ClientRequest,
        limits: ClientLimits = ClientLimits(),
        continueWait: Duration = .seconds(60),
        _ script: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> ClientResponse {
        let authority = TestAuthority.shared
        let server = try RawServer(tls: way == .tls ? authority.issue() : nil, script)
        defer { server.stop() }
        let url = try HTTPURL("\(way == .tls ? "https" : "http")://\(server.address)/a?b")
        var transport = try SocketTransport(trusting: authority.trust)
        transport.continueWait = continueWait
        return try await transport.response(to: request(url), limits: limits)
    }

    @Test(arguments: Way.allCases)
    func `A GET is sent as it should be`(way: Way) async throws {
        let received = Received()
        let response = try await exchange(way, { ClientRequest(.get, $0, headers: [.accept: "x/y"]) }) { connection in
            received.add(connection.receiveHead())
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain; a=b\r\nContent-Length: 2\r\n\r\nok")
            // The client doesn't wait for the end.
            _ = connection.receive(upTo: 1)
        }
        let head = try #require(received.all.first)
        #expect(head.hasPrefix("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:"))
        #expect(head.hasSuffix("\r\nAccept: x/y\r\n\r\n"))
        #expect(response.status == .ok)
        #expect(response.mediaType == "text/plain")
        #expect(response.text == "ok")
        #expect(response.firstByte <= response.total)
        #expect(response.total > .zero)
    }

    @Test(arguments: Way.allCases)
    func `A body is sent with its length, also when it is empty`(way: Way) async throws {
        for (body, length) in [([UInt8]("hello".utf8), 5), ([], 0)] {
            let received = Received()
            _ = try await exchange(way, { ClientRequest(.post, $0, body: body) }) { connection in
                received.add(connection.receiveHead())
                received.add(String(decoding: connection.receive(exactly: length), as: UTF8.self))
                connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
            #expect(received.all[0].contains("\r\nContent-Length: \(length)\r\n"))
            #expect(received.all[1].utf8.count == length)
        }
    }

    @Test(arguments: Way.allCases)
    func `A body waits for 100 Continue`(way: Way) async throws {
        let received = Received()
        let body = [UInt8](repeating: 7, count: 300_000)
        let response = try await exchange(way, { ClientRequest(.put, $0, body: body, waitsForContinue: true) }) {
            connection in
            received.add(connection.receiveHead())
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            received.add("\(connection.receive(exactly: 300_000).count)")
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(received.all[0].hasSuffix("Content-Length: 300000\r\nExpect: 100-continue\r\n\r\n"))
        #expect(received.all[1] == "300000")
        #expect(response.status == .ok)
    }

    @Test(arguments: Way.allCases)
    func `A body that is refused is never sent`(way: Way) async throws {
        let received = Received()
        let response = try await exchange(way, { ClientRequest(.put, $0, body: [1, 2, 3], waitsForContinue: true) }) {
            connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno.")
            received.add("\(connection.receive(upTo: 10).count)")
        }
        #expect(response.status == .forbidden)
        #expect(response.text == "no.")
        while received.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(received.all == ["0"])
    }

    @Test(arguments: Way.allCases)
    func `A server that never heard of 100 Continue gets the body all the same`(way: Way) async throws {
        let request = { (url: HTTPURL) in ClientRequest(.put, url, body: [1, 2, 3], waitsForContinue: true) }
        let response = try await exchange(way, request, continueWait: .seconds(1)) { connection in
            _ = connection.receiveHead()
            let body = connection.receive(exactly: 3)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(body.count)")
        }
        #expect(response.text == "3")
    }

    @Test(arguments: Way.allCases)
    func `A response that comes before all of the body is sent is read`(way: Way) async throws {
        let body = [UInt8](repeating: 7, count: 20_000_000)
        let response = try await exchange(way, { ClientRequest(.put, $0, body: body) }) { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\n\r\nlarge")
            // The server reads at most this part of the body.
            _ = connection.receive(exactly: 100_000)
        }
        #expect(response.status == .contentTooLarge)
        #expect(response.text == "large")
    }

    @Test(arguments: Way.allCases)
    func `The body ends with the connection where nothing else says its end`(way: Way) async throws {
        let response = try await exchange(way, { ClientRequest(.get, $0) }) { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.0 200 OK\r\n\r\nall of it")
        }
        #expect(response.text == "all of it")
    }

    @Test func `Where nothing listens there is no connection`() async throws {
        let server = try RawServer { _ in }
        let url = try HTTPURL("http://\(server.address)/")
        server.stop()
        // The system takes the address back in its own time.
        var failure: ClientError?
        for _ in 0..<1000 where failure == nil {
            do throws(ClientError) {
                _ = try await SocketTransport().response(to: ClientRequest(.get, url), limits: ClientLimits())
            } catch {
                if case .notConnected = error { failure = error }
            }
        }
        #expect("\(try #require(failure))" == "there is no connection: connect \(server.address): Connection refused")
    }

    @Test func `A host without an address is told`() async throws {
        let url = try HTTPURL("http://no-such-host.invalid/")
        let failure = await #expect(throws: ClientError.self) {
            _ = try await SocketTransport().response(to: ClientRequest(.get, url), limits: ClientLimits())
        }
        guard case .unknownHost("no-such-host.invalid", _)? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }

    @Test func `Who is cancelled doesn't wait`() async throws {
        let reached = Received()
        let server = try RawServer { connection in
            reached.add(connection.receiveHead())
            _ = connection.receive(upTo: 1)
            reached.add("gone")
        }
        defer { server.stop() }
        let url = try HTTPURL("http://\(server.address)/")
        let task = Task { try await SocketTransport().response(to: ClientRequest(.get, url), limits: ClientLimits()) }
        while reached.all.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { _ = try await task.value }
        while reached.all.count < 2 { await Task.yield() }
    }
}
