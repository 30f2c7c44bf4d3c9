import Applin
import Backlot
import BacklotChecks
import Testing

/// Code of the article "Client versions".
@Suite(.timeLimit(.minutes(5))) struct ClientVersionsCode {
    static func crawl() async throws {
        var options = CrawlOptions()
        options.clients = try ClientSelection("applin-ios@0.31...")
        let report = try await Crawl("http://127.0.0.1:8080/objects/", options: options).report()
        #expect(report.matrix?.verdict(on: "/reset_var", by: "applin-ios", "0.36") == .loads)
    }

    static func mount(on router: Router) {
        router.applin("/", clients: "0.28"..., clientField: "X-Client-Version") { app in
            app.page("/") { _ in
                navPage("Tasks") {
                    column {
                        checkboxButton("Urgent", rpc("/toggle"))
                            .fallback { button("Toggle urgent", rpc("/toggle")) }
                        button("Clear") {
                            resetVar("query").fallback { rpc("/clear") }
                            poll()
                        }
                    }
                }
            }
            app.rpc("/toggle") { _ in }
            app.rpc("/clear") { _ in }
        }
    }

    static func choose(_ app: ApplinApp) {
        app.page("/search") { request in
            let page = navPage("Search") { button("Clear", resetVar("query")) }
            guard let client = request.requestingClient, !page.supports(client.version) else { return page }
            return navPage("Search") { text("Please update the app: it is \(client.version).") }
        }
    }

    static func mountTwice(on router: Router, pages: (ApplinApp) -> Void) {
        router.applin("/", dialect: .objects, clients: "0.36"..., pages)
        router.applin("/old/", dialect: .documented, clients: "0.28"..., pages)
    }

    @Test func `One page serves several versions`() async throws {
        let router = Router()
        Self.mount(on: router)
        router.applin("/more/", dialect: .objects, clients: "0.34"..., clientField: .product("Applin")) { app in
            Self.choose(app)
        }
        let report = await router.check()
        #expect(!report.hasErrors, "\(report)")
    }
}
