import Backlot
import BacklotHTTP
import BacklotPreview
import HTTPTypes
import Testing

struct PreviewAccessTests {
    @Test(arguments: [
        ["Host": "localhost:8080"], ["Host": "127.0.0.1"], ["Host": "[::1]:1"],
    ])
    func `Programs of this machine are let in`(fields: [String: String]) async throws {
        let response = try await PreviewedApp().answer(.get, "/", Self.browser(fields))
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
    }

    @Test(arguments: [
        ["Host": "evil.example"], ["Host": "localhost.evil.example"], ["X-Forwarded-For": "10.0.0.1"],
        ["Forwarded": "for=10.0.0.1"], ["X-Forwarded-Host": "localhost"], ["Origin": "http://evil.example"],
    ])
    func `To others nothing is there`(fields: [String: String]) async throws {
        let app = try PreviewedApp()
        let page = try await app.answer(.get, "/", Self.browser(fields))
        #expect(page.headers[.contentType] == "application/vnd.applin_response")
        let script = try await app.answer(.get, "/__preview/web/main.js", Self.browser(fields))
        #expect(script.status == .notFound)
        var fields = fields
        fields["Backlot-Preview"] = try await app.token()
        let events = try await app.answer(.get, "/__preview/events", Self.browser(fields))
        #expect(events.status == .notFound)
    }

    @Test func `A server for everybody has no preview without a token`() async throws {
        let response = try await PreviewedApp(LocalAccess(host: "0.0.0.0")).answer(.get, "/", PreviewedApp.browser)
        #expect(response.headers[.contentType] == "application/vnd.applin_response")
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/__preview/events"), (.post, "/__preview/inspect"), (.get, "/__preview/machine"),
        (.post, "/__preview/qr"), (.post, "/__preview/session"),
    ])
    func `Calls need the shell's token`(method: HTTPRequest.Method, path: String) async throws {
        let app = try PreviewedApp()
        for token in ["", "0", try await app.token() + "0"] {
            let response = try await app.answer(method, path, Self.browser(["Backlot-Preview": token]), body: "{}")
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
        let before = try await app.answer(.get, "/", PreviewedApp.browser)
        #expect(before.headers[.contentType] == "application/vnd.applin_response")
        let wrong = try await app.answer(.get, "/__preview/enter?token=opensesam", PreviewedApp.browser)
        #expect(wrong.status == .notFound)
        let entered = try await app.answer(.get, "/__preview/enter?token=opensesame", PreviewedApp.browser)
        #expect(entered.status == .seeOther)
        let cookie = try #require(entered.headers[.setCookie])
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict"))
        var headers = PreviewedApp.browser
        headers[.cookie] = String(cookie.prefix { $0 != ";" })
        let shell = try await app.answer(.get, "/", headers)
        #expect(shell.headers[.contentType] == "text/html; charset=utf-8")
        headers[.cookie] = "backlot-preview=other"
        let refused = try await app.answer(.get, "/", headers)
        #expect(refused.headers[.contentType] == "application/vnd.applin_response")
    }

    private static func browser(_ fields: [String: String]) -> HTTPFields {
        var headers = PreviewedApp.browser
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}
