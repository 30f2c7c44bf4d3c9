import Backlot
import TestSupport
import Testing

/// Strict-Transport-Security, and what a request knows of its scheme.
@Suite(.timeLimit(.minutes(5))) struct HSTSTests {
    private func makeRouter(_ hsts: HSTS) -> Router {
        let router = Router()
        router.use(hsts)
        router.get("/") { request in .text("\(request.scheme), secure: \(request.isSecure)") }
        router.get("/own") { _ in
            var response = Response()
            response.headers[.strictTransportSecurity] = "max-age=1"
            return response
        }
        return router
    }

    private func ask(
        _ path: String,
        _ hsts: HSTS = HSTS(maxAge: .seconds(600)),
        fields: [String] = [],
        over tls: Bool,
        trusting proxies: [AddressRange] = []
    ) async throws -> ReceivedResponse {
        var configuration = try tls ? TestAuthority.shared.serverConfiguration : ServerConfiguration()
        configuration.trustedProxies = proxies
        return try await withServer(makeRouter(hsts).handler(), configuration: configuration) { address in
            let settings = tls ? ClientTLSSettings(serverName: "localhost") : nil
            let client = try await RawClient.connect(to: address, tls: settings)
            let lines = (["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + fields)
            try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            return try await client.receive()
        }
    }

    @Test(arguments: [
        (HSTS(maxAge: .zero), "max-age=0"),
        (HSTS(maxAge: .seconds(600), includesSubdomains: true), "max-age=600; includeSubDomains"),
        (
            HSTS(maxAge: .seconds(31_536_000), includesSubdomains: true, allowsPreloading: true),
            "max-age=31536000; includeSubDomains; preload"
        ),
    ])
    func `Responses over TLS have the field`(hsts: HSTS, value: String) async throws {
        #expect(try await ask("/", hsts, over: true)["Strict-Transport-Security"] == value)
    }

    @Test func `So has a 404, and a response with a field of its own keeps that`() async throws {
        let missing = try await ask("/nowhere", over: true)
        #expect(missing.status == 404)
        #expect(missing["Strict-Transport-Security"] == "max-age=600")
        #expect(try await ask("/own", over: true)["Strict-Transport-Security"] == "max-age=1")
    }

    @Test func `Clear text has none, whatever a stranger says`() async throws {
        let response = try await ask("/", fields: ["X-Forwarded-Proto: https"], over: false)
        #expect(response["Strict-Transport-Security"] == nil)
        #expect(response.text == "http, secure: false")
    }

    @Test(arguments: [
        (false, "https", "https, secure: true"), (false, "http", "http, secure: false"),
        (true, "http", "http, secure: false"), (true, "https", "https, secure: true"),
    ])
    func `A trusted proxy says how the client came`(tls: Bool, proto: String, text: String) async throws {
        let loopback = try AddressRange("127.0.0.0/8")
        let response = try await ask("/", fields: ["X-Forwarded-Proto: \(proto)"], over: tls, trusting: [loopback])
        #expect(response.text == text)
        #expect((response["Strict-Transport-Security"] != nil) == (proto == "https"))
    }

    @Test(arguments: [(false, "http, secure: false"), (true, "https, secure: true")])
    func `Without a word of a proxy, its own connection counts`(tls: Bool, text: String) async throws {
        let loopback = try AddressRange("127.0.0.0/8")
        #expect(try await ask("/", over: tls, trusting: [loopback]).text == text)
    }
}
