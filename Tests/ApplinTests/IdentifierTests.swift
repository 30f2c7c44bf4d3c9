import Backlot
import Testing

@testable import Applin

/// Ids that tools and tests use to find parts of a page.
@Suite(.timeLimit(.minutes(5))) struct IdentifierTests {
    private static func page() -> any Page {
        navPage("Note") {
            form {
                textfield("A", varName: "a").id("field")
                button("Save") {
                    rpc("/save").id("call")
                    modal("Sure?") {
                        modalButton("Yes") { pop() }.id("yes")
                        modalButton("No") {}
                    }
                    .id("question")
                }
                .id("save")
            }
            .id("form")
        }
        .start { backButton { pop() }.id("back") }
        .id("note")
    }

    @Test func `Each part is written with its id, actions where they are objects`() throws {
        let json = try JSONValue(parsing: Self.page().responseBody(dialect: .objects))["page"]
        #expect(json?["id"] == "note")
        #expect(json?["start"]?["id"] == "back")
        #expect(json?["widget"]?["id"] == "form")
        let widgets = json?["widget"]?["widgets"]
        #expect(widgets?[0] == ["typ": "textfield", "var_name": "a", "label": "A", "id": "field"])
        #expect(widgets?[1]?["id"] == "save")
        let actions = widgets?[1]?["actions"]
        #expect(actions?[0] == ["typ": "rpc", "url": "/save", "id": "call"])
        #expect(actions?[1]?["id"] == "question")
        #expect(actions?[1]?["buttons"]?[0]?["id"] == "yes")
        #expect(actions?[1]?["buttons"]?[1]?["id"] == nil)
        let documented = button("Save") { rpc("/save", onUserErrorPoll: true).id("call") }.id("save")
        #expect(
            encoded(documented)
                == #"{"typ":"button","text":"Save","actions":["rpc:/save","on_user_error_poll"],"id":"save"}"#
        )
    }

    @Test func `A list's on_user_error_poll is a flag of its rpcs, with ids or without`() {
        let actions = encodedActions(.objects) {
            onUserErrorPoll().id("poll")
            rpc("/save").id("call")
            rpc("/log")
            pop().id("end")
        }
        #expect(
            actions == #"[{"typ":"rpc","url":"/save","on_user_error_poll":true,"id":"call"},"#
                + #"{"typ":"rpc","url":"/log","on_user_error_poll":true},{"typ":"pop","id":"end"}]"#
        )
    }

    @Test func `Nothing is wrong with ids, but for their type`() throws {
        let body = Self.page().responseBody(dialect: .objects)
        #expect(ApplinInspector(dialect: .objects).findings(inBody: body, path: "/", app: nil).isEmpty)
        let wrong: JSONValue = ["page": ["typ": "plain_page", "widget": ["typ": "text", "text": "x", "id": 5]]]
        let findings = ApplinInspector(dialect: .objects).findings(in: wrong, path: "/", app: nil)
        #expect(findings.map(\.rule) == ["wrong-type"])
        // Clients refuse the page then, but pass over the id of an action.
        #expect(findings.first?.isRejection == true)
    }

    @Test func `A page with ids becomes Swift with ids`() throws {
        let source = try PageSource.source(of: JSONValue(parsing: Self.page().responseBody(dialect: .objects)))
        for id in ["field", "call", "yes", "question", "save", "form", "back", "note"] {
            #expect(source.text.contains(#".id("\#(id)")"#), "\(id)")
        }
        #expect(source.omissions.isEmpty)
    }
}

/// Pages as values: compared, and read back from what was sent.
@Suite(.timeLimit(.minutes(5))) struct ParsedPageTests {
    private func page(_ label: String, _ path: String = "/save") -> NavPage {
        navPage("Travel") {
            form {
                text("Where to?")
                button(label) { rpc(path) }
            }
        }
    }

    @Test func `Pages are equal that clients can't tell apart`() {
        #expect(page("Go") == page("Go"))
        #expect(page("Go") != page("Stop"))
        #expect(page("Go") != page("Go", "/other"))
        #expect(page("Go").poll(every: .seconds(2)) != page("Go"))
        #expect(plainPage { empty() } == plainPage { empty() })
    }

    @Test(arguments: Dialect.allCases)
    func `A page is read back from what was sent`(dialect: Dialect) throws {
        let parsed = try ParsedPage(parsing: page("Go").responseBody(dialect: dialect))
        #expect(parsed == page("Go"))
        #expect((parsed == page("Stop")) == false)
        #expect(parsed.dialect == dialect)
        #expect(parsed.title == "Travel")
        #expect(parsed.texts == ["Where to?", "Go"])
        #expect(parsed == (try ParsedPage(parsing: #"{"page":\#(parsed)}"#)))
    }

    @Test(arguments: [
        ("[]", ""), (#"{"page":{"typ":"nav_page"}}"#, "/page"),
        (#"{"page":{"typ":"plain_page","widget":{"typ":"carousel"}}}"#, "/page/widget/typ"),
    ])
    func `What clients don't load is no page`(body: String, pointer: String) throws {
        let error = #expect(throws: DocumentError.self) { try ParsedPage(parsing: body) }
        #expect(error?.pointer == pointer)
        #expect(throws: JSONParseError.self) { try ParsedPage(parsing: body + "}") }
    }
}
