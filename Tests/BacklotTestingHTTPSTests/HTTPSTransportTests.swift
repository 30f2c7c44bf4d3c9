import Applin
import Backlot
import BacklotHTTP
import BacklotTesting
import BacklotTestingHTTPS
import TestSupport
import Testing

struct HTTPSTransportTests {
    private struct LogIn: Decodable {
        var name: String
    }

    private func makeRouter() -> Router {
        let router = Router()
        router.use(Compression())
        var sessions = SessionConfiguration()
        sessions.trustedProxies = []
        router.applin("/travel/", sessions: MemorySessionStore(), sessionConfiguration: sessions) { app in
            app.page("/") { request in
                let user = try await request.session.user
                return navPage("Home") {
                    form {
                        textfield("name").label("Name")
                        text("Hello, \(user ?? "nobody")!")
                        text(String(repeating: "Welcome! ", count: 500))
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
        return router
    }

    /// Calls `body` with a server behind TLS.
    private func withFront(_ backend: SocketAddress, _ body: (Int) async throws -> Void) async throws {
        let front = try await TLSFront.start(to: backend)
        do {
            try await body(front.port)
            try await front.stop()
        } catch {
            try await front.stop()
            throw error
        }
    }

    private func transport() throws(ClientFailure) -> HTTPSTransport {
        try HTTPSTransport(trusting: .certificates(pem: TLSFront.certificate))
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `A flow goes over TLS`(host: String) async throws {
        try await withServer(makeRouter().handler()) { address in
            try await withFront(address) { port in
                let app = try ApplinClient(url: "https://\(host):\(port)/travel/", transport: transport())
                try await app.launch()
                try await app.enter("ann", into: "Name")
                try await app.tap("Log in")
                #expect(app.texts.contains("Hello, ann!"))
                #expect(app.lastRequest?.response?.headers[.contentEncoding] == "gzip")
                try await app.tap("Photo")
                try await app.uploadPhoto()
                #expect(app.errorText == nil)
                try await app.relaunch()
                #expect(app.texts.contains("Hello, ann!"))
                #expect(Set(app.requests.map(\.status)) == [200])
            }
        }
    }

    @Test func `Redirects are reported, and not followed`() async throws {
        try await withServer(makeRouter().handler()) { address in
            try await withFront(address) { port in
                let url = try HTTPURL("https://localhost:\(port)/moved")
                let response = try await transport().response(to: ClientRequest(.get, url), limits: ClientLimits())
                #expect(response.status == .seeOther)
                var session = ClientSession(try transport())
                let exchange = try await session.send(ClientRequest(.get, url), now: 0)
                #expect(exchange.url.path == "/travel/")
                #expect(exchange.response.status == .ok)
                #expect(exchange.response.firstByte <= exchange.response.total)
            }
        }
    }

    @Test func `A certificate that nobody trusts is refused, unless anyone is trusted`() async throws {
        try await withServer(makeRouter().handler()) { address in
            try await withFront(address) { port in
                let request = ClientRequest(.get, try HTTPURL("https://localhost:\(port)/travel/"))
                let failure = await #expect(throws: ClientFailure.self) {
                    _ = try await HTTPSTransport().response(to: request, limits: ClientLimits())
                }
                guard case .notSecured? = failure else {
                    Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
                    return
                }
                let trusting = try HTTPSTransport(trusting: .anyone)
                let response = try await trusting.response(to: request, limits: ClientLimits())
                #expect(response.status == .ok)
            }
        }
    }

    @Test func `Where nothing listens there is no connection`() async throws {
        let server = try RawServer { _ in }
        let front = try await TLSFront.start(to: server.address)
        try await front.stop()
        server.stop()
        let url = try HTTPURL("https://127.0.0.1:\(front.port)/")
        let failure = await #expect(throws: ClientFailure.self) {
            _ = try await transport().response(to: ClientRequest(.get, url), limits: ClientLimits())
        }
        guard case .notConnected? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }

    @Test func `Text that is no certificate is refused`() {
        #expect(throws: ClientFailure.self) { try HTTPSTransport(trusting: .certificates(pem: "nonsense")) }
    }

    // MARK: 100 Continue

    private func upload(_ script: @escaping @Sendable (RawServer.Connection) -> Void) async throws -> ClientResponse? {
        let server = try RawServer(script)
        defer { server.stop() }
        var response: ClientResponse?
        try await withFront(server.address) { port in
            let request = ClientRequest(
                .put,
                try HTTPURL("https://localhost:\(port)/photo"),
                body: [UInt8](repeating: 7, count: 300_000),
                waitsForContinue: true
            )
            response = try await transport().response(to: request, limits: ClientLimits())
        }
        return response
    }

    @Test func `A body that is refused is never sent`() async throws {
        let (received, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let response = try await upload { connection in
            let head = connection.receiveHead()
            let expects = head.lowercased().contains("\r\nexpect: 100-continue\r\n")
            connection.send("HTTP/1.1 \(expects ? 403 : 500) No\r\nContent-Length: 4\r\n\r\nNo.\n")
            // Until the client closes the connection.
            continuation.yield(connection.receive(upTo: 1))
        }
        #expect(response?.status == .forbidden)
        #expect(response?.text == "No.\n")
        let body = await received.first { _ in true }
        #expect(body == [])
    }

    @Test(arguments: ["HTTP/1.1 100 Continue\r\n\r\n", ""])
    func `A body is sent to who asks for it, and to who doesn't`(interim: String) async throws {
        let received = Locked(0)
        let response = try await upload { connection in
            _ = connection.receiveHead()
            if !interim.isEmpty { connection.send(interim) }
            let count = connection.receive(exactly: 300_000).count
            received.withLock { $0 = count }
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        #expect(response?.status == .noContent)
        #expect(received.withLock { $0 } == 300_000)
    }

    // MARK: Bad backends

    private func failure(
        limits: ClientLimits = ClientLimits(),
        _ script: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> ClientFailure? {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            script(connection)
        }
        defer { server.stop() }
        var failure: ClientFailure?
        try await withFront(server.address) { port in
            let url = try HTTPURL("https://localhost:\(port)/")
            do throws(ClientFailure) {
                _ = try await transport().response(to: ClientRequest(.get, url), limits: limits)
            } catch {
                failure = error
            }
        }
        return failure
    }

    @Test func `An answer that is cut short`() async throws {
        let failure = try await failure { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello") }
        guard case .cutShort? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }

    @Test func `A body without end`() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let piece = [UInt8](repeating: 32, count: 65_536)
            // More than the client takes; what stands between the two keeps it all.
            for _ in 0..<400 where !connection.send(piece) { return }
            _ = connection.receive(upTo: 1)
        }
        #expect(failure == .bodyTooLarge(limit: ClientLimits().body))
    }

    @Test func `A backend that says nothing`() async throws {
        var limits = ClientLimits()
        limits.total = .milliseconds(300)
        let failure = try await failure(limits: limits) { _ = $0.receive(upTo: 1) }
        guard case .timedOut? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }

    @Test func `What is no HTTP`() async throws {
        let failure = try await failure { $0.send("SSH-2.0-OpenSSH_9.2p1\r\n") }
        guard case .malformed? = failure else {
            Issue.record(Comment(rawValue: "\(failure, default: "no failure")"))
            return
        }
    }
}
