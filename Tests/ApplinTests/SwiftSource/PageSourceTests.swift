import Backlot
import Testing

@testable import Applin

/// Swift source for pages that this library would write in another way.
@Suite(.timeLimit(.minutes(5))) struct PageSourceTests {
    private func source(_ json: String) throws -> SwiftSource {
        try PageSource.source(of: JSONValue(parsing: json, depthLimit: 512))
    }

    @Test func `A page is written as people write it`() throws {
        let json = """
            {"page": {"typ": "nav_page", "title": "New Account", "poll_seconds": 5, "start": {"typ": "empty"}, "widget":
            {"typ": "scroll", "widget": {"typ": "form", "widgets": [
            {"typ": "textfield", "label": "Username", "var_name": "username", "max_lines": 1},
            {"typ": "nav_button", "text": "Terms", "actions": ["push:/terms"]},
            {"typ": "checkbox", "text": "I agree", "var_name": "agree", "actions": ["rpc:/agree", "poll"]},
            {"typ": "form_button", "text": "Create Account", "align": "end", "actions":
            ["rpc:/create_account", "on_user_error_poll", "replace_all:/"]}]}}}}
            """
        let expected = """
            formPage("New Account", poll: .seconds(5), start: empty()) {
                textfield("Username", varName: "username").maxLines(1)
                navButton("Terms", push("/terms"))
                checkbox("I agree", varName: "agree").actions {
                    rpc("/agree")
                    poll()
                }
                formButton("Create Account", rpc("/create_account", onUserErrorPoll: true), replaceAll("/")).align(.end)
            }

            """
        let source = try source(json)
        #expect(source.text == expected)
        #expect(source.omissions == [])
    }

    @Test func `Long lines are broken before modifiers`() throws {
        let text = String(repeating: "abc ", count: 12)
        let json = """
            {"typ": "plain_page", "widget": {"typ": "textfield", "var_name": "v", "label": "\(text)", "error": "\(text)",
            "initial_string": "\(text)"}}
            """
        let expected = """
            plainPage {
                textfield("\(text)", varName: "v")
                    .error("\(text)")
                    .initialValue("\(text)")
            }

            """
        #expect(try source(json).text == expected)
    }

    @Test func `What has no form in Swift is left out with a comment`() throws {
        let json = #"""
            {"$schema": "page.json", "version": 2, "page": {"typ": "nav_page", "title": "A", "stream": true, "widget":
            {"typ": "column", "alignment": "end", "align": "middle", "widgets": [
            {"typ": "text", "text": "B", "label": "*/ \n exit(1) \u2028 \u202e ", "x/y~z": {"deep": ["value", "value", "value", "value", "value"]}},
            {"typ": "selector", "var_name": "s", "options1": ["a"]}]}}}
            """#
        let source = try source(json)
        let expected = #"""
            // Left out, as no client reads it: "version": 2
            // Left out, as the DSL never writes it: "stream": true
            navPage("A") {
                // Left out, as clients don't read it here: "alignment": "end"
                // Left out, as clients don't know the value: "align": "middle"
                column {
                    // Left out, as clients don't read it here: "label": "*/ \n exit(1) \u{2028} \u{202e} "
                    // Left out, as clients don't read it here: "x/y~z": {"deep":["value","value","value","value","value"]}
                    text("B")
                    // Left out, as it needs "var_name1": "options1": ["a"]
                    selector(varName: "s", options: [], initialValue: nil)
                }
            }

            """#
        #expect(source.text == expected)
        #expect(
            Set(source.omissions.map(\.description)) == [
                "/version: left out, as no client reads it",
                "/page/stream: left out, as the DSL never writes it",
                "/page/widget/alignment: left out, as clients don't read it here",
                "/page/widget/align: left out, as clients don't know the value",
                "/page/widget/widgets/0/label: left out, as clients don't read it here",
                "/page/widget/widgets/0/x~1y~0z: left out, as clients don't read it here",
                "/page/widget/widgets/1/options1: left out, as it needs \"var_name1\"",
            ]
        )
    }

    @Test func `No text leaves its literal or its comment`() throws {
        let texts =
            (Array(0...0x300) + Array(0x2000...0x2100)).compactMap(UnicodeScalar.init).map { "a\($0)\"+exit(1)+\"" } + [
                "\r\n", "\\", "\\(",
            ]
        for text in texts {
            var page: JSONObject = ["typ": "nav_page", "title": .string(text), "widget": ["typ": "empty"]]
            page[text] = .string(text)
            let source = try PageSource.source(of: .object(page))
            let lines = source.text.split(whereSeparator: \.isNewline)
            #expect(lines.count == 2, "\(source.text)")
            #expect(lines[0].hasPrefix("// Left out, "))
            #expect(lines[1] == "navPage(\(text.swiftLiteral)) { empty() }")
        }
    }

    @Test(
        arguments: [
            ("[]", "the document isn't an Applin page, and only those have a form in Swift: "),
            (#"{"view": "a"}"#, "the document isn't an Applin page, and only those have a form in Swift: "),
            (#"{"page": null}"#, "/page is null, but must be a page"),
            (#"{"page": {}}"#, "/page/typ is missing: it says which page this is"),
            (#"{"typ": 7}"#, "/typ is the number 7, but must be a string"),
            (#"{"typ": "nav"}"#, "/typ is \"nav\", which no client knows as a page"),
            (
                #"{"typ": "nav_pag", "title": "A"}"#,
                "/typ is \"nav_pag\", which no client knows as a page; did you mean 'nav_page'?"
            ),
            (
                #"{"typ": "nav_page", "widget": {"typ": "empty"}}"#,
                "/title is missing, and a nav_page needs it: The title, shown in the title bar."
            ),
            (#"{"typ": "nav_page", "title": 5}"#, "/title is the number 5, but must be a string"),
            (
                #"{"typ": "nav_page", "title": "A"}"#,
                "/widget is missing, and a nav_page needs it: The widget that the page shows."
            ),
            (widget("[]"), "/widget is an array, but must be a widget"),
            (widget(#"{"typ": "modal"}"#), "/widget/typ is \"modal\", which no client knows as a widget"),
            (
                #"{"typ": "nav_page", "title": "A", "start": {"typ": "text", "text": "B"}}"#,
                "/widget is missing, and a nav_page needs it: The widget that the page shows."
            ),
            (
                #"{"typ": "nav_page", "title": "A", "widget": {"typ": "empty"}, "start": {"typ": "text", "text": "B"}}"#,
                "/start/typ is \"text\", which can't stand here"
            ),
            (
                widget(#"{"typ": "form", "widgets": {}}"#),
                "/widget/widgets is an object, but must be an array of widgets"
            ),
            (widget(#"{"typ": "form", "widgets": [null]}"#), "/widget/widgets/0 is null, but must be a widget"),
            (
                widget(#"{"typ": "textfield", "var_name": "v", "max_lines": 1.5}"#),
                "/widget/max_lines is 1.5, but must be a whole number from 0 to 4294967295"
            ),
            (
                widget(#"{"typ": "checkbox", "var_name": "v", "validated": "yes"}"#),
                "/widget/validated is the string \"yes\", but must be true or false"
            ),
            (
                widget(#"{"typ": "selector", "var_name": "v", "options": ["a", 5]}"#),
                "/widget/options/1 is the number 5, but must be a string"
            ),
            (
                widget(#"{"typ": "grouped_row_table", "row_groups": [[{}]]}"#),
                "/widget/row_groups/0/0 is an object, but must be an array"
            ),
            (
                widget(#"{"typ": "grouped_row_table", "row_groups": "a"}"#),
                "/widget/row_groups is the string \"a\", but must be an array"
            ),
            (actions(#""fly:/a""#), "/widget/actions/0 is \"fly:/a\", an action that no client knows"),
            (
                actions(#""push""#),
                "/widget/actions/0 is \"push\", without its page: write it after a colon, as \"push:…\""
            ),
            (
                actions(#""pop:/a""#),
                "/widget/actions/0 is \"pop:/a\", but pop takes nothing after its name: write \"pop\""
            ),
            (
                widget(#"{"typ": "back_button", "actions": []}"#),
                "/widget/typ is \"back_button\", which can't stand here"
            ),
            (actions("5"), "/widget/actions/0 is the number 5, but must be an action"),
            (
                actions(#"{"typ": "push"}"#),
                "/widget/actions/0/page is missing, and a push needs it: The page's path, such as /terms."
            ),
            (
                actions(#"{"typ": "modal", "title": "A", "buttons": []}"#),
                "/widget/actions/0/buttons has 0 elements, but must be an array of buttons"
            ),
        ]
    )
    func `What can't be written is refused with its place`(json: String, problem: String) throws {
        let error = try #require(throws: DocumentError.self) { try source(json) }
        #expect(error.description.hasPrefix(problem), "\(error)")
    }

    private static func widget(_ json: String) -> String {
        #"{"typ": "nav_page", "title": "A", "widget": \#(json)}"#
    }

    private static func actions(_ json: String) -> String {
        widget(#"{"typ": "button", "text": "B", "actions": [\#(json)]}"#)
    }

    @Test func `Pages that are too deep for phones are refused`() throws {
        var widget: JSONValue = ["typ": "empty"]
        for _ in 0..<PageSource.deepest { widget = ["typ": "scroll", "widget": widget] }
        let error = try #require(throws: DocumentError.self) {
            try PageSource.source(of: ["typ": "plain_page", "widget": widget])
        }
        #expect(error.problem == "stands in 80 others, and the parsers of phones crash on so deep a page: nest less")
    }
}
