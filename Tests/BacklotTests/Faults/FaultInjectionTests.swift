import TestSupport
import Testing

@testable import Backlot

/// Faults on demand, in process and over a socket.
@Suite(.timeLimit(.minutes(5))) struct FaultInjectionTests {
    /// A router that counts what its handler is asked.
    private final class App: Sendable {
        let board = FaultBoard()
        private let count = Locked(0)

        var calls: Int { count.withLock { $0 } }

        func handler(access: LocalAccess? = nil, exempt: [String] = []) -> any Handler {
            let router = Router()
            router.use(FaultInjection(board, access: access, exempt: exempt))
            for path in ["/", "/save", "/__admin", "/__admin/faults", "/__administer"] {
                router.get(path) { _ in
                    self.count.withLock { $0 += 1 }
                    return .text("fine")
                }
            }
            return router.handler()
        }
    }

    private static func ask(
        _ handler: any Handler,
        _ path: String = "/",
        _ fields: (String, String)...
    ) async throws -> Response {
        var headers = HTTPFields()
        for (name, value) in fields { try headers.set(name, to: value) }
        let request = try Request(.get, path, headers: headers)
        do {
            return try await handler(request)
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    @Test(arguments: [
        ("Backlot-Fault", "status=503"), ("backlot-fault", "status=503; delay=1"),
        ("Cookie", "backlot-fault=status=503"),
        ("Cookie", "a=b; backlot-fault=\"status=503&delay=1\"; session=x"),
    ])
    func `A field or a cookie of the request injects a fault`(name: String, value: String) async throws {
        let app = App()
        let response = try await Self.ask(app.handler(), "/", (name, value))
        #expect(response.status == .serviceUnavailable)
        #expect(response.bodyText == "503 Service Unavailable, from an injected fault")
        #expect(response.headers[named: FaultInjection.field]?.hasPrefix("status=503") == true)
        #expect(app.calls == 0)
        #expect(try await Self.ask(app.handler()).bodyText == "fine")
    }

    @Test func `A delay alone keeps the handler's response back`() async throws {
        let app = App()
        let start = ContinuousClock.now
        let response = try await Self.ask(app.handler(), "/", ("Backlot-Fault", "delay=30"))
        #expect(start.duration(to: .now) >= .milliseconds(30))
        #expect(response.bodyText == "fine" && response.headers[named: FaultInjection.field] == "delay=30")
    }

    @Test(arguments: ConnectionFault.allCases)
    func `A fault can break the connection`(fault: ConnectionFault) async throws {
        let app = App()
        let response = try await Self.ask(
            app.handler(),
            "/",
            ("Backlot-Fault", "fault=\(fault.rawValue); status=418")
        )
        guard case .fault(fault) = response.body else {
            Issue.record("the body is \(response.body)")
            return
        }
        #expect(response.status.code == 418 && app.calls == 0)
    }

    @Test func `What can't be is a 400 that says where and why`() async throws {
        let app = App()
        var response = try await Self.ask(app.handler(), "/", ("Backlot-Fault", "status=77"))
        #expect(response.status == .badRequest)
        #expect(
            response.bodyText
                == "the field Backlot-Fault can't be 'status=77': the status 77 is out of range; \(Fault.allowed)"
        )
        response = try await Self.ask(app.handler(), "/", ("Cookie", "backlot-fault=now"))
        #expect(response.bodyText.hasPrefix("the cookie backlot-fault can't be 'now': 'now' has no value; "))
        #expect(app.calls == 0)
    }

    @Test func `The board's faults go to the next responses of their clients`() async throws {
        let app = App()
        let handler = app.handler()
        app.board.add(FaultOrder(Fault(status: .badGateway), times: 2, for: .session(cookie: "ada")))
        app.board.add(FaultOrder(Fault(status: .notFound), for: .noSession, path: "/save"))
        #expect(try await Self.ask(handler).status == .ok)
        #expect(try await Self.ask(handler, "/save", ("Cookie", "session=bob")).status == .ok)
        #expect(try await Self.ask(handler, "/", ("Cookie", "session=ada")).status == .badGateway)
        // What a request asks for itself goes before what waits, and leaves it.
        let own = try await Self.ask(handler, "/", ("Cookie", "session=ada"), ("Backlot-Fault", "status=500"))
        #expect(own.status == .internalServerError)
        #expect(try await Self.ask(handler, "/save", ("Cookie", "session=ada")).status == .badGateway)
        #expect(try await Self.ask(handler, "/save", ("Cookie", "session=ada")).status == .ok)
        #expect(try await Self.ask(handler, "/save").status == .notFound)
        #expect(app.board.orders.isEmpty)
    }

    @Test func `Whoever wants to is told of answers that no handler was asked for`() async throws {
        let told = Locked<[String]>([])
        let router = Router()
        router.use(
            FaultInjection(FaultBoard()) { request, fault, response in
                told.withLock { $0.append("\(request.path): \(fault) → \(response.status.code)") }
            }
        )
        router.get("/") { _ in .text("fine") }
        for fault in ["delay=1", "status=500", "fault=EMPTY_RESPONSE; delay=1"] {
            _ = try await Self.ask(router.handler(), "/", ("Backlot-Fault", fault))
        }
        #expect(told.withLock { $0 } == ["/: status=500 → 500", "/: delay=1; fault=EMPTY_RESPONSE → 200"])
    }

    @Test func `Exempt paths always get their responses`() async throws {
        let app = App()
        let handler = app.handler(exempt: ["/__admin"])
        app.board.add(FaultOrder(Fault(status: .badGateway), for: .anyone))
        for path in ["/__admin", "/__admin/faults"] {
            #expect(try await Self.ask(handler, path, ("Backlot-Fault", "status=500")).status == .ok)
        }
        #expect(try await Self.ask(handler, "/__administer").status == .badGateway)
    }

    @Test func `Only who is let in can ask by a field`() async throws {
        let app = App()
        let handler = app.handler(access: LocalAccess(host: "0.0.0.0", token: "open sesame"))
        #expect(try await Self.ask(handler, "/", ("Backlot-Fault", "status=500")).status == .ok)
        #expect(try await Self.ask(handler, "/", ("Backlot-Fault", "status=77")).status == .ok)
        let authorization = ("Authorization", "Bearer open sesame")
        #expect(try await Self.ask(handler, "/", ("Backlot-Fault", "status=500"), authorization).status.code == 500)
        app.board.add(FaultOrder(Fault(status: .badGateway), for: .noSession))
        #expect(try await Self.ask(handler).status == .badGateway)
    }

    @Test func `A plain router knows nothing of it`() async throws {
        let router = Router()
        router.get("/") { _ in .text("fine") }
        let response = try await Self.ask(router.handler(), "/", ("Backlot-Fault", "status=500"))
        #expect(response.status == .ok && response.headers[named: FaultInjection.field] == nil)
    }

    @Test func `Faults are injected over a socket`() async throws {
        let app = App()
        try await withServer(app.handler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\nBacklot-Fault: status=503; delay=5\r\n\r\n")
            let response = try await client.receive()
            #expect(response.status == 503)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\nBacklot-Fault: fault=EMPTY_RESPONSE\r\n\r\n")
            #expect(try await client.receiveToEnd() == ([], .closed))
            let other = try await RawClient.connect(to: address)
            app.board.add(FaultOrder(Fault(connection: .connectionReset), for: .session(cookie: "ada")))
            try await other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let fine = try await other.receive()
            #expect(fine.text == "fine")
            try await other.send("GET / HTTP/1.1\r\nHost: h\r\nCookie: session=ada\r\n\r\n")
            #expect(try await other.receiveToEnd() == ([], .reset))
        }
    }
}

extension HTTPFields {
    fileprivate subscript(named name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
