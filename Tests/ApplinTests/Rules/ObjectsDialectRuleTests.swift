import Applin
import Backlot
import Testing

/// The documentation's examples that have actions, and what it doesn't document, in the objects dialect: nothing is found.
@Suite(.timeLimit(.minutes(5))) struct ObjectsDialectRuleTests {
    private func findings(_ page: JSONValue) -> [String] {
        ApplinRules.findings(in: ["page": page], path: "/example", dialect: .objects, app: nil).map(\.details)
    }

    private func form(_ widgets: JSONValue...) -> JSONValue {
        [
            "typ": "nav_page", "title": "Example",
            "widget": ["typ": "scroll", "widget": ["typ": "form", "widgets": .array(widgets)]],
        ]
    }

    private func button(_ actions: JSONValue...) -> JSONValue {
        ["typ": "button", "text": "Button", "actions": .array(actions)]
    }

    @Test func `The example exchange has no findings`() {
        let page = form(
            ["typ": "textfield", "label": "Username", "var_name": "username"],
            ["typ": "nav_button", "text": "Terms", "actions": [["typ": "push", "page": "/terms"]]],
            ["typ": "nav_button", "text": "Privacy", "actions": [["typ": "push", "page": "/privacy"]]],
            ["typ": "checkbox", "text": "I agree", "var_name": "agree"],
            [
                "typ": "form_button", "text": "Create Account",
                "actions": [["typ": "rpc", "url": "/create_account"], ["typ": "replace_all", "page": "/"]],
            ]
        )
        #expect(findings(page) == [])
    }

    @Test func `Pages with each kind of start have no findings`() {
        let starts: [JSONValue] = [
            ["typ": "empty"], ["typ": "back_button", "actions": []],
            ["typ": "back_button", "actions": [["typ": "rpc", "url": "/save_note"], ["typ": "pop"]]],
        ]
        for start in starts {
            let page: JSONValue = [
                "typ": "nav_page", "title": "Edit Note", "start": start, "poll_seconds": 30, "ephemeral": true,
                "widget": ["typ": "textfield", "var_name": "note"],
            ]
            #expect(findings(page) == [])
        }
    }

    @Test func `Checkboxes with each option have no findings`() {
        let page = form(
            ["typ": "checkbox", "var_name": "a", "text": "", "actions": [["typ": "rpc", "url": "/ok"]]],
            ["typ": "checkbox", "var_name": "b", "initial_bool": true, "poll_delay_ms": 1000, "validated": true],
            ["typ": "checkbox", "var_name": "c", "actions": [["typ": "poll"]]],
            ["typ": "checkbox_button", "text": "Big", "initial_bool": true, "actions": [["typ": "poll"]]]
        )
        #expect(findings(page) == [])
    }

    @Test func `Nav buttons with each option have no findings`() {
        let push: JSONValue = [["typ": "push", "page": "/p1"]]
        let page = form(
            ["typ": "nav_button", "text": "Page 1", "actions": push, "sub_text": "A very nice page"],
            ["typ": "nav_button", "text": "Page 3", "actions": push, "badge_text": "5"],
            ["typ": "nav_button", "text": "Page 5", "actions": push, "photo_url": "https://example.com/image.png"],
            ["typ": "nav_button", "text": "Disabled", "actions": []]
        )
        #expect(findings(page) == [])
    }

    @Test func `Each action has no findings`() {
        let modal: JSONValue = [
            "typ": "modal", "title": "Delete?", "message": "It can't be undone.",
            "buttons": [
                ["text": "!Delete", "actions": [["typ": "rpc", "url": "/delete"], ["typ": "pop"]]],
                ["text": "Cancel", "actions": []],
            ],
        ]
        let page = form(
            button(["typ": "launch_url", "url": "https://www.example.com/support"]),
            button(["typ": "rpc", "url": "/signup", "on_user_error_poll": true]),
            button(["typ": "poll"], ["typ": "push", "page": "/page2"], ["typ": "replace_all", "page": "/"]),
            button(["typ": "choose_photo", "url": "/photo"]),
            button(["typ": "take_photo", "url": "/photo", "aspect_ratio": 1.5]),
            button(["typ": "copy_to_clipboard", "string_value": "123"], ["typ": "stop_actions"]),
            button(["typ": "reset_var", "var_name": "a"], ["typ": "logout"]),
            button(["typ": "poll"], modal)
        )
        #expect(findings(page) == [])
    }

    @Test func `A selector with all options has no findings`() {
        let page = form([
            "typ": "selector", "var_name": "color", "options": ["Red", "Blue"], "initial_string": "Blue",
            "var_name1": "size", "options1": ["S", "M"], "initial_string1": "S", "label": "Shirt", "error": nil,
            "poll_delay_ms": 0, "validated": true,
        ])
        #expect(findings(page) == [])
    }
}
