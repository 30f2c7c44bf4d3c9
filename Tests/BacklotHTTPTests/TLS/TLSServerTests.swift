import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// A server that speaks TLS.
@Suite(.timeLimit(.minutes(5))) struct TLSServerTests {
    /// Says what it knows of the connection, and sends the body back.
    private static let echo = FunctionHandler { request in
        let facts =
            "\(request.tls?.version ?? "clear") \(request.scheme(trusting: [])) \(request.method) \(request.path)\n"
        let body = try await request.body.collect()
        return Response(body: .bytes(Array(facts.utf8) + body))
    }

    private static func withServer(
        log: Recorder<String>? = nil,
        configure: @escaping (inout ServerConfiguration) throws -> Void = { _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        try await withTestServer(
            configure: { configuration in
                configuration.tls = TestTLS.configuration
                configuration.limits.body = 8 * 1024 * 1024
                try? configure(&configuration)
            },
            log: log,
            echo,
            body
        )
    }

    @Test(arguments: [nil, ClientTLSSettings.Version.tls12])
    func `Requests and responses of any size pass`(_ version: ClientTLSSettings.Version?) async throws {
        try await Self.withServer { server in
            var settings = TestTLS.http1
            settings.newestVersion = version
            let client = try await RawClient.connect(to: server.address, tls: settings)
            let name = version == nil ? "TLSv1.3" : "TLSv1.2"
            let facts = await client.tls
            #expect(facts?.version == name && facts?.applicationProtocol == "http/1.1")
            for size in [0, 1, 16_384, 65_536, 70_000, 3_000_000] {
                let body = String(repeating: "x", count: size)
                async let sent: Void = client.send(request("POST /\(size)", "Content-Length: \(size)", body: body))
                let response = try await client.receive()
                try await sent
                #expect(response.status == 200)
                #expect(response.text == "\(name) https POST /\(size)\n\(body)")
            }
            // Several at once.
            try await client.send((0..<100).map { request("GET /\($0)") }.joined())
            #expect(try await client.receive(100).map(\.text) == (0..<100).map { "\(name) https GET /\($0)\n" })
            await client.shutdownSending()
            let (rest, end) = try await client.receiveToEnd()
            #expect(rest.isEmpty && end == .closed)
        }
    }

    @Test func `HTTP/2 is spoken over TLS`() async throws {
        try await Self.withServer { server in
            let client = try await HTTP2Client.connect(to: server.address, tls: TestTLS.http2)
            let facts = await client.raw.tls
            #expect(facts?.applicationProtocol == "h2")
            let response = try await client.exchange(1, Frame.get("/a"))
            #expect(response.text == "TLSv1.3 https GET /a\n")
            let body = [UInt8](repeating: 7, count: 40_000)
            try await client.send(.headers(3, Frame.post("/b"), endStream: false))
            for start in stride(from: 0, to: body.count, by: 10_000) {
                let piece = Array(body[start..<(start + 10_000)])
                try await client.send(.data(3, piece, endStream: start == 30_000))
            }
            #expect(try await client.response(on: 3).body == Array("TLSv1.3 https POST /b\n".utf8) + body)
        }
    }

    /// RFC 9113, section 3.2: over TLS, ALPN decides.
    @Test func `A preface without ALPN is a 505`() async throws {
        try await Self.withServer { server in
            let client = try await RawClient.connect(to: server.address, tls: TestTLS.http1)
            #expect(try await client.response(to: Frame.preface + Frame.settings().bytes()).status == 505)
        }
    }

    /// The server never chooses the ciphers that RFC 9113 forbids (section 9.2.2), even if the client prefers them.
    @Test(arguments: [
        (
            "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256",
            "ECDHE-ECDSA-AES128-GCM-SHA256"
        ),
        ("AES256-SHA:ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305"),
        ("ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA:AES128-SHA:AES128-GCM-SHA256", nil),
        ("ECDHE-ECDSA-AES256-CCM:ECDHE-ECDSA-ARIA128-GCM-SHA256", nil), ("aNULL:eNULL:@SECLEVEL=0", nil),
    ])
    func `HTTP/2 over TLS 1.2 uses no forbidden cipher`(_ offered: String, _ chosen: String?) async throws {
        let ciphers = Recorder<String?>()
        let handler = FunctionHandler { request in
            ciphers.record(request.tls?.cipher)
            return .text(request.tls?.version ?? "")
        }
        try await withTestServer(configure: { $0.tls = TestTLS.configuration }, handler) { server in
            var settings = TestTLS.http2
            (settings.newestVersion, settings.ciphers) = (.tls12, offered)
            if chosen == nil {
                await #expect(throws: RawClientError.self) {
                    _ = try await RawClient.connect(to: server.address, tls: settings)
                }
            } else {
                let client = try await HTTP2Client.connect(to: server.address, tls: settings)
                #expect(try await client.exchange(1, Frame.get("/")).text == "TLSv1.2")
            }
        }
        #expect(ciphers.events == (chosen == nil ? [] : [chosen]))
    }

    @Test func `A server without HTTP/2 offers HTTP/1.1`() async throws {
        try await Self.withServer(configure: { $0.http2 = .off }) { server in
            let settings = ClientTLSSettings(protocols: ["h2", "http/1.1"])
            let client = try await RawClient.connect(to: server.address, tls: settings)
            #expect(await client.tls?.applicationProtocol == "http/1.1")
        }
    }

    /// The part says that there is more to read, and then there isn't.
    @Test func `A part of a record doesn't hold up a response`() async throws {
        let (begun, goOn, end) = (Signal(), Signal(), Signal())
        let handler = FunctionHandler { request in
            guard request.path == "/slow" else { return .text("quick") }
            begun.fire()
            await goOn.wait()
            return Response(
                body: .stream { writer in
                    try await writer.write("a")
                    await end.wait()
                }
            )
        }
        try await withTestClient(over: .tls, configure: { $0.eventLoops = 1 }, handler) { client, server in
            #expect(try await client.response(to: request("GET /quick")).text == "quick")
            let head = request("POST /slow", "Content-Length: 1")
            // The head fills the buffer, and the beginning of a record comes in the same read.
            await server.forEachConnection { connection in
                connection.loop.buffers.giveBack(readBuffer: [UInt8](repeating: 0, count: head.utf8.count))
            }
            try await server.whileNothingIsAccepted {
                try await client.send(head)
                try await client.sendPastTLS([23, 3, 3])
            }
            await begun.wait()
            try await expectEventually {
                let isRead = Recorder<Bool>()
                await server.forEachConnection { isRead.record($0.tls?.hasUnread == false) }
                return isRead.events == [true]
            }
            goOn.fire()
            let piece = try await client.receivePiece()
            #expect(String(decoding: piece, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
            end.fire()
            await client.close()
        }
    }

    // MARK: Handshakes that fail

    private static let failures: [(settings: ClientTLSSettings, reason: String)] = [
        (
            ClientTLSSettings(newestVersion: .tls11, ciphers: "ALL:@SECLEVEL=0"),
            "the other side speaks no version of TLS that is spoken here (1.2 and 1.3)"
        ),
        (
            ClientTLSSettings(newestVersion: .tls12, ciphers: "AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA"),
            "the other side supports none of the ciphers used here (ECDHE with AES-GCM or ChaCha20)"
        ),
        (ClientTLSSettings(protocols: ["spdy/3"]), "the other side offers no protocol that is spoken here (ALPN)"),
    ]

    @Test(arguments: failures.indices) func `A failed handshake is logged once`(_ index: Int) async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log) { server in
            for _ in 0..<2 {
                await #expect(throws: RawClientError.self) {
                    _ = try await RawClient.connect(to: server.address, tls: Self.failures[index].settings)
                }
            }
        }
        let warnings = log.events.filter { $0.hasPrefix("warning") }
        #expect(
            warnings == ["warning: 1 TLS handshake failed, the last with 127.0.0.1: \(Self.failures[index].reason)"]
        )
    }

    /// A record longer than RFC 8446, section 5.2, allows; garbage after a first byte that could begin a handshake; and
    /// an end in the middle of one.
    @Test(arguments: [
        [22, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 70_000), [22, 3, 3, 0, 4, 9, 9, 9, 9], [22, 3],
        [22, 3, 1, 0, 0], [22],
    ])
    func `Garbage in a handshake ends the connection`(_ bytes: [UInt8]) async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log) { server in
            let client = try await RawClient.connect(to: server.address)
            try? await client.send(bytes)
            await client.shutdownSending()
            #expect(try await client.receiveToEnd().end != .stillOpen)
        }
        #expect(log.events.contains { $0.hasPrefix("warning: 1 TLS handshake failed") })
    }

    /// 1,000 clients that begin a handshake and never end it: others are served meanwhile, and all of them are closed
    /// in time.
    @Test func `Slow handshakes are closed in time, and others are served meanwhile`() async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log, configure: { $0.timeouts.handshake = .seconds(5) }) { server in
            var slow: [RawClient] = []
            for _ in 0..<1000 {
                let client = try await RawClient.connect(to: server.address)
                try await client.send([22, 3, 1])
                slow.append(client)
            }
            let client = try await RawClient.connect(to: server.address, tls: TestTLS.http1)
            #expect(try await client.response(to: request("GET /quick")).text.contains("/quick"))
            await client.close()
            #expect(try await eventually(within: .seconds(30)) { server.connectionCount == 0 })
        }
        #expect(log.events.count { $0.hasPrefix("warning") && $0.contains("TLS handshake") } == 1)
        #expect(log.events.contains { $0.hasSuffix("it took longer than 5.0 seconds") })
    }

    /// A load balancer's probe doesn't count as a failed handshake.
    @Test func `A connection without a byte isn't logged`() async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log) { server in
            let client = try await RawClient.connect(to: server.address)
            await client.shutdownSending()
            #expect(try await client.receiveToEnd().bytes.isEmpty)
        }
        #expect(!log.events.contains { $0.hasPrefix("warning") })
    }

    // MARK: Broken connections

    @Test func `A second negotiation ends the connection`() async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log) { server in
            var settings = TestTLS.http1
            settings.newestVersion = .tls12
            for _ in 0..<20 {
                let client = try await RawClient.connect(to: server.address, tls: settings)
                #expect(try await client.response(to: request("GET /before")).status == 200)
                await client.renegotiate()
                #expect(try await eventually { server.connectionCount == 0 })
                await client.close()
            }
        }
        #expect(log.events.count { $0.hasSuffix("broke: the other side tried to negotiate again") } == 20)
    }

    /// Without an end, they would keep a loop from everything else.
    @Test func `Too many changes of keys end the connection`() async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log) { server in
            let client = try await RawClient.connect(to: server.address, tls: TestTLS.http1)
            for round in 0..<64 {
                await client.changeKeys()
                guard round.isMultiple(of: 16) else { continue }
                #expect(try await client.response(to: request("GET /")).status == 200)
            }
            await client.changeKeys()
            #expect(try await eventually { server.connectionCount == 0 })
            await client.close()
        }
        #expect(log.events.contains { $0.hasSuffix("broke: the other side changed its keys more than 64 times") })
    }

    @Test(arguments: [
        [23, 3, 3, 0xFF, 0xFF, 0, 0, 0], [23, 3, 3, 0, 3, 1, 2, 3], Array("GET / HTTP/1.1\r\n\r\n".utf8),
    ])
    func `Garbage after the handshake ends the connection`(_ bytes: [UInt8]) async throws {
        let log = Recorder<String>()
        try await Self.withServer(log: log) { server in
            let client = try await RawClient.connect(to: server.address, tls: TestTLS.http1)
            try await client.sendPastTLS(bytes)
            #expect(try await eventually { server.connectionCount == 0 })
            await client.close()
        }
        #expect(log.events.contains { $0.hasPrefix("debug: the TLS connection of") })
    }

    @Test func `A connection that breaks in a request leaves nothing behind`() async throws {
        try await Self.withServer { server in
            for _ in 0..<2 {
                let client = try await RawClient.connect(to: server.address, tls: TestTLS.http1)
                try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nbegun")
                await client.reset()
            }
        }
    }

    // MARK: The end

    /// Sends one request after the other until the server ends the connection.
    ///
    /// - Returns: the kind of that end; nil if it cuts a response.
    private static func load(_ address: SocketAddress, _ statuses: Recorder<Int>) async -> ConnectionEnd? {
        do {
            let client = try await RawClient.connect(to: address, tls: TestTLS.http1)
            while true {
                let response = try await client.response(to: request("GET /"))
                statuses.record(response.status)
                guard response["Connection"] == "close" else { continue }
                let end = try await client.receiveToEnd().end
                await client.close()
                return end
            }
        } catch RawClientError.ended(let end, let rest) {
            return rest.isEmpty ? end : nil
        } catch {
            return nil
        }
    }

    /// Every connection ends with a response that says so, and with TLS's own end, also during a handshake.
    @Test func `A server that stops finishes its requests and handshakes`() async throws {
        try await ServerSlots.shared.run {
            let running = try startServer(
                configure: {
                    $0.tls = TestTLS.configuration
                    // Long enough for any machine: the clients close.
                    $0.timeouts.linger = .seconds(30)
                },
                Self.echo
            )
            let slow = try await RawClient.connect(to: running.address)
            try await slow.send([22, 3, 1])
            let statuses = (0..<8).map { _ in Recorder<Int>() }
            let ends = await withTaskGroup(of: ConnectionEnd?.self) { group in
                for statuses in statuses { group.addTask { await Self.load(running.address, statuses) } }
                // A client that connects later is refused.
                _ = try? await eventually(within: .seconds(60)) {
                    let counts = statuses.map(\.events.count)
                    return !counts.contains(0) && counts.reduce(0, +) >= 200
                }
                await running.shutdown()
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ends == Array(repeating: .closed, count: 8))
            let all = statuses.flatMap(\.events)
            #expect(all.count >= 200 && all.allSatisfy { $0 == 200 })
            #expect(running.connectionCount == 0)
        }
    }

    // MARK: Sessions

    @Test(arguments: [nil, ClientTLSSettings.Version.tls12], [true, false])
    func `A ticket makes the next handshake short`(
        _ version: ClientTLSSettings.Version?,
        _ hasTickets: Bool
    ) async throws {
        try await Self.withServer(configure: { $0.tls?.issuesSessionTickets = hasTickets }) { server in
            var settings = TestTLS.http1
            settings.newestVersion = version
            for round in 0..<3 {
                let client = try await RawClient.connect(to: server.address, tls: settings)
                #expect(try await client.response(to: request("GET /")).status == 200)
                #expect(await client.tls?.isResumed == (hasTickets && round > 0))
                settings.ticket = await client.ticket
                await client.shutdownSending()
                _ = try await client.receiveToEnd()
            }
        }
    }
}
