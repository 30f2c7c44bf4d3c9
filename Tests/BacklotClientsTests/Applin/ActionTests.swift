import Applin
import Backlot
import BacklotTesting
import ClientTestSupport
import Testing

/// The effects of taps: actions in their order, modals, photos, and the state after a failure.
@Suite(.timeLimit(.minutes(5))) struct ActionTests {
    /// The actions of a button, and their effects: the requests, the stack and the error.
    @Test(
        arguments: [
            ([#""rpc:/one""#, #""rpc:/no""#, #""rpc:/one""#], ["POST /one {}", "POST /no {}"], userError, .user),
            ([#""push:/no""#], ["GET /no"], userError, .user), ([#""push:/in""#], ["GET /in"], userError, .user),
            ([#""replace_all:/no""#], ["GET /no"], userError, .user),
            ([#""pop""#], [], ["/", "/applin_app_error"], .app),
            (
                [#"{"typ":"rpc","url":"/one"}"#, #"{"typ":"stop_actions"}"#, #"{"typ":"pop"}"#], ["POST /one {}"],
                ["/"], nil
            ),
        ] as [([String], [String], [String], ShownErrorKind?)]
    )
    func `A list ends at its first failure and at stop_actions, and leaves the stack as it was`(
        actions: [String],
        requests: [String],
        stack: [String],
        error: ShownErrorKind?
    ) async throws {
        let backend = Backend("/", Backend.button("Go", actions.joined(separator: ",")))
        backend.status("/one", .ok)
        backend.status("/no", .unprocessableContent, "No.")
        backend.status("/in", .forbidden, "No.")
        let app = try await backend.launched()
        try await app.tap("Go")
        #expect(backend.log == requests)
        #expect(app.stack == stack)
        #expect(app.errorKind == error)
        if error != nil { try await app.back() }
        #expect(app.stack == ["/"])
    }

    private static let userError = ["/", "/applin_user_error"]

    @Test func `A page on the stack is asked for and not pushed again`() async throws {
        let backend = Backend("/", Backend.button("Next", #""push:/next""#))
        backend.form("/next", Backend.button("Home", #""push:/""#), Backend.button("New", #""replace_all:/""#))
        let app = try await backend.launched()
        try await app.tap("Next")
        try await app.tap("Home")
        #expect(backend.log == ["GET /next", "GET /"])
        #expect(app.errorKind == .app)
        #expect(app.stack == ["/", "/next", "/applin_app_error"])
        try await app.back()
        try await app.tap("New")
        #expect(app.stack == ["/"])
    }

    // MARK: on_user_error_poll

    @Test(arguments: [
        [#""rpc:/save""#, #""on_user_error_poll""#, #""pop""#], [#""on_user_error_poll""#, #""rpc:/save""#],
        [#"{"typ":"rpc","url":"/save","on_user_error_poll":true}"#, #"{"typ":"pop"}"#],
    ])
    func `After an error of a user the page is polled, and then the error is shown`(actions: [String]) async throws {
        let backend = Backend()
        let button = #"{"typ":"form_button","text":"Save","actions":[\#(actions.joined(separator: ","))]}"#
        backend.form("/", #"{"typ":"textfield","label":"Name","var_name":"name"}"#, button)
        for status in [HTTPResponse.Status.unprocessableContent, .forbidden] {
            backend.status("/save", status, "Please correct it.")
            backend.on("/") { request in
                let error = request.method == .post ? #","error":"Too short.""# : ""
                return .page(Backend.form([#"{"typ":"textfield","label":"Name","var_name":"name"\#(error)}"#, button]))
            }
            let app = try await backend.launched()
            try await app.enter("a", into: "Name")
            try await app.tap("Save")
            #expect(backend.log == [#"POST /save {"name":"a"}"#, #"POST / {"name":"a"}"#])
            #expect(app.errorText == "Please correct it.")
            try await app.back()
            #expect(app.errors == ["Too short."])
        }
    }

    @Test func `Other errors, and lists that don't say so, poll nothing`() async throws {
        let backend = Backend(
            "/",
            Backend.button("Plain", #""rpc:/user""#),
            Backend.button("Server", #""rpc:/server""#, #""on_user_error_poll""#)
        )
        backend.status("/user", .unprocessableContent, "No.")
        backend.status("/server", .internalServerError)
        let app = try await backend.launched { $0.ignoredRules = ["server-error"] }
        try await app.tap("Plain")
        try await app.back()
        try await app.tap("Server")
        #expect(backend.log == ["POST /user {}", "POST /server {}"])
    }

    @Test func `When that poll fails too, the first error is shown`() async throws {
        let backend = Backend("/", Backend.button("Save", #""rpc:/save""#, #""on_user_error_poll""#))
        backend.status("/save", .unprocessableContent, "First.")
        let app = try await backend.launched()
        backend.status("/", .unprocessableContent, "Second.")
        try await app.tap("Save")
        #expect(backend.log == ["POST /save {}", "GET /"])
        #expect(app.errorText == "First.")
    }

    // MARK: Modals

    private func modal(_ title: String, _ buttons: String...) -> String {
        #"{"typ":"modal","title":"\#(title)","message":"Really?","buttons":[\#(buttons.joined(separator: ","))]}"#
    }

    @Test func `A modal ends the list, and its buttons have actions of their own`() async throws {
        let backend = Backend()
        let delete = #"{"text":"!Delete","actions":[{"typ":"rpc","url":"/delete"},{"typ":"poll"}]}"#
        let question = modal("Delete?", delete, #"{"text":"Cancel","actions":[]}"#)
        backend.form(
            "/",
            Backend.button("Ask", #"{"typ":"rpc","url":"/before"}"#, question, #"{"typ":"rpc","url":"/after"}"#)
        )
        for path in ["/before", "/delete"] { backend.status(path, .ok) }
        let app = try await backend.launched()
        try await app.tap("Ask")
        #expect(backend.log == ["POST /before {}"])
        let shown = try #require(app.modal)
        #expect(shown == ("Delete?", "Really?", ["Delete", "Cancel"]))
        #expect(app.buttons == ["Delete", "Cancel"])
        try app.expectScreen(
            """
            modal "Delete?"
              message "Really?"
              button "Delete" (destructive) → rpc /delete, poll
              button "Cancel"
            in front of:
            /: nav_page "A Page"
              scroll
                form
                  form_button "Ask" → rpc /before, modal "Delete?", rpc /after
            """
        )
        let problem = await #expect(throws: StepError.self) { try await app.tap("Delet") }
        #expect(problem?.problem == #"no button of the modal "Delet"; there is "Delete""#)
        #expect(
            await stepProblem { try await app.pullToRefresh() }
                == #"the modal "Delete?" is in front of the page: tap one of its buttons first"#
        )
        try await app.tap("Delete")
        #expect(app.modal == nil)
        #expect(backend.log == ["POST /before {}", "POST /delete {}", "GET /"])
        try await app.tap("Ask")
        try await app.tap("Cancel")
        #expect(app.modal == nil)
        #expect(app.errorText == nil)
    }

    @Test func `A modal may lead to another, and its rpc may fail`() async throws {
        let backend = Backend()
        let second = modal("Second", #"{"text":"Try","actions":[{"typ":"rpc","url":"/no"},{"typ":"pop"}]}"#)
        backend.form("/", Backend.button("Ask", modal("First", #"{"text":"More","actions":[\#(second)]}"#)))
        backend.status("/no", .unprocessableContent, "No.")
        let app = try await backend.launched()
        try await app.tap("Ask")
        try await app.tap("More")
        #expect(app.modal?.title == "Second")
        try await app.tap("Try")
        #expect(app.modal == nil)
        #expect(app.errorText == "No.")
    }

    // MARK: Photos

    @Test func `A photo that isn't taken ends the list, and one that is refused is an error`() async throws {
        let backend = Backend("/", Backend.button("Photo", #""choose_photo:/photo""#, #""rpc:/after""#))
        backend.status("/photo", .forbidden, "No photos.")
        let app = try await backend.launched()
        try await app.tap("Photo")
        #expect(
            await stepProblem { try await app.tap("Photo") }
                == "the photo picker is in front of the page: call uploadPhoto() or cancelPhoto() first"
        )
        try await app.cancelPhoto()
        #expect(backend.log == [])
        try await app.tap("Photo")
        try await app.uploadPhoto()
        #expect(backend.log.count == 1)
        #expect(app.errorText == "No photos.")
        let early = await #expect(throws: StepError.self) { try await app.uploadPhoto() }
        #expect(early?.problem.hasPrefix("the client doesn't ask for a photo") == true)
    }
}

/// An app for clients that know more actions than Applin's.
@Suite(.timeLimit(.minutes(5))) struct ExtensionClientTests {
    private struct Share: Action {
        var typ: StaticString { "share" }
    }

    @Test func `A client passes over an own action and goes on with the next`() async throws {
        let router = Router()
        router.applin("/", dialect: .objects, extensions: [.action("share")]) { app in
            app.page("/") { _ in
                navPage("Tea") {
                    button("Share") {
                        Share()
                        push("/thanks")
                    }
                }
            }
            app.page("/thanks") { _ in navPage("Thanks") { text("Thanks") } }
        }
        let client = try ApplinClient(router)
        try await client.launch()
        #expect(client.screen.contains(#"button "Share" → share, push /thanks"#))
        try await client.tap("Share")
        #expect(client.title == "Thanks")
        #expect(client.findings == [])
    }
}
