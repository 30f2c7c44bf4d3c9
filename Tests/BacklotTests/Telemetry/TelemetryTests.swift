import InMemoryTracing
import Logging
import TestSupport
import Testing
import Tracing

@testable import Backlot

/// What is said of a request, by whom and to whom.
@Suite(.timeLimit(.minutes(5))) struct TelemetryTests {
    private struct Unexpected: Error {}

    private static func handler(_ telemetry: Telemetry) -> any Handler {
        let router = Router()
        router.use(telemetry)
        router.get("/notes/{id}") { _ in .text("a note") }
        router.get("/denied") { _ in throw StatusError(.forbidden, "Please log in.") }
        router.get("/away") { _ in throw StatusError(.serviceUnavailable, "later", headers: [.retryAfter: "5"]) }
        router.get("/broken") { _ in throw Unexpected() }
        router.get("/cancelled") { _ in throw CancellationError() }
        router.get("/healthz") { _ in .text("ok") }
        router.get("/traced") { _ in .text(ServiceContext.current?.inMemorySpanContext?.traceID ?? "none") }
        router.group("/app/", SessionMiddleware(path: "/app/", store: MemorySessionStore())) { app in
            app.get("log_in") { request in
                try await request.session.logIn(user: "ada")
                return .text("hello")
            }
            app.get("me") { request in .text(try await request.session.user ?? "nobody") }
        }
        return router.handler()
    }

    private static func ask(
        _ handler: any Handler,
        _ path: String,
        _ fields: HTTPFields = [:]
    ) async throws -> Response {
        let request = try Request(.get, path, headers: fields)
        return try await handler(request)
    }

    private func line(_ path: String, _ fields: HTTPFields = [:]) async throws -> JSONObject {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .json, level: .debug)
        _ = try? await Self.ask(Self.handler(Telemetry(logger: logger)), path, fields)
        return try #require(try JSONValue(parsing: Array(lines.text.utf8)).object)
    }

    @Test(arguments: [("/count", 503), ("/hidden", 200)])
    func `The line of a request says why its session wasn't saved`(
        path: String,
        status: Int
    ) async throws {
        for format in [LogFormat.json, .text] {
            let lines = LoggedLines()
            let logger = lines.output.logger(label: "test", format: format)
            let store = RecordingStore(MemorySessionStore())
            store.fail("insert")
            let router = Router()
            router.use(Telemetry(logger: logger))
            router.use(HidingMiddleware())
            router.group("/", SessionMiddleware(path: "/", store: store, logger: logger)) { app in
                for path in ["/count", "/hidden"] {
                    app.get(path) { request in
                        try await request.session.set(Counter.self, to: 1)
                        return .text("counted")
                    }
                }
            }
            let response = try? await Self.ask(router.handler(), path)
            #expect((response?.status.code ?? 503) == status)
            let text = lines.text
            #expect(text.split(separator: "\n").count == 1, "\(text)")
            #expect(text.contains("GET \(path) \(status)") && text.contains("session-store"), "\(text)")
            #expect(text.contains("error") && text.contains("Away"), "\(text)")
        }
    }

    /// Answers 200 whatever happens below `/hidden`.
    private struct HidingMiddleware: Middleware {
        func respond(to request: Request, next: any Handler) throws -> HandlerResult {
            guard request.path == "/hidden" else { return try next.respond(to: request) }
            return .pending { (try? await next(request)) ?? .text("hidden") }
        }
    }

    @Test func `Every request is one line`() async throws {
        let line = try await line("/notes/7?token=secret", [.xRequestID: "abc-1"])
        #expect(line["message"] == "GET /notes/7 200")
        #expect(line["level"] == "info")
        #expect(line["route"] == "/notes/{id}")
        #expect(line["status"] == 200)
        #expect(line["bytes"] == 6)
        #expect(line["request-id"]?.string?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        let duration = try #require(line["duration-ms"]?.number?.double)
        #expect(duration > 0 && duration < 10_000)
    }

    /// Lines of usual requests are put together from parts; others take the way of all events. Both have the same members.
    @Test(arguments: [
        ("/notes/a'b!$", "/notes/a'b!$"), ("/notes/%22", "/notes/%22"),
        ("/notes/\(String(repeating: "x", count: 300))", "/notes/\(String(repeating: "x", count: 193))…"),
    ]) func `A path stands in its line, as much of it as is logged`(path: String, shown: String) async throws {
        for fields in [[:], [.xRequestID: "abc-1"]] as [HTTPFields] {
            #expect(try await line(path, fields)["message"] == .string("GET \(shown) 200"))
        }
    }

    @Test(arguments: [
        (0, "0"), (7, "0.007"), (70, "0.07"), (700, "0.7"), (1000, "1"), (12_340, "12.34"), (1_000_001, "1000.001"),
    ])
    func `A duration is written in milliseconds, after an id and a route`(microseconds: Int, text: String) throws {
        let lines = LoggedLines()
        let log = RequestLog(lines.output.logger(label: "test", format: .json), quietPaths: [])
        let reporter = RequestReporter(log: log, metrics: nil, tracer: nil)
        for id in [nil, "a", "0123456789abcdef0123456789"] {
            let request = try Request(.get, "/a", headers: id.map { [.xRequestID: $0] } ?? [:])
            let observation = RequestObservation(request, reporter)
            let kind = RequestKinds(log, nil).kind(.none, .get, 200)
            #expect(log.write(request, kind, observation, bytes: 10, microseconds: microseconds))
            let start = #","request-id":"\#(observation.id.text)","route":"*","status":200"#
            let end = #","duration-ms":\#(text),"bytes":10,"client-address":"127.0.0.1","protocol":"HTTP/1.1"}"#
            #expect(lines.text.hasSuffix("\(start)\(end)\n"), "\(lines.text)")
        }
    }

    @Test(arguments: [0, 9, 10, 0xFFFF_FFFF, 0x0123_4567_89AB_CDEF, 0x9A9A_A9A9_0F0F_F0F0, .max] as [UInt64])
    func `A number has 16 hexadecimal digits`(number: UInt64) {
        let digits = String(number, radix: 16)
        #expect(number.hexadecimal == String(repeating: "0", count: 16 - digits.count) + digits)
    }

    @Test func `A line has the members that its logger's other lines would have`() async throws {
        let lines = LoggedLines()
        let plain = lines.output.logger(label: "a \"name\"", format: .json)
        var marked = plain
        marked[metadataKey: "app"] = "demo"
        for logger in [plain, marked] { _ = try await Self.ask(Self.handler(Telemetry(logger: logger)), "/notes/7") }
        let parts = try lines.text.split(separator: "\n").map { text in
            var line = try #require(try JSONValue(parsing: Array(text.utf8)).object)
            for name in ["time", "request-id", "duration-ms", "app"] {
                #expect((line[name] == nil) == (name == "app" && line["app"] == nil))
                line[name] = nil
            }
            return line
        }
        #expect(parts.count == 2 && parts[0] == parts[1], "\(parts)")
        #expect(parts[0].count == 8)
    }

    @Test(arguments: LogFormat.allCases)
    func `A line names the client, its version of HTTP, of TLS and its program`(format: LogFormat) async throws {
        let lines = LoggedLines()
        let handler = Self.handler(Telemetry(logger: lines.output.logger(label: "test", format: format)))
        var configuration = try TestAuthority.shared.serverConfiguration
        configuration.trustedProxies = [try AddressRange("127.0.0.1")]
        try await withServer(handler, configuration: configuration) { address in
            let client = try await RawClient.connect(to: address, tls: ClientTLSSettings(serverName: "localhost"))
            let fields = "X-Forwarded-For: 192.0.2.7, 127.0.0.1\r\nUser-Agent: An \"app\"/1\r\nConnection: close"
            try await client.send("GET /notes/7 HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n")
            #expect(try await client.receive().status == 200)
        }
        let line = lines.text
        switch format {
        case .json:
            let members = try #require(try JSONValue(parsing: Array(line.utf8)).object)
            #expect(members["client-address"] == "192.0.2.7" && members["protocol"] == "HTTP/1.1", "\(line)")
            #expect(members["user-agent"] == "An \"app\"/1" && members["tls"] == "TLSv1.3", "\(line)")
        case .text:
            #expect(line.contains(" client-address=192.0.2.7 ") && line.contains(" protocol=HTTP/1.1 "), "\(line)")
            #expect(line.hasSuffix(" tls=TLSv1.3 user-agent=An \"app\"/1\n"), "\(line)")
        case .logfmt:
            let start = " level=info logger=test msg=\"GET /notes/7 200\" bytes=6 client-address=192.0.2.7 duration-ms="
            #expect(line.hasPrefix("time=20") && line.contains(start), "\(line)")
            #expect(line.hasSuffix(" tls=TLSv1.3 user-agent=\"An \\\"app\\\"/1\"\n"), "\(line)")
        }
    }

    @Test func `What is found behind decompression stands in the line`() async throws {
        let lines = LoggedLines()
        let router = Router()
        router.use(Telemetry(logger: lines.output.logger(label: "test", format: .json)))
        router.use(Decompression())
        router.post("/echo") { request in
            request.isServed(by: ResponseSource(fault: "none"))
            return Response(body: .bytes(try await request.body.collect()))
        }
        let body = try #require(ContentEncoder.gzip(Array(String(repeating: "a", count: 500).utf8)))
        let request = try Request(.post, "/echo", headers: [.contentEncoding: "gzip"], body: body)
        _ = try await router.handler().respond(to: request).response()
        let line = try #require(try JSONValue(parsing: Array(lines.text.utf8)).object)
        #expect(line["message"] == "POST /echo 200" && line["bytes"] == 500 && line["fault"] == "none")
    }

    @Test func `What answers in a route's place stands in its line`() async throws {
        let source = ResponseSource(mock: "users/\"a\".yaml:3", fault: "status=500")
        let lines = LoggedLines()
        let router = Router()
        router.use(Telemetry(logger: lines.output.logger(label: "test", format: .json)))
        router.use { request, _ in
            request.isServed(by: ResponseSource(fault: "another"))
            request.isServed(by: source)
            return Response()
        }
        _ = try await Self.ask(router.handler(), "/")
        let line = try #require(try JSONValue(parsing: Array(lines.text.utf8)).object)
        #expect(line["mock"] == "users/\"a\".yaml:3" && line["fault"] == "status=500" && line["route"] == nil)
    }

    @Test(arguments: [
        ("/nothing", "GET /nothing 404", "info", "*"), ("/denied", "GET /denied 403", "info", "/denied"),
        ("/away", "GET /away 503", "warning", "/away"), ("/broken", "GET /broken 500", "error", "/broken"),
        ("/healthz", "GET /healthz 200", "debug", "/healthz"),
    ])
    func `A line has the level and the route that fit its status`(
        _ path: String,
        _ message: String,
        _ level: String,
        _ route: String
    ) async throws {
        let line = try await line(path)
        #expect(line["message"] == .string(message))
        #expect(line["level"] == .string(level))
        #expect(line["route"] == .string(route))
        #expect((line["error"] != nil) == (level == "error"))
    }

    @Test func `A line names a session by its hash`() async throws {
        let lines = LoggedLines()
        let handler = Self.handler(Telemetry(logger: lines.output.logger(label: "test", format: .json)))
        let response = try await Self.ask(handler, "/app/log_in")
        let cookie = try #require(response.headers[.setCookie]?.prefix { $0 != ";" })
        _ = try await Self.ask(handler, "/app/me", [.cookie: String(cookie)])
        _ = try await Self.ask(handler, "/app/me")
        let text = lines.text
        let sessions = try text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8)).object?["session-hash"]
        }
        #expect(sessions.count == 3)
        #expect(sessions[0] == sessions[1] && sessions[0]?.string?.count == 16)
        #expect(sessions[2] == nil)
        #expect(!text.contains(cookie.dropFirst("session=".count)))
    }

    @Test func `A line names a session by token too`() async throws {
        let lines = LoggedLines()
        let sessions = TokenSessions(
            mount: "/",
            store: MemorySessionStore(),
            configuration: SessionConfiguration(),
            logger: lines.output.logger(label: "test")
        )
        let token = sessions.makeToken()
        let router = Router()
        router.use(Telemetry(logger: lines.output.logger(label: "test", format: .json)))
        router.get("/") { request in
            _ = try await sessions.withSession(token, of: request, isNew: request.rawQuery == "new") {
                try $0.update(Counter.self) { $0 = ($0 ?? 0) + 1 }
            }
            return Response()
        }
        for target in ["/?new", "/"] { _ = try await Self.ask(router.handler(), target) }
        let named = try lines.text.split(separator: "\n").map {
            try JSONValue(parsing: Array($0.utf8)).object?["session-hash"]
        }
        #expect(named.count == 2 && named[0]?.string?.count == 16 && named[0] == named[1])
    }

    // MARK: Ids

    @Test func `Failures have the id, and clients don't choose it`() async throws {
        let handler = Self.handler(Telemetry())
        #expect(try await Self.ask(handler, "/notes/1", [.xRequestID: "mine"]).headers[.xRequestID] == nil)
        for path in ["/away", "/broken"] {
            let server = InProcessServer(handler, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let request = try Request(.get, path, headers: [.xRequestID: "mine"])
            let failure = try await server.response(to: request, bodyLimit: 1000)
            #expect(failure.headers[.xRequestID]?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
            #expect(failure.headers[.xRequestID] == request.id)
            #expect(failure.headers[.retryAfter] == (path == "/away" ? "5" : nil))
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "a.b:c=1", true), ("127.0.0.1", String(repeating: "a", count: 64), true),
        ("127.0.0.1", String(repeating: "a", count: 65), false), ("127.0.0.1", "", false),
        ("127.0.0.1", "a b", false), ("127.0.0.1", "../x", false), ("127.0.0.1", "a\"b", false),
        ("127.0.0.1", "ü", false), ("127.0.0.2", "a.b:c=1", false),
    ]) func `A trusted proxy's id counts if it may stand in a log`(
        address: String,
        id: String,
        counts: Bool
    ) async throws {
        let lines = LoggedLines()
        let router = Router()
        router.use(Telemetry(logger: lines.output.logger(label: "test", format: .json)))
        router.get("/") { request in .text(request.id) }
        router.get("/denied") { _ -> Response in throw StatusError(.forbidden, "no") }
        var configuration = ServerConfiguration()
        configuration.trustedProxies = [try AddressRange("127.0.0.1")]
        let hosted = try HostedHandler(router, configuration: configuration, logger: Logger(label: "test"))
        for path in ["/", "/denied"] {
            let head = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "a",
                path: path,
                headerFields: [.xRequestID: id]
            )
            let response = await hosted.respond(
                to: head,
                body: RequestBody([]),
                from: SocketAddress(host: address, port: 1)
            )
            #expect(response.headers[.xRequestID] == (counts ? id : nil))
            let line = try #require(lines.text.split(separator: "\n").last)
            let logged = try JSONValue(parsing: Array(line.utf8))["request-id"]?.string
            #expect((logged == id) == counts)
            if path == "/" { #expect(response.bodyText == logged) }
        }
    }

    @Test func `A request has one id, and others have others`() throws {
        let request = try Request(.get, "/")
        #expect(request.id == request.id && request.id.utf8.count == 16)
        #expect(Set(try (0..<1000).map { _ in try Request(.get, "/").id }).count == 1000)
    }

    @Test func `An unexpected error is logged once`() async throws {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .text)
        let server = InProcessServer(Self.handler(Telemetry(logger: logger)), logger: logger)
        let response = try await server.response(to: try Request(.get, "/broken"), bodyLimit: 1000)
        #expect(response.status == .internalServerError)
        #expect(lines.text.split(separator: "\n").count == 1)
    }

    // MARK: Metrics

    @Test func `A request whose client has gone isn't logged as an error`() async throws {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await line("/cancelled")
        }
        let gone = try await task.value
        #expect(gone["message"] == "GET /cancelled 499")
        #expect(gone["level"] == "info")
        #expect(gone["error"] == nil)
        // An error of that kind while the client waits is as unexpected as any other.
        let unexpected = try await line("/cancelled")
        #expect(unexpected["message"] == "GET /cancelled 500")
        #expect(unexpected["level"] == "error")
    }

    @Test func `Requests are counted by method, status and route`() async throws {
        let metrics = PrometheusMetrics(buckets: [1000])
        let handler = Self.handler(Telemetry(metrics: metrics))
        for path in ["/notes/1", "/notes/2", "/x", "/y", "/broken"] { _ = try? await Self.ask(handler, path) }
        _ = try? await handler(try Request(try #require(.init("BREW")), "/notes/1"))
        let text = await metrics.text()
        for (method, status, route, count) in [
            ("GET", 200, "/notes/{id}", 2), ("GET", 404, "*", 2), ("GET", 500, "/broken", 1), ("_OTHER", 405, "*", 1),
        ] {
            let labels =
                #"http_request_method="\#(method)",http_response_status_code="\#(status)",http_route="\#(route)",url_scheme="http""#
            #expect(text.contains("http_server_request_duration_seconds_count{\(labels)} \(count)\n"), "\(text)")
        }
    }

    @Test func `Only clients with access read metrics`() async throws {
        let metrics = PrometheusMetrics()
        let router = Router()
        router.metrics(metrics, LocalAccess(host: "127.0.0.1"))
        let handler = router.handler()
        let response = try await Self.ask(handler, "/metrics", [.init("Host") ?? .accept: "localhost"])
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        await #expect(throws: StatusError(.notFound, "nothing answers at /metrics")) {
            try await Self.ask(handler, "/metrics", [.init("Host") ?? .accept: "example.com"])
        }
    }

    // MARK: Spans

    @Test func `Every request is a span`() async throws {
        let tracer = InMemoryTracer()
        let handler = Self.handler(Telemetry(tracer: tracer))
        let response = try await Self.ask(handler, "/traced?a=b")
        _ = try? await Self.ask(handler, "/broken")
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET /traced", "GET /broken"])
        #expect(spans.allSatisfy { $0.kind == .server })
        #expect(spans[0].attributes.get("http.response.status_code") == .int64(200))
        #expect(spans[0].attributes.get("url.path") == .string("/traced"))
        #expect(spans[0].errors.isEmpty && spans[1].errors.count == 1)
        #expect(spans[1].status?.code == .error)
        // The handler ran inside of it.
        #expect(response.bodyText == spans[0].traceID)
    }

    @Test func `The client's span is the parent of the request's`() async throws {
        let tracer = InMemoryTracer()
        let fields: HTTPFields = [.init(InMemoryTracer.traceIDKey)!: "t1", .init(InMemoryTracer.spanIDKey)!: "s1"]
        _ = try await Self.ask(Self.handler(Telemetry(tracer: tracer)), "/traced", fields)
        #expect(tracer.finishedSpans.map(\.traceID) == ["t1"])
        #expect(tracer.finishedSpans.map(\.parentSpanID) == ["s1"])
    }
}

extension HTTPField.Name {
    fileprivate static let xRequestID = RequestID.fieldName ?? .accept
}
