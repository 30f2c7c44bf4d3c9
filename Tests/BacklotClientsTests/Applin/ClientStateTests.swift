import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// State that the client keeps and changes by itself: cookies, variables, the clipboard, and built-in pages.
@Suite(.timeLimit(.minutes(5))) struct ClientStateTests {
    @Test func `A log-out deletes the session's cookie and the variables, and shows the first page`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a"}"#,
            Backend.button("Out", #""logout""#),
            Backend.button("In", #""rpc:/in""#)
        )
        backend.on("/in") { _ in
            var headers: HTTPFields = [:]
            headers.append(HTTPField(name: .setCookie, value: "session=1; Path=/; Max-Age=60"))
            headers.append(HTTPField(name: .setCookie, value: "other=2; Path=/; Max-Age=60"))
            return Response(headers: headers)
        }
        let app = try await backend.launched()
        try await app.tap("In")
        try await app.enter("x", into: "a")
        #expect(app.cookies.map(\.name) == ["session", "other"])
        backend.clearLog()
        try await app.tap("Out")
        // The log-out sends no request. The page is on the stack already, so the client refreshes it with its inputs' initial values.
        #expect(backend.log == [#"POST / {"a":""}"#])
        #expect(backend.headers[0][.cookie] == "other=2")
        #expect(app.variables == [:])
        #expect(app.cookies.map(\.name) == ["other"])
        #expect(app.value(of: "a") == "")
    }

    @Test func `After a log-out only the first page is on the stack, and the list goes on there`() async throws {
        let backend = Backend("/members", Backend.button("Out", #""logout""#, #""push:/bye""#))
        backend.form("/bye")
        backend.form("/welcome", title: "Welcome")
        let app = try backend.client { $0.firstPage = "/welcome" }
        try await app.launch(at: "/", "/members")
        backend.clearLog()
        try await app.tap("Out")
        #expect(app.stack == ["/welcome", "/bye"])
        #expect(backend.log == ["GET /welcome", "GET /bye"])
    }

    @Test func `A log-out counts also where the first page can't be loaded`() async throws {
        let backend = Backend("/members", Backend.button("Out", #""logout""#, #""pop""#))
        backend.on("/") { _ in
            .page(#"{"typ":"nav_page","title":"","widget":{"typ":"empty"}}"#)
                .adding([.setCookie: "session=1; Path=/; Max-Age=60"])
        }
        let app = try backend.client()
        try await app.launch(at: "/", "/members")
        #expect(app.cookies.map(\.name) == ["session"])
        backend.status("/", .forbidden, "Please wait.")
        try await app.tap("Out")
        #expect(app.errorText == "Please wait.")
        #expect(app.stack == ["/", "/members", "/applin_user_error"])
        #expect(app.cookies == [])
    }

    @Test func `reset_var makes an input send its initial value again`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a","initial_string":"first"}"#,
            #"{"typ":"checkbox","var_name":"b","text":"B","initial_bool":true}"#,
            Backend.button("Reset", #"{"typ":"reset_var","var_name":"a"}"#)
        )
        let app = try await backend.launched()
        try await app.enter("changed", into: "a")
        try await app.uncheck("B")
        try await app.tap("Reset")
        #expect(app.value(of: "a") == "changed")
        #expect(app.sentValue(of: "a") == "first")
        #expect(app.isChecked("B") == false)
        #expect(app.variables == ["b": false])
    }

    @Test func `A text is copied, and a URL launched`() async throws {
        let backend = Backend(
            "/",
            Backend.button(
                "Copy",
                #""copy_to_clipboard:a:b""#,
                #""launch_url:https://example.com/""#,
                #""launch_url:tel:+1""#
            )
        )
        let app = try await backend.launched()
        try await app.tap("Copy")
        #expect(app.clipboard == "a:b")
        #expect(app.launchedURLs == ["https://example.com/", "tel:+1"])
    }

    @Test func `Pages of the client's own never reach the server`() async throws {
        let backend = Backend(
            "/",
            Backend.button("Help", #""push:/support""#),
            Backend.button("Status", #""push:/server_status""#)
        )
        let app = try await backend.launched()
        try await app.tap("Help")
        #expect(app.title == "Support")
        try await app.back()
        try await app.tap("Status")
        #expect(app.stack == ["/", "/server_status"])
        #expect(backend.log == [])
    }

    @Test func `An rpc has the variables of the page that is visible then`() async throws {
        let backend = Backend("/", #"{"typ":"textfield","var_name":"a"}"#, Backend.button("Go", #""push:/b""#))
        backend.form("/b", #"{"typ":"textfield","var_name":"b"}"#, Backend.button("Up", #""pop""#, #""rpc:/save""#))
        backend.status("/save", .ok)
        let app = try await backend.launched()
        try await app.enter("x", into: "a")
        try await app.tap("Go")
        try await app.enter("y", into: "b")
        try await app.tap("Up")
        #expect(backend.log == ["GET /b", #"POST /save {"a":"x"}"#])
    }
}
