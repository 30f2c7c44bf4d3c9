import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// The start of the app, for the first time and again.
@Suite(.timeLimit(.minutes(5))) struct LaunchTests {
    private func makeBackend() -> Backend {
        let backend = Backend(
            "/",
            title: "Home",
            #"{"typ":"textfield","var_name":"a"}"#,
            Backend.button("Next", #""push:/next""#)
        )
        backend.form("/next", title: "Next", Backend.button("Brief", #""push:/brief""#))
        backend.form("/brief", title: "Brief", more: #""ephemeral":true"#, Backend.button("More", #""push:/more""#))
        backend.form("/more", title: "More")
        backend.form("/welcome", title: "Welcome", Backend.button("In", #""rpc:/in""#))
        return backend
    }

    @Test func `The first page is /, or the one that the app begins with`() async throws {
        let backend = makeBackend()
        #expect(try await backend.launched().stack == ["/"])
        #expect(try await backend.launched { $0.firstPage = "/welcome" }.stack == ["/welcome"])
    }

    @Test func `A link into the app gives the whole stack`() async throws {
        let backend = makeBackend()
        let app = try backend.client()
        try await app.launch(at: "/", "/next")
        #expect(backend.log == ["GET /next", "GET /"])
        #expect(app.stack == ["/", "/next"])
        try await app.back()
        #expect(app.title == "Home")
    }

    @Test func `A link into the running app replaces the stack, page after page, or leaves it as it was`() async throws
    {
        let backend = makeBackend()
        let app = try await backend.launched()
        try await app.tap("Next")
        backend.clearLog()
        try await app.open(at: "/welcome", "/more")
        #expect(app.stack == ["/welcome", "/more"])
        #expect(backend.log == ["GET /welcome", "GET /more"])
        backend.clearLog()
        try await app.open(at: "/welcome", "/more")
        #expect(backend.log == ["GET /more"])
        backend.status("/brief", .forbidden, "Not yet.")
        try await app.open(at: "/", "/brief", "/next")
        #expect(app.errorText == "Not yet.")
        #expect(app.stack == ["/welcome", "/more", "/applin_user_error"])
        #expect(!backend.log.contains("GET /next"))
    }

    @Test func `What is there when the app fails to load its first page`() async throws {
        let backend = Backend()
        backend.status("/", .forbidden, "Not yet.")
        let app = try backend.client()
        try await app.launch()
        #expect(app.stack == ["/", "/applin_user_error"])
        try await app.back()
        #expect(app.title == "Page Not Loaded")
        backend.form("/", title: "Home")
        try await app.tap("Load Page")
        #expect(app.title == "Home")
    }

    @Test func `After a restart the pages are there again, by GET, and the variables`() async throws {
        let backend = makeBackend()
        let app = try await backend.launched()
        try await app.enter("x", into: "a")
        try await app.tap("Next")
        try await app.tap("Brief")
        try await app.tap("More")
        backend.clearLog()
        try await app.relaunch()
        // The client has dropped the ephemeral page and the page above it.
        #expect(app.stack == ["/", "/next"])
        #expect(backend.log == ["GET /next", "GET /"])
        try await app.back()
        #expect(app.value(of: "a") == "x")
        try await app.pullToRefresh()
        #expect(backend.log.last == #"POST / {"a":"x"}"#)
    }

    @Test func `Cookies without an end don't outlive the app`() async throws {
        let backend = makeBackend()
        backend.on("/in") { _ in
            var headers: HTTPFields = [:]
            headers.append(HTTPField(name: .setCookie, value: "session=1; Path=/; Max-Age=60"))
            headers.append(HTTPField(name: .setCookie, value: "brief=2; Path=/"))
            return Response(headers: headers)
        }
        let app = try await backend.launched { $0.firstPage = "/welcome" }
        try await app.tap("In")
        #expect(app.cookies.map(\.name) == ["session", "brief"])
        try await app.relaunch()
        #expect(app.cookies.map(\.name) == ["session"])
        #expect(app.stack == ["/welcome"])
        // Only the first launch begins elsewhere.
        try await app.relaunch(keepsStack: false)
        #expect(app.stack == ["/"])
    }

    @Test func `A page that can't be loaded after a restart is tried again`() async throws {
        let backend = makeBackend()
        let app = try await backend.launched()
        try await app.tap("Next")
        backend.status("/", .serviceUnavailable)
        try await app.relaunch()
        try await app.back()
        #expect(app.title == "Page Not Loaded")
        backend.form("/", title: "Home")
        try await app.wait(.seconds(5))
        #expect(app.title == "Home")
    }

    @Test func `A modal and a photo picker don't outlive the app`() async throws {
        let backend = Backend(
            "/",
            Backend.button("Ask", #"{"typ":"modal","title":"?","buttons":[{"text":"OK","actions":[]}]}"#),
            Backend.button("Photo", #"{"typ":"take_photo","url":"/p"}"#)
        )
        let app = try await backend.launched()
        try await app.tap("Ask")
        try await app.relaunch()
        #expect(app.modal == nil)
        try await app.tap("Photo")
        try await app.relaunch()
        #expect(!app.asksForPhoto)
    }

    @Test func `Nothing can be done before the launch, and that once`() async throws {
        let app = try makeBackend().client()
        let early = await #expect(throws: StepError.self) { try await app.tap("Next") }
        #expect(early?.problem == "the app isn't launched: call launch() first")
        #expect(early?.screen == "(the app isn't launched)")
        #expect(app.title == nil)
        #expect(app.stack == [])
        try await app.launch()
        #expect(
            await stepProblem { try await app.launch() } == "the app was launched before; relaunch() starts it again"
        )
    }
}
