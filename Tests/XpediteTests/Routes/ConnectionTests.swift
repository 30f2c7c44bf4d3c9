import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import Xpedite

/// Sessions of connecting devices, malformed packets, and simultaneous packets.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    private enum CountKey: SessionKey {
        static let name = "count"
        typealias Value = Int
    }

    private func makeRouter() -> Router {
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in page { label("Hello") } }
            app.method("count") { call in
                try call.session.update(CountKey.self) { $0 = ($0 ?? 0) + 1 }
                return page { label("counted") }
            }
            app.method("read") { call in page { label("\(call.session[CountKey.self] ?? 0)") } }
        }
        return router
    }

    private func makeLogInRouter(_ limits: SessionLimits = SessionLimits()) -> Router {
        var configuration = XpediteConfiguration()
        configuration.sessionLimits = limits
        let router = Router()
        router.xpedite("/xpedite", version: 1, configuration: configuration) { app in
            app.connect { _ in page { label("Hello") } }
            app.method("login") { call in
                try call.session.logIn(user: "ann")
                return page { label("in") }
            }
            app.method("who") { call in page { label(call.session.user ?? "nobody") } }
        }
        return router
    }

    /// The attack: a client that knows the id of a device must not get its log-in.
    @Test(arguments: HTTPVersions.each, [false, true])
    func `Who connects with another's device id gets a session of their own`(
        version: HTTPVersions,
        isSecure: Bool
    ) async throws {
        let authority = TestAuthority.shared
        let configuration = try isSecure ? authority.serverConfiguration : ServerConfiguration()
        let transport = try SocketTransport(trusting: authority.trust, versions: version)
        try await withServer(makeLogInRouter().handler(), configuration: configuration) { address in
            let url = try HTTPURL("\(isSecure ? "https" : "http")://localhost:\(address.port)/xpedite")
            func send(_ packet: JSONObject) async throws -> JSONValue {
                let request = ClientRequest(.post, url, body: JSONValue.object(packet).bytes)
                return try JSONValue(parsing: try await transport.response(to: request, limits: ClientLimits()).body)
            }
            let connect: JSONObject = ["method": "setConnection", "uuid": "phone", "bundleID": "app"]
            var tokens: [JSONValue] = []
            func expectStrangers() async throws {
                for token in tokens {
                    let response = try await send(["method": "who", "token": token])
                    #expect(response["rc"] == 3 || response.label == "nobody")
                }
            }
            // Before the log-in, and with the token that the device had then.
            tokens.append(try await send(connect)["token"] ?? .null)
            let victim = try await send(connect)["token"] ?? .null
            tokens.append(try await send(connect)["token"] ?? .null)
            #expect(Set(tokens + [victim]).count == 3)
            let loggedIn = try await send(["method": "login", "token": victim])["token"] ?? .null
            tokens.append(victim)
            // After it, with more sessions than a device may have.
            for _ in 0..<10 { tokens.append(try await send(connect)["token"] ?? .null) }
            #expect(!tokens.contains(loggedIn))
            try await expectStrangers()
            #expect(try await send(["method": "who", "token": loggedIn]).label == "ann")
            // A token that an attacker has made up, or sends with setConnection, begins nothing.
            var fixed = connect
            fixed["token"] = .string("08829e57-56ec-42a8-8b84-061981c054c8")
            #expect(try await send(fixed)["token"] != fixed["token"])
            fixed["token"] = loggedIn
            tokens.append(try await send(fixed)["token"] ?? .null)
            try await expectStrangers()
        }
    }

    @Test(arguments: HTTPVersions.each)
    func `Behind a trusted proxy each client has its own limit`(version: HTTPVersions) async throws {
        var limits = SessionLimits()
        limits.perAddress = 1
        var configuration = ServerConfiguration()
        let handler = makeLogInRouter(limits).handler()
        for isTrusted in [true, false] {
            configuration.trustedProxies = try isTrusted ? [AddressRange("127.0.0.0/8")] : []
            try await withServer(handler, configuration: configuration) { address in
                func send(_ packet: JSONObject, for client: String) async throws -> JSONValue {
                    let field = try #require(HTTPField.Name("X-Forwarded-For"))
                    let body = JSONValue.object(packet).bytes
                    let response = try await address.exchange(version, .post, "/xpedite", [field: client], body: body)
                    return try JSONValue(parsing: response.body)
                }
                let first = try await send(["method": "setConnection"], for: "192.0.2.1")["token"] ?? .null
                _ = try await send(["method": "setConnection"], for: "192.0.2.2")
                let who = try await send(["method": "who", "token": first], for: "192.0.2.1")
                #expect(who["rc"] == (isTrusted ? 0 : 3))
            }
        }
    }

    private func post(_ body: String, type: String = "text/plain") -> String {
        "POST /xpedite HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `Nothing that is sent drops the connection`() async throws {
        try await withServer(makeRouter().handler()) { address in
            let client = try await RawClient.connect(to: address)
            let bodies = [
                "{", "", "[]", "{}", #"{"method":"x"}"#, #"{"method":"count","token":"x"}"#,
                #"{"method":"setConnection"}"#,
                String(repeating: "[", count: 10_000), "\u{0}\u{1}",
            ]
            for body in bodies {
                for type in ["text/plain", "application/json", "application/x-www-form-urlencoded"] {
                    try await client.send(post(body, type: type))
                    let response = try await client.receive(responseTo: "POST")
                    #expect(response.status == 200)
                    let rc = try JSONValue(parsing: response.body)["rc"]
                    #expect((rc == 0) == body.contains("setConnection"))
                }
            }
        }
    }

    @Test func `Packets of one session at the same time lose nothing`() async throws {
        let app = try TestApp(transport: InProcessTransport(makeRouter().handler()))
        let token = JSONValue.string(try await app.connect())
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try? await app.send(["method": "count", "token": token]) }
            }
        }
        #expect(try await app.send(["method": "read", "token": token]).label == "20")
    }
}
