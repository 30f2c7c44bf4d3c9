import Applin
import Backlot
import Testing

/// A mounted app has a redirect to its base URL, addresses of pictures, header fields, and a range of clients.
@Suite(.timeLimit(.minutes(5))) struct MountTests {
    private func router(
        dialect: Dialect = .objects,
        clients: PartialRangeFrom<ClientVersion>? = nil,
        at path: String = "/travel/",
        _ widget: any Widget = Applin.empty()
    ) -> Router {
        let router = Router()
        router.applin(path, dialect: dialect, clients: clients, validation: .response) { app in
            app.page("/") { _ in navPage("Home") { widget } }
            let urls = app.urls
            app.page("/picture") { _ in
                navPage("Picture") { image(urls.picture("/logo.png"), aspectRatio: 1) }
            }
        }
        return router
    }

    private func ask(_ router: Router, _ path: String) async throws -> Response {
        let handler = router.handler()
        return try await handler(Request(.get, path))
    }

    @Test(arguments: [("/travel", "/travel/"), ("/travel?a=b", "/travel/?a=b")])
    func `A base URL without its slash leads to the one with it`(target: String, location: String) async throws {
        let response = try await ask(router(), target)
        #expect(response.status == .permanentRedirect)
        #expect(response.headers[.location] == location)
        #expect(try await ask(router(), "/travel/").status == .ok)
    }

    @Test func `An app at the root needs none, and one in a group has its own`() async throws {
        #expect(try await ask(router(at: "/"), "/").status == .ok)
        let router = Router()
        router.group("/v1") { group in
            group.applin("/travel/") { $0.page("/") { _ in plainPage { empty() } } }
        }
        #expect(try await ask(router, "/v1/travel").headers[.location] == "/v1/travel/")
    }

    @Test func `No cache keeps a page`() async throws {
        let headers = try await ask(router(), "/travel/").headers
        #expect(headers[.cacheControl] == "no-store")
        #expect(headers[.vary] == "Accept, Cookie")
    }

    @Test(arguments: [("/", "/logo.png"), ("/travel/", "/travel/logo.png")])
    func `A picture's URL begins at the host's root`(path: String, url: String) async throws {
        #expect(try await ask(router(at: path), path + "picture").bodyText.contains(#""url":"\#(url)""#))
    }

    @Test(arguments: ["/", "/travel/"])
    func `A picture's URL without a slash is below the base URL, wherever the app is`(path: String) async throws {
        let router = Router()
        router.applin(path) { app in
            app.page("/") { _ in
                navPage("Home") {
                    column {
                        image("logo.png", aspectRatio: 1)
                        image("gone.png", aspectRatio: 1)
                    }
                }
            }
            app.get("/logo.png") { _ in Response() }
        }
        let findings = await router.check().pages.flatMap(\.findings)
        #expect(findings.map { "\($0.rule) \($0.path.pointer)" } == ["dead-image /page/widget/widgets/1/url"])
    }

    @Test func `Pages are judged for all clients that the app is for`() async throws {
        let box = checkboxButton("A") { poll() }
        #expect(try await ask(router(box), "/travel/").status == .ok)
        #expect(try await ask(router(clients: "0.38"..., box), "/travel/").status == .ok)
        let refusal = try await ask(router(clients: "0.34"..., box), "/travel/")
        #expect(refusal.status == .internalServerError)
        let report = await router(clients: "0.34"..., box).check()
        #expect(report.pages.flatMap(\.findings).map(\.rule) == ["widget-of-other-version", "dead-image"])
    }

    @Test(
        arguments: [
            (.objects, "0.30", "no client 0.30 speaks the objects dialect: write a version from 0.31 to 0.40"),
            (.objects, "0.41", "no client 0.41 speaks the objects dialect: write a version from 0.31 to 0.40"),
            (.documented, "0.31", "no client 0.31 speaks the documented dialect: write a version from 0.0 to 0.30"),
        ] as [(Dialect, ClientVersion, String)]
    )
    func `A client that doesn't speak the dialect is a mistake`(
        dialect: Dialect,
        client: ClientVersion,
        text: String
    ) async throws {
        let router = router(dialect: dialect, clients: client...)
        let handler = router.handler()
        let error = await #expect(throws: StartupError.self) { try await handler(Request(.get, "/travel/")) }
        #expect(error?.description.contains(text) == true, "\(error.map { "\($0)" } ?? "none")")
    }

    @Test func `A link that repeats the base URL's path is explained`() async throws {
        let router = Router()
        router.applin("/travel/", validation: .off) { app in
            app.page("/") { _ in
                navPage("Home") {
                    button("Go") {
                        push("/travel/terms")
                        rpc("travel/save")
                        push("/travel/none")
                    }
                }
            }
            app.page("/terms") { _ in navPage("Terms") { text("None.") } }
            app.rpc("/save") { _ in }
        }
        #expect(
            await router.check().pages.flatMap(\.findings).map(\.fix) == [
                #"Write "/terms": clients add the path to the app's base URL, which is at /travel/."#,
                #"Write "/save": clients add the path to the app's base URL, which is at /travel/."#,
                "Correct the path, or add a page there.",
            ]
        )
    }
}
