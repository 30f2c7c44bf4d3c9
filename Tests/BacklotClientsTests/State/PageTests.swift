import BacklotJSON
import Testing

@testable import BacklotClients

extension PageContents {
    /// A page with its widgets in a form.
    static func make(_ widgets: [JSONValue], more: JSONObject = [:]) -> PageContents {
        var page: JSONObject = [
            "typ": "nav_page", "title": "A Page", "widget": ["typ": "form", "widgets": .array(widgets)],
        ]
        for member in more.members { page[member.key] = member.value }
        return PageContents(.object(page))
    }
}

/// Pages and actions, read from plain JSON in either dialect.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    @Test(arguments: [
        (#""push:/a:b""#, PageAction.push("/a:b")),
        (#"{"typ":"push","page":"/a"}"#, .push("/a")),
        (#""pop""#, .pop),
        (#"{"typ":"pop"}"#, .pop),
        (#""replace_all:/""#, .replaceAll("/")),
        (#"{"typ":"replace_all","page":"/"}"#, .replaceAll("/")),
        (#""rpc:/save""#, .rpc("/save", pollsOnUserError: false)),
        (#"{"typ":"rpc","url":"/save"}"#, .rpc("/save", pollsOnUserError: false)),
        (#"{"typ":"rpc","url":"/save","on_user_error_poll":true}"#, .rpc("/save", pollsOnUserError: true)),
        (#""on_user_error_poll""#, .onUserErrorPoll),
        (#""poll""#, .poll),
        (#"{"typ":"poll"}"#, .poll),
        (#""launch_url:https://x/?a=b:c""#, .launchURL("https://x/?a=b:c")),
        (#"{"typ":"launch_url","url":"tel:1"}"#, .launchURL("tel:1")),
        (#""choose_photo:/p""#, .choosePhoto("/p")),
        (#"{"typ":"choose_photo","url":"/p","aspect_ratio":1}"#, .choosePhoto("/p", aspectRatio: 1)),
        (#""choose_photo:/p?aspect_ratio=1.5""#, .choosePhoto("/p", aspectRatio: 1.5)),
        (#""take_photo:/p?a=b?aspect_ratio=2""#, .takePhoto("/p?a=b", aspectRatio: 2)),
        (#""take_photo:/p?aspect_ratio=wide""#, .takePhoto("/p?aspect_ratio=wide")),
        (#"{"typ":"take_photo","url":"/p?aspect_ratio=2"}"#, .takePhoto("/p?aspect_ratio=2")),
        (#""take_photo:/p""#, .takePhoto("/p")),
        (#"{"typ":"take_photo","url":"/p"}"#, .takePhoto("/p")),
        (#""copy_to_clipboard:a:b""#, .copyToClipboard("a:b")),
        (#"{"typ":"copy_to_clipboard","string_value":""}"#, .copyToClipboard("")),
        (#""logout""#, .logout),
        (#"{"typ":"logout"}"#, .logout),
        (#"{"typ":"reset_var","var_name":"v"}"#, .resetVar("v")),
        (#"{"typ":"stop_actions"}"#, .stopActions),
        (#""push""#, nil),
        (#"{"page":"/a"}"#, nil),
        (#""dance""#, .extra("dance")),
        (#"{"typ":"dance","url":"/a"}"#, .extra("dance /a")),
        ("7", nil),
    ])
    func `An action is read`(json: String, action: PageAction?) throws {
        #expect(PageAction(try JSONValue(parsing: json)) == action)
    }

    @Test func `A modal is read, with the actions of its buttons`() throws {
        let json = #"""
            {"typ":"modal","title":"Delete?","message":"It is gone then.","buttons":[
            {"text":"!Delete","actions":[{"typ":"rpc","url":"/d"},{"typ":"pop"}]},{"text":"Cancel","actions":[]}]}
            """#
        guard case .modal(let modal)? = PageAction(try JSONValue(parsing: json)) else {
            Issue.record("no modal")
            return
        }
        #expect(modal.title == "Delete?")
        #expect(modal.message == "It is gone then.")
        #expect(modal.buttons.map(\.text) == ["Delete", "Cancel"])
        #expect(modal.buttons.map(\.isDestructive) == [true, false])
        #expect(modal.buttons[0].actions == [.rpc("/d", pollsOnUserError: false), .pop])
    }

    @Test func `Widgets are read in their order, with their depth and section`() throws {
        let json = #"""
            {"typ":"plain_page","widget":{"typ":"scroll","pull_to_refresh":false,"widget":{"typ":"column","widgets":[
            {"typ":"form_section","title":"One","widgets":[{"typ":"text","text":"a"},
            {"typ":"grouped_row_table","row_groups":[[[{"typ":"text","text":"b"},null]],[[{"typ":"text","text":"c"}]]]}]},
            {"typ":"text","text":"d"}]}}}
            """#
        let page = PageContents(try JSONValue(parsing: json))
        #expect(
            page.widgets.map(\.typ) == [
                "scroll", "column", "form_section", "text", "grouped_row_table", "text", "text", "text",
            ]
        )
        #expect(page.widgets.map(\.depth) == [0, 1, 2, 3, 3, 4, 4, 2])
        #expect(page.widgets.map(\.section) == [nil, nil, nil, "One", "One", "One", "One", nil])
        #expect(!page.isPullable)
        #expect(page.backButton == .none)
        #expect(page.title == nil)
    }

    @Test func `Inputs are read with what is sent while they are untouched`() {
        let page = PageContents.make([
            ["typ": "textfield", "var_name": "t"], ["typ": "textfield", "var_name": "u", "initial_string": "x"],
            ["typ": "checkbox", "var_name": "c"], ["typ": "checkbox", "var_name": "d", "initial_bool": true],
            // It shows its first option, but sends an empty text.
            ["typ": "selector", "var_name": "s", "options": ["a", "b"]],
            [
                "typ": "selector", "var_name": "p", "options": ["a"], "initial_string": "a", "var_name1": "q",
                "options1": ["b"], "initial_string1": "b", "var_name2": "r", "options2": ["c"],
            ],
            ["typ": "checkbox_button", "text": "no variable"],
        ])
        let expected: [PageInput] = [
            PageInput(name: "t", initial: ""), PageInput(name: "u", initial: "x"), PageInput(name: "c", initial: false),
            PageInput(name: "d", initial: true), PageInput(name: "s", initial: ""), PageInput(name: "p", initial: "a"),
            PageInput(name: "q", initial: "b"), PageInput(name: "r", initial: ""),
        ]
        #expect(page.inputs == expected)
    }

    @Test(
        arguments: [
            (["poll_seconds": 5], 5), ([:], nil), (["poll_seconds": 0], nil),
            (["poll_seconds": 5, "stream": true], nil),
            (["poll_seconds": 5, "stream": false], 5), (["poll_seconds": .null], nil),
        ] as [(JSONObject, Int64?)]
    )
    func `A page polls when it says so, and doesn't stream`(more: JSONObject, seconds: Int64?) {
        #expect(PageContents.make([], more: more).pollSeconds == seconds)
    }

    @Test(
        arguments: [
            ([:], .standard), (["start": .null], .standard), (["start": ["typ": "empty"]], .none),
            (["start": ["typ": "back_button", "actions": []]], .custom([])),
            (["start": ["typ": "back_button", "actions": ["pop"]]], .custom([.pop])),
        ] as [(JSONObject, PageContents.BackButton)]
    )
    func `The back button is what the page says`(more: JSONObject, button: PageContents.BackButton) {
        #expect(PageContents.make([], more: more).backButton == button)
    }

    @Test func `Deep pages take no stack`() {
        var widget: JSONValue = ["typ": "text", "text": "deep"]
        for _ in 0..<500 { widget = ["typ": "form", "widgets": [widget]] }
        #expect(PageContents(["typ": "plain_page", "widget": widget]).widgets.last?.depth == 500)
    }
}
