import Applin
import Testing

/// A client's behaviour with a page, apart from the keys that it reads.
struct ProtocolRow: Sendable, CustomTestStringConvertible {
    let name: String
    let dialect: Dialect?
    let page: String
    /// The only finding, by its rule; nil for a page without one.
    let rule: String?

    /// A row of the table: the dialect in brackets, the name and the rule after an arrow, and below them the page.
    private init(_ row: Substring) {
        let lines = row.split(separator: "\n", maxSplits: 1)
        let heading = lines[0].split(separator: " → ")
        let parts = heading[0].dropFirst().split(separator: "] ", maxSplits: 1)
        dialect = Dialect(rawValue: String(parts[0]))
        name = String(parts[1])
        page = String(lines[1])
        rule = heading.count > 1 ? String(heading[1]) : nil
    }

    var testDescription: String { "\(name) (\(dialect.map { "\($0)" } ?? ""))" }

    /// Not judged:
    /// * push: a page further down on the stack: which pages are on the stack is known to the client only.
    /// * pop: of the last page: which pages are on the stack is known to the client only.
    /// * selector: since 0.28: there is nothing else to use, and the clients before are older than the documentation.
    /// * choose_photo: no aspect ratio in a string: a string can't hold one, so there is nothing to see.
    /// * spacing: whole numbers without a fraction: 8 and 8.0 are the same once they are parsed; a fraction that means something is kept.
    /// * logout, reset_var, initial_string: what they do to the client's variables can't be seen on a page.
    /// * an rpc's response, 403, 422 and 503: they aren't pages.
    /// * bodies that are empty or not UTF-8: see the inspector, which reads bytes: not-json.
    /// * pages without POST, links to nowhere: see the rules about links, which need the app's routes.
    static let all = """
        [documented] nav_page: no start
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"}}
        [documented] nav_page: start is empty
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"empty"}}
        [documented] nav_page: start is another widget → bad-start-widget
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"text","text":"A"}}
        [documented] nav_page: end is never shown → end-never-shown
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"end":{"typ":"text","text":"A"}}
        [documented] nav_page: poll_seconds 0 is ignored → poll-seconds-zero
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"poll_seconds":0}
        [documented] nav_page: stream true → stream-true
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"stream":true}
        [documented] nav_page: ephemeral from a server
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"ephemeral":true}
        [documented] back_button: only as start → misplaced-back-button
          {"typ":"plain_page","widget":{"typ":"back_button","actions":[]}}
        [documented] button: a text of white space → blank-button-text
          {"typ":"plain_page","widget":{"typ":"button","text":" ","actions":[]}}
        [documented] button: empty actions disable it
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[]}}
        [documented] checkbox: no rpc key since 0.25 → unknown-key
          {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","rpc":"/ok"}}
        [documented] checkbox: actions only when not empty → empty-checkbox-actions
          {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","actions":[]}}
        [documented] column: alignment is not read → unknown-key
          {"typ":"plain_page","widget":{"typ":"column","align":"end","alignment":"end","widgets":[]}}
        [documented] column: a bad enum value is logged → unknown-value
          {"typ":"plain_page","widget":{"typ":"column","align":"left","widgets":[]}}
        [documented] error_text: the last error may be put in
          {"typ":"plain_page","widget":{"typ":"error_text","text":"${INTERACTIVE_ERROR_DETAILS}"}}
        [documented] grouped_row_table: null cells
          {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[null,
          {"typ":"empty"}]]]}}
        [documented] grouped_row_table: no key widgets → unknown-key
          {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[],"widgets":[]}}
        [documented] image: the Rust library requires disposition → missing-recommended-key
          {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"/a"}}
        [documented] image: aspect ratio of 0 → aspect-ratio-not-positive
          {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":0,"url":"/a","disposition":"fit"}}
        [documented] selector: sends "" until touched → selector-without-initial-string
          {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["A"]}}
        [documented] table: coming soon → unknown-typ
          {"typ":"plain_page","widget":{"typ":"table"}}
        [documented] typ: unknown → unknown-typ
          {"typ":"plain_page","widget":{"typ":"gallery"}}
        [documented] typ: missing → missing-typ
          {"typ":"plain_page","widget":{"text":"A"}}
        [documented] null in an array → null-in-array
          {"typ":"plain_page","widget":{"typ":"form","widgets":[null]}}
        [documented] variables: two inputs with one name → duplicate-var-name
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
          {"typ":"checkbox","var_name":"a"}]}}
        [documented] variables: objects by #
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
          {"typ":"checkbox","var_name":"a#c"}]}}
        [documented] variables: arrays by %
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a%b"},
          {"typ":"checkbox","var_name":"a%c"}]}}
        [documented] variables: # and % mixed → colliding-var-names
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
          {"typ":"checkbox","var_name":"a%c"}]}}
        [documented] image: on any server
          {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"https://example.com/a.png",
          "disposition":"fit"}}
        [objects] nav_page: no start
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"}}
        [objects] nav_page: start is empty
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"empty"}}
        [objects] nav_page: start is another widget → bad-start-widget
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"text","text":"A"}}
        [objects] nav_page: end is never shown → end-never-shown
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"end":{"typ":"text","text":"A"}}
        [objects] nav_page: poll_seconds 0 is ignored → poll-seconds-zero
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"poll_seconds":0}
        [objects] nav_page: stream true → stream-true
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"stream":true}
        [objects] nav_page: ephemeral from a server
          {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"ephemeral":true}
        [objects] back_button: only as start → misplaced-back-button
          {"typ":"plain_page","widget":{"typ":"back_button","actions":[]}}
        [objects] button: a text of white space → blank-button-text
          {"typ":"plain_page","widget":{"typ":"button","text":" ","actions":[]}}
        [objects] button: empty actions disable it
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[]}}
        [objects] checkbox: no rpc key since 0.25 → unknown-key
          {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","rpc":"/ok"}}
        [objects] checkbox: actions only when not empty → empty-checkbox-actions
          {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","actions":[]}}
        [objects] column: alignment is not read → unknown-key
          {"typ":"plain_page","widget":{"typ":"column","align":"end","alignment":"end","widgets":[]}}
        [objects] column: a bad enum value is logged → unknown-value
          {"typ":"plain_page","widget":{"typ":"column","align":"left","widgets":[]}}
        [objects] error_text: the last error may be put in
          {"typ":"plain_page","widget":{"typ":"error_text","text":"${INTERACTIVE_ERROR_DETAILS}"}}
        [objects] grouped_row_table: null cells
          {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[null,
          {"typ":"empty"}]]]}}
        [objects] grouped_row_table: no key widgets → unknown-key
          {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[],"widgets":[]}}
        [objects] image: the Rust library requires disposition → missing-recommended-key
          {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"/a"}}
        [objects] image: aspect ratio of 0 → aspect-ratio-not-positive
          {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":0,"url":"/a","disposition":"fit"}}
        [objects] selector: sends "" until touched → selector-without-initial-string
          {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["A"]}}
        [objects] table: coming soon → unknown-typ
          {"typ":"plain_page","widget":{"typ":"table"}}
        [objects] typ: unknown → unknown-typ
          {"typ":"plain_page","widget":{"typ":"gallery"}}
        [objects] typ: missing → missing-typ
          {"typ":"plain_page","widget":{"text":"A"}}
        [objects] null in an array → null-in-array
          {"typ":"plain_page","widget":{"typ":"form","widgets":[null]}}
        [objects] variables: two inputs with one name → duplicate-var-name
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
          {"typ":"checkbox","var_name":"a"}]}}
        [objects] variables: objects by #
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
          {"typ":"checkbox","var_name":"a#c"}]}}
        [objects] variables: arrays by %
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a%b"},
          {"typ":"checkbox","var_name":"a%c"}]}}
        [objects] variables: # and % mixed → colliding-var-names
          {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
          {"typ":"checkbox","var_name":"a%c"}]}}
        [objects] image: on any server
          {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"https://example.com/a.png",
          "disposition":"fit"}}
        [documented] checkbox_button: rejected up to 0.30 → widget-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"checkbox_button","text":"A"}}
        [objects] checkbox_button: since 0.38
          {"typ":"plain_page","widget":{"typ":"checkbox_button","text":"A"}}
        [documented] validated: ignored up to 0.30 → key-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","validated":true}}
        [objects] validated: read since 0.31
          {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","validated":true}}
        [documented] push: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/a"]}}
        [objects] push: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
          "page":"/a"}]}}
        [documented] push: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
          "page":"/a"}]}}
        [objects] push: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/a"]}}
        [documented] push: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push"]}}
        [documented] pop: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["pop"]}}
        [objects] pop: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"pop"}]}}
        [documented] pop: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"pop"}]}}
        [objects] pop: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["pop"]}}
        [documented] pop: with an argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["pop:/a"]}}
        [documented] replace_all: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/a"]}}
        [objects] replace_all: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
          "page":"/a"}]}}
        [documented] replace_all: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
          "page":"/a"}]}}
        [objects] replace_all: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/a"]}}
        [documented] replace_all: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all"]}}
        [documented] rpc: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a"]}}
        [objects] rpc: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a"}]}}
        [documented] rpc: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a"}]}}
        [objects] rpc: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a"]}}
        [documented] rpc: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc"]}}
        [documented] poll: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["poll"]}}
        [objects] poll: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"poll"}]}}
        [documented] poll: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"poll"}]}}
        [objects] poll: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["poll"]}}
        [documented] poll: with an argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["poll:/a"]}}
        [documented] launch_url: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go",
          "actions":["launch_url:tel:+12223334444"]}}
        [objects] launch_url: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"launch_url",
          "url":"tel:+12223334444"}]}}
        [documented] launch_url: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"launch_url",
          "url":"tel:+12223334444"}]}}
        [objects] launch_url: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go",
          "actions":["launch_url:tel:+12223334444"]}}
        [documented] launch_url: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["launch_url"]}}
        [documented] choose_photo: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/a"]}}
        [objects] choose_photo: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
          "url":"/a"}]}}
        [documented] choose_photo: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
          "url":"/a"}]}}
        [objects] choose_photo: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/a"]}}
        [documented] choose_photo: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo"]}}
        [documented] take_photo: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo:/a"]}}
        [objects] take_photo: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
          "url":"/a"}]}}
        [documented] take_photo: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
          "url":"/a"}]}}
        [objects] take_photo: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo:/a"]}}
        [documented] take_photo: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo"]}}
        [documented] copy_to_clipboard: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["copy_to_clipboard:a"]}}
        [objects] copy_to_clipboard: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"copy_to_clipboard",
          "string_value":"a"}]}}
        [documented] copy_to_clipboard: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"copy_to_clipboard",
          "string_value":"a"}]}}
        [objects] copy_to_clipboard: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["copy_to_clipboard:a"]}}
        [documented] copy_to_clipboard: without its argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["copy_to_clipboard"]}}
        [documented] logout: as a string
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["logout"]}}
        [objects] logout: as an object
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"logout"}]}}
        [documented] logout: as an object → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"logout"}]}}
        [objects] logout: as a string → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["logout"]}}
        [documented] logout: with an argument → malformed-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["logout:/a"]}}
        [documented] on_user_error_poll: its own action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a",
          "on_user_error_poll"]}}
        [documented] on_user_error_poll: before its rpc
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["on_user_error_poll",
          "rpc:/a"]}}
        [documented] on_user_error_poll: without an rpc → on-user-error-poll-without-rpc
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["on_user_error_poll"]}}
        [objects] on_user_error_poll: its own action → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go",
          "actions":[{"typ":"on_user_error_poll"}]}}
        [objects] on_user_error_poll: a flag of the rpc
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a",
          "on_user_error_poll":true}]}}
        [documented] modal: no string form → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["modal"]}}
        [objects] modal: no buttons → wrong-count
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
          "buttons":[]}]}}
        [objects] modal: a destructive button
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
          "buttons":[{"text":"!Delete","actions":[]},{"text":"Cancel","actions":[]}]}]}}
        [objects] modal: two buttons Cancel → two-cancel-buttons
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
          "buttons":[{"text":"Cancel","actions":[]},{"text":"Cancel","actions":[]}]}]}}
        [objects] modal: actions after it → actions-after-modal
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
          "buttons":[{"text":"OK","actions":[]}]},{"typ":"pop"}]}}
        [documented] reset_var: no string form → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["reset_var:a"]}}
        [documented] stop_actions: no string form → action-of-other-dialect
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["stop_actions"]}}
        [documented] rpc: outside the base URL → url-outside-base
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc://example.com/a"]}}
        [objects] rpc: outside the base URL → url-outside-base
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
          "url":"/../a"}]}}
        [documented] choose_photo: outside the base URL → url-outside-base
          {"typ":"plain_page","widget":{"typ":"button","text":"Go",
          "actions":["choose_photo://example.com/a"]}}
        [objects] choose_photo: outside the base URL → url-outside-base
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
          "url":"/../a"}]}}
        [documented] take_photo: outside the base URL → url-outside-base
          {"typ":"plain_page","widget":{"typ":"button","text":"Go",
          "actions":["take_photo://example.com/a"]}}
        [objects] take_photo: outside the base URL → url-outside-base
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
          "url":"/../a"}]}}
        [documented] actions: unknown → unknown-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["fly"]}}
        [objects] actions: unknown → unknown-action
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"fly"}]}}
        [documented] push: of the page itself → push-of-itself
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/p"]}}
        [objects] push: of the page itself → push-of-itself
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
          "page":"/p"}]}}
        [documented] push: a page of the client
          {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/support"]}}
        """.split(separator: /\n(?=\[)/).map(ProtocolRow.init)
}
