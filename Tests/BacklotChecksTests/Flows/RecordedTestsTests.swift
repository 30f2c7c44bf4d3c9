import Backlot
import BacklotChecks
import BacklotMocks
import BacklotRecording
import BacklotTesting
import ClientTestSupport
import Testing

/// Swift tests from recordings.
@Suite(.timeLimit(.minutes(5))) struct RecordedTestsTests {
    /// The steps of a person, to be found from the requests alone.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable (Backend) -> Void
        let steps: [ClientStep]
        /// The calls of the test, where they aren't those of the steps.
        let calls: [String]

        init(
            _ name: String,
            _ set: @escaping @Sendable (Backend) -> Void,
            _ steps: [ClientStep],
            calls: [String]? = nil
        ) {
            (testDescription, self.set, self.steps) = (name, set, steps)
            self.calls = calls ?? steps.map(\.call)
        }
    }

    private static let field = #"{"typ":"textfield","label":"Name","var_name":"name"}"#

    /// Two pages with buttons, and an rpc, an upload and what else is needed.
    private static func pages(_ first: String..., next: String...) -> @Sendable (Backend) -> Void {
        { backend in
            backend.page("/", Backend.form(title: "Home", first))
            backend.page("/next", Backend.form(title: "Next", next + [#"{"typ":"text","text":"There"}"#]))
            for path in ["/save", "/photo", "/other"] { backend.status(path, .ok) }
            backend.status("/refuse", .unprocessableContent, "Please correct it.")
        }
    }

    private static let push = #"{"typ":"push","page":"/next"}"#

    /// A button to the next page.
    private static let next = Backend.button("Go", #""push:/next""#)
    private static let save = Backend.button("Save", #""rpc:/save""#)
    private static let send = Backend.button("Go", #""rpc:/save""#)

    private static func enter(_ text: String, into field: String) -> ClientStep {
        .enter(text, into: field, variable: "")
    }

    static let actions = [
        Case("push", pages(next), [.tap("Go")]),
        Case("push as an object", pages(Backend.button("Go", push)), [.tap("Go")]),
        Case("replace_all", pages(Backend.button("Go", #""replace_all:/next""#)), [.tap("Go")]),
        Case("rpc", pages(send), [.tap("Go")]),
        Case(
            "of two buttons, the one whose requests are all there",
            pages(save, Backend.button("Go", #""rpc:/save""#, #""push:/next""#)),
            [.tap("Go")]
        ),
        Case("poll", pages(Backend.button("Go", #""poll""#)), [.tap("Go"), .tap("Go")]),
        Case(
            "pop, which no request tells of",
            pages(next, next: Backend.button("Leave", #""pop""#)),
            [.tap("Go"), .tap("Leave"), .tap("Go")]
        ),
        Case("the client's back button", pages(next, save), [.tap("Go"), .back, .tap("Save")]),
        Case(
            "a back button of the page",
            { backend in
                pages(next)(backend)
                let more = #""start":{"typ":"back_button","actions":["rpc:/save","pop"]}"#
                backend.form("/next", more: more, #"{"typ":"text","text":"There"}"#)
            },
            [.tap("Go"), .back]
        ),
        Case(
            "on_user_error_poll",
            pages(field, Backend.button("Go", #"{"typ":"rpc","url":"/refuse","on_user_error_poll":true}"#)),
            [enter("a", into: "Name"), .tap("Go"), .back, enter("ab", into: "Name"), .tap("Go")]
        ),
        Case(
            "modal",
            pages(
                Backend.button(
                    "Delete",
                    #"{"typ":"modal","title":"Sure?","buttons":[{"text":"!Yes","actions":[{"typ":"rpc","url":"/save"}]},{"text":"No","actions":[]}]}"#
                )
            ),
            [.tap("Delete"), .tap("No"), .tap("Delete"), .tap("Yes")],
            calls: [#"tap("Delete")"#, #"tap("Yes")"#]
        ),
        Case(
            "choose_photo",
            pages(Backend.button("Go", #""choose_photo:/photo""#, #""poll""#)),
            [.tap("Go"), .uploadPhoto]
        ),
        Case(
            "take_photo, cut to a square",
            pages(Backend.button("Go", #""take_photo:/photo?aspect_ratio=1.0""#)),
            [.tap("Go"), .uploadPhoto]
        ),
        Case(
            "logout",
            pages(next, next: Backend.button("Log out", #""rpc:/save""#, #""logout""#)),
            [.tap("Go"), .tap("Log out")]
        ),
        Case(
            "what needs no server, before what does",
            pages(
                Backend.button("Go", #""copy_to_clipboard:abc""#, #""launch_url:https://a.example""#, #""push:/next""#)
            ),
            [.tap("Go")]
        ),
        Case(
            "reset_var and stop_actions",
            pages(
                field,
                Backend.button("Clear", #"{"typ":"reset_var","var_name":"name"}"#, #"{"typ":"rpc","url":"/save"}"#),
                Backend.button("Stop", #"{"typ":"rpc","url":"/other"}"#, #"{"typ":"stop_actions"}"#, push)
            ),
            [enter("abc", into: "Name"), .tap("Stop"), .tap("Clear")]
        ),
        Case(
            "buttons of other kinds",
            pages(
                #"{"typ":"nav_button","text":"Further","actions":[{"typ":"push","page":"/next"}]}"#,
                #"{"typ":"checkbox_button","text":"Done","actions":[{"typ":"rpc","url":"/save"}]}"#
            ),
            [.tap("Done"), .tap("Further")]
        ),
        Case("two buttons of one name", pages(send, Backend.button("Go", #""push:/next""#)), [.tap("Go", number: 2)]),
        Case(
            "a name that may be another one next time",
            pages(Backend.button("Stay", #""rpc:/save""#), Backend.button("Order 4711-88", #""push:/next""#)),
            [.tap("Order 4711-88")],
            calls: [#"tap(app.buttons[1])  // in the recording: "Order 4711-88""#]
        ),
        Case(
            "a name that must be escaped",
            pages(Backend.button(#"\"a\\b\\(c)#\n\u202e"#, #""push:/next""#)),
            [.tap("\"a\\b\\(c)#\n\u{202E}")],
            calls: [##"tap("\"a\\b\\(c)#\n\u{202e}")"##]
        ),
        Case("the app is started again", pages(next), [.tap("Go"), .relaunch(keepsStack: true)]),
        Case("a page to which nothing leads", pages(next: save), [.open("/next"), .tap("Save")]),
        Case("a page that the client pulls down", pages(#"{"typ":"text","text":"a"}"#), [.pullToRefresh]),
        Case(
            "a push that is forbidden",
            { backend in
                pages(Backend.button("Go", #""push:/no""#), save)(backend)
                backend.status("/no", .forbidden, "Not for you.")
            },
            [.tap("Go"), .back, .tap("Save")]
        ),
    ]

    static let inputs = [
        Case(
            "text fields, of which one has no label",
            pages(field, #"{"typ":"textfield","var_name":"street"}"#, send),
            [enter("Zoë \"Z\"", into: "Name"), enter("a\nb", into: "street"), .tap("Go")],
            calls: [#"enter("Zoë \"Z\"", into: "Name")"#, #"enter("a\nb", into: "street")"#, #"tap("Go")"#]
        ),
        Case(
            "two text fields of one label",
            pages(
                #"{"typ":"textfield","label":"Line","var_name":"one"}"#,
                #"{"typ":"textfield","label":"Line","var_name":"two"}"#,
                send
            ),
            [enter("a", into: "two"), .tap("Go")]
        ),
        Case(
            "a checkbox",
            pages(
                #"{"typ":"checkbox","text":"I agree","var_name":"agree"}"#,
                #"{"typ":"checkbox","text":"News","var_name":"news","initial_bool":true}"#,
                send
            ),
            [.check("I agree"), .uncheck("News"), .tap("Go")]
        ),
        Case(
            "a checkbox that does something",
            pages(#"{"typ":"checkbox","text":"On","var_name":"on","actions":["rpc:/save"]}"#),
            [.check("On"), .uncheck("On")]
        ),
        Case(
            "a selector",
            pages(
                #"{"typ":"selector","label":"Size","var_name":"size","options":["S","M"],"initial_string":"S"}"#,
                send
            ),
            [.choose("M", from: "Size"), .tap("Go")]
        ),
        Case(
            "an entry after which the page is refreshed",
            pages(#"{"typ":"textfield","label":"Find","var_name":"find","poll_delay_ms":500}"#),
            [enter("ab", into: "Find"), .wait(.milliseconds(500))]
        ),
        Case(
            "a page that refreshes itself, twice",
            { $0.form("/", more: #""poll_seconds":5"#, #"{"typ":"text","text":"a"}"#) },
            [.wait(.seconds(10))]
        ),
        Case(
            "a page that is validated when it is opened",
            pages(
                next,
                next: #"{"typ":"textfield","label":"Name","var_name":"name","validated":true,"initial_string":"x"}"#
            ),
            [.tap("Go")]
        ),
        Case(
            "variables within variables",
            pages(
                #"{"typ":"textfield","label":"Street","var_name":"address#street"}"#,
                #"{"typ":"checkbox","text":"Red","var_name":"colours%red"}"#,
                Backend.button("Go", #"{"typ":"rpc","url":"/save"}"#)
            ),
            [enter("Main Street", into: "Street"), .tap("Go")]
        ),
        Case(
            "an entry of a page below",
            pages(field, next, save),
            [enter("abc", into: "Name"), .tap("Go"), .back, .tap("Save")],
            calls: [#"tap("Go")"#, "back()", #"enter("abc", into: "Name")"#, #"tap("Save")"#]
        ),
    ]

    @Test(
        arguments: [
            (.launch(nil), "launch()"), (.launch("/a"), #"launch(at: "/a")"#), (.open("/a"), #"open(at: "/a")"#),
            (.relaunch(keepsStack: true), "relaunch()"), (.relaunch(keepsStack: false), "relaunch(keepsStack: false)"),
            (.tap("Go"), #"tap("Go")"#), (.tap("\"", number: 2), #"tap("\"", number: 2)"#), (.back, "back()"),
            (.pullToRefresh, "pullToRefresh()"), (.check("A"), #"check("A")"#), (.uncheck("A"), #"uncheck("A")"#),
            (.enter("a\n", into: "B", variable: "v"), #"enter("a\n", into: "B")"#),
            (.choose("a", from: "B"), #"choose("a", from: "B")"#), (.uploadPhoto, "uploadPhoto()"),
            (.cancelPhoto, "cancelPhoto()"), (.forgetCookies, "forgetCookies()"),
            (.wait(.seconds(2)), "wait(.seconds(2))"),
            (.wait(.milliseconds(1500)), "wait(.milliseconds(1500))"),
        ] as [(ClientStep, String)]
    )
    func `A step is a call`(step: ClientStep, call: String) {
        #expect(step.call == call)
    }

    @Test func `Clients before 0.34 send variables flat`() async throws {
        let backend = Backend()
        Self.pages(
            #"{"typ":"textfield","label":"Street","var_name":"address#street"}"#,
            Backend.button("Go", #"{"typ":"rpc","url":"/save"}"#)
        )(backend)
        let app = try backend.client(as: "0.32")
        try await app.launch()
        try await app.enter("Main Street", into: "Street")
        try await app.tap("Go")
        let tests = await RecordedTests(app.requests.map { RecordedExchange($0) })
        #expect(tests.steps == ["launch()", #"enter("Main Street", into: "Street")"#, #"tap("Go")"#])
        #expect(tests.source.contains(#"ApplinClient(url: url, client: "0.33", configuration: configuration)"#))
    }

    @Test func `What the device is given is expected`() async throws {
        let backend = Backend()
        Self.pages(
            Backend.button(
                "Go",
                #""copy_to_clipboard:abc \"d\"""#,
                #""launch_url:https://a.example/b""#,
                #""push:/next""#
            )
        )(backend)
        let app = try await backend.launched()
        try await app.tap("Go")
        let tests = await RecordedTests(app.requests.map { RecordedExchange($0) })
        #expect(tests.lines.contains(##"#expect(app.clipboard == "abc \"d\"")"##))
        #expect(tests.lines.contains(##"#expect(app.launchedURLs.last == "https://a.example/b")"##))
    }

    @Test func `Errors beside inputs are expected`() async throws {
        let backend = Backend()
        let button = Backend.button("Save", #""rpc:/save""#, #""on_user_error_poll""#)
        backend.on("/") { request in
            let error = request.method == .post ? #","error":"Too short.""# : ""
            return .page(Backend.form([#"{"typ":"textfield","label":"Name","var_name":"name"\#(error)}"#, button]))
        }
        backend.status("/save", .unprocessableContent, "Please correct it.")
        let app = try await backend.launched()
        try await app.tap("Save")
        try await app.back()
        backend.status("/save", .ok)
        try await app.enter("abc", into: "Name")
        try await app.tap("Save")
        let tests = await RecordedTests(app.requests.map { RecordedExchange($0) })
        #expect(
            tests.lines.suffix(7) == [
                #"#expect(app.errorText == "Please correct it.")"#,
                "try await app.back()",
                #"#expect(app.title == "A Page")"#, #"#expect(app.stack == ["/"])"#,
                #"#expect(app.errors == ["Too short."])"#,
                #"try await app.enter("abc", into: "Name")"#, #"try await app.tap("Save")"#,
            ],
            "\(tests.source)"
        )
    }

    @Test(arguments: actions + inputs)
    func `The steps are found out from the requests`(of flow: Case) async throws {
        let backend = Backend()
        flow.set(backend)
        let app = try backend.client { $0.failingSeverity = nil }
        try await app.launch()
        for step in flow.steps { try await app.perform(step) }
        let tests = await RecordedTests(app.requests.map { RecordedExchange($0) })
        #expect(tests.steps == ["launch()"] + flow.calls, "\(tests.source)")
    }
}

extension RecordedExchange {
    /// A request that a client has made.
    init(_ record: RequestRecord) {
        self.init(
            record.method,
            record.request.url.target,
            requestHeaders: record.request.headers,
            requestBody: record.request.body,
            status: record.status ?? 500,
            responseHeaders: record.response?.headers ?? [:],
            responseBody: record.response?.body ?? []
        )
    }
}

extension RecordedTests {
    /// The lines of the test's body, without blanks around them.
    var lines: [String] {
        source.split(separator: "\n").map { $0.drop { $0 == " " } }
            .drop { !$0.hasPrefix("static func replay") }.dropFirst().prefix { $0 != "}" }
            .map(String.init)
    }

    /// The calls of the client, or of the clients.
    var steps: [String] {
        lines.filter { $0.hasPrefix("try await app") }.map { line in
            line.hasPrefix("try await app.") ? String(line.dropFirst("try await app.".count)) : line
        }
    }

    /// The comments.
    var remarks: [String] { lines.filter { $0.hasPrefix("// ") } }
}
