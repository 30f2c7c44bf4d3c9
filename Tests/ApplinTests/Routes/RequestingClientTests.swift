import Applin
import Backlot
import Testing

/// One page for clients of several versions.
@Suite(.timeLimit(.minutes(5))) struct RequestingClientTests {
    /// The body of the response from `/` to a request with header fields.
    private func body(
        of page: any Page,
        dialect: Dialect = .objects,
        clients: PartialRangeFrom<ClientVersion>? = "0.28"...,
        field: ClientField? = "X-Client-Version",
        _ headers: HTTPFields = [:]
    ) async throws -> String {
        let router = Router()
        router.applin("/", dialect: dialect, clients: clients, clientField: field, validation: .off) { app in
            app.page("/") { _ in page }
        }
        let handler = router.handler()
        return try await handler(try Request(.get, "/", headers: headers)).bodyText
    }

    private static func fields(_ version: String, _ name: String = "X-Client-Version") throws -> HTTPFields {
        [try #require(HTTPField.Name(name)): version]
    }

    private static let page = navPage("T") {
        column {
            checkboxButton("Urgent") { rpc("/toggle") }
                .fallback { button("Toggle") { rpc("/toggle") } }
            button("Clear") { resetVar("a").fallback { rpc("/clear") } }
            button("Stop") { stopActions().fallback {} }
        }
    }

    @Test(arguments: [
        ("0.40", "checkbox_button", "reset_var", "stop_actions"),
        ("9.9", "checkbox_button", "reset_var", "stop_actions"),
        ("0.38", "checkbox_button", "reset_var", "stop_actions"),
        ("0.37", "Toggle", "reset_var", "stop_actions"),
        (" 0.36 ", "Toggle", "reset_var", "stop_actions"),
        ("0.35", "Toggle", "/clear", "stop_actions"),
        ("0.34", "Toggle", "/clear", "[]"),
        ("0.30", "Toggle", "\"rpc:/clear\"", "[]"),
        ("0.1", "Toggle", "\"rpc:/clear\"", "[]"),
        ("", "Toggle", "\"rpc:/clear\"", "[]"),
        ("nonsense", "Toggle", "\"rpc:/clear\"", "[]"),
        ("0.36, 0.38", "Toggle", "\"rpc:/clear\"", "[]"),
        ("-1", "Toggle", "\"rpc:/clear\"", "[]"),
        ("0.36.0.0", "Toggle", "\"rpc:/clear\"", "[]"),
        ("99999999999999999999", "Toggle", "\"rpc:/clear\"", "[]"),
    ])
    func `What a client doesn't understand gives place to its fallback`(
        version: String,
        box: String,
        clear: String,
        stop: String
    ) async throws {
        let body = try await body(of: Self.page, try Self.fields(version))
        for part in [box, clear, stop] { #expect(body.contains(part), "\(body)") }
        #expect(body.contains("checkbox_button") == (box == "checkbox_button"))
        #expect(body.contains("reset_var") == (clear == "reset_var"))
    }

    @Test(arguments: [
        ("0.36", #"[{"typ":"reset_var","var_name":"a","id":"clear"}]"#),
        ("0.35", #"[{"typ":"rpc","url":"/clear","id":"clear"},{"typ":"poll","id":"clear"}]"#),
    ])
    func `An action with an id gives place to its fallback, which has the id`(
        version: String,
        actions: String
    ) async throws {
        let page = navPage("T") {
            button("Clear") {
                resetVar("a")
                    .fallback {
                        rpc("/clear").id("old")
                        poll()
                    }
                    .id("clear")
            }
        }
        let body = try await body(of: page, try Self.fields(version))
        #expect(body.contains(#""actions":\#(actions)"#), "\(body)")
    }

    @Test func `A client that doesn't tell its version gets the page for the oldest`() async throws {
        #expect(try await body(of: Self.page).contains("\"rpc:/clear\""))
        #expect(try await body(of: Self.page, clients: "0.36"...).contains("reset_var"))
        #expect(try await body(of: Self.page, clients: nil).contains("checkbox_button"))
    }

    @Test func `The mount tells the version where no field does`() async throws {
        #expect(try await body(of: Self.page, clients: "0.35"..., field: nil).contains("/clear"))
        #expect(try await body(of: Self.page, clients: nil, field: nil).contains("checkbox_button"))
        #expect(
            try await body(of: Self.page, dialect: .documented, clients: nil, field: nil).contains("\"rpc:/clear\"")
        )
    }

    @Test(arguments: [
        ("Shop/7.2 Applin/0.36 CFNetwork/1.0", true), ("applin/0.36", true), ("Applin/0.35", false), ("Applin", false),
        ("Shop/0.40", false), ("Applin/x Applin/0.40", false), (String(repeating: "a/1 ", count: 500), false),
    ])
    func `A product's version is read`(agent: String, isNew: Bool) async throws {
        let headers = try Self.fields(agent, "User-Agent")
        let body = try await body(of: Self.page, field: .product("Applin"), headers)
        #expect(body.contains("reset_var") == isNew)
    }

    @Test func `A handler sees which client asks, and can make another page`() async throws {
        let router = Router()
        router.applin("/", clients: "0.28"..., clientField: "X-Client-Version") { app in
            app.page("/") { request in
                let client = try #require(request.requestingClient)
                #expect(client.namedVersion == "0.33")
                #expect(client.dialect == .objects)
                #expect(!client.supports(checkboxButton("A") {}))
                #expect(client.supports(textfield(varName: "a").validated()))
                return navPage("\(client.version)") { text("x") }
            }
        }
        let handler = router.handler()
        let response = try await handler(try Request(.get, "/", headers: try Self.fields("0.33")))
        #expect(response.headers[.vary] == "Accept, Cookie, X-Client-Version")
        #expect(response.bodyText.contains("\"0.33\""))
    }

    @Test func `Widgets and pages say which clients they are for`() {
        #expect(textfield(varName: "a").validated().supports("0.33"))
        #expect(!textfield(varName: "a").validated().supports("0.32"))
        let page = navPage("T") { button("A") { resetVar("a") } }
        #expect(page.supports("0.36"))
        #expect(!page.supports("0.35"))
        #expect(page.supports("0.36"...))
        #expect(!page.supports("0.34"...))
        let whole = page.fallback { navPage("Old") { text("Please update the app.") } }
        #expect(String(decoding: whole.responseBody(for: "0.31"), as: UTF8.self).contains("Please update"))
        #expect(whole.responseBody(for: "0.36") == page.responseBody(for: "0.36"))
        #expect(whole.supports("0.0.3"...))
    }

    @Test func `A fallback has one too`() {
        let widget = checkboxButton("A") {}.fallback {
            button("B") { resetVar("a") }.fallback { text("C") }
        }
        let bodies = ["0.38", "0.36", "0.31"].map { (version: ClientVersion) in
            String(decoding: navPage("T") { widget }.responseBody(for: version), as: UTF8.self)
        }
        #expect(bodies[0].contains("checkbox_button"))
        #expect(bodies[1].contains("\"B\""))
        #expect(bodies[2].contains("\"C\""))
    }

    @Test func `Fallbacks inside each other are chosen once`() {
        struct Counted: Widget {
            let count: Locked<Int>
            var typ: StaticString { "empty" }

            func encode(into writer: inout JSONWriter) {
                count.withLock { $0 += 1 }
                empty().encode(into: &writer)
            }
        }
        let count = Locked(0)
        var widget: any Widget = Counted(count: count)
        for _ in 1...8 {
            let inner = widget
            widget = column { inner }.fallback { text("Please update the app.") }
        }
        let page = navPage("T") { widget }
        let body = String(decoding: page.responseBody(for: "0.36"), as: UTF8.self)
        #expect(body.contains(#"{"typ":"empty"}"#))
        #expect(count.withLock { $0 } == 1)
    }

    // MARK: Checks

    private func check(
        _ page: any Page,
        clients: PartialRangeFrom<ClientVersion>,
        field: ClientField?
    ) async -> CheckReport {
        let router = Router()
        router.applin("/", dialect: .objects, clients: clients, clientField: field) { app in
            app.page("/") { _ in page }
            for path in ["/toggle", "/clear"] { app.rpc(path) { _ in } }
        }
        return await router.check()
    }

    @Test func `The check of a router fails for a page that some clients refuse`() async {
        let page = navPage("T") { button("A") { resetVar("a") } }
        let report = await check(page, clients: "0.34"..., field: nil)
        #expect(report.pages[0].findings.map(\.rule) == ["action-of-other-version"])
        #expect(report.hasErrors)
        #expect(await !check(page, clients: "0.36"..., field: nil).hasErrors)
    }

    @Test func `With a field, the check asks as each client would`() async {
        let page = navPage("T") { button("A") { resetVar("a") } }
        let report = await check(page, clients: "0.34"..., field: "X-Client-Version")
        #expect(report.pages[0].findings.map(\.rule) == ["action-of-other-version"])
        #expect(report.pages[0].findings.first?.message.hasSuffix(" (clients 0.34, 0.35)") == true, "\(report)")
        #expect(await !check(Self.page, clients: "0.28"..., field: "X-Client-Version").hasErrors)
    }

    @Test func `A field's name that is none is reported`() async {
        let router = Router()
        router.applin("/", clientField: "X Client") { app in app.page("/") { _ in Self.page } }
        #expect(throws: StartupError.self) { try router.handler().prepare() }
    }
}
