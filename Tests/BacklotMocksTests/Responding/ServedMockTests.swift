import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// Mocks over a socket.
@Suite(.timeLimit(.minutes(5))) struct ServedMockTests {
    private func get(_ path: String, _ address: SocketAddress) async throws -> ReceivedResponse {
        let client = try await RawClient.connect(to: address)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return try await client.receive()
    }

    @Test func `A page is served with its media type`() async throws {
        let page = #"{"typ":"nav_page","title":"{{query.t}}","widget":{"typ":"empty"}}"#
        try await withMocks(["home.page.json": page]) { mocks in
            try await withServer(mocks.handler) { address in
                let response = try await get("/home?t=%22", address)
                #expect(response.status == 200)
                #expect(response["Content-Type"] == "application/vnd.applin_response")
                #expect(response.text == #"{"page":{"typ":"nav_page","title":"\"","widget":{"typ":"empty"}}}"#)
            }
        }
    }

    @Test func `What an unmatched request has sent is compared, too`() async throws {
        try await withMocks(["a.rpc.yaml": "request: {variables: {b: 1}}"]) { mocks in
            try await withServer(mocks.handler) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 7\r\n\r\n{\"b\":2}")
                let response = try await client.receive(responseTo: "POST")
                #expect(response.status == 404)
                #expect(response.text.contains("variable b: 1 is expected, but it is 2"), "\(response.text)")
            }
        }
    }

    @Test func `A body that dribbles arrives whole`() async throws {
        let text = "body: 0123456789\nchunkedDribbleDelay: {numberOfChunks: 4, totalDuration: 20}\n"
        try await withMocks(["a.get.yaml": text]) { mocks in
            try await withServer(mocks.handler) { address in
                let response = try await get("/a", address)
                #expect(response.text == "0123456789")
                #expect(response["Content-Length"] == "10")
            }
        }
    }

    @Test func `A body that dribbles isn't compressed, which would hold its pieces back`() async throws {
        let text = """
            headers: {Content-Type: text/plain, Cache-Control: no-store}
            body: 0123456789
            chunkedDribbleDelay: {numberOfChunks: 4, totalDuration: 20}
            """
        try await withMocks(["a.get.yaml": text]) { mocks in
            let request = try Request(.get, "/a", headers: [.acceptEncoding: "gzip"])
            let response = try await Compression(minimumSize: 0).respond(to: request, next: mocks.handler).response()
            #expect(response.headers[.contentEncoding] == nil)
            #expect(response.headers[.cacheControl] == "no-store, no-transform")
        }
    }

    @Test func `A response with a delay comes, and others don't wait for it`() async throws {
        let files = ["slow.get.yaml": "fixedDelayMilliseconds: 600000", "a.get.json": "1"]
        try await withMocks(files) { mocks in
            var configuration = ServerConfiguration()
            configuration.eventLoops = 1
            configuration.timeouts.drain = .milliseconds(10)
            try await withServer(mocks.handler, configuration: configuration) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
                let response = try await get("/a", address)
                #expect(response.text == "1")
            }
        }
    }

    @Test(arguments: HTTPVersions.each)
    func `Others don't wait while a body of some KB is compared with many patterns`(version: HTTPVersions) async throws
    {
        let backend = MockBackend()
        let condition: JSONValue = [["matches": "(a+)+b"]]
        for _ in 0..<5000 {
            let request: JSONValue = ["method": "POST", "urlPath": "/x", "bodyPatterns": condition]
            backend.stubs.add(try backend.stub(json: ["request": request, "response": ["status": 500]]))
        }
        for path in ["/x", "/other"] {
            backend.stubs.add(
                try backend.stub(json: ["request": ["urlPath": .string(path)], "response": [:], "priority": 9])
            )
        }
        let router = Router()
        let (isHere, isCompared) = (Locked(false), Locked(false))
        router.use { request, next in
            guard request.path == "/x" else { return try await next(request) }
            let body = try await request.body.collect()
            var whole = request
            whole.body = RequestBody(body)
            isHere.withLock { $0 = true }
            return try await next(whole)
        }
        router.mocks(backend)
        var configuration = ServerConfiguration()
        configuration.eventLoops = 1
        try await withServer(router.handler(), configuration: configuration) { address in
            @Sendable func ask(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = []) async throws {
                let response = try await address.exchange(version, method, path, body: body)
                #expect(response.status == .ok)
            }
            async let slow: Void = {
                defer { isCompared.withLock { $0 = true } }
                try await ask(.post, "/x", [UInt8](repeating: UInt8(ascii: "a"), count: 40_000))
            }()
            // The number of requests that begin and end during the comparison. If they waited for it, at most one would end in time.
            var others = 0
            while !isCompared.withLock({ $0 }) {
                let isBegun = isHere.withLock { $0 }
                try await ask(.get, "/other")
                if isBegun, !isCompared.withLock({ $0 }) { others += 1 }
            }
            try await slow
            #expect(others >= 3)
        }
    }

    @Test(arguments: ConnectionFault.allCases)
    func `A fault breaks the connection`(fault: ConnectionFault) async throws {
        try await withMocks(["a.get.yaml": "fault: \(fault.rawValue)"]) { mocks in
            try await withServer(mocks.handler) { address in
                let failure = await #expect(throws: (any Error).self) { try await get("/a", address) }
                #expect(failure != nil)
            }
        }
    }

    @Test(arguments: ["http", "https"])
    func `A request is sent on to another backend`(scheme: String) async throws {
        let other = FunctionHandler { request in
            let body = try await request.body.collect()
            let echo =
                "\(request.method) \(request.target) \(request.headers[.accept] ?? "") \(String(decoding: body, as: UTF8.self))"
            return Response(status: .accepted, headers: [.contentType: "text/x"], body: .bytes(Array(echo.utf8)))
        }
        let authority = TestAuthority.shared
        let trust = try authority.trust
        let configuration = try scheme == "https" ? authority.serverConfiguration : ServerConfiguration()
        try await withServer(other, configuration: configuration) { address in
            let text = "proxyBaseUrl: \(scheme)://\(address)/v1/\nheaders: {X-By: mocks}\n"
            let configure = { (configuration: inout MockConfiguration) in
                configuration.path = "/mock/"
                configuration.trust = trust
            }
            try await withMocks(["a/[id].post.yaml": text], configure: configure) { mocks in
                let response = try await mocks.ask(.post, "/mock/a/7?b=c", headers: [.accept: "x/y"], body: "hello")
                #expect(response.status == .accepted)
                #expect(response.text == "POST /v1/a/7?b=c x/y hello")
                #expect(response.headers[.contentType] == "text/x")
                #expect(HTTPField.Name("X-By").flatMap { response.headers[$0] } == "mocks")
            }
        }
    }

    @Test(arguments: [(false, "for=127.0.0.1"), (true, "for=9.9.9.9, for=127.0.0.1")])
    func `Who is behind a client counts where it is believed`(isBelieved: Bool, expected: String) async throws {
        let other = FunctionHandler { request in
            let name = HTTPField.Name("Forwarded")
            let elements = name.map { request.headers[values: $0].joined(separator: ", ") } ?? ""
            let nodes = elements.split(separator: ", ").map { $0.prefix { $0 != ";" } }
            let others = HTTPField.Name("X-Forwarded-For").map { request.headers.contains($0) } ?? false
            return .text("\(nodes.joined(separator: ", ")) \(others)")
        }
        var configuration = ServerConfiguration()
        if isBelieved { configuration.trustedProxies = [try AddressRange("127.0.0.0/8")] }
        try await withServer(other) { address in
            try await withMocks(["a.get.yaml": "proxyBaseUrl: http://\(address)"]) { mocks in
                try await withServer(mocks.handler, configuration: configuration) { address in
                    let client = try await RawClient.connect(to: address)
                    let claims = "Forwarded: for=9.9.9.9\r\nX-Forwarded-For: 6.6.6.6\r\n"
                    try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(claims)\r\n")
                    #expect(try await client.receive().text == "\(expected) \(isBelieved)")
                }
            }
        }
    }

    /// Backends that get fields as variables can't tell `X_Token` from `X-Token`.
    @Test(arguments: [
        ("X_Token: 2", "x-token: 1"), ("x.token: 2", "x-token: 1"), ("X-Token: 2", "x-token: 1"),
        ("X_Secret: 2", "x-token: 1"), ("X_Forwarded_For: 2", "x-token: 1"), ("X_Other: 2", "x_other: 2, x-token: 1"),
    ])
    func `No client's field passes for one that a stub removes or adds`(sent: String, got: String) async throws {
        let other = FunctionHandler { request in
            let fields = request.headers.map { "\($0.name.lowercased()): \($0.value)" }
            return .text(fields.filter { $0.hasPrefix("x") }.joined(separator: ", "))
        }
        try await withServer(other) { address in
            let stub = """
                proxyBaseUrl: http://\(address)
                additionalProxyRequestHeaders: {X-Token: "1"}
                removeProxyRequestHeaders: [X-Secret]
                """
            try await withMocks(["a.get.yaml": stub]) { mocks in
                try await withServer(mocks.handler) { address in
                    let client = try await RawClient.connect(to: address)
                    try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\(sent)\r\n\r\n")
                    #expect(try await client.receive().text == got)
                }
            }
        }
    }

    @Test func `The journal has the bodies of other backends, where they aren't large`() async throws {
        let other = FunctionHandler { request in
            let count = request.rawQuery.flatMap { Int($0) } ?? 0
            return Response(body: .bytes([UInt8](repeating: 0x61, count: count)))
        }
        try await withServer(other) { address in
            let journal = Journal()
            let configure = { (configuration: inout MockConfiguration) in configuration.observer = journal }
            try await withMocks(["a.get.yaml": "proxyBaseUrl: http://\(address)"], configure: configure) { mocks in
                // The last is streamed.
                for count in [10, 200_000, 300_000] { _ = try await mocks.ask(.get, "/a?\(count)") }
            }
            #expect(journal.entries.map(\.responseBody.count) == [0, 200_000, 10])
        }
    }

    @Test func `A backend whose certificate isn't trusted is a 502`() async throws {
        try await withServer(Router().handler(), configuration: TestAuthority.shared.serverConfiguration) { address in
            try await withMocks(["a.get.yaml": "proxyBaseUrl: https://\(address)"]) { mocks in
                let reason = "there is no secure connection: no trusted authority has issued the server's certificate"
                let advice = "Correct its certificate, or configure it as trusted."
                try await mocks.expect(
                    "502 https://\(address) did not respond to GET /a: \(reason). \(advice)\n",
                    .get,
                    "/a"
                )
            }
        }
    }

    @Test(arguments: [(true, "", 200), (false, "", 404), (false, "X-Forwarded-Proto: https\r\n", 200)])
    func `A stub may ask for https, of which trusted proxies tell`(tls: Bool, field: String, status: Int) async throws {
        let authority = TestAuthority.shared
        var configuration = try tls ? authority.serverConfiguration : ServerConfiguration()
        configuration.trustedProxies = [try AddressRange("127.0.0.0/8")]
        let stub = #"{"request": {"url": "/a", "scheme": "https"}, "response": {"status": 200}}"#
        try await withMocks(["mappings/a.json": stub]) { mocks in
            try await withServer(mocks.handler, configuration: configuration) { address in
                let settings = tls ? ClientTLSSettings(serverName: "localhost") : nil
                let client = try await RawClient.connect(to: address, tls: settings)
                try await client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(field)\r\n")
                #expect(try await client.receive().status == status)
            }
        }
    }

    @Test func `A webhook goes over TLS`() async throws {
        let (heads, continuation) = AsyncStream.makeStream(of: String.self)
        let server = try RawServer(tls: TestAuthority.shared.issue()) { connection in
            continuation.yield(connection.receiveHead())
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.stop() }
        let hook =
            #"{"name": "webhook", "parameters": {"method": "PUT", "url": "https://\#(server.address)/called?a=b"}}"#
        let stub = #"{"request": {"url": "/a"}, "response": {"status": 200}, "serveEventListeners": [\#(hook)]}"#
        let trust = try TestAuthority.shared.trust
        let configure = { (configuration: inout MockConfiguration) in
            configuration.trust = trust
            configuration.allowedWebhooks = ["\(server.address)"].compactMap { WebhookAddress($0) }
        }
        try await withMocks(["mappings/a.json": stub], configure: configure) { mocks in
            _ = try await mocks.ask(.get, "/a")
            let head = await heads.first { _ in true }
            #expect(head?.hasPrefix("PUT /called?a=b HTTP/1.1\r\nHost: \(server.address)\r\n") == true)
        }
    }

    @Test func `A webhook that arrived isn't sent again, even if its response is cut short`() async throws {
        let heads = Locked<[String]>([])
        let server = try RawServer { connection in
            let head = connection.receiveHead()
            heads.withLock { $0.append(head) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        }
        defer { server.stop() }
        let hook =
            #"{"name": "webhook", "parameters": {"method": "POST", "url": "http://\#(server.address)/a?token=b"}}"#
        let stub = #"{"request": {"url": "/a"}, "response": {"status": 200}, "serveEventListeners": [\#(hook)]}"#
        let log = LogRecorder()
        let configure = { (configuration: inout MockConfiguration) in
            configuration.allowedWebhooks = ["\(server.address)"].compactMap { WebhookAddress($0) }
        }
        try await withMocks(["mappings/a.json": stub], logger: log.logger, configure: configure) { mocks in
            _ = try await mocks.ask(.get, "/a")
            while mocks.backend.webhooks.withLock({ $0 }) > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(heads.withLock { $0.count } == 1)
        let line = "the webhook to http://\(server.address)/a failed: "
        #expect(log.lines.contains { $0.contains(line) }, "\(log.lines)")
    }

    @Test func `A backend that isn't there is a 502`() async throws {
        try await withMocks(["a.get.yaml": "proxyBaseUrl: http://127.0.0.1:1"]) { mocks in
            try await mocks.expect(
                prefix: "502 http://127.0.0.1:1 did not respond to GET /a: there is no connection: ",
                .get,
                "/a"
            )
        }
    }

    @Test(arguments: ["/", "/mock/"])
    func `Preview gets an app of all routes, at their own path where nothing responds`(path: String) throws {
        var configuration = MockConfiguration(formats: [.applin()])
        configuration.path = path
        let backend = MockBackend(configuration, logger: .silent)
        let router = Router()
        router.mocks(backend)
        var app = try #require(router.apps().first)
        // Only files of pages make an app of pages.
        #expect(router.apps().map(\.appProtocol.name) == ["mocks"])
        #expect(app.facts == ["mocks": path])
        #expect(
            app.hasPage(path) && app.openPages() == ["\(path)__preview/mocks"] && app.hasPage("\(path)__preview/mocks")
        )
        #expect(!app.hasPage("\(path)other"))
        let folder = try #require(RoutesFolder("."))
        for (file, isListed) in [("a.get.json", true), ("index.get.json", false), ("[id].page.json", false)] {
            let name = try #require(try RouteFileName(file, besides: []))
            let page = #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"empty"}}}"#
            let loaded = try RouteFileReader(name, folder: folder, pages: configuration.pages).read(Array(page.utf8))
            backend.stubs.setStubs(loaded.stubs, ofFile: file)
            app = try #require(router.apps().first { $0.appProtocol.name == "mocks" })
            #expect(app.hasPage(path) == isListed, "\(file)")
            #expect(router.apps().map(\.appProtocol.name) == (file.contains("page") ? ["applin", "mocks"] : ["mocks"]))
            if !isListed { backend.stubs.setStubs([], ofFile: file) }
        }
        #expect(app.hasPage(path))
    }
}
