import Applin
import Backlot
import Testing

@testable import BacklotPreview

@Suite(.timeLimit(.minutes(5))) struct CallTests {
    @Test func `A page is judged by the app's own rules`() async throws {
        let body =
            #"{"page":{"typ":"nav_page","title":"x","widget":{"typ":"button","text":"b","actions":["push:/gone"]}}}"#
        let call: JSONValue = ["app": "/", "path": "/x", "body": .string(body)]
        let response = try await PreviewedApp().call("/__preview/inspect", call)
        let findings = try JSONValue(parsing: response.bytes)["findings"]?.array
        #expect(findings?.count == 1)
        #expect(findings?.first?["rule"] == "dead-link")
        #expect(findings?.first?["rejects"] == false)
        #expect(findings?.first?["pointer"] == "/page/widget/actions/0")
    }

    @Test(arguments: ["/{{next}}", "next"])
    func `What is about a tag isn't told of a draft with tags`(other: String) async throws {
        let target = "{{next}}"
        let body = """
            {"page":{"typ":"nav_page","title":"x","poll_seconds":null,"widget":{"typ":"form","widgets":[
            {"typ":"image","url":"\(target)","aspect_ratio":null,"disposition":"fit"},
            {"typ":"button","text":"\(target)","actions":["push:\(target)", "push:\(other)"]}]}}}
            """
        func pointers(_ more: JSONObject) async throws -> [String] {
            let call = more.members.reduce(into: ["app": "/", "path": "/x", "body": .string(body)] as JSONObject) {
                $0[$1.key] = $1.value
            }
            let response = try await PreviewedApp().call("/__preview/inspect", .object(call))
            return try JSONValue(parsing: response.bytes)["findings"]?.array?.compactMap { $0["pointer"]?.string } ?? []
        }
        let actions = "/page/widget/widgets/1/actions"
        #expect(try await pointers([:]).contains("\(actions)/0"))
        #expect(try await pointers(["hasTags": true]) == (other == "next" ? ["\(actions)/1"] : []))
    }

    @Test(arguments: [("127.0.0.1", true), ("::1", true), ("0.0.0.0", false)])
    func `No phone finds a server that listens to its machine alone`(host: String, isAlone: Bool) throws {
        let hosts = try #require(
            JSONValue(parsing: MachineCall.response(LocalAccess(host: host)).bytes)["hosts"]?.array
        )
        #expect(!isAlone || hosts.isEmpty)
        #expect(isAlone || hosts.count == NetworkInterfaces.localNetworkHosts().count)
    }

    @Test func `A page that clients reject is said to be so`() async throws {
        let call: JSONValue = ["app": "/", "path": "/x", "body": #"{"page":{"typ":"nav_pag"}}"#]
        let response = try await PreviewedApp().call("/__preview/inspect", call)
        #expect(try JSONValue(parsing: response.bytes)["findings"]?[0]?["rejects"] == true)
    }

    @Test func `The words of an app are told as a schema`() async throws {
        let response = try await PreviewedApp().call("/__preview/schema", ["app": "/"])
        let schema = try JSONValue(parsing: response.bytes)["schema"]
        #expect(schema?["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema?["$defs"]?["widget_textfield"]?["properties"]?["allow"] != nil)
        #expect(try await PreviewedApp().call("/__preview/schema", ["app": "/other/"]).status == .badRequest)
        #expect(try await PreviewedApp().ask(.post, "/__preview/schema", body: #"{"app":"/"}"#).status == .notFound)
    }

    @Test func `A page is written in Swift`() async throws {
        let body = """
            {"page": {"typ": "nav_page", "title": "A \\"b\\"", "x": 1, "widget": {"typ": "text", "text": "C"}}}
            """
        let response = try await PreviewedApp().call("/__preview/swift", ["app": "/", "body": .string(body)])
        #expect(response.status == .ok)
        let result = try JSONValue(parsing: response.bytes)
        let code = #"""
            // Left out, as clients don't read it here: "x": 1
            navPage("A \"b\"") { text("C") }

            """#
        #expect(result["swift"]?.string == code)
        #expect(result["omissions"] == ["/page/x: left out, as clients don't read it here"])
    }

    @Test(
        arguments: [
            ("{\n\"typ\": \"nav_page\",\n\"title\": 5}", "line 3: /title is the number 5, but must be a string"),
            (
                "{\"typ\":\n[",
                "line 2: this is no JSON: the document ends where a value belongs; it may have been cut off"
            ),
            (String(repeating: "[", count: 10_000), "line 1: more than 512 arrays and objects stand in each other"),
            ("[]", "line 1: the document isn't an Applin page, and only those have a form in Swift"),
        ]
    )
    func `What can't be written in Swift is said with its place`(body: String, text: String) async throws {
        let app = try PreviewedApp()
        let response = try await app.call("/__preview/swift", ["app": "/", "body": .string(body)])
        #expect(response.status == .unprocessableContent)
        #expect(response.text.hasPrefix(text), "\(response.text)")
        let other = try await app.call("/__preview/swift", ["app": "/other/", "body": .string(body)])
        #expect(other.status == .badRequest)
        #expect(try await app.ask(.post, "/__preview/swift", body: #"{"app":"/","body":"{}"}"#).status == .notFound)
    }

    @Test(arguments: ["", "[", "{}", #"{"app":"/other/","path":"/","body":""}"#])
    func `A call that says nothing is refused`(body: String) async throws {
        let app = try PreviewedApp()
        var headers: HTTPFields = [:]
        headers[try #require(HTTPField.Name("Backlot-Preview"))] = try await app.token()
        let response = try await app.ask(.post, "/__preview/inspect", headers, body: body)
        #expect(response.status == .badRequest)
    }

    @Test func `A session is shown, begun, ended and forgotten`() async throws {
        let app = try PreviewedApp()
        let none = try await app.call("/__preview/session", ["do": "show"])
        #expect(none.text == #"{"session":null}"#)

        let loggedIn = try await app.call("/__preview/session", ["do": "logIn", "user": "ada"])
        let setCookie = try #require(loggedIn.headers[.setCookie])
        let cookie = String(setCookie.prefix { $0 != ";" })
        let filled = try await app.ask(.post, "/fill", [.cookie: cookie], body: "{}")
        #expect(filled.status == .ok)

        let shown = try JSONValue(
            parsing: try await app.call("/__preview/session", ["do": "show"], cookie: cookie).bytes
        )
        #expect(shown["session"]?["user"] == "ada")
        #expect(shown["session"]?["values"]?["cart"] == ["a", "b"])
        #expect(!String(decoding: shown.bytes, as: UTF8.self).contains(cookie.dropFirst("session=".count)))

        let forgotten = try await app.call("/__preview/session", ["do": "forget"], cookie: cookie)
        #expect(forgotten.headers[.setCookie]?.hasPrefix("session=; Path=/; Max-Age=0;") == true)
        let page = try await app.ask(.get, "/who", [.cookie: cookie])
        #expect(page.text.contains("ada"))

        _ = try await app.call("/__preview/session", ["do": "expire"], cookie: cookie)
        let after = try await app.ask(.get, "/who", [.cookie: cookie])
        #expect(after.text.contains("nobody"))
    }

    @Test func `Two apps with sessions may have one base path, and one may come later`() async throws {
        let store = MemorySessionStore()
        let router = Router()
        router.applin("/", sessions: store) { $0.page("/") { _ in navPage("Home") { text("Hello!") } } }
        router.applin("/", dialect: .objects, sessions: store) { $0.page("/b") { _ in navPage("B") { text("b") } } }
        let later = Router()
        later.applin("/late/", sessions: store) { $0.page("/") { _ in navPage("Late") { text("Hello!") } } }
        let isThere = Locked(false)
        let apps = later.apps
        router.add(apps: { isThere.withLock { $0 } ? apps() : [] })
        let app = try PreviewedApp(router)
        for path in ["/__preview/session", "/late/__preview/session"] {
            if path.hasPrefix("/late") {
                #expect(try await app.call(path, ["do": "show"]).status == .notFound)
                isThere.withLock { $0 = true }
            }
            let loggedIn = try await app.call(path, ["do": "logIn", "user": "ada"])
            let cookie = try #require(loggedIn.headers[.setCookie]).prefix { $0 != ";" }
            #expect(try await app.call(path, ["do": "show"], cookie: String(cookie)).text.contains(#""user":"ada""#))
        }
    }

    @Test(arguments: [["do": "logIn"], ["do": "logIn", "user": ""], ["do": "x"], [:]] as [JSONValue])
    func `An order that can't be is refused`(order: JSONValue) async throws {
        let response = try await PreviewedApp().call("/__preview/session", order)
        #expect(response.status == .badRequest)
    }

    @Test(arguments: [
        ("session=abcdefghijkl; Path=/", "session=abcdef…; Path=/"), ("session=; Path=/", "session=; Path=/"),
        ("x", "x"), ("a=123456", "a=123456"), ("a=1234567", "a=123456…"),
    ])
    func `What a cookie opens isn't shown`(cookie: String, shown: String) {
        #expect(ExchangeWatch.redacted(cookie) == shown)
    }
}
