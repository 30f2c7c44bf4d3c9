import Applin
import Backlot
import BacklotPreview
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShellTests {
    @Test(arguments: [
        ("/", "text/html", true),
        ("/", "text/html;q=0, */*", false),
        ("/", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("/?p=1", "text/html", true),
        ("/notes/7", "application/json, text/html", true),
        ("/notes/7", "application/vnd.applin_response", false),
        ("/", "*/*", false),
        ("/", "text/*", false),
        ("/plain", "text/html", false),
        ("/fill", "text/html", false),
        ("/nothing", "text/html", false),
    ])
    func `A browser that opens a page gets the shell, and nobody else`(
        target: String,
        accept: String,
        isShell: Bool
    ) async throws {
        let app = try PreviewedApp()
        let response = try await app.ask(.get, target, [.accept: accept])
        #expect((response.headers[.contentType] == "text/html; charset=utf-8") == isShell)
        #expect((response.headers[.vary] == "Accept") == isShell)
    }

    @Test func `An app that comes while the server runs is shown, and one that goes is not`() async throws {
        let mounted = Locked<[MountedApp]>([])
        let router = Router()
        router.applin("/", sessions: nil) { app in app.page("/") { _ in navPage("Home") { text("Hello!") } } }
        router.add { mounted.withLock { $0 } }
        router.preview(LocalAccess(host: "127.0.0.1"))
        router.get("/late/page") { _ in .text("page") }
        let handler = router.handler()
        func isShown() async throws -> Bool {
            let response = try await handler(Request(.get, "/late/page", headers: PreviewedApp.browser))
            return response.headers[.contentType] == "text/html; charset=utf-8"
        }
        #expect(try await !isShown())
        let home = try #require(router.apps().first)
        let late = MountedApp(.applin, basePath: "/late/", inspector: home.inspector) { $0 == "/late/page" }
        mounted.withLock { $0 = [late] }
        #expect(router.apps().map(\.basePath) == ["/", "/late/"])
        #expect(try await isShown())
        mounted.withLock { $0 = [] }
        #expect(try await !isShown())
    }

    @Test func `Other clients get what they got before`() async throws {
        let with = try PreviewedApp()
        let without = try PreviewedApp(nil)
        let requests: [(HTTPRequest.Method, String, HTTPFields)] = [
            (.get, "/", [:]), (.get, "/", [.accept: "application/vnd.applin_response"]), (.get, "/", [.accept: "*/*"]),
            (.get, "/notes/7", [.accept: "application/json"]), (.post, "/", [.accept: "text/html"]),
            (.get, "/plain", [.accept: "text/html"]), (.get, "/nothing", [.accept: "text/html"]), (.put, "/", [:]),
            (.get, "/", [.accept: "text/html", .userAgent: "x", .init("X-Forwarded-For") ?? .accept: "10.0.0.1"]),
        ]
        for (method, target, headers) in requests {
            let new = try await with.ask(method, target, headers)
            let old = try await without.ask(method, target, headers)
            #expect(new.status == old.status, "\(method) \(target)")
            #expect(new.headers == old.headers, "\(method) \(target)")
            #expect(new.text == old.text, "\(method) \(target)")
        }
    }

    @Test(arguments: ["empty", "iframe", "image", "script", "embed"])
    func `What a script or a frame asks for is no shell`(destination: String) async throws {
        var headers = PreviewedApp.browser
        if let name = HTTPField.Name("Sec-Fetch-Dest") { headers[name] = destination }
        let response = try await PreviewedApp().ask(.get, "/", headers)
        #expect(response.headers[.contentType] == "application/vnd.applin_response")
    }

    @Test(arguments: [
        ("iframe", "", true), ("iframe", "http://127.0.0.1/", false), ("image", "", false), ("document", "", false),
    ])
    func `A page in a frame of the shell loads nothing from other hosts`(
        destination: String,
        referer: String,
        isKept: Bool
    ) async throws {
        var headers = PreviewedApp.browser
        let name = try #require(HTTPField.Name("Sec-Fetch-Dest"))
        headers[name] = destination
        if referer != "" { headers[.referer] = referer }
        let response = try await PreviewedApp().ask(.get, "/plain", headers)
        #expect(response.text == "plain")
        #expect(
            response.headers[.contentSecurityPolicy]
                == (isKept ? "default-src 'self' 'unsafe-inline' data: blob:" : nil)
        )
    }

    @Test func `The shell lets in nothing but its own scripts, and nobody frames it`() async throws {
        let response = try await PreviewedApp().ask(.get, "/", PreviewedApp.browser)
        let policy = try #require(response.headers[.contentSecurityPolicy])
        for part in [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
            "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ] {
            #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe") && !policy.contains("http"))
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.headers[.cacheControl] == "no-store")
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            #expect(response.headers[try #require(HTTPField.Name(name))] == value)
        }
        // A script or style of its own would be refused.
        #expect(!response.text.contains("<style") && !response.text.contains("<script>"))
    }

    @Test(arguments: [
        ("GET", "/", "text/html", true), ("GET", "/notes/1", "text/html", true),
        ("GET", "/__preview/web/main.js", "*/*", true),
        ("POST", "/__preview/inspect", "*/*", true), ("POST", "/__preview/session", "*/*", true),
        ("POST", "/shop/__preview/session", "*/*", true), ("GET", "/", "application/vnd.applin_response", false),
        ("GET", "/plain", "text/html", false), ("POST", "/fill", "*/*", false), ("GET", "/__previews", "*/*", false),
    ])
    func `Preview's requests for itself are told from those for pages`(
        _ method: String,
        _ target: String,
        _ accept: String,
        _ isOwn: Bool
    ) throws {
        let preview = try #require(try PreviewedApp().preview)
        var headers: HTTPFields = [.accept: accept]
        let token = try #require(HTTPField.Name(PreviewToken.field))
        if method == "POST" { headers[token] = PreviewToken.text }
        let known = try #require(HTTPRequest.Method(rawValue: method))
        #expect(try preview.isOwn(Request(known, target, headers: headers)) == isOwn)
        // Another page's session isn't preview's without the token.
        headers[token] = "x"
        let isOwnAlways = isOwn && !target.hasPrefix("/shop/")
        #expect(try preview.isOwn(Request(known, target, headers: headers)) == isOwnAlways)
    }

    @Test func `A router without apps says so`() throws {
        let router = Router()
        router.preview(LocalAccess(host: "127.0.0.1"))
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        #expect(error?.problems.first?.contains("call preview() after the apps were mounted") == true)
    }
}
