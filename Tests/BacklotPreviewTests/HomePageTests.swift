import Applin
import Backlot
import BacklotPreview
import Testing

@Suite(.timeLimit(.minutes(5))) struct HomePageTests {
    @Test(arguments: ["/__preview", "/__preview/"])
    func `It lists apps and the pages that need no parameters`(path: String) async throws {
        let response = try await PreviewedApp().ask(.get, path)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        #expect(response.text.contains("<h2><a href=\"/\">/</a></h2><p><strong>Applin</strong>"))
        #expect(response.text.contains("<summary>1 more page</summary><ul><li><a href=\"/who\">/who</a></li></ul>"))
        #expect(!response.text.contains("{id}"))
    }

    @Test func `Paths are texts in it`() async throws {
        let router = Router()
        router.applin("/", sessions: nil) { app in app.page("/") { _ in navPage("Home") { text("Hello!") } } }
        let home = try #require(router.apps().first)
        router.add {
            let path = "/<script>\"&'/"
            return [
                MountedApp(
                    AppProtocol("<b>", title: "<b>", summary: "", inspector: home.inspector),
                    basePath: path,
                    inspector: home.inspector
                ) { $0 == path }
            ]
        }
        router.preview(LocalAccess(host: "127.0.0.1"))
        let handler = router.handler()
        let response = try await handler(Request(.get, "/__preview/"))
        #expect(!response.text.contains("<script>"))
        #expect(!response.text.contains("<b>"))
        #expect(response.text.contains("&lt;script&gt;"))
    }

    @Test func `Clients that may not use preview get 404`() async throws {
        let app = try PreviewedApp(LocalAccess(host: "0.0.0.0", token: nil))
        #expect(try await app.ask(.get, "/__preview/").status == .notFound)
    }

    @Test func `Where nothing answers at the root, browsers get the list and other clients 404`() async throws {
        let router = Router()
        router.applin("/shop/", sessions: nil) { app in app.page("/") { _ in navPage("Shop") { text("Hello!") } } }
        router.preview(LocalAccess(host: "127.0.0.1"))
        let handler = router.handler()
        func ask(_ path: String, _ headers: HTTPFields) async throws -> Response {
            do {
                return try await handler(Request(.get, path, headers: headers))
            } catch let error as any HTTPError {
                return Response(error)
            }
        }
        let list = try await ask("/", PreviewedApp.browser)
        #expect(list.status == .ok)
        #expect(list.text.contains("<a href=\"/shop/\">"))
        #expect(try await ask("/", [.accept: "*/*"]).status == .notFound)
        #expect(try await ask("/elsewhere", PreviewedApp.browser).status == .notFound)
    }

    @Test func `What answers at the root is left alone`() async throws {
        let router = Router()
        router.get("/") { _ in .text("mine") }
        router.applin("/shop/", sessions: nil) { app in app.page("/") { _ in navPage("Shop") { text("Hello!") } } }
        router.preview(LocalAccess(host: "127.0.0.1"))
        let handler = router.handler()
        #expect(try await handler(Request(.get, "/", headers: PreviewedApp.browser)).text == "mine")
    }
}
