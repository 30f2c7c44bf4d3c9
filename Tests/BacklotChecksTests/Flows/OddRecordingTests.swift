import Backlot
import BacklotChecks
import BacklotMocks
import BacklotRecording
import BacklotTesting
import ClientTestSupport
import Testing

/// Recordings that don't hold one session of one app from beginning to end.
@Suite(.timeLimit(.minutes(5))) struct OddRecordingTests {
    private func page(
        _ path: String,
        _ widgets: String...,
        method: HTTPRequest.Method = .get,
        body: String = "",
        headers: HTTPFields = [:]
    ) -> RecordedExchange {
        RecordedExchange(
            method,
            path,
            requestHeaders: headers,
            requestBody: Array(body.utf8),
            responseHeaders: [.contentType: "application/vnd.applin_response"],
            responseBody: Array(#"{"page":\#(Backend.form(title: "Page", widgets))}"#.utf8)
        )
    }

    private func rpc(
        _ path: String,
        _ body: String = "{}",
        status: Int = 200,
        headers: HTTPFields = [:],
        response: HTTPFields = [:]
    ) -> RecordedExchange {
        RecordedExchange(
            .post,
            path,
            requestHeaders: [.contentType: "application/json"] + headers,
            requestBody: Array(body.utf8),
            status: status,
            responseHeaders: response
        )
    }

    @Test func `An empty recording becomes a test that does nothing`() async {
        let tests = await RecordedTests([])
        #expect(tests.lines == ["// The recording has no requests of an app.", "#expect(app.stack.isEmpty)"])
        #expect(tests.report == ["0 requests of 1 client became 0 steps"])
    }

    @Test func `A request that nothing explains is sent as it is, and the flow goes on`() async {
        let tests = await RecordedTests([
            page("/", Backend.button("Go", #""push:/next""#)), rpc("/metrics", #"{"a":"\"b\""}"#, status: 204),
            page("/next"),
        ])
        #expect(
            tests.lines.filter { !$0.contains("texts") } == [
                "try await app.launch()", #"#expect(app.title == "Page")"#, #"#expect(app.stack == ["/"])"#,
                "// Nothing on the screen explains this request.",
                ##"#expect(try await app.send(.post, "/metrics", type: "application/json", body: Array("{\"a\":\"\\\"b\\\"\"}".utf8)).status.code == 204)"##,
                #"try await app.tap("Go")"#, #"#expect(app.title == "Page")"#, #"#expect(app.stack == ["/", "/next"])"#,
            ],
            "\(tests.source)"
        )
        #expect(tests.report.last == "sent as recorded, since no tap explains it: 1 request")
    }

    @Test func `A recording that begins in the middle says so`() async {
        let tests = await RecordedTests([
            rpc("/save", #"{"name":"a"}"#), page("/notes/all", Backend.button("Go", #""push:/next""#)), page("/next"),
        ])
        #expect(tests.remarks == ["// The recording begins before the app shows a page."])
        #expect(tests.steps == [#"launch(at: "/notes/all")"#, #"tap("Go")"#])
        #expect(tests.lines[1].contains(#"app.send(.post, "/save""#))
    }

    @Test func `What stands for a secret in a request is a constant`() async {
        var options = RecordedTests.Options()
        options.pseudonyms = ["qwertz77", "abc%12&d"]
        let tests = await RecordedTests(
            [
                page("/"), rpc("/in?a=b&token=qwertz77", #"{"password":"qwertz77","b":1}"#),
                rpc("/in", #"{"password":"abc%12&d"}"#), rpc("/in?password=abc%2512%26d"),
            ],
            options: options
        )
        let steps = tests.lines.filter { $0.contains("send(") }
        #expect(steps.count == 3)
        #expect(steps[0].contains(#""/in?a=b&token=\(Self.token)""#), "\(steps)")
        #expect(steps[0].contains(##"Array("{\"password\":\"\(Self.token)\",\"b\":1}".utf8)"##))
        #expect(steps[1].contains(##"Array("{\"password\":\"\(Self.password)\"}".utf8)"##))
        #expect(steps[2].contains(#""/in?password=\(Self.password2)""#))
        #expect(tests.source.contains(#"environment["BACKLOT_TOKEN"] ?? "qwertz77""#), "\(tests.source)")
    }

    @Test func `Each secret is a constant with a name of its own`() async {
        let secrets = [
            ("password2", "qwertz77", "password2", "PASSWORD2"), ("password", "asdfgh66", "password", "PASSWORD"),
            ("password", "yxcvbn55", "password3", "PASSWORD_3"), ("class", "poiuzt44", "class2", "CLASS_2"),
            ("environment", "lkjhgf33", "environment2", "ENVIRONMENT_2"),
        ]
        var options = RecordedTests.Options()
        options.pseudonyms = Set(secrets.map { $0.1 })
        let calls = secrets.map { rpc("/in", #"{"\#($0.0)":"\#($0.1)"}"#) }
        let tests = await RecordedTests([page("/")] + calls, options: options)
        for (_, value, name, variable) in secrets {
            let line = #"static let \#(name) = environment["BACKLOT_\#(variable)"] ?? "\#(value)""#
            #expect(tests.source.contains(line), "\(tests.source)")
        }
    }

    @Test func `The response to a path with an id is not compared`() async {
        let tests = await RecordedTests([page("/"), rpc("/orders/8f3e77/pay")])
        #expect(tests.remarks.count == 2)
        #expect(tests.lines.last?.hasPrefix(#"_ = try await app.send(.post, "/orders/8f3e77/pay""#) == true)
    }

    @Test func `What a broken page breaks is no failure of the test`() async {
        var broken = page("/next")
        broken.responseBody = Array(#"{"page":{"typ":"nav_pag"}}"#.utf8)
        let tests = await RecordedTests([page("/", Backend.button("Go", #""push:/next""#)), broken])
        #expect(tests.steps == ["launch()", #"tap("Go")"#])
        #expect(tests.lines.last == "#expect(app.errorKind == .server)")
        #expect(tests.source.contains("// The recorded backend broke these rules.\n"))
        #expect(tests.source.contains("configuration.ignoredRules = ["))
        #expect(tests.source.contains("var configuration"))
    }

    @Test(arguments: [403, 404, 422, 500, 503])
    func `An rpc that is refused becomes an expected error`(status: Int) async {
        var refused = rpc("/save", status: status)
        refused.responseBody = Array("Not at this time of day, please.".utf8)
        let tests = await RecordedTests([page("/", Backend.button("Go", #""rpc:/save""#)), refused])
        #expect(tests.steps == ["launch()", #"tap("Go")"#])
        let isTold = [403, 404, 422].contains(status)
        #expect(
            tests.lines.last
                == (isTold
                    ? #"#expect(app.errorText == "Not at this time of day, please.")"#
                    : "#expect(app.errorKind == .server)")
        )
    }

    @Test func `Numbers, times and pseudonyms are not expected`() async {
        var options = RecordedTests.Options()
        options.pseudonyms = ["qwzx"]
        let texts = ["Saved at 12:31", "3 notes", "Hello qwzx", "Saved just now", "Welcome"].map {
            #"{"typ":"text","text":"\#($0)"}"#
        }
        var home = page("/")
        home.responseBody = Array(#"{"page":\#(Backend.form(title: "Page", texts))}"#.utf8)
        let tests = await RecordedTests([home], options: options)
        #expect(tests.lines.filter { $0.contains("texts") } == [#"#expect(app.texts.contains("Welcome"))"#])
    }

    @Test func `A secret is a constant that the environment replaces`() async {
        let fields = [
            #"{"typ":"textfield","label":"Mail","var_name":"mail"}"#,
            #"{"typ":"textfield","label":"Password","var_name":"password"}"#,
        ]
        var options = RecordedTests.Options()
        options.pseudonyms = ["user1@example.com", "q\"w"]
        let tests = await RecordedTests(
            [
                page("/", fields[0], fields[1], Backend.button("Log In", #""rpc:/log_in""#)),
                rpc("/log_in", #"{"mail":"user1@example.com","password":"q\"w"}"#),
            ],
            options: options
        )
        #expect(
            tests.steps == [
                "launch()", #"enter(Self.mail, into: "Mail")"#, #"enter(Self.password, into: "Password")"#,
                #"tap("Log In")"#,
            ]
        )
        #expect(tests.source.contains(#"static let mail = environment["BACKLOT_MAIL"] ?? "user1@example.com""#))
        #expect(tests.source.contains(#"static let password = environment["BACKLOT_PASSWORD"] ?? "q\"w""#))
    }

    @Test func `An app below a path has its base URL there`() async {
        let tests = await RecordedTests([
            page("/travel/", Backend.button("Go", #""push:/next""#)), page("/travel/next"), rpc("/elsewhere"),
        ])
        #expect(tests.steps == ["launch()", #"tap("Go")"#])
        #expect(tests.source.contains(#"at: "/travel/""#))
        #expect(tests.report.last == "left out, since it is outside the app's base path /travel/: 1 request")
    }

    @Test func `Pictures and scripts are left out`() async {
        let picture = RecordedExchange(.get, "/a.png", responseHeaders: [.contentType: "image/png"])
        let script = RecordedExchange(.get, "/a.js", responseHeaders: [.contentType: "text/javascript"])
        let tests = await RecordedTests([page("/"), picture, script, RecordedExchange(.options, "/save")])
        #expect(tests.steps == ["launch()"])
        #expect(tests.report.last?.hasSuffix("pictures, scripts and the like: 3 requests") == true)
    }

    @Test func `WebSockets are left out, refused ones too`() async {
        let sockets = [101, 403].map {
            RecordedExchange(
                .get,
                "/live",
                requestHeaders: [.upgrade: "websocket"],
                status: $0,
                responseBody: [0x5B, 0x5D]
            )
        }
        let tests = await RecordedTests([page("/")] + sockets)
        #expect(tests.steps == ["launch()"])
        #expect(tests.report == ["1 request of 1 client became 1 step"])
    }

    @Test func `Other protocols are sent as they are`() async {
        let tests = await RecordedTests([
            rpc("/xpedite", #"{"method":"setConnection"}"#),
            RecordedExchange(.get, "/floki/app", responseHeaders: [.contentType: "application/json"]),
        ])
        #expect(tests.lines.filter { $0.hasPrefix("#expect(try await app.send(") }.count == 2)
        #expect(tests.report.last == "sent as recorded, since no tap explains it: 2 requests")
    }

    @Test func `Clients that a session tells apart go on side by side`() async {
        let home = [Backend.button("Log In", #""rpc:/log_in""#, #""replace_all:/list""#)]
        func cookie(_ name: String) -> HTTPFields { [.cookie: "session=\(name)"] }
        let tests = await RecordedTests([
            page("/", home[0]), page("/", home[0]), rpc("/log_in", response: [.setCookie: "session=aaaaaaaa; Path=/"]),
            rpc("/log_in", response: [.setCookie: "session=bbbbbbbb; Path=/"]),
            page("/list", headers: cookie("bbbbbbbb")),
            page("/list", headers: cookie("aaaaaaaa")),
        ])
        #expect(
            tests.steps == [
                "try await app1.launch()", "try await app2.launch()", #"try await app1.tap("Log In")"#,
                #"try await app2.tap("Log In")"#,
            ]
        )
        #expect(tests.source.contains("let app2 = app1.otherDevice()"))
        #expect(tests.source.contains("static func replay(on app1: ApplinClient)"))
    }

    @Test func `A person who logs in again goes on with the same client`() async {
        func cookie(_ name: String) -> HTTPFields { [.cookie: "session=\(name)"] }
        let home = Backend.button("Log In", #""rpc:/log_in""#, #""replace_all:/list""#)
        let list = Backend.button("Log Out", #""rpc:/log_out""#, #""logout""#)
        let tests = await RecordedTests([
            page("/", home), rpc("/log_in", response: [.setCookie: "session=aaaaaaaa; Path=/"]),
            page("/list", list, headers: cookie("aaaaaaaa")),
            rpc("/log_out", headers: cookie("aaaaaaaa"), response: [.setCookie: "session=; Max-Age=0; Path=/"]),
            page("/", home),
            rpc("/log_in", response: [.setCookie: "session=bbbbbbbb; Path=/"]),
            page("/list", list, headers: cookie("bbbbbbbb")),
        ])
        #expect(tests.steps == ["launch()", #"tap("Log In")"#, #"tap("Log Out")"#, #"tap("Log In")"#])
    }

    @Test(arguments: ["class", "a b", "3D", "Ä", "Self", "", "recorded"])
    func `A suite has a name that Swift takes`(name: String) async {
        var options = RecordedTests.Options()
        options.name = name
        #expect(await RecordedTests([], options: options).source.contains("struct RecordedTests {"))
        options.name = "ShopTests"
        #expect(await RecordedTests([], options: options).source.contains("struct ShopTests {"))
    }
}

extension HTTPFields {
    fileprivate static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
        var fields = left
        for field in right { fields.append(field) }
        return fields
    }
}
