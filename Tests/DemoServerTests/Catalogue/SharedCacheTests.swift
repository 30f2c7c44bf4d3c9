import ArgumentParser
import Backlot
import BacklotMocks
import TestSupport
import Testing

@testable import demo_server

/// Shared caches ignore most fields when they look for an answer. So what a stranger writes into such a field must not be in an answer
/// that a cache may keep for others (RFC 9111, section 3). Every answer of the shipped server is tried.
@Suite(.timeLimit(.minutes(5))) struct SharedCacheTests {
    /// Hosts that nobody has, which must not be in an answer either.
    private static let evil = "evil.test"

    /// Fields that servers, or frameworks behind them, have believed.
    private static let fields = [
        ("X-Forwarded-Host", evil), ("X-Forwarded-Server", evil), ("X-Forwarded-Proto", "https"),
        ("X-Forwarded-Scheme", "https"),
        ("X-Forwarded-Port", "666"), ("X-Forwarded-Prefix", "/evil.test"), ("X-Forwarded-For", "192.0.2.66, evil.test"),
        ("X-Forwarded-Ssl", "on"), ("X-Host", evil), ("X-HTTP-Host-Override", evil), ("X-Original-Host", evil),
        ("X-Original-URL", "/evil.test"), ("X-Rewrite-URL", "/evil.test"), ("X-HTTP-Method-Override", "DELETE"),
        ("X-Real-IP", "192.0.2.66"), ("X-Url-Scheme", "https"), ("Front-End-Https", "on"),
    ]

    /// Requests that differ from a plain one in what no cache looks at.
    private static let poisons: [(host: String?, fields: HTTPFields)] = [
        ("\(evil):81", [:]), (nil, make(fields + fields.map { ($0.replacing("-", with: "_"), $1) })),
        (nil, make([("Forwarded", "for=192.0.2.66;host=evil.test;proto=https")])),
    ]

    private static func make(_ pairs: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }

    /// What stands beside the routes: files, ways to slashes, preview, administration, and what nobody answers.
    private static let others = [
        "/image.png", "/image.png?a=b", "/objects", "/sign_up/", "/unknown", "/unknown/", "/create_account",
        "/favicon.ico",
        "/robots.txt", "/healthz", "/readyz", "/metrics", "/__admin", "/__admin/mappings", "/__admin/unknown",
        "/__preview",
        "/__preview/", "/__preview/web/shell.css", "/__preview/web/unknown", "/__preview/qr",
        "/__preview/enter?token=evil",
        "/mock", "/mock/unknown", "/floki/news/en", "/floki/desk/", "/views/unknown", "//image.png", "/x/../image.png",
    ]

    /// Whether only some clients are let in.
    private static func isClosed(_ target: String) -> Bool { target.hasPrefix("/__") || target == "/metrics" }

    private static func targets(_ router: Router) throws -> [String] {
        let routes = router.routes.filter { $0.method == .get }.map(\.path)
        let site = try MockSite.load(DemoServer.parse([]).mocks, from: nil, path: MockMount.path, logger: .silent)
        let mocks = try #require(site).backend.routes.filter { $0.methods.isEmpty || $0.methods.contains("GET") }
        let paths = routes + mocks.map(\.path)
        return Set(paths.map { $0.replacing(/\{[^}]*\}/, with: "1") } + others).sorted()
    }

    /// Whether a cache for several clients may keep an answer to GET for a request without this field (RFC 9111, sections 3, 4.1
    /// and 4.2.2).
    private func mayBeKept(_ response: IncomingResponse, apartFrom names: [HTTPField.Name]) -> Bool {
        func list(_ name: HTTPField.Name) -> [String] {
            (response.headers[name] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        }
        let control = list(.cacheControl).map { String($0.prefix { $0 != "=" }) }
        if control.contains("no-store") || control.contains("private") { return false }
        let varies = list(.vary)
        if varies.contains("*") || names.contains(where: { varies.contains($0.canonicalName) }) { return false }
        // What may be kept without being asked to: section 15.1 of RFC 9110.
        let usual = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]
        let isAsked =
            control.contains { ["public", "max-age", "s-maxage"].contains($0) } || response.headers.contains(.expires)
        return isAsked || usual.contains(response.status.code)
    }

    private func spelled(_ response: IncomingResponse) -> String {
        let fields = response.headers.filter { $0.name != .date }.map { "\($0.name.rawName): \($0.value)\n" }
        return "\(response.status)\n" + fields.joined() + String(decoding: response.body, as: UTF8.self)
    }

    @Test(arguments: [(HTTPVersions.http1, nil), (.http2, "127.0.0.0/8")])
    func `What no cache looks at changes nothing that caches keep`(version: HTTPVersions, trusted: String?) async throws
    {
        var configuration = ServerConfiguration()
        if let trusted { configuration.trustedProxies = [try AddressRange(trusted)] }
        let options = trusted.map { ["trusted-proxies": $0] } ?? [:]
        try await withShippedServer(options) { router in
            try await withServer(router.handler(), configuration: configuration) { address in
                let targets = try Self.targets(router)
                #expect(targets.count > 200)
                var plain: [String: String] = [:]
                for target in targets { plain[target] = try await spelled(address.exchange(version, target)) }
                var kept = 0
                // A field of a proxy closes the administration for a while: the other host comes first.
                for poison in Self.poisons {
                    for target in targets {
                        let response = try await address.exchange(version, target, poison.fields, host: poison.host)
                        guard mayBeKept(response, apartFrom: poison.fields.map(\.name)) else { continue }
                        kept += 1
                        let text = spelled(response)
                        #expect(!text.contains(Self.evil), "\(target)")
                        // Clients that aren't let in get what the router says of a path where nothing is.
                        if response.status == .notFound, Self.isClosed(target) { continue }
                        // Some differ each time.
                        if text != plain[target], try await spelled(address.exchange(version, target)) == plain[target]
                        {
                            Issue.record("\(target) differs: \(text)\ninstead of\n\(plain[target] ?? "")")
                        }
                    }
                }
                #expect(kept > 150)
            }
        }
    }
}
