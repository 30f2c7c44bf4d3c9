import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// The client over the wire: methods, header fields, bodies, and its screen after each response.
@Suite(.timeLimit(.minutes(5))) struct ProtocolTests {
    private let pageType = "application/vnd.applin_response"

    @Test func `A page is loaded by GET, with the Accept field and no body`() async throws {
        let backend = Backend("/", #"{"typ":"textfield","var_name":"a"}"#)
        try await backend.client().launch()
        #expect(backend.log == ["GET /"])
        #expect(backend.headers[0][.accept] == pageType)
        #expect(backend.headers[0][.contentType] == nil)
        #expect(backend.headers[0][.cookie] == nil)
    }

    /// A widget, what a person does with it, and what is sent: a POST has the variables, and the type of its body.
    @Test(
        arguments: [
            (
                #"{"typ":"textfield","var_name":"a"}"#, [.enter("x/y", into: "a", variable: "a"), .pullToRefresh],
                #"POST / {"a":"x\/y"}"#
            ),
            (#"{"typ":"text","text":"a"}"#, [.pullToRefresh], "GET /"),
            (Backend.button("Save", #""rpc:/save""#), [.tap("Save")], "POST /save {}"),
        ] as [(String, [ClientStep], String)]
    )
    func `A refresh is a GET without inputs, and a POST with them, like an rpc`(
        widget: String,
        steps: [ClientStep],
        request: String
    ) async throws {
        let backend = Backend("/", widget)
        backend.status("/save", .ok)
        let app = try await backend.launched()
        for step in steps { try await app.perform(step) }
        #expect(backend.log == [request])
        #expect(backend.headers[0][.accept] == pageType)
        #expect(backend.headers[0][.contentType] == (request.hasPrefix("POST") ? "application/json" : nil))
    }

    @Test func `An upload is a PUT of a JPEG, announced, and without the Accept field`() async throws {
        let backend = Backend("/", Backend.button("Photo", #""take_photo:/photo""#, #""poll""#))
        backend.status("/photo", .ok)
        let app = try await backend.launched()
        try await app.tap("Photo")
        #expect(app.asksForPhoto)
        #expect(backend.log == [])
        try await app.uploadPhoto(Array("jpeg".utf8))
        #expect(backend.log == ["PUT /photo jpeg", "GET /"])
        #expect(backend.headers[0][.contentType] == "image/jpeg")
        #expect(backend.headers[0][.expect] == "100-continue")
        #expect(backend.headers[0][.accept] == nil)
        #expect(!app.asksForPhoto)
    }

    @Test func `A base path is kept, for pages, rpcs and uploads`() async throws {
        let backend = Backend(
            "/travel/",
            Backend.button("Go", #""rpc:/save""#, #""push:/hotels?page=2""#, #""push:/x/id:5""#),
            Backend.button("Photo", #""choose_photo:photo""#)
        )
        backend.form("/travel/hotels")
        backend.form("/travel/x/id:5")
        for path in ["/travel/save", "/travel/photo"] { backend.status(path, .ok) }
        let app = try await backend.launched(at: "/travel/")
        try await app.tap("Photo")
        try await app.uploadPhoto([1])
        try await app.tap("Go")
        #expect(
            backend.log == [
                "PUT /travel/photo \u{1}", "POST /travel/save {}", "GET /travel/hotels?page=2", "GET /travel/x/id:5",
            ]
        )
        #expect(app.stack == ["/", "/hotels?page=2", "/x/id:5"])
    }

    @Test func `A path can't leave the base URL`() async throws {
        let backend = Backend(
            "/travel/",
            Backend.button("Up", #""push:/../secret""#),
            Backend.button("Away", #""push://other.com/""#)
        )
        let app = try await backend.launched(at: "/travel/")
        for button in ["Up", "Away"] {
            try await app.tap(button)
            #expect(app.errorKind == .app)
            #expect(app.errorText?.hasSuffix("is outside the app's base URL.") == true)
            try await app.back()
        }
        #expect(backend.log == [])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `Redirects are followed, with cookies`(code: Int) async throws {
        let backend = Backend("/", #"{"typ":"textfield","var_name":"a"}"#, Backend.button("Go", #""rpc:/old""#))
        backend.on("/old") { _ in
            Response(
                status: HTTPResponse.Status(code: code),
                headers: [.location: "new?x", .setCookie: "session=1; Path=/; Max-Age=60"]
            )
        }
        backend.status("/new", .ok)
        let app = try await backend.launched()
        try await app.tap("Go")
        let kept = code >= 307
        #expect(backend.log == [#"POST /old {"a":""}"#, kept ? #"POST /new?x {"a":""}"# : "GET /new?x"])
        #expect(backend.headers[1][.cookie] == "session=1")
        #expect(backend.headers[1][.contentType] == (kept ? "application/json" : nil))
        #expect(app.lastRequest?.redirects.map(\.url.target) == ["/new?x"])
        #expect(app.requests.count == 2)
    }

    @Test func `403 and 422 are shown and are no mistake`() async throws {
        let backend = Backend(
            "/",
            Backend.button("Save", #""rpc:/save""#, #""pop""#),
            Backend.button("In", #""push:/in""#)
        )
        backend.status("/save", .unprocessableContent, "Too short.")
        backend.status("/in", .forbidden, "Please log in.")
        let app = try await backend.launched()
        try await app.tap("Save")
        #expect(app.errorText == "Too short.")
        #expect(app.title == "Problem")
        #expect(app.texts == ["Too short."])
        #expect(app.errors == ["Too short."])
        try await app.back()
        #expect(app.errorText == nil)
        #expect(app.lastErrorText == "Too short.")
        try await app.tap("In")
        #expect(app.errorText == "Please log in.")
        #expect(app.stack == ["/", "/applin_user_error"])
    }

    @Test(arguments: [
        (404, ShownErrorKind.app, "app-error"), (500, .server, "server-error"), (503, .server, "server-error"),
        (304, .server, "unexpected-status"),
    ])
    func `Other statuses are shown, and fail the step`(code: Int, kind: ShownErrorKind, rule: String) async throws {
        let backend = Backend("/", Backend.button("Save", #""rpc:/save""#, #""pop""#))
        backend.status("/save", HTTPResponse.Status(code: code))
        let app = try await backend.launched()
        #expect(await brokenRules { try await app.tap("Save") } == [rule])
        #expect(app.errorKind == kind)
        #expect(app.stack.count == 2)
        // The details are a tap away.
        try await app.tap("Error Details")
        #expect(app.texts == [try #require(app.lastErrorText)])
    }

    @Test func `A page goes on showing the error of the time when it came`() async throws {
        let details = #"{"typ":"last_error_text"}"#
        let backend = Backend(
            "/",
            details,
            Backend.button("Save", #""rpc:/save""#),
            Backend.button("Next", #""push:/next""#)
        )
        backend.form("/next", details, Backend.button("Send", #""rpc:/send""#))
        backend.status("/save", .unprocessableContent, "No.")
        backend.status("/send", .forbidden, "Never.")
        let app = try await backend.launched()
        try await app.tap("Save")
        try await app.back()
        try await app.pullToRefresh()
        #expect(app.texts.first == "Error details not found.")
        try await app.tap("Next")
        try await app.tap("Send")
        #expect(app.errorText == "Never.")
        try await app.back()
        #expect(app.texts.first == "No.")
    }

    @Test func `Findings fail a step from the severity on that is wanted, and rules can be left out`() async throws {
        let backend = Backend("/", more: #""nonsense":1"#, Backend.button("Save", #""rpc:/save""#))
        backend.status("/save", .internalServerError)
        await #expect(throws: BackendError.self) {
            try await backend.client { $0.failingSeverity = .warning }.launch()
        }
        let lenient = try await backend.launched { $0.failingSeverity = nil }
        try await lenient.tap("Save")
        #expect(lenient.findings.map(\.rule).contains("server-error"))
        let knowing = try await backend.launched { $0.ignoredRules = ["server-error"] }
        try await knowing.tap("Save")
        #expect(!knowing.findings.map(\.rule).contains("server-error"))
        #expect(knowing.errorKind == .server)
    }

    @Test func `Each visited page is judged`() async throws {
        let backend = Backend("/", Backend.button("Go", #""push:/next""#))
        backend.form("/next", #"{"typ":"button","text":" ","actions":["poll"]}"#)
        let app = try await backend.launched()
        let failure = await #expect(throws: BackendError.self) { try await app.tap("Go") }
        #expect(failure?.findings.map(\.rule) == ["blank-button-text"])
        #expect(
            failure?.description.contains(
                "tap(\"Go\"): the backend made a mistake (BacklotClientsTests/ProtocolTests.swift:"
            ) == true
        )
        #expect(failure?.description.contains("/next: nav_page \"A Page\"") == true)
        // It can be shown all the same.
        #expect(app.stack == ["/", "/next"])
    }

    @Test func `What is wrong with a page is said each time it is opened, and not each time it is refreshed`()
        async throws
    {
        let backend = Backend("/", Backend.button("Go", #""push:/next""#))
        backend.form("/next", #"{"typ":"button","text":" ","actions":["poll"]}"#)
        let app = try await backend.launched()
        for _ in 1...2 {
            await #expect(throws: BackendError.self) { try await app.tap("Go") }
            try await app.pullToRefresh()
            try await app.back()
        }
        #expect(app.findings.count == 1)
    }

    @Test func `Links are judged where the routes are known`() async throws {
        let router = Router()
        router.get("/") { _ in .page(Backend.form([Backend.button("Go", #""push:/nowhere""#)])) }
        let app = try ApplinClient(router)
        #expect(await brokenRules { try await app.launch() } == ["dead-link"])
    }

    @Test func `Mistakes in the routes are told when the client is made`() {
        let router = Router()
        for _ in 1...2 { router.get("/a") { _ in Response() } }
        #expect(throws: StartupError.self) { try ApplinClient(router) }
    }

    @Test(arguments: ["http://h/app", "http://h/app/?x", "ftp://h/", "h"])
    func `A base URL ends in a slash`(url: String) {
        #expect(throws: ClientError.self) { try ApplinClient(url: url) }
    }
}
