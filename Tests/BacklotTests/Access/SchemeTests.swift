import Backlot
import TestSupport
import Testing

/// What goes by the scheme of a request: local access, and whether cookies are `Secure`.
@Suite(.timeLimit(.minutes(5))) struct SchemeTests {
    private func makeRouter() -> Router {
        let router = Router()
        let access = LocalAccess(host: "127.0.0.1")
        router.get("/admin") { request in
            if let refusal = access.refusal(of: request) { throw refusal }
            return .text("in")
        }
        router.group("/", SessionMiddleware(path: "/", store: MemorySessionStore())) { app in
            app.get("/log_in") { request in
                try await request.session.logIn(user: "ann")
                return Response()
            }
        }
        return router
    }

    private func ask(
        _ path: String,
        _ fields: [String],
        over tls: Bool,
        trusting proxies: [AddressRange] = []
    ) async throws -> ReceivedResponse {
        var configuration = try tls ? TestAuthority.shared.serverConfiguration : ServerConfiguration()
        configuration.trustedProxies = proxies
        return try await withServer(makeRouter().handler(), configuration: configuration) { address in
            let settings = tls ? ClientTLSSettings(serverName: "localhost") : nil
            let client = try await RawClient.connect(to: address, tls: settings)
            let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + fields
            try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            return try await client.receive()
        }
    }

    @Test(arguments: [
        (true, "https://localhost", 200), (true, "http://localhost", 404), (false, "http://localhost", 200),
        (false, "https://localhost", 404),
    ])
    func `A page of the same origin has the same scheme`(tls: Bool, origin: String, status: Int) async throws {
        #expect(try await ask("/admin", ["Origin: \(origin)"], over: tls).status == status)
    }

    @Test(arguments: [(true, [], true), (false, [], false), (false, ["X-Forwarded-Proto: https"], true)])
    func `The cookie is Secure where the client's connection is`(
        tls: Bool,
        fields: [String],
        isSecure: Bool
    ) async throws {
        let loopback = try AddressRange("127.0.0.0/8")
        let response = try await ask("/log_in", fields, over: tls, trusting: [loopback])
        #expect(response.status == 200)
        #expect(response["Set-Cookie"]?.contains("; Secure") == isSecure)
    }
}
