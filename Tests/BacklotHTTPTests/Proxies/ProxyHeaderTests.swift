import TestSupport
import Testing

@testable import BacklotHTTP

/// The PROXY protocol, from load balancers that are trusted to speak it.
@Suite(.timeLimit(.minutes(5))) struct ProxyHeaderTests {
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
    private static let v4: [UInt8] = [192, 0, 2, 7, 127, 0, 0, 1, 0x12, 0x67, 0, 80]
    private static let v6: [UInt8] =
        [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] + [UInt8](repeating: 0, count: 15) + [
            1, 0x12, 0x67, 0, 80,
        ]

    private static func binary(_ command: UInt8, _ family: UInt8, _ payload: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    }

    private static func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }

    private static let accepted: [([UInt8], String?)] = [
        (line("PROXY TCP4 192.0.2.7 127.0.0.1 4711 80"), "192.0.2.7:4711"),
        (line("PROXY TCP6 2001:db8::1 ::1 4711 80"), "[2001:db8::1]:4711"), (line("PROXY UNKNOWN"), nil),
        (line("PROXY UNKNOWN ffff::1 ffff::2 1 2"), nil), (binary(0x21, 0x11, v4), "192.0.2.7:4711"),
        (binary(0x21, 0x21, v6), "[2001:db8::1]:4711"), (binary(0x21, 0x11, v4 + [3, 0, 1, 65]), "192.0.2.7:4711"),
        (binary(0x20, 0x00, []), nil), (binary(0x20, 0x11, v4), nil),
        (binary(0x21, 0x31, [UInt8](repeating: 0, count: 216)), nil),
        (
            binary(0x21, 0x21, [UInt8](repeating: 0, count: 10) + [255, 255, 192, 0, 2, 7] + v6.suffix(20)),
            "192.0.2.7:4711"
        ),
        (line("PROXY TCP6 ::ffff:192.0.2.7 ::1 4711 80"), "192.0.2.7:4711"),
    ]

    /// Wherever the bytes end, they are incomplete until the header is whole; what follows it is not touched.
    @Test(arguments: accepted.indices) func `A header is complete exactly at its end`(_ index: Int) {
        let (bytes, client) = Self.accepted[index]
        let address = client.flatMap { text in
            text.lastIndex(of: ":").flatMap { colon in
                SocketAddress(host: String(text[..<colon]), port: UInt16(text[text.index(after: colon)...]) ?? 0)
            }
        }
        let followed = bytes + Array("GET / HTTP/1.1\r\n".utf8)
        #expect(ProxyHeader.read(followed.span) == .complete(length: bytes.count, client: address))
        for end in 1..<bytes.count {
            #expect(ProxyHeader.read(bytes.span.extracting(..<end)) == .incomplete, "cut at \(end)")
        }
    }

    private static let refused: [[UInt8]] = [
        line("GET / HTTP/1.1"), line("PROXY TCP4 192.0.2.7 127.0.0.1 4711"), line("PROXY TCP4 ::1 ::1 1 2"),
        line("PROXY TCP4 192.0.2.7 127.0.0.1 65536 80"), line("PROXY TCP4 192.0.2.7 127.0.0.1 +1 80"),
        line("PROXY TCP4  192.0.2.7 127.0.0.1 1 80"), line("PROXY UDP4 192.0.2.7 127.0.0.1 1 80"),
        line("PROXY TCP4 localhost 127.0.0.1 1 80"), line("PROXY TCP6 [::1] ::1 1 80"),
        Array("PROXY TCP4 192.0.2.7 127.0.0.1 1 80\n".utf8), line("PROXY " + String(repeating: "x", count: 200)),
        binary(0x11, 0x11, v4), binary(0x22, 0x11, v4), binary(0x21, 0x11, [1, 2, 3]), binary(0x21, 0x21, v4),
        signature + [0x21, 0x11, 0xFF, 0xFF],
    ]

    @Test(arguments: refused.indices) func `Other bytes are malformed`(_ index: Int) {
        let bytes = Self.refused[index]
        let progress = ProxyHeader.read(bytes.span)
        guard case .malformed = progress else {
            Issue.record("\(progress)")
            return
        }
    }

    /// PP2_TYPE_SSL (section 2.2.6), as HAProxy 2.6.12 (`send-proxy-v2-ssl`) and Hitch 1.7.2 (`proxy-tlv`) send it: a bit for TLS, the
    /// result of the check of the client's certificate, and values about the connection.
    @Test(
        arguments: [
            ([0x20, 0, 5, 1, 0, 0, 0, 0], true), ([0x20, 0, 5, 0, 0, 0, 0, 0], false),
            ([0x20, 0, 5, 7, 0, 0, 0, 1], true),
            ([1, 0, 2, 104, 50, 0x20, 0, 15, 1, 0, 0, 0, 0, 0x21, 0, 7, 84, 76, 83, 118, 49, 46, 51], true),
            ([4, 0, 3, 0x20, 0, 5], false), ([0x20, 0, 1, 1], false), ([0x20, 0, 9, 1, 0], false), ([0x20, 0], false),
            ([], false),
        ] as [([UInt8], Bool)]
    )
    func `A header says whether the client speaks TLS`(_ values: [UInt8], isEncrypted: Bool) {
        for (family, addresses, text) in [(UInt8(0x11), Self.v4, "192.0.2.7"), (0x21, Self.v6, "2001:db8::1")] {
            let bytes = Self.binary(0x21, family, addresses + values)
            let client = SocketAddress(host: text, port: 4711)
            #expect(
                ProxyHeader.read(bytes.span) == .complete(length: bytes.count, client: client, isEncrypted: isEncrypted)
            )
        }
    }

    // MARK: Over a socket

    private static let handler = FunctionHandler { request in .text("\(request.remoteAddress)") }

    /// The sender is the socket's peer. The client is who the header names, whatever the fields say and wherever its address lies.
    @Test(arguments: [
        (true, ["X-Forwarded-Proto: https"], "192.0.2.7 https"), (true, ["X-Forwarded-Proto: wss"], "192.0.2.7 https"),
        (true, ["Forwarded: for=203.0.113.9;proto=https"], "192.0.2.7 https"),
        (true, ["X-Forwarded-For: 203.0.113.9"], "192.0.2.7 http"),
        (false, ["X-Forwarded-Proto: https"], "192.0.2.7 http"),
        (false, ["X-Forwarded-For: 203.0.113.9"], "192.0.2.7 http"),
    ])
    func `The fields of a trusted peer name the scheme, and never another client`(
        isTrusted: Bool,
        fields: [String],
        expected: String
    ) async throws {
        let handler = FunctionHandler { request in .text("\(request.clientAddress.host) \(request.scheme)") }
        for client in ["192.0.2.7", "127.0.0.1"] {
            try await withTestClient(
                configure: {
                    Self.configure(&$0, .clearText)
                    if isTrusted { $0.trustedProxies = AddressRange.loopback }
                },
                handler
            ) { raw, _ in
                let text =
                    Self.line("PROXY TCP4 \(client) 127.0.0.1 1 80") + Array("GET / HTTP/1.1\r\nHost: h\r\n".utf8)
                let response = try await raw.response(to: text + fields.flatMap { Self.line($0) } + Self.line(""))
                #expect(response.text == expected.replacing("192.0.2.7", with: client))
            }
        }
    }

    @Test func `TLS that the header names gives the scheme`() async throws {
        let handler = FunctionHandler { request in .text("\(request.scheme) \(request.isFromTrustedProxy)") }
        try await withTestClient(configure: { Self.configure(&$0, .clearText) }, handler) { client, _ async throws in
            let header = Self.binary(0x21, 0x11, Self.v4 + [0x20, 0, 5, 1, 0, 0, 0, 0])
            #expect(try await client.response(to: header + Array(request().utf8)).text == "https false")
            #expect(try await client.response(to: request()).text == "https false", "and so does each later request")
        }
    }

    private static func configure(_ configuration: inout ServerConfiguration, _ transport: TestTransport) {
        transport.configure(&configuration)
        configuration.proxyProtocolSources = AddressRange.loopback
    }

    @Test(arguments: [0, 1, 4, 5]) func `A request has the address from the header`(_ index: Int) async throws {
        let (bytes, address) = Self.accepted[index]
        try await withTestClient(configure: { Self.configure(&$0, .clearText) }, Self.handler) { whole, server in
            #expect(try await whole.response(to: bytes + Array(request().utf8)).text == address)
            let inPieces = try await RawClient.connect(to: server.address)
            try await inPieces.sendByteByByte(bytes)
            #expect(try await inPieces.response(to: request()).text == address)
            for client in [whole, inPieces] { await client.close() }
        }
    }

    @Test func `The header comes before the handshake`() async throws {
        try await withTestServer(configure: { Self.configure(&$0, .tls) }, Self.handler) { server in
            var settings = TestTLS.http1
            settings.before = Self.accepted[0].0
            let client = try await RawClient.connect(to: server.address, tls: settings)
            #expect(try await client.response(to: request()).text == "192.0.2.7:4711")
        }
    }

    @Test func `A connection without a header gets no response`() async throws {
        let log = Recorder<String>()
        try await withTestClient(configure: { Self.configure(&$0, .clearText) }, log: log, Self.handler) { client, _ in
            try await client.send(request())
            #expect(try await client.receiveToEnd().bytes.isEmpty)
        }
        #expect(log.events.contains { $0.contains("it doesn't begin with a header of the PROXY protocol") })
    }

    @Test func `A header from an untrusted client is refused`() async throws {
        try await withTestClient(Self.handler) { client, _ async throws in
            #expect(try await client.response(to: Self.accepted[0].0 + Array(request().utf8)).status == 400)
        }
    }

    @Test func `Connections count for the client, not the load balancer`() async throws {
        try await withTestServer(
            configure: {
                Self.configure(&$0, .clearText)
                $0.limits.connectionsPerAddress = 1
            },
            Self.handler
        ) { server in
            var open: [RawClient] = []
            for (host, isServed) in [("192.0.2.7", true), ("192.0.2.8", true), ("192.0.2.7", false)] {
                let client = try await RawClient.connect(to: server.address)
                try await client.send(Self.line("PROXY TCP4 \(host) 127.0.0.1 1 80") + Array(request().utf8))
                if isServed {
                    #expect(try await client.receive().text == "\(host):1")
                    open.append(client)
                } else {
                    #expect(try await client.receiveToEnd().bytes.isEmpty)
                }
            }
            for client in open { await client.close() }
            #expect(try await eventually { server.connectionCount == 0 })
            let again = try await RawClient.connect(to: server.address)
            try await again.send(Self.line("PROXY TCP4 192.0.2.7 127.0.0.1 2 80") + Array(request().utf8))
            #expect(try await again.receive().text == "192.0.2.7:2")
        }
    }
}
