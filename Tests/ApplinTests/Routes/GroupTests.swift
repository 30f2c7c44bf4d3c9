import Applin
import Backlot
import TestSupport
import Testing

/// Groups inside an app: prefixes, middlewares, plain routes, and what `check` and preview know of them.
@Suite(.timeLimit(.minutes(5))) struct GroupTests {
    private func router(at base: String) -> Router {
        let router = Router()
        router.applin(base, sessions: MemorySessionStore()) { app in
            app.page("/") { _ in navPage("Home") { navButton("List") { push("/members/list") } } }
            app.rpc("/log_in/{user}") { request in
                try await request.session.logIn(user: request.parameters["user"] ?? "")
            }
            app.get("/plain") { request in .text(try await request.session.user ?? "nobody") }
            app.group("/members", RequireLogin(), checkedAs: "ann") { members in
                members.page("/list") { request in
                    let user = try await request.session.requireLogin()
                    return navPage("List") { navButton(user) { push("/members/items/7") } }
                }
                members.page("/items/{id}", samples: ["/items/7"]) { _ in navPage("Item") { text("An item.") } }
                members.group("/admin") { admin in admin.page("/x") { _ in navPage("X") { text("x") } } }
                members.rpc("/add") { _ in }
                members.get("/list.csv") { request in .text(try await request.session.requireLogin()) }
            }
            app.group("/of/{user}", checkedAs: "ann") {
                $0.page("/x", unchecked: "a secret") { _ in plainPage { text("a") } }
            }
            app.group("/as/{user}", checkedAs: "ann") { $0.page("/y") { _ in plainPage { text("a") } } }
            app.group(RequireLogin("Members only.")) {
                $0.page("/account", unchecked: "a secret") { _ in plainPage { text("a") } }
            }
        }
        return router
    }

    private func ask(
        _ router: Router,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ cookie: String? = nil
    ) async throws -> Response {
        let handler = router.handler()
        try handler.prepare()
        let headers: HTTPFields = cookie.map { [.cookie: $0] } ?? [:]
        do {
            return try await handler(Request(method, path, headers: headers, body: Array("{}".utf8)))
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    @Test(arguments: ["/", "/travel/"])
    func `A group has a prefix, a guard, and the app's sessions`(base: String) async throws {
        let router = router(at: base)
        let paths = ["members/list", "members/items/7", "members/admin/x", "members/list.csv", "account"]
        for path in paths { #expect(try await ask(router, .get, base + path).status == .forbidden, "\(path)") }
        #expect(try await ask(router, .post, base + "members/add").status == .forbidden)
        #expect(try await ask(router, .get, base + "account").bodyText == "Members only.")
        #expect(try await ask(router, .get, base + "plain").bodyText == "nobody")

        let loggedIn = try await ask(router, .post, base + "log_in/ben")
        let cookie = String(try #require(loggedIn.headers[.setCookie]).prefix { $0 != ";" })
        for path in paths { #expect(try await ask(router, .get, base + path, cookie).status == .ok, "\(path)") }
        #expect(try await ask(router, .post, base + "members/add", cookie).status == .ok)
        #expect(try await ask(router, .get, base + "members/list.csv", cookie).bodyText == "ben")
        #expect(try await ask(router, .get, base + "plain", cookie).bodyText == "ben")
    }

    @Test(arguments: ["/", "/travel/"])
    func `Check asks for a group's pages as its user, by their whole paths`(base: String) async throws {
        let report = await router(at: base).check()
        let paths = report.pages.map(\.path)
        #expect(paths == ["", "members/list", "members/items/7", "members/admin/x"].map { base + $0 })
        #expect(!report.hasErrors, "\(report)")
        #expect(report.unchecked.map(\.path) == ["of/{user}/x", "as/{user}/y", "account"].map { base + $0 })
    }

    @Test(arguments: ["/", "/travel/"])
    func `Preview knows a group's pages`(base: String) throws {
        let app = try #require(router(at: base).apps().first)
        #expect(app.basePath == base)
        #expect(["members/list", "members/admin/x", "account"].allSatisfy { app.hasPage(base + $0) })
        #expect(!app.hasPage(base + "list"))
        #expect(app.openPages() == ["", "members/list", "members/admin/x", "account"].map { base + $0 })
    }

    @Test func `An rpc that returns a response or a page keeps the server from starting`() throws {
        let router = Router()
        let mistakes: any Mistakes = DroppedResponses()
        router.applin { mistakes.add(to: $0) }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        let text = "\(try #require(error))"
        #expect(text.contains("the rpc '/a' returns a Response, which no client sees"))
        #expect(text.contains("the rpc '/b' returns a NavPage, which no client sees"))
    }
}

/// Calls that the compiler warns of, behind a protocol so that the tests compile without warnings.
private protocol Mistakes {
    func add(to app: ApplinApp)
}

private struct DroppedResponses: Mistakes {
    @available(*, deprecated)
    func add(to app: ApplinApp) {
        app.rpc("/a") { _ in Response.text("Saved.") }
        app.rpc("/b") { _ in navPage("B") { text("b") } }
    }
}
