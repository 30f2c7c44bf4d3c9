import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Bodies and connections through a proxy.
@Suite(.timeLimit(.minutes(5))) struct ReverseProxyExchangeTests {
    /// A server that sends each piece of a body back as it comes.
    private static let echo = FunctionHandler { request in
        let body = request.body.limited(to: .max)
        return Response(
            headers: [.contentType: "a/b"],
            body: .stream { writer in
                for try await piece in body { try await writer.write(piece) }
            }
        )
    }

    /// How the proxy reaches its backend.
    enum Backend: CaseIterable {
        case http1, tls, http2, clearHTTP2

        var scheme: String { self == .tls || self == .http2 ? "https" : "http" }
        var versions: HTTPVersions {
            switch self {
            case .http1, .tls: .http1
            case .http2, .clearHTTP2: .http2
            }
        }
    }

    private static func withEcho(
        _ backend: Backend,
        observed: Recorder<ProxiedExchange> = Recorder(),
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let server = try startServer(
            configure: { if backend.scheme == "https" { $0.tls = TestTLS.configuration } },
            echo
        )
        try await withProxy(
            to: server.address,
            scheme: backend.scheme,
            versions: backend.versions,
            observed: observed,
            body
        )
        await server.shutdown()
    }

    @Test(arguments: Backend.allCases)
    func `Bodies of any size go both ways`(_ backend: Backend) async throws {
        try await Self.withEcho(backend) { server in
            let client = try await RawClient.connect(to: server.address)
            for size in [0, 1, 65_536, 3_000_000] {
                let body = String(repeating: "x", count: size)
                async let sent: Void = client.send(request("POST /\(size)", "Content-Length: \(size)", body: body))
                let response = try await client.receive()
                try await sent
                #expect(response.status == 200 && response["Content-Type"] == "a/b" && response.text == body)
            }
            await client.close()
        }
    }

    /// Counts those that are alive.
    private final class Witness: Sendable {
        private let count: Locked<Int>
        init(_ count: Locked<Int>) {
            self.count = count
            count.withLock { $0 += 1 }
        }
        deinit { count.withLock { $0 -= 1 } }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"])
    func `Nothing of an exchange is left when it is over`(_ head: String) async throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send(head)
            // The body comes when the head has gone on.
            _ = connection.receive(upTo: 5)
            connection.send("ok")
        }
        let alive = Locked(0)
        let proxy = ReverseProxy(origin: try #require(Origin("http://\(server.address)")))
        let handler = FunctionHandler { request in
            let witness = Witness(alive)
            return await proxy.respond(to: request) { _ in withExtendedLifetime(witness) {} }
        }
        try await withTestServer(handler) { proxied in
            let client = try await RawClient.connect(to: proxied.address)
            try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
            var received = ""
            while !received.contains("\r\n\r\n") { received += spelled(try await client.receivePiece()) }
            #expect(alive.withLock { $0 } == 1)
            try await client.send("hello")
            while !received.contains("ok") { received += spelled(try await client.receivePiece()) }
            #expect(try await eventually { alive.withLock { $0 } == 0 })
            await client.close()
        }
    }

    /// What a client says of its body, what the backend answers at once, and what an observer gets of the body.
    @Test(
        arguments: [
            ("Content-Length: 2000", String(repeating: "x", count: 2000), nil), ("Content-Length: 5", "hello", "hello"),
            ("Content-Length: 5\r\nExpect: 100-continue", "", ""),
            ("Content-Length: 0\r\nExpect: 100-continue", "", ""),
        ] as [(String, String, String?)]
    )
    func `Observers get bodies whole, or none`(_ field: String, _ body: String, _ observedBody: String?) async throws {
        let backend = try RecordingBackend()
        let refusing = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let isRefused = body.isEmpty && !field.hasPrefix("Content-Length: 0")
        let observed = Recorder<ProxiedExchange>()
        try await withProxy(to: isRefused ? refusing.address : backend.address, observed: observed) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            #expect(try await client.response(to: request("POST /", field, body: body)).status == 200)
        }
        let exchange = try #require(observed.events.first)
        #expect(exchange.requestBody.map { spelled($0) } == observedBody)
        // RFC 9110, section 10.1.1: nothing is expected of a server that gets no content.
        #expect(backend.requests.events.allSatisfy { !$0.fields.contains("Expect: 100-continue") })
    }

    /// Lengths that a backend says in answers without a body.
    @Test(arguments: [("-5", 502), ("+5", 502), ("5, 6", 502), ("5, 5", 200), ("5", 200)])
    func `A response to HEAD needs a valid length`(_ length: String, _ status: Int) async throws {
        let backend = try RecordingBackend { _ in "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" }
        try await withProxy(to: backend.address) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            let response = try await client.response(to: request("HEAD /"), method: "HEAD")
            #expect(response.status == status)
            if status == 200 { #expect(response["Content-Length"] == "5" && response["Transfer-Encoding"] == nil) }
            await client.close()
        }
    }

    @Test func `A 205 has no content`() async throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\n")
            _ = connection.receive(upTo: 1)
        }
        let observed = Recorder<ProxiedExchange>()
        try await withProxy(to: server.address, observed: observed) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            let response = try await client.response(to: request("POST /", "Content-Length: 0"))
            #expect(response.status == 205 && response.text == "")
            await client.close()
        }
        #expect(observed.events.map(\.failure) == [nil])
    }

    @Test(arguments: ["/../x", "/a/%2e%2E/x", "/./x", "/a/.."])
    func `Nothing leaves the base path`(_ target: String) async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address, path: "/v1") { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            #expect(try await client.response(to: request("GET \(target)")).status == 400)
            #expect(try await client.response(to: request("GET /..a/b?../c")).status == 200)
        }
        #expect(backend.requests.events.map(\.line) == ["GET /v1/..a/b?../c HTTP/1.1"])
    }

    @Test(arguments: Backend.allCases)
    func `A piece of a body goes on before the next one comes`(_ backend: Backend) async throws {
        let observed = Recorder<ProxiedExchange>()
        try await Self.withEcho(backend, observed: observed) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(request("POST /", "Transfer-Encoding: chunked"))
            var received = ""
            for piece in ["one", "two", "three"] {
                try await client.send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
                while !received.hasSuffix("\(piece)\r\n") {
                    received += String(decoding: try await client.receivePiece(), as: UTF8.self)
                }
            }
            try await client.send("0\r\n\r\n")
            while !received.hasSuffix("0\r\n\r\n") {
                received += String(decoding: try await client.receivePiece(), as: UTF8.self)
            }
            await client.close()
        }
        let exchange = try #require(observed.events.first)
        #expect(exchange.requestBody.map { spelled($0) } == "onetwothree")
        #expect(exchange.responseBody.map { spelled($0) } == "onetwothree")
        #expect(exchange.status == .ok && exchange.failure == nil && exchange.target == "/")
        #expect(exchange.requestHeaders[.transferEncoding] == "chunked")
        #expect(exchange.responseHeaders[.contentType] == "a/b" && observed.events.count == 1)
    }

    @Test func `A connection is used again`() async throws {
        let backend = try RecordingBackend()
        try await withProxy(
            to: backend.address,
            configure: { $0.eventLoops = 1 },
            { server in
                for _ in 0..<3 {
                    let client = try await RawClient.connect(to: server.address)
                    for index in 0..<3 {
                        try await client.send(request("POST /\(index)", "Content-Length: 1", body: "x"))
                        #expect(try await client.receive().text == "ok")
                    }
                    await client.close()
                }
            }
        )
        #expect(backend.requests.events.count == 9 && backend.connections.events.count == 1)
    }

    /// Answers after which a connection must not be used again, or may be.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 1),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", 1),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", 2),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 2),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 2),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", 2),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok\r\n", 2),
    ])
    func `A connection is closed on anything unexpected`(_ response: String, _ connections: Int) async throws {
        let backend = try RecordingBackend { _ in response }
        try await withProxy(
            to: backend.address,
            configure: { $0.eventLoops = 1 },
            { server in
                let client = try await RawClient.connect(to: server.address)
                for _ in 0..<2 {
                    #expect(try await client.response(to: request()).text == "ok")
                }
                await client.close()
            }
        )
        #expect(backend.connections.events.count == connections)
    }

    /// A backend that ends a connection when its second request comes.
    @Test(arguments: [
        ("GET /", "", [200, 200, 200]), ("PUT /", "body", [200, 200, 200]), ("POST /", "body", [200, 502, 200]),
    ])
    func `A request is sent again where that is safe`(
        _ line: String,
        _ body: String,
        _ expected: [Int]
    ) async throws {
        let flaky = try RawServer { connection in
            var count = 0
            while true {
                let head = connection.receiveHead()
                guard head.hasSuffix("\r\n\r\n") else { return }
                if head.contains("Content-Length: 4") { _ = connection.receive(exactly: 4) }
                count += 1
                guard count == 1, connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") else { return }
            }
        }
        try await withProxy(
            to: flaky.address,
            configure: { $0.eventLoops = 1 },
            { server in
                let client = try await RawClient.connect(to: server.address)
                var statuses: [Int] = []
                for _ in 0..<3 {
                    let length = body.isEmpty ? "A: b" : "Content-Length: \(body.utf8.count)"
                    try await client.send(request(line, length, body: body))
                    statuses.append(try await client.receive().status)
                }
                #expect(statuses == expected)
                await client.close()
            }
        )
    }

    @Test func `The client's body is asked for when the backend wants it`() async throws {
        let server = try RawServer { connection in
            let head = connection.receiveHead()
            guard head.contains("Expect: 100-continue") else { return }
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            let body = connection.receive(exactly: 4)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + spelled(body))
        }
        try await withProxy(to: server.address) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            try await client.send(request("POST /", "Content-Length: 4", "Expect: 100-continue"))
            #expect(try await client.receive().status == 100)
            #expect(try await client.response(to: "body").text == "body")
        }
    }

    @Test func `The client's body is not asked for when the backend refuses it`() async throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n")
            _ = connection.receive(upTo: 1)
        }
        try await withProxy(to: server.address) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            try await client.send(request("POST /", "Content-Length: 4", "Expect: 100-continue"))
            #expect(try await client.receive().status == 413)
        }
    }

    @Test func `A client that goes away ends the exchange with the backend`() async throws {
        let ended = Signal()
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
            while connection.send("1\r\na\r\n") {}
            ended.fire()
        }
        let observed = Recorder<ProxiedExchange>()
        try await withProxy(to: server.address, observed: observed) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            try await client.send(request())
            _ = try await client.receivePiece()
            await client.reset()
            await ended.wait()
        }
        try await expectEventually { observed.events.count == 1 }
        #expect(observed.events.first?.failure != nil && observed.events.first?.responseBody == nil)
    }

    @Test func `A client that cuts its body cuts the backend's`() async throws {
        let rest = Recorder<[UInt8]>()
        let ended = Signal()
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            rest.record(connection.receive(exactly: 1000))
            ended.fire()
        }
        try await withProxy(to: server.address) { proxy in
            let client = try await RawClient.connect(to: proxy.address)
            try await client.send(request("POST /", "Content-Length: 100", body: "abc"))
            await client.shutdownSending()
            #expect(try await client.receive().status == 400)
            await client.close()
            await ended.wait()
        }
        #expect(rest.events.map { spelled($0) } == ["abc"])
    }

    @Test func `Only small bodies are kept for observers`() async throws {
        let backend = try RecordingBackend { request in
            "HTTP/1.1 200 OK\r\nContent-Length: \(request.body.utf8.count)\r\n\r\n\(request.body)"
        }
        let observed = Recorder<ProxiedExchange>()
        try await withProxy(to: backend.address, observedBodyLimit: 1000, observed: observed) { server in
            let client = try await RawClient.connect(to: server.address)
            for size in [1000, 1001] {
                let body = String(repeating: "x", count: size)
                try await client.send(request("POST /", "Content-Length: \(size)", body: body))
                #expect(try await client.receive().body.count == size)
            }
            await client.close()
        }
        #expect(observed.events.map { $0.requestBody?.count } == [1000, nil])
        #expect(observed.events.map { $0.responseBody?.count } == [1000, nil])
    }

    @Test func `HTTP/2 clients are served too`() async throws {
        let backend = try RecordingBackend()
        try await withProxy(to: backend.address) { server async throws in
            #expect(try await HTTP2Request("/a?b", [("x", "1")]).status(at: server.address) == 200)
        }
        #expect(
            backend.requests.events == [
                .init(line: "GET /a?b HTTP/1.1", fields: ["Host: \(backend.address)", "x: 1"], body: "")
            ]
        )
    }
}
