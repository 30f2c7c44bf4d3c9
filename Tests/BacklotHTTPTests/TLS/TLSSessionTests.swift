import TestSupport
import Testing

@testable import BacklotHTTP

/// Both ends of TLS, over a pair of sockets.
@Suite(.timeLimit(.minutes(5))) struct TLSSessionTests {
    private let authority = TLSPair.authority

    @Test func `Bytes go both ways, and each end closes properly`() throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client())
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.server.applicationProtocol == "h2")
        #expect(pair.server.details.version == "TLSv1.3")
        #expect(pair.server.details.serverName == "localhost")
        #expect(pair.server.details.peerCertificate == nil)
        #expect(pair.client.details.peerCertificate?.subject == "CN=localhost")

        #expect(pair.client.send("hello".utf8Span.span) == .bytes(5))
        var (bytes, end) = pair.server.receiveAll()
        #expect(bytes == Array("hello".utf8) && end == .wouldBlock)
        #expect(pair.server.send("world".utf8Span.span) == .bytes(5))
        #expect(pair.server.shutDown() == .done)
        (bytes, end) = pair.client.receiveAll()
        #expect(bytes == Array("world".utf8) && end == .end)
        // The other direction is open until its end says so too (RFC 8446, section 6.1).
        #expect(pair.client.send("!".utf8Span.span) == .bytes(1))
        #expect(pair.client.shutDown() == .done)
        (bytes, end) = pair.server.receiveAll()
        #expect(bytes == Array("!".utf8) && end == .end)
    }

    /// What doesn't fit into the socket waits, and what doesn't fit into the buffer is announced.
    @Test func `A slow reader gets all bytes`() throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client())
        #expect(pair.shakeHands() == (.done, .done))
        let message = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var (sent, waits) = (0, 0)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 5000)
        while received.count < message.count {
            while sent < message.count, case .bytes(let count) = pair.server.send(message.span.extracting(sent...)) {
                sent += count
            }
            waits += 1
            // Each buffer is full while `hasUnread` says so.
            repeat {
                guard case .bytes(let count) = pair.client.receive(into: &buffer) else { break }
                received += buffer[..<count]
                if pair.client.hasUnread { #expect(count == buffer.count) }
            } while pair.client.hasUnread
        }
        #expect(received == message)
        #expect(waits > 2)
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func `A certificate is for its hosts`(_ host: String) throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client(), host: host)
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.server.details.serverName == (host == "localhost" ? host : nil))
    }

    @Test(arguments: [
        ("example.com", "the other side's certificate is not trusted: hostname mismatch"),
        ("127.0.0.2", "the other side's certificate is not trusted: IP address mismatch"),
        ("[::1]", "the other side's certificate is not trusted: IP address mismatch"),
    ])
    func `A certificate isn't for another host`(_ host: String, _ reason: String) throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client(), host: host)
        let (server, client) = pair.shakeHands()
        #expect(client.failure == reason)
        #expect(server.failure == "the other side refuses the certificate (alert bad_certificate)")
    }

    @Test func `An unknown authority isn't trusted`() throws {
        let pair = TLSPair(try TLSPair.server(TestAuthority("Somebody").issue()), try TLSPair.client())
        let (server, client) = pair.shakeHands()
        #expect(client.failure?.hasPrefix("the other side's certificate is not trusted: unable to get ") == true)
        #expect(
            server.failure == "the other side doesn't trust the authority of the certificate (alert unknown_ca)"
        )
        #expect(pair.server.receiveAll().end == .failed)
        #expect(pair.server.send("x".utf8Span.span) == .failed)
    }

    @Test(arguments: [
        (["http/1.1"], "http/1.1"), (["http/1.1", "h2"], "h2"), (["spdy/3", "http/1.1"], "http/1.1"), ([], nil),
    ])
    func `The server's preference decides the protocol`(_ offered: [String], _ chosen: String?) throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client(protocols: offered))
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.server.applicationProtocol == chosen && pair.client.applicationProtocol == chosen)
    }

    @Test func `A client of other protocols is refused`() throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client(protocols: ["spdy/3"]))
        let (server, client) = pair.shakeHands()
        #expect(server.failure == "the other side offers no protocol that is spoken here (ALPN)")
        #expect(
            client.failure == "the other side speaks none of the protocols offered (alert no_application_protocol)"
        )
    }

    // MARK: Certificates of clients

    @Test func `A client shows its certificate`() throws {
        let trust = try TLSTrust(.text(authority.certificate))
        let pair = TLSPair(
            try TLSPair.server(clients: .required(trust)),
            try TLSPair.client(identity: authority.issue("till 7 ä"))
        )
        #expect(pair.shakeHands() == (.done, .done))
        let certificate = try #require(pair.server.details.peerCertificate)
        #expect(certificate.subject == "CN=till 7 ä" && certificate.issuer == "CN=Test Authority")
        #expect(certificate.fingerprint.count == 64 && !certificate.serialNumber.isEmpty)
    }

    @Test(arguments: [true, false]) func `A client without a certificate is refused only if one is required`(
        _ isRequired: Bool
    ) throws {
        let trust = try TLSTrust(.text(authority.certificate))
        let server = try TLSPair.server(clients: isRequired ? .required(trust) : .optional(trust))
        let pair = TLSPair(server, try TLSPair.client())
        let (step, _) = pair.shakeHands()
        #expect(step.failure == (isRequired ? "the other side has sent no certificate, and one is required here" : nil))
        #expect(isRequired || pair.server.details.peerCertificate == nil)
    }

    @Test func `A client's certificate of another authority is refused`() throws {
        let trust = try TLSTrust(.text(authority.certificate))
        let pair = TLSPair(
            try TLSPair.server(clients: .optional(trust)),
            try TLSPair.client(identity: TestAuthority("Somebody").issue("till 7"))
        )
        #expect(pair.shakeHands().server.failure?.hasPrefix("the other side's certificate is not trusted") == true)
    }

    // MARK: Several certificates

    @Test(arguments: [
        ("a.example.com", "a"), ("b.example.com", "wildcard"), ("example.org", "org"), ("localhost", "default"),
    ])
    func `The host chooses the certificate`(_ host: String, _ subject: String) throws {
        let identities = try [
            ("default", "DNS:localhost"), ("wildcard", "DNS:*.example.com"), ("a", "DNS:a.example.com"),
            ("org", "DNS:example.org,DNS:example.net"),
        ].map { subject, names in
            let identity = authority.issue(subject, names: names)
            return try TLSIdentity(certificates: .text(identity.certificate), key: .text(identity.key))
        }
        let server = try TLSContext.server(identities, protocols: ["h2"], clients: .off, tickets: nil)
        let pair = TLSPair(server, try TLSPair.client(), host: host)
        #expect(pair.shakeHands() == (.done, .done))
        #expect(pair.client.details.peerCertificate?.subject == "CN=\(subject)")
        #expect(pair.client.applicationProtocol == "h2")
    }

    // MARK: Garbage

    @Test func `Clear text is named in the error`() throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client())
        #expect(pair.sockets[1].send("GET / HTTP/1.1\r\n\r\n".utf8Span.span) == .bytes(18))
        #expect(pair.server.handshake().failure == "the other side speaks http, not https")
    }

    @Test func `A client that leaves is named in the error`() throws {
        let pair = TLSPair(try TLSPair.server(), try TLSPair.client())
        #expect(pair.server.handshake() == .wantsRead)
        pair.sockets[1].shutdownSending()
        #expect(pair.server.handshake().failure?.contains("closed the connection") == true)
    }
}
