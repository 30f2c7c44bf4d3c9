import Applin
import BacklotJSON
import Testing

/// The examples of the Applin documentation, written with this library and compared as data with the JSON that clients want:
/// nothing more, nothing less.
@Suite(.timeLimit(.minutes(5))) struct DocumentationTests {
    private static let manyWords = "MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM"
    private static let longWord = String(repeating: "M", count: 68)

    private func expect(_ page: some Page, is json: JSONValue, _ location: SourceLocation = #_sourceLocation) throws {
        let body = try JSONValue(parsing: page.responseBody())
        #expect(body == ["page": json], sourceLocation: location)
        #expect(findings(body) == [], sourceLocation: location)
    }

    /// The findings of the rules: empty for an example of the documentation.
    private func findings(_ document: JSONValue) -> [String] {
        ApplinRules.findings(in: document, path: "/example", dialect: .documented, app: nil).map { "\($0)" }
    }

    /// A nav page with the widget in a scroll.
    private func navPageJSON(_ title: String, _ widget: JSONValue) -> JSONValue {
        ["typ": "nav_page", "title": .string(title), "widget": ["typ": "scroll", "widget": widget]]
    }

    private func formJSON(_ widgets: JSONValue...) -> JSONValue {
        ["typ": "form", "widgets": .array(widgets)]
    }

    private func columnJSON(_ widgets: JSONValue..., align: String = "start") -> JSONValue {
        ["typ": "column", "align": .string(align), "widgets": .array(widgets)]
    }

    private func textJSON(_ text: String) -> JSONValue {
        ["typ": "text", "text": .string(text)]
    }

    @Test func `The page of the example exchange is the documented one`() throws {
        let page = navPage("New Account") {
            scroll {
                form {
                    textfield("Username", varName: "username")
                    navButton("Terms") { push("/terms") }
                    navButton("Privacy") { push("/privacy") }
                    checkbox("I agree", varName: "agree")
                    formButton("Create Account") {
                        rpc("/create_account")
                        replaceAll("/")
                    }
                }
            }
        }
        let json = """
            {
              "page": {
                "typ": "nav_page",
                "title": "New Account",
                "widget": {
                  "typ": "scroll",
                  "widget": {
                    "typ": "form",
                    "widgets": [
                      {"typ": "textfield", "label": "Username", "var_name": "username"},
                      {"typ": "nav_button", "text": "Terms", "actions": ["push:/terms"]},
                      {"typ": "nav_button", "text": "Privacy", "actions": ["push:/privacy"]},
                      {"typ": "checkbox", "text": "I agree", "var_name": "agree"},
                      {"typ": "form_button", "text": "Create Account", "actions": ["rpc:/create_account", "replace_all:/"]}
                    ]
                  }
                }
              }
            }
            """
        #expect(try JSONValue(parsing: page.responseBody()) == JSONValue(parsing: json))
        #expect(try findings(JSONValue(parsing: json)) == [])
    }

    // MARK: Pages

    @Test func `The page that users refresh is the documented one`() throws {
        let page = navPage("Inert") {
            scroll {
                form {
                    text("This page updates when you load or refresh it (pull to refresh).")
                    text("2023-11-05 10:11:12")
                }
            }
        }
        try expect(
            page,
            is: navPageJSON(
                "Inert",
                formJSON(
                    textJSON("This page updates when you load or refresh it (pull to refresh)."),
                    textJSON("2023-11-05 10:11:12")
                )
            )
        )
    }

    @Test func `The page that polls is the documented one`() throws {
        let page = navPage("Polled") {
            scroll { form { text("This page updates automatically every 2 seconds.") } }
        }
        .poll(every: .seconds(2))
        try expect(
            page,
            is: [
                "typ": "nav_page", "title": "Polled", "poll_seconds": 2,
                "widget": [
                    "typ": "scroll", "widget": formJSON(textJSON("This page updates automatically every 2 seconds.")),
                ],
            ]
        )
    }

    @Test func `Home pages are the documented ones`() throws {
        let widget: JSONValue = ["typ": "scroll", "widget": columnJSON(textJSON("text"))]
        try expect(
            navPage("Home Page") { scroll { column { text("text") } } }.poll(every: .seconds(30)),
            is: ["typ": "nav_page", "title": "Home Page", "poll_seconds": 30, "widget": widget]
        )
        try expect(
            plainPage("Home Page") { scroll { column { text("text") } } }.poll(every: .seconds(30)),
            is: ["typ": "plain_page", "title": "Home Page", "poll_seconds": 30, "widget": widget]
        )
    }

    @Test func `Pages with a start widget are the documented ones`() throws {
        func json(_ start: JSONValue, _ widget: JSONValue) -> JSONValue {
            [
                "typ": "nav_page", "title": "Title", "start": start,
                "widget": ["typ": "scroll", "widget": columnJSON(widget)],
            ]
        }
        let removed = navPage("Title") { scroll { column { text("text") } } }.start { empty() }
        try expect(removed, is: json(["typ": "empty"], textJSON("text")))
        let disabled = navPage("Title") { scroll { column { text("text") } } }.start { backButton {} }
        try expect(disabled, is: json(["typ": "back_button", "actions": []], textJSON("text")))
        let saving = navPage("Title") { scroll { column { textfield(varName: "note") } } }
            .start {
                backButton {
                    rpc("/save_note")
                    pop()
                }
            }
        try expect(
            saving,
            is: json(
                ["typ": "back_button", "actions": ["rpc:/save_note", "pop"]],
                ["typ": "textfield", "var_name": "note"]
            )
        )
    }

    // MARK: Widgets

    @Test(arguments: [
        "Button", "MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM MMMM", longWord,
    ])
    func `Buttons are the documented ones`(_ title: String) throws {
        let page = plainPage {
            button(title) {
                rpc("/add_item")
                pop()
            }
        }
        try expect(
            page,
            is: [
                "typ": "plain_page",
                "widget": ["typ": "button", "text": .string(title), "actions": ["rpc:/add_item", "pop"]],
            ]
        )
    }

    @Test func `A disabled button is the documented one`() throws {
        try expect(
            plainPage { button("Disabled Button") {} },
            is: ["typ": "plain_page", "widget": ["typ": "button", "text": "Disabled Button", "actions": []]]
        )
    }

    @Test func `Checkboxes are the documented ones`() throws {
        let page = navPage("Checkbox") {
            scroll {
                form {
                    checkbox("Option 1", varName: "option_1")
                    checkbox("Option 2", varName: "option_2").initialValue(true)
                    checkbox("Option 3", varName: "option_3").actions { rpc("/ok") }
                    checkbox("", varName: "no_label")
                    checkbox(Self.manyWords, varName: "many_words")
                    checkbox(Self.longWord, varName: "long_word")
                    checkbox("Polls page", varName: "poll").actions { poll() }
                    checkbox("Polls page after 1 second delay", varName: "poll_delay").pollDelay(.seconds(1))
                }
            }
        }
        try expect(
            page,
            is: navPageJSON(
                "Checkbox",
                formJSON(
                    ["typ": "checkbox", "text": "Option 1", "var_name": "option_1"],
                    ["typ": "checkbox", "text": "Option 2", "var_name": "option_2", "initial_bool": true],
                    ["typ": "checkbox", "text": "Option 3", "var_name": "option_3", "actions": ["rpc:/ok"]],
                    ["typ": "checkbox", "text": "", "var_name": "no_label"],
                    ["typ": "checkbox", "text": .string(Self.manyWords), "var_name": "many_words"],
                    ["typ": "checkbox", "text": .string(Self.longWord), "var_name": "long_word"],
                    ["typ": "checkbox", "text": "Polls page", "var_name": "poll", "actions": ["poll"]],
                    [
                        "typ": "checkbox", "text": "Polls page after 1 second delay", "var_name": "poll_delay",
                        "poll_delay_ms": 1000,
                    ]
                )
            )
        )
    }

    @Test func `Columns are the documented ones`() throws {
        let page = navPage("Column") {
            scroll {
                column {
                    formSection("Default") {
                        column {
                            text("text")
                            text("text")
                        }
                    }
                    formSection("Start") { column { text("text") }.align(.start) }
                    formSection("Center") { column { text("text") }.align(.center) }
                    formSection("End") { column { text("text") }.align(.end) }
                    formSection("Spacing") { column { text("text") }.spacing(16) }
                }
            }
        }
        func section(_ title: String, _ widget: JSONValue) -> JSONValue {
            ["typ": "form_section", "title": .string(title), "widgets": [widget]]
        }
        try expect(
            page,
            is: navPageJSON(
                "Column",
                columnJSON(
                    section("Default", columnJSON(textJSON("text"), textJSON("text"))),
                    section("Start", columnJSON(textJSON("text"))),
                    section("Center", columnJSON(textJSON("text"), align: "center")),
                    section("End", columnJSON(textJSON("text"), align: "end")),
                    section(
                        "Spacing",
                        ["typ": "column", "align": "start", "spacing": 16, "widgets": [textJSON("text")]]
                    )
                )
            )
        )
    }

    @Test func `An empty page is the documented one`() throws {
        try expect(
            navPage("Empty Page") { empty() },
            is: ["typ": "nav_page", "title": "Empty Page", "widget": ["typ": "empty"]]
        )
    }

    @Test func `Error texts are the documented ones`() throws {
        try expect(
            plainPage {
                column {
                    errorText("Error Message")
                    lastErrorText()
                }
            },
            is: [
                "typ": "plain_page",
                "widget": columnJSON(["typ": "error_text", "text": "Error Message"], ["typ": "last_error_text"]),
            ]
        )
    }

    @Test func `A form is the documented one`() throws {
        let page = navPage("Form") {
            scroll {
                form {
                    text("text")
                    checkbox("Box 1", varName: "box1")
                    formButton("Next") {
                        rpc("/next")
                        push("/page2")
                    }
                }
            }
        }
        try expect(
            page,
            is: navPageJSON(
                "Form",
                formJSON(
                    textJSON("text"),
                    ["typ": "checkbox", "var_name": "box1", "text": "Box 1"],
                    ["typ": "form_button", "text": "Next", "actions": ["rpc:/next", "push:/page2"]]
                )
            )
        )
    }

    @Test func `Form buttons are the documented ones`() throws {
        let actions: [any Action] = [rpc("/add_item"), pop()]
        let page = navPage("Form Button") {
            scroll {
                form {
                    formButton("Button") { actions }
                    formButton(Self.manyWords) { actions }
                    formButton(Self.longWord) { actions }
                    formButton("Disabled") {}
                    formButton("Start Aligned") { actions }.align(.start)
                    formButton("Center Aligned") { actions }.align(.center)
                    formButton("End Aligned") { actions }.align(.end)
                }
            }
        }
        let list: JSONValue = ["rpc:/add_item", "pop"]
        try expect(
            page,
            is: navPageJSON(
                "Form Button",
                formJSON(
                    ["typ": "form_button", "text": "Button", "actions": list],
                    ["typ": "form_button", "text": .string(Self.manyWords), "actions": list],
                    ["typ": "form_button", "text": .string(Self.longWord), "actions": list],
                    ["typ": "form_button", "text": "Disabled", "actions": []],
                    ["typ": "form_button", "text": "Start Aligned", "actions": list, "align": "start"],
                    ["typ": "form_button", "text": "Center Aligned", "actions": list, "align": "center"],
                    ["typ": "form_button", "text": "End Aligned", "actions": list, "align": "end"]
                )
            )
        )
    }

    @Test func `Form sections are the documented ones`() throws {
        let page = navPage("Form Section") {
            scroll {
                column {
                    for number in 1...2 {
                        formSection("Section \(number)") {
                            text("text")
                            text("text")
                        }
                    }
                }
            }
        }
        let texts: JSONValue = [textJSON("text"), textJSON("text")]
        try expect(
            page,
            is: navPageJSON(
                "Form Section",
                columnJSON(
                    ["typ": "form_section", "title": "Section 1", "widgets": texts],
                    ["typ": "form_section", "title": "Section 2", "widgets": texts]
                )
            )
        )
    }

    @Test func `Grouped row tables are the documented ones`() throws {
        let page = navPage("Grouped Row Table") {
            scroll {
                form {
                    formSection("Two Groups") {
                        groupedRowTable([
                            [
                                [text("A1"), text("B1"), text("C1")],
                                [text("A2"), text("B2"), nil],
                            ],
                            [
                                [text("One"), nil, text("Three")]
                            ],
                        ])
                        .spacing(8)
                    }
                    formSection("Long text") {
                        groupedRowTable([
                            [
                                [text(Self.longWord), text(Self.manyWords)],
                                [text("A2"), text("B2")],
                            ]
                        ])
                        .spacing(8)
                    }
                }
            }
        }
        func section(_ title: String, _ groups: JSONValue) -> JSONValue {
            [
                "typ": "form_section", "title": .string(title),
                "widgets": [["typ": "grouped_row_table", "spacing": 8, "row_groups": groups]],
            ]
        }
        try expect(
            page,
            is: navPageJSON(
                "Grouped Row Table",
                formJSON(
                    section(
                        "Two Groups",
                        [
                            [
                                [textJSON("A1"), textJSON("B1"), textJSON("C1")],
                                [textJSON("A2"), textJSON("B2"), nil],
                            ],
                            [[textJSON("One"), nil, textJSON("Three")]],
                        ]
                    ),
                    section(
                        "Long text",
                        [[[textJSON(Self.longWord), textJSON(Self.manyWords)], [textJSON("A2"), textJSON("B2")]]]
                    )
                )
            )
        )
    }

    @Test func `Images are the documented ones`() throws {
        let page = navPage("Image") {
            scroll {
                form {
                    text("Fit")
                    image("/image.png", aspectRatio: 4, disposition: .fit)
                    text("Cover")
                    image("/image.png", aspectRatio: 4, disposition: .cover)
                    text("Stretch")
                    image("/image.png", aspectRatio: 4, disposition: .stretch)
                    text("Not found")
                    image("/nonexistent", aspectRatio: 4, disposition: .fit)
                }
            }
        }
        func imageJSON(_ url: String, _ disposition: String) -> JSONValue {
            ["typ": "image", "url": .string(url), "aspect_ratio": 4, "disposition": .string(disposition)]
        }
        try expect(
            page,
            is: navPageJSON(
                "Image",
                formJSON(
                    textJSON("Fit"),
                    imageJSON("/image.png", "fit"),
                    textJSON("Cover"),
                    imageJSON("/image.png", "cover"),
                    textJSON("Stretch"),
                    imageJSON("/image.png", "stretch"),
                    textJSON("Not found"),
                    imageJSON("/nonexistent", "fit")
                )
            )
        )
    }

    @Test func `Nav buttons are the documented ones`() throws {
        let page = navPage("Nav Button") {
            scroll {
                form {
                    navButton("Page 1") { push("/p1") }
                    navButton("Page 2") { push("/p2") }.subText("A very nice page")
                    navButton("Page 3") { push("/p3") }.badgeText("5")
                    navButton("Page 4") { push("/p4") }.badgeText("123456789012345678901234567890")
                    navButton("Page 5") { push("/p5") }.photoURL("/image.png")
                    navButton("Page 6") { push("/p6") }.photoURL("/nonexistent.png")
                    navButton("Disabled") {}
                    navButton(Self.manyWords) { push("/mmmm_mmmm") }
                    navButton(Self.longWord) { push("/mmmmmmmm") }
                }
            }
        }
        try expect(
            page,
            is: navPageJSON(
                "Nav Button",
                formJSON(
                    ["typ": "nav_button", "text": "Page 1", "actions": ["push:/p1"]],
                    ["typ": "nav_button", "text": "Page 2", "actions": ["push:/p2"], "sub_text": "A very nice page"],
                    ["typ": "nav_button", "text": "Page 3", "actions": ["push:/p3"], "badge_text": "5"],
                    [
                        "typ": "nav_button", "text": "Page 4", "actions": ["push:/p4"],
                        "badge_text": "123456789012345678901234567890",
                    ],
                    ["typ": "nav_button", "text": "Page 5", "actions": ["push:/p5"], "photo_url": "/image.png"],
                    ["typ": "nav_button", "text": "Page 6", "actions": ["push:/p6"], "photo_url": "/nonexistent.png"],
                    ["typ": "nav_button", "text": "Disabled", "actions": []],
                    ["typ": "nav_button", "text": .string(Self.manyWords), "actions": ["push:/mmmm_mmmm"]],
                    ["typ": "nav_button", "text": .string(Self.longWord), "actions": ["push:/mmmmmmmm"]]
                )
            )
        )
    }

    @Test func `Texts are the documented ones`() throws {
        let page = navPage("Text") {
            scroll {
                form {
                    text("Hello world!")
                    text(Self.manyWords)
                    text(Self.longWord)
                }
            }
        }
        try expect(
            page,
            is: navPageJSON(
                "Text",
                formJSON(textJSON("Hello world!"), textJSON(Self.manyWords), textJSON(Self.longWord))
            )
        )
    }

    /// The documentation has `field8` twice, which makes every POST of that page fail; the second one is `field8b` here.
    @Test func `Text fields are the documented ones`() throws {
        let lorem = "Lorem ipsum dolor sit amet, consectetur adipiscing elit."
        let page = navPage("Text Field") {
            scroll {
                form {
                    textfield("Field 1", varName: "field1")
                    textfield("Field 2", varName: "field2").error("An error message.")
                    textfield("Field 3", varName: "field3").initialValue("initial text")
                    textfield("Field 4", varName: "mmmm").initialValue(lorem)
                    textfield("F5", varName: "field4").allow(.numbers)
                    textfield("F6", varName: "field5").allow(.ascii)
                    textfield("F7", varName: "field6").allow(.tel)
                    textfield("F8", varName: "field7").allow(.email)
                    textfield("F9", varName: "field8").autoCapitalize(.names)
                    textfield("F10", varName: "field8b").autoCapitalize(.sentences)
                    textfield("F11", varName: "field9").maxLines(1)
                    textfield("F12", varName: "field10").maxLines(3)
                    textfield("Polls page on change", varName: "field11").pollDelay(.zero)
                    textfield("Polls page after change and 1 second delay", varName: "field12").pollDelay(.seconds(1))
                }
            }
        }
        func fieldJSON(_ name: String, _ label: String, _ key: String? = nil, _ value: JSONValue = nil) -> JSONValue {
            var object: JSONObject = ["typ": "textfield", "var_name": .string(name), "label": .string(label)]
            if let key {
                object[key] = value
            }
            return .object(object)
        }
        try expect(
            page,
            is: navPageJSON(
                "Text Field",
                formJSON(
                    fieldJSON("field1", "Field 1"),
                    fieldJSON("field2", "Field 2", "error", "An error message."),
                    fieldJSON("field3", "Field 3", "initial_string", "initial text"),
                    fieldJSON("mmmm", "Field 4", "initial_string", .string(lorem)),
                    fieldJSON("field4", "F5", "allow", "numbers"),
                    fieldJSON("field5", "F6", "allow", "ascii"),
                    fieldJSON("field6", "F7", "allow", "tel"),
                    fieldJSON("field7", "F8", "allow", "email"),
                    fieldJSON("field8", "F9", "auto_capitalize", "names"),
                    fieldJSON("field8b", "F10", "auto_capitalize", "sentences"),
                    fieldJSON("field9", "F11", "max_lines", 1),
                    fieldJSON("field10", "F12", "max_lines", 3),
                    fieldJSON("field11", "Polls page on change", "poll_delay_ms", 0),
                    fieldJSON("field12", "Polls page after change and 1 second delay", "poll_delay_ms", 1000)
                )
            )
        )
    }

    // MARK: Actions

    @Test func `Actions are the documented ones`() throws {
        let page = plainPage {
            column {
                button("Support") { launchURL("https://www.example.com/support") }
                button("Signup") {
                    rpc("/signup")
                    onUserErrorPoll()
                }
                button("Others") {
                    poll()
                    pop()
                    push("/page2")
                    replaceAll("/")
                    rpc("/login")
                }
            }
        }
        try expect(
            page,
            is: [
                "typ": "plain_page",
                "widget": columnJSON(
                    ["typ": "button", "text": "Support", "actions": ["launch_url:https://www.example.com/support"]],
                    ["typ": "button", "text": "Signup", "actions": ["rpc:/signup", "on_user_error_poll"]],
                    [
                        "typ": "button", "text": "Others",
                        "actions": ["poll", "pop", "push:/page2", "replace_all:/", "rpc:/login"],
                    ]
                ),
            ]
        )
    }
}
