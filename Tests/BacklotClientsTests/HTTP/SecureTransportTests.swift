import Applin
import Backlot
import BacklotTesting
import ClientTestSupport
import TestSupport
import Testing

/// The client over TLS: which servers it trusts, and what it says about the others.
@Suite(.timeLimit(.minutes(5))) struct SecureTransportTests {
    private static let authority = TestAuthority.shared

    private struct LogIn: Decodable {
        var name: String
    }

    private func makeRouter() -> Router {
        let router = Router()
        router.use(Compression())
        router.applin("/travel/", sessions: MemorySessionStore()) { app in
            app.page("/") { request in
                let user = try await request.session.user
                return navPage("Home") {
                    form {
                        textfield("Name", varName: "name")
                        text("Hello, \(user ?? "nobody")!")
                        text(String(repeating: "Welcome! ", count: 5000))
                        formButton("Log in") {
                            rpc("/log_in")
                            poll()
                        }
                        formButton("Photo") {
                            takePhoto("/photo")
                            poll()
                        }
                    }
                }
            }
            app.rpc("/log_in", LogIn.self) { try await $1.session.logIn(user: $0.name) }
            app.upload("/photo") { request in
                guard try await request.body.collect() == ApplinClient.samplePhoto else { throw UserError("No.") }
            }
        }
        router.get("/moved") { _ in Response(status: .seeOther, headers: [.location: "/travel/"]) }
        router.get("/name") { request in .text(request.tls?.serverName ?? "none") }
        return router
    }

    private func transport(_ versions: HTTPVersions = .any) throws -> SocketTransport {
        try SocketTransport(trusting: Self.authority.trust, versions: versions)
    }

    @Test(arguments: ["localhost", "127.0.0.1"], [HTTPVersions.any, .http1])
    func `A flow goes over TLS`(host: String, versions: HTTPVersions) async throws {
        try await withServer(makeRouter().handler(), configuration: Self.authority.serverConfiguration) { address in
            let app = try ApplinClient(url: "https://\(host):\(address.port)/travel/", transport: transport(versions))
            try await app.launch()
            try await app.enter("ann", into: "Name")
            try await app.tap("Log in")
            #expect(app.texts.contains("Hello, ann!"))
            #expect(app.lastRequest?.response?.headers[.contentEncoding] == "gzip")
            #expect(app.cookies.map(\.isSecure) == [true])
            try await app.tap("Photo")
            try await app.uploadPhoto()
            #expect(app.errorText == nil)
            try await app.relaunch()
            #expect(app.texts.contains("Hello, ann!"))
            #expect(Set(app.requests.map(\.status)) == [200])
        }
    }

    @Test(arguments: [("localhost", "localhost"), ("127.0.0.1", "none")])
    func `The server is told the host's name, and no address`(host: String, name: String) async throws {
        try await withServer(makeRouter().handler(), configuration: Self.authority.serverConfiguration) { address in
            let url = try HTTPURL("https://\(host):\(address.port)/name")
            let response = try await transport().response(to: ClientRequest(.get, url), limits: ClientLimits())
            #expect(response.text == name)
        }
    }

    @Test func `Redirects are reported, and not followed`() async throws {
        try await withServer(makeRouter().handler(), configuration: Self.authority.serverConfiguration) { address in
            let url = try HTTPURL("https://localhost:\(address.port)/moved")
            let response = try await transport().response(to: ClientRequest(.get, url), limits: ClientLimits())
            #expect(response.status == .seeOther)
            var session = ClientSession(try transport())
            let exchange = try await session.send(ClientRequest(.get, url), now: 0)
            #expect(exchange.url.path == "/travel/")
            #expect(exchange.response.status == .ok)
            #expect(exchange.response.firstByte <= exchange.response.total)
        }
    }

    /// Redirects the path `/old`, and responds to other paths with the credentials of the request.
    private struct Redirecting: ClientTransport {
        let location: String

        func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
            if request.url.path == "/old" { return ClientResponse(status: .found, headers: [.location: location]) }
            let credentials = [request.headers[.authorization], request.headers[.proxyAuthorization]]
            return ClientResponse(status: .ok, body: Array(credentials.map { $0 ?? "-" }.joined(separator: " ").utf8))
        }
    }

    @Test(arguments: [
        ("/new", "a b"), ("http://A.example:80/new", "a b"), ("http://b.example/new", "- -"),
        ("https://a.example/new", "- -"), ("http://a.example:8080/new", "- -"),
    ])
    func `Credentials don't follow a redirect to another origin`(location: String, credentials: String) async throws {
        var session = ClientSession(Redirecting(location: location))
        let request = ClientRequest(
            .get,
            try HTTPURL("http://a.example/old"),
            headers: [.authorization: "a", .proxyAuthorization: "b"]
        )
        let exchange = try await session.send(request, now: 0)
        #expect(exchange.redirects.count == 1)
        #expect(exchange.response.text == credentials)
    }

    // MARK: Certificates

    /// A server's certificate, and what is wrong with it.
    struct Bad: CustomTestStringConvertible {
        var host = "localhost"
        var identity = TestAuthority.shared.issue()
        let reason: String
        var testDescription: String { reason }
    }

    static let bad = [
        Bad(identity: TestAuthority().issue(), reason: "no trusted authority has issued the server's certificate"),
        Bad(identity: authority.issue(validity: -86_400 ... -60), reason: "the server's certificate has expired"),
        Bad(
            identity: authority.issue(validity: 3600...86_400),
            reason: "the server's certificate is not valid yet, or this machine's clock is slow"
        ),
        Bad(
            identity: authority.issue(names: "DNS:other.example,IP:127.0.0.1"),
            reason: "the server's certificate is for another host"
        ),
        Bad(
            host: "127.0.0.1",
            identity: authority.issue(names: "DNS:localhost"),
            reason: "the server's certificate is for another host"
        ),
    ]

    private func ask(_ connection: RawServer.Connection) {
        _ = connection.receiveHead()
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }

    @Test(arguments: bad)
    func `A certificate that isn't right is refused, unless anyone is trusted`(bad: Bad) async throws {
        let server = try RawServer(tls: bad.identity) { ask($0) }
        defer { server.stop() }
        let request = ClientRequest(.get, try HTTPURL("https://\(bad.host):\(server.address.port)/"))
        await #expect(throws: ClientError.notSecured(bad.reason)) {
            _ = try await transport().response(to: request, limits: ClientLimits())
        }
        let response = try await SocketTransport(trusting: .anyone).response(to: request, limits: ClientLimits())
        #expect(response.text == "ok")
    }

    @Test func `The system doesn't trust the authority of these tests`() async throws {
        let server = try RawServer(tls: Self.authority.issue()) { ask($0) }
        defer { server.stop() }
        let url = try HTTPURL("https://localhost:\(server.address.port)/")
        await #expect(throws: ClientError.notSecured("no trusted authority has issued the server's certificate")) {
            _ = try await SocketTransport().response(to: ClientRequest(.get, url), limits: ClientLimits())
        }
    }

    @Test func `A server that requires a client certificate is named in the error`() async throws {
        var configuration = try Self.authority.serverConfiguration
        configuration.tls?.clientCertificates = .required(try TLSTrust(.text(Self.authority.certificate)))
        try await withServer(makeRouter().handler(), configuration: configuration) { address in
            let url = try HTTPURL("https://localhost:\(address.port)/name")
            let reason = "the server requires a certificate (alert certificate_required)"
            await #expect(throws: ClientError.notSecured(reason)) {
                _ = try await transport().response(to: ClientRequest(.get, url), limits: ClientLimits())
            }
        }
    }

    // MARK: Bad servers

    private func failure(
        tls identity: TestIdentity? = authority.issue(),
        saysGoodbye: Bool = true,
        limits: ClientLimits = ClientLimits(),
        _ script: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> ClientError? {
        let server = try RawServer(tls: identity, saysGoodbye: saysGoodbye, script)
        defer { server.stop() }
        let request = ClientRequest(.get, try HTTPURL("https://localhost:\(server.address.port)/"))
        do throws(ClientError) {
            _ = try await SocketTransport(trusting: .anyone).response(to: request, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "the server there doesn't speak TLS; its URL may begin with http://"),
        ("SSH-2.0-OpenSSH_9.2p1\r\n", "the server there doesn't speak TLS; its URL may begin with http://"),
        ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", "the server found nothing in common (alert handshake_failure)"),
        ("", "the server closed the connection without saying so"),
    ])
    func `What is no handshake`(bytes: String, reason: String) async throws {
        let failure = try await failure(tls: nil) { connection in
            _ = connection.receive(upTo: 1000)
            connection.send(bytes)
        }
        #expect(failure == .notSecured(reason))
    }

    @Test func `A server that never finishes its handshake is an error in time`() async throws {
        var limits = ClientLimits()
        limits.idle = .milliseconds(200)
        let failure = try await failure(tls: nil, limits: limits) { connection in
            while !connection.receive(upTo: 1000).isEmpty {}
        }
        #expect(failure == .timedOut("the handshake of TLS was not done after 200 ms"))
    }

    @Test(arguments: [true, false])
    func `A response that is cut short is an error`(saysGoodbye: Bool) async throws {
        let failure = try await failure(saysGoodbye: saysGoodbye) { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
        }
        #expect(failure == .cutShort(bodyBytes: 5))
    }

    @Test func `The end of the connection alone is no end of a response`() async throws {
        let script: @Sendable (RawServer.Connection) -> Void = { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.0 200 OK\r\n\r\nhello")
        }
        #expect(try await failure(saysGoodbye: true, script) == nil)
        #expect(try await failure(saysGoodbye: false, script) == .cutShort(bodyBytes: 5))
    }

    @Test func `A body without end`() async throws {
        var limits = ClientLimits()
        limits.body = 1_000_000
        let failure = try await failure(limits: limits) { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let piece = [UInt8](repeating: 32, count: 65_536)
            while connection.send(piece) {}
        }
        #expect(failure == .bodyTooLarge(limit: 1_000_000))
    }

    @Test func `A backend that sends no bytes is an error in time`() async throws {
        var limits = ClientLimits()
        limits.total = .milliseconds(300)
        let failure = try await failure(limits: limits) { while !$0.receive(upTo: 1000).isEmpty {} }
        #expect(failure == .timedOut("the response was not complete after 300 ms"))
    }

    @Test func `What is no HTTP`() async throws {
        let failure = try await failure { connection in
            _ = connection.receiveHead()
            connection.send("SSH-2.0-OpenSSH_9.2p1\r\n")
        }
        guard case .malformed? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }

    @Test func `Text that is no certificate is refused`() {
        #expect(throws: TLSError.self) { try TLSTrust(.text("nonsense")) }
    }
}
