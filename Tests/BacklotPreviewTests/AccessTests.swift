import Backlot
import BacklotPreview
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PreviewAccessTests {
    @Test(arguments: [
        ["Host": "localhost:8080"], ["Host": "127.0.0.1"], ["Host": "[::1]:1"],
    ])
    func `Programs of this machine are let in`(fields: [String: String]) async throws {
        let response = try await PreviewedApp().ask(.get, "/", Self.browser(fields))
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
    }

    @Test(arguments: [
        ["Host": "evil.example"], ["Host": "localhost.evil.example"], ["X-Forwarded-For": "10.0.0.1"],
        ["Forwarded": "for=10.0.0.1"], ["X-Forwarded-Host": "localhost"], ["Origin": "http://evil.example"],
    ])
    func `To others nothing is there`(fields: [String: String]) async throws {
        let app = try PreviewedApp()
        let page = try await app.ask(.get, "/", Self.browser(fields))
        #expect(page.headers[.contentType] == "application/vnd.applin_response")
        let script = try await app.ask(.get, "/__preview/web/main.js", Self.browser(fields))
        #expect(script.status == .notFound)
        var fields = fields
        fields["Backlot-Preview"] = try await app.token()
        let events = try await app.ask(.get, "/__preview/events", Self.browser(fields))
        #expect(events.status == .notFound)
    }

    @Test func `A server for everybody has no preview without a token`() async throws {
        let response = try await PreviewedApp(LocalAccess(host: "0.0.0.0")).ask(.get, "/", PreviewedApp.browser)
        #expect(response.headers[.contentType] == "application/vnd.applin_response")
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/__preview/events"), (.post, "/__preview/inspect"), (.get, "/__preview/machine"),
        (.post, "/__preview/qr"), (.post, "/__preview/session"),
    ])
    func `Calls need the shell's token`(method: HTTPRequest.Method, path: String) async throws {
        let app = try PreviewedApp()
        for token in ["", "0", try await app.token() + "0"] {
            let response = try await app.ask(method, path, Self.browser(["Backlot-Preview": token]), body: "{}")
            #expect(response.status == .notFound)
            #expect(response.text == "nothing answers at \(path)")
        }
    }

    @Test func `The token is the same after a restart`() async throws {
        let first = try await PreviewedApp().token()
        let second = try await PreviewedApp().token()
        #expect(first == second)
        #expect(first.count == 48)
    }

    @Test func `With a token a browser enters once`() async throws {
        let app = try PreviewedApp(LocalAccess(host: "0.0.0.0", token: "open sesame".filter { $0 != " " }))
        let before = try await app.ask(.get, "/", PreviewedApp.browser)
        #expect(before.headers[.contentType] == "application/vnd.applin_response")
        let wrong = try await app.ask(.get, "/__preview/enter?token=opensesam", PreviewedApp.browser)
        #expect(wrong.status == .notFound)
        let entered = try await app.ask(.get, "/__preview/enter?token=opensesame", PreviewedApp.browser)
        #expect(entered.status == .seeOther)
        let cookie = try #require(entered.headers[.setCookie])
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict") && !cookie.contains("opensesame"))
        var headers = PreviewedApp.browser
        headers[.cookie] = String(cookie.prefix { $0 != ";" })
        let shell = try await app.ask(.get, "/", headers)
        #expect(shell.headers[.contentType] == "text/html; charset=utf-8")
        for other in ["other", "opensesame"] {
            headers[.cookie] = "backlot-preview=\(other)"
            let refused = try await app.ask(.get, "/", headers)
            #expect(refused.headers[.contentType] == "application/vnd.applin_response")
        }
    }

    /// The host in the address, and what a browser says that a request is for: nothing over http, unless the host is this machine.
    @Test(
        arguments: [
            ("192.168.1.7:8080", false, nil, false), ("phone.test", false, nil, false),
            ("localhost.evil.example", false, nil, false),
            ("192.168.1.7:8080", true, nil, true), ("localhost:8080", false, nil, true),
            ("127.0.0.1", false, nil, true),
            ("192.168.1.7", false, "document", true),
        ] as [(String, Bool, String?, Bool)]
    )
    func `Preview's secret isn't given where a page's script could read it`(
        host: String,
        tls: Bool,
        destination: String?,
        isGiven: Bool
    ) async throws {
        let access = LocalAccess(host: "0.0.0.0", token: "opensesame")
        let cookie = "Cookie: backlot-preview=\(try #require(access.previewCookie))"
        let purpose = destination.map { ["Sec-Fetch-Dest: \($0)"] } ?? []
        let configuration = try tls ? TestAuthority.shared.serverConfiguration : ServerConfiguration()
        try await withServer(PreviewedApp(access).handler, configuration: configuration) { address in
            let settings = tls ? ClientTLSSettings(serverName: "localhost") : nil
            let client = try await RawClient.connect(to: address, tls: settings)
            func ask(_ fields: [String]) async throws -> ReceivedResponse {
                let lines = ["GET /notes/1 HTTP/1.1", "Host: \(host)"] + fields
                try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                return try await client.receive()
            }
            let page = try await ask(["Accept: text/html", cookie] + purpose)
            #expect(page.status == (isGiven ? 200 : 403))
            #expect(page.text.contains(PreviewToken.text) == isGiven && page["Cache-Control"] == "no-store")
            #expect(page.text.contains("--tls-self-signed") != isGiven && page["Vary"] == "Accept")
            // An app's client is nobody's browser.
            for fields in [["Accept: application/json", cookie], ["Accept: text/html"]] {
                let own = try await ask(fields + purpose)
                #expect(own["Content-Type"] == "application/vnd.applin_response")
            }
            await client.close()
        }
    }

    @Test(arguments: HTTPVersions.each)
    func `Nothing stands between a browser that may use preview and the shell`(version: HTTPVersions) async throws {
        try await withServer(PreviewedApp().handler) { address in
            let name = try #require(HTTPField.Name("Service-Worker"))
            let refused = try await address.exchange(version, "/plain", [name: "script"])
            #expect(refused.status == .forbidden && refused.text.contains("no service worker"))
            for (fields, host) in [([name: "script"], "app.example"), ([:], "localhost")] as [(HTTPFields, String)] {
                #expect(try await address.exchange(version, "/plain", fields, host: host).text == "plain")
            }
        }
    }

    private static func browser(_ fields: [String: String]) -> HTTPFields {
        var headers = PreviewedApp.browser
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}
