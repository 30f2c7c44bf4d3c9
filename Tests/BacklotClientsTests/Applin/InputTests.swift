import Backlot
import ClientTestSupport
import Testing

@testable import BacklotTesting

/// Inputs: what is sent of them, when pages are polled for them, and what a failure undoes.
@Suite(.timeLimit(.minutes(5))) struct InputTests {
    @Test func `A checkbox whose actions fail goes back to what it was`() async throws {
        let backend = Backend("/", #"{"typ":"checkbox","var_name":"a","text":"A","actions":["rpc:/save"]}"#)
        backend.status("/save", .unprocessableContent, "No.")
        let app = try await backend.launched()
        try await app.check("A")
        // The client sent the new value, and forgot it.
        #expect(backend.log == [#"POST /save {"a":true}"#])
        #expect(app.variables == [:])
        try await app.back()
        #expect(!app.isChecked("A"))
        backend.status("/save", .ok)
        try await app.tap("A")
        #expect(app.isChecked("A"))
        try await app.check("A")
        #expect(backend.log.count == 2)
    }

    @Test(arguments: [
        #"{"typ":"stop_actions"}"#, #"{"typ":"choose_photo","url":"/photo"}"#,
        #"{"typ":"modal","title":"Sure?","buttons":[{"text":"OK","actions":[]}]}"#,
    ])
    func `A checkbox whose actions are stopped goes back too, without an error`(action: String) async throws {
        let backend = Backend()
        let rpc = #"{"typ":"rpc","url":"/save"}"#
        backend.form("/", #"{"typ":"checkbox","var_name":"a","text":"A","actions":[\#(rpc),\#(action),\#(rpc)]}"#)
        backend.status("/save", .ok)
        let app = try await backend.launched()
        try await app.check("A")
        if app.asksForPhoto { try await app.cancelPhoto() }
        if app.modal != nil { try await app.tap("OK") }
        #expect(backend.log == [#"POST /save {"a":true}"#])
        #expect(app.variables == [:])
        #expect(!app.isChecked("A"))
        #expect(app.errorKind == nil)
    }

    @Test func `A text is sent whatever the page says about typing, as clients do`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a","allow":"numbers","max_chars":3,"min_chars":2,"max_lines":1}"#
        )
        let app = try await backend.launched()
        for text in ["four\nlines", "", "x"] {
            backend.clearLog()
            try await app.enter(text, into: "a")
            try await app.pullToRefresh()
            #expect(app.lastRequest?.variables == ["a": .string(text)])
        }
    }

    @Test func `A checkbox polls the page after its delay, and not before`() async throws {
        let backend = Backend("/", #"{"typ":"checkbox","var_name":"a","text":"A","poll_delay_ms":1500}"#)
        let app = try await backend.launched()
        try await app.check("A")
        try await app.wait(.seconds(1.499))
        #expect(backend.log == [])
        try await app.wait(.seconds(0.001))
        #expect(backend.log == [#"POST / {"a":true}"#])
        try await app.wait(.seconds(60))
        #expect(backend.log.count == 1)
    }

    @Test(arguments: ["textfield", "selector", "checkbox"])
    func `Without delay an input polls at once`(typ: String) async throws {
        let backend = Backend("/", #"{"typ":"\#(typ)","var_name":"a","options":["x","y"],"poll_delay_ms":0}"#)
        let app = try await backend.launched { $0.ignoredRules = ["selector-without-initial-string"] }
        switch typ {
        case "textfield": try await app.enter("x", into: "a")
        case "selector": try await app.choose("x", from: "a")
        default: try await app.check("a")
        }
        #expect(backend.log == [#"POST / {"a":\#(typ == "checkbox" ? "true" : "\"x\"")}"#])
    }

    @Test func `Several changes before the delay is over poll once`() async throws {
        let backend = Backend("/", #"{"typ":"textfield","var_name":"a","poll_delay_ms":300}"#)
        let app = try await backend.launched()
        for text in ["x", "xy", "xyz"] {
            try await app.enter(text, into: "a")
            try await app.wait(.seconds(0.1))
        }
        #expect(backend.log == [#"POST / {"a":"xyz"}"#])
        try await app.wait(.seconds(5))
        #expect(backend.log.count == 1)
    }

    @Test func `A poll for an input that fails is shown`() async throws {
        let backend = Backend("/", #"{"typ":"textfield","var_name":"a","poll_delay_ms":300}"#)
        let app = try await backend.launched()
        try await app.enter("x", into: "a")
        backend.status("/", .unprocessableContent, "No.")
        try await app.wait(.seconds(1))
        #expect(app.errorText == "No.")
    }

    @Test func `Pages share variables, and an initial value counts while a variable is unset`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a","initial_string":"one"}"#,
            Backend.button("Next", #""push:/next""#)
        )
        backend.form("/next", #"{"typ":"textfield","var_name":"a","initial_string":"two"}"#)
        let app = try await backend.launched()
        #expect(app.value(of: "a") == "one")
        try await app.tap("Next")
        #expect(app.value(of: "a") == "two")
        try await app.enter("", into: "a")
        try await app.back()
        #expect(app.value(of: "a") == "one", "the field below kept its text")
        #expect(app.sentValue(of: "a") == "")
        try await app.pullToRefresh()
        #expect(backend.log.last == #"POST / {"a":""}"#)
    }

    @Test func `A page with a validated input is polled as soon as it is shown`() async throws {
        let backend = Backend(
            "/",
            Backend.button("Push", #"{"typ":"push","page":"/form"}"#),
            Backend.button("Replace", #"{"typ":"replace_all","page":"/form"}"#)
        )
        backend.form("/form", #"{"typ":"textfield","var_name":"a","initial_string":"x","validated":true}"#)
        let app = try await backend.launched()
        try await app.tap("Push")
        #expect(backend.log == ["GET /form", #"POST /form {"a":"x"}"#])
        try await app.back()
        backend.clearLog()
        try await app.tap("Replace")
        #expect(backend.log == ["GET /form", #"POST /form {"a":"x"}"#])
        #expect(app.stack == ["/form"])
    }

    @Test func `A page with two inputs for one variable can't be posted`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a","label":"A"}"#,
            #"{"typ":"textfield","var_name":"a","label":"B"}"#,
            Backend.button("Save", #"{"typ":"rpc","url":"/save"}"#)
        )
        let app = try backend.client()
        #expect(await brokenRules { try await app.launch() } == ["duplicate-var-name"])
        try await app.tap("Save")
        #expect(backend.log == ["GET /"])
        #expect(app.errorKind == .app)
    }

    @Test func `Choices stand side by side, each with a variable`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"selector","label":"Time","var_name":"h","options":["00","12"],"initial_string":"12","var_name1":"m","options1":["00","30"],"initial_string1":"00"}"#
        )
        let app = try await backend.launched()
        try await app.choose("30", from: "Time")
        try await app.choose("00", from: "Time")
        #expect(app.variables == ["m": "30", "h": "00"])
        try await app.choose("00", from: "m")
        #expect(app.variables == ["m": "00", "h": "00"])
        #expect(await stepProblem { try await app.choose("12", from: "m") } == #"no option "12"; there are "00", "30""#)
        try app.expectScreen(
            """
            /: nav_page "A Page"
              scroll
                form
                  selector "Time" (h, m): "00", "00"
            """
        )
    }

    @Test func `A checkbox button shows what the backend says`() async throws {
        let backend = Backend()
        @Sendable func page(_ isOn: Bool) -> String {
            Backend.form([
                #"{"typ":"checkbox_button","text":"Light","initial_bool":\#(isOn),"actions":[{"typ":"rpc","url":"/toggle"},{"typ":"poll"}]}"#
            ])
        }
        backend.page("/", page(false))
        backend.on("/toggle") { [unowned backend] _ in
            backend.page("/", page(true))
            return Response()
        }
        let app = try await backend.launched()
        #expect(!app.isChecked("Light"))
        try await app.uncheck("Light")
        #expect(backend.log == [])
        try await app.check("Light")
        #expect(app.isChecked("Light"))
        #expect(backend.log == ["POST /toggle {}", "GET /"])
        #expect(app.variables == [:])
    }

    // MARK: As the released clients do it

    /// A page with one field. Each response has another variable and another initial text.
    private static func changing() -> Backend {
        let backend = Backend()
        let count = Locked(0)
        backend.on("/") { _ in
            let count = count.withLock { count in
                count += 1
                return count
            }
            let field = #"{"typ":"textfield","var_name":"v\#(count)","label":"Name","initial_string":"text \#(count)"}"#
            return .page(Backend.form([field, Backend.button("Reset", #"{"typ":"reset_var","var_name":"v1"}"#)]))
        }
        return backend
    }

    @Test func `A text field keeps its text when the page is refreshed, and sends what the new page says`() async throws
    {
        let app = try await Self.changing().launched()
        try await app.enter("mine", into: "Name")
        try await app.pullToRefresh()
        #expect(app.value(of: "Name") == "mine")
        #expect(app.sentValue(of: "Name") == "text 2")
        #expect(app.screen.contains(#"textfield "Name" (v2): "mine", but sends "text 2""#))
        try await app.pullToRefresh()
        #expect(app.lastRequest.map { String(decoding: $0.request.body, as: UTF8.self) } == #"{"v2":"text 2"}"#)
    }

    @Test func `reset_var clears the variable, and not the field`() async throws {
        let backend = Self.changing()
        let app = try await backend.launched()
        try await app.enter("mine", into: "Name")
        try await app.tap("Reset")
        #expect(app.value(of: "Name") == "mine")
        #expect(app.sentValue(of: "Name") == "text 1")
        try await app.pullToRefresh()
        #expect(backend.log == [#"POST / {"v1":"text 1"}"#])
    }

    @Test func `A field that is pushed anew shows the variable`() async throws {
        let backend = Backend("/", Backend.button("Go", Backend.push))
        backend.form(
            "/next",
            #"{"typ":"textfield","var_name":"a","label":"A","initial_string":"first"}"#,
            Backend.button("Reset", #"{"typ":"reset_var","var_name":"a"}"#)
        )
        let app = try await backend.launched()
        try await app.tap("Go")
        try await app.enter("mine", into: "A")
        try await app.tap("Reset")
        #expect(app.value(of: "A") == "mine")
        try await app.back()
        try await app.tap("Go")
        #expect(app.value(of: "A") == "first")
    }

    /// The variables of a page's text fields, and then those of the refreshed page with the shown texts. Fields after a stroke are in a
    /// section. "mine" was typed into a, "yours" into b.
    @Test(arguments: [
        ("a b", "x= a=mine b=yours"),  // a field that is inserted above moves no texts
        ("a b", "b=yours a=mine"),
        ("a b", "b=yours c=mine"),  // c takes the field that is left over
        ("a b", "c=mine b=yours d="),
        ("a b", "c=mine d=yours"),
        ("a b", "b=yours | c="),  // the one that is left over has another parent
        ("a | b", "| c=yours a=mine"),
        ("a", "| a=mine"),
    ])
    func `A text field belongs to its variable`(before: String, after: String) async throws {
        func page(_ list: String) -> [String] {
            let parts = list.split(separator: "|", omittingEmptySubsequences: false).map { part in
                part.split(separator: " ").map { #"{"typ":"textfield","var_name":"\#($0.prefix(1))"}"# }
            }
            let section = parts.dropFirst().map { fields in
                #"{"typ":"form_section","widgets":[\#(fields.joined(separator: ","))]}"#
            }
            return section + parts[0]
        }
        let backend = Backend()
        backend.page("/", Backend.form(page(before)))
        let app = try await backend.launched()
        try await app.enter("mine", into: "a")
        if before.contains("b") { try await app.enter("yours", into: "b") }
        backend.page("/", Backend.form(page(after)))
        try await app.pullToRefresh()
        for field in after.split(separator: " ") where field != "|" {
            #expect(app.value(of: String(field.prefix(1))) == .string(String(field.dropFirst(2))), "\(field)")
        }
    }

    @Test(arguments: [
        #"{"typ":"text","text":"A","widgets":[{"typ":"textfield","var_name":"b"}]}"#,
        #"{"typ":"column","align":"start","widget":{"typ":"empty"},"widgets":[{"typ":"textfield","var_name":"a"}]}"#,
        #"{"typ":"form_button","text":"A","validated":true,"actions":[{"typ":"poll"}]},{"typ":"textfield","var_name":"a"}"#,
    ])
    func `Keys of other widgets hide nothing, send nothing and do nothing`(widget: String) async throws {
        let backend = Backend("/", Backend.button("Go", Backend.push))
        backend.form("/next", widget)
        let app = try await backend.launched { $0.failingSeverity = nil }
        try await app.tap("Go")
        try await app.pullToRefresh()
        #expect(backend.log == ["GET /next", widget.contains("\"b\"") ? "GET /next" : #"POST /next {"a":""}"#])
    }

    @Test func `Parts without such a text are found by their ids`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a","id":"field"}"#,
            #"{"typ":"checkbox","var_name":"b","id":"box"}"#,
            #"{"typ":"form_button","text":"Save","id":"save","actions":[{"typ":"rpc","url":"/save"},{"typ":"modal","title":"Saved","buttons":[{"text":"OK","id":"ok","actions":[{"typ":"poll"}]}]}]}"#,
            #"{"typ":"form_button","text":"Other","id":"Save","actions":[]}"#
        )
        backend.status("/save", .ok)
        let app = try await backend.launched { $0.failingSeverity = .warning }
        try await app.enter("x", into: "field")
        try await app.check("box")
        #expect(app.value(of: "field") == "x")
        #expect(app.isChecked("box"))
        try await app.tap("save")
        try await app.tap("ok")
        #expect(backend.log.last == #"POST / {"a":"x","b":true}"#)
        // The text on a button comes first.
        try await app.tap("Save")
        #expect(app.modal?.title == "Saved")
        #expect(await stepProblem { try await app.tap("none") }?.isEmpty == false)
    }

    @Test(
        arguments: [
            ("0.40", #"POST /save {"a":{"b":"","c":"x"},"d":["e"]}"#),
            ("0.34", #"POST /save {"a":{"b":"","c":"x"},"d":["e"]}"#),
            ("0.33", #"POST /save {"a#b":"","a#c":"x","d%e":false}"#),
            ("0.31", #"POST /save {"a#b":"","a#c":"x","d%e":false}"#),
        ] as [(ClientVersion, String)]
    )
    func `Clients before 0.34 send names as they stand`(version: ClientVersion, request: String) async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a#b"}"#,
            #"{"typ":"textfield","var_name":"a#c","label":"C"}"#,
            #"{"typ":"checkbox","var_name":"d%e"}"#,
            Backend.button("Save", #"{"typ":"rpc","url":"/save"}"#)
        )
        backend.status("/save", .ok)
        let app = try backend.client(as: version)
        try await app.launch()
        try await app.enter("x", into: "C")
        try await app.tap("Save")
        #expect(backend.log.last == request)
    }

    @Test(arguments: [["a", "a"], ["a", "a#b"], ["a#b", "a%c"], ["a#"], ["%a"], ["x#3%"]])
    func `Names that contradict each other can't be sent since 0.34`(names: [String]) async throws {
        let fields = names.map { #"{"typ":"textfield","var_name":"\#($0)"}"# }
        for (version, error) in [("0.40", ShownErrorKind.app), ("0.33", nil)] as [(ClientVersion, ShownErrorKind?)] {
            let backend = Backend()
            backend.page("/", Backend.form(fields + [Backend.button("Save", #"{"typ":"rpc","url":"/save"}"#)]))
            backend.status("/save", .ok)
            let app = try backend.client(as: version) { $0.failingSeverity = nil }
            try await app.launch()
            try await app.tap("Save")
            #expect(app.errorKind == error, "\(version)")
        }
    }

    @Test(
        arguments: [
            (["a#b", "a#b"], #"{"a":{"b":"x"}}"#), (["a%b", "a%b"], #"{"a":["b","b"]}"#),
            (["a#b", "a#b#c"], #"{"a":{"b":"x"}}"#), (["a#b%c", "a#b"], #"{"a#b":["c"],"a":{"b":"x"}}"#),
            (["a", "A"], #"{"a":"x","A":"x"}"#), (["x#a#b", "x#a#c"], #"{"x":{"a":"x"}}"#),
            (["y%c%d"], #"{"y":["c"]}"#), (["p##q"], #"{"p":{"q":"x"}}"#),
            (["#t#u", "%v%w"], #"{"t":{"u":"x"},"v":["w"]}"#),
        ] as [([String], String)]
    )
    func `Other names can be sent`(names: [String], body: String) throws {
        var sent = SentVariables(for: "0.40")
        #expect(names.allSatisfy { sent.add($0, "x") })
        #expect(JSONValue.object(sent.object).description == body)
        // The backend finds them by the names that the page has.
        for name in names where !body.contains("[") {
            #expect(try Variables(sent.object).value(name, as: String.self) == "x")
        }
    }

    @Test func `A client passes over keys that came after it, and refuses widgets that did`() async throws {
        let backend = Backend("/", Backend.button("Go", Backend.push))
        backend.form("/next", #"{"typ":"textfield","var_name":"a","validated":true}"#)
        for (version, requests) in [("0.40", ["GET /next", "POST /next"]), ("0.32", ["GET /next"])]
            as [(ClientVersion, [String])]
        {
            let app = try backend.client(as: version)
            try await app.launch()
            backend.clearLog()
            try await app.tap("Go")
            #expect(backend.log.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == requests)
            #expect(app.version == version)
        }
        backend.form("/", #"{"typ":"checkbox_button","text":"A"}"#)
        let app = try backend.client(as: "0.34")
        #expect(await brokenRules { try await app.launch() } == ["widget-of-other-version"])
    }

    @Test(arguments: [
        #""take_photo:/photo?aspect_ratio=1.5""#, #"{"typ":"take_photo","url":"/photo","aspect_ratio":1.5}"#,
    ])
    func `A photo is cut, and the ratio is not sent`(action: String) async throws {
        let backend = Backend("/", Backend.button("Photo", action))
        backend.status("/photo", .ok)
        let app = try await backend.launched()
        try await app.tap("Photo")
        #expect(app.photoAspectRatio == 1.5)
        try await app.uploadPhoto([1])
        #expect(backend.log == ["PUT /photo \u{1}"])
    }

    @Test func `A colon in the first segment is refused`() async throws {
        let backend = Backend("/", Backend.button("Time", #"{"typ":"push","page":"/8:30"}"#))
        backend.form("/8:30")
        let app = try await backend.launched { $0.failingSeverity = nil }
        try await app.tap("Time")
        #expect(app.errorKind == .app)
        #expect(backend.log == [])
        backend.form("/", Backend.button("Time", #"{"typ":"rpc","url":"/8:30"}"#))
        let other = try backend.client()
        #expect(await brokenRules { try await other.launch() } == ["colon-in-path"])
        #expect(other.errorKind == .server)
    }
}
