import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// The clients whose commands are carried out, over sockets.
@Suite(.timeLimit(.minutes(5))) struct AdminAccessTests {
    private static func fields(_ texts: [String: String]) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in texts { fields[try #require(HTTPField.Name(name))] = value }
        return fields
    }

    private static let token = [PreviewToken.field: PreviewToken.text]
    private static let page = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"]

    /// Programs, and an address that is typed into a browser; then pages of this server, without and with preview's secret; then
    /// pages of another.
    @Test(arguments: [
        ([:], true), (["Sec-Fetch-Mode": "cors"], true),
        (["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"], true),
        (page, false), (["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"], false),
        (["Origin": "http://localhost"], false), (["Sec-Fetch-Site": ""], false),
        (page.merging([PreviewToken.field: "0"]) { $1 }, false), (page.merging(token) { $1 }, true),
        (token.merging(["Origin": "http://localhost"]) { $1 }, true),
        (token.merging(["Origin": "http://evil.example"]) { $1 }, false),
        (token.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }, false),
    ])
    func `A page gives commands with preview's secret alone`(texts: [String: String], isAdmitted: Bool) async throws {
        let app = AdminApp()
        let stub = #"{"request": {"urlPath": "/x"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}}"#
        try await withServer(app.handler) { address in
            for (index, version) in HTTPVersions.each.enumerated() {
                let fields = try Self.fields(texts)
                let list = try await address.exchange(version, "/__admin", fields, host: "localhost")
                #expect(list.status == (isAdmitted ? .ok : .notFound))
                let added = try await address.exchange(
                    version,
                    .post,
                    "/__admin/mappings",
                    fields,
                    host: "localhost",
                    body: Array(stub.utf8)
                )
                #expect(added.status == (isAdmitted ? .created : .notFound))
                #expect(app.backend.stubs.count == (isAdmitted ? index + 1 : 0))
            }
        }
    }

    @Test(arguments: [([], 200), (["Origin: https://localhost"], 404), (["Sec-Fetch-Site: same-origin"], 404)])
    func `A page's request needs a token over TLS`(fields: [String], status: Int) async throws {
        try await withServer(AdminApp().handler, configuration: TestAuthority.shared.serverConfiguration) { address in
            let client = try await RawClient.connect(to: address, tls: ClientTLSSettings(serverName: "localhost"))
            for own in [[], ["\(PreviewToken.field): \(PreviewToken.text)"]] {
                let lines = ["GET /__admin HTTP/1.1", "Host: localhost"] + fields + own
                try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                #expect(try await client.receive().status == (own.isEmpty ? status : 200))
            }
            await client.close()
        }
    }

    @Test func `Where a token is set, a page needs that`() async throws {
        let app = AdminApp(access: LocalAccess(host: "127.0.0.1", token: "open-sesame"))
        try await withServer(app.handler) { address in
            for version in HTTPVersions.each {
                var fields = try Self.fields(Self.page.merging(Self.token) { $1 })
                #expect(try await address.exchange(version, "/__admin", fields).status == .notFound)
                fields[.authorization] = "Bearer open-sesame"
                #expect(try await address.exchange(version, "/__admin", fields).status == .ok)
            }
        }
    }

    /// A script can send `X-Forwarded-For`, but neither the fields by which browsers give it away nor `Via`.
    @Test(arguments: [
        (["Sec-Fetch-Site": "same-origin"], true), (["Origin": "http://localhost"], true),
        (["Accept-Language": "de", "Host": "rebound.example"], true),
        (["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors", "Accept-Language": "de"], true),
        ([:], false), (["Via": "1.1 proxy", "Sec-Fetch-Site": "same-origin"], false),
        (["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Accept-Language": "de"], false),
    ])
    func `A script of a page doesn't close administration, and a proxy does`(
        texts: [String: String],
        staysOpen: Bool
    ) async throws {
        for version in HTTPVersions.each {
            try await withServer(AdminApp().handler) { address in
                var fields = try Self.fields(texts.filter { $0.key != "Host" })
                fields[try #require(HTTPField.Name("X-Forwarded-For"))] = "192.0.2.7"
                let seen = try await address.exchange(version, "/x", fields, host: texts["Host"] ?? "localhost")
                #expect(seen.status == .notFound)
                let refused = try await address.exchange(version, "/__admin", fields)
                #expect(refused.status == .notFound)
                let command = try await address.exchange(version, "/__admin")
                #expect(command.status == (staysOpen ? .ok : .notFound))
            }
        }
    }
}
