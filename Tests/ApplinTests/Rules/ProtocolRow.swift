import Applin
import Testing

/// What a client does with a page, apart from the keys that it reads.
struct ProtocolRow: Sendable, CustomTestStringConvertible {
    enum Verdict: Sendable {
        case accepted
        /// The only finding, by its rule.
        case finding(String)
        /// Nothing is said about it, for a reason.
        case notJudged(String)
    }

    let name: String
    let dialect: Dialect
    let page: String
    let verdict: Verdict

    private init(_ name: String, _ dialect: Dialect, _ verdict: Verdict, _ page: String = "") {
        self.name = name
        self.dialect = dialect
        self.page = page
        self.verdict = verdict
    }

    var testDescription: String { "\(name) (\(dialect))" }

    static let all: [ProtocolRow] = [
        ProtocolRow(
            "nav_page: no start",
            .documented,
            .accepted,
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"}}
            """
        ),
        ProtocolRow(
            "nav_page: start is empty",
            .documented,
            .accepted,
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"empty"}}
            """
        ),
        ProtocolRow(
            "nav_page: start is another widget",
            .documented,
            .finding("bad-start-widget"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"text","text":"A"}}
            """
        ),
        ProtocolRow(
            "nav_page: end is never shown",
            .documented,
            .finding("end-never-shown"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"end":{"typ":"text","text":"A"}}
            """
        ),
        ProtocolRow(
            "nav_page: poll_seconds 0 is ignored",
            .documented,
            .finding("poll-seconds-zero"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"poll_seconds":0}
            """
        ),
        ProtocolRow(
            "nav_page: stream true",
            .documented,
            .finding("stream-true"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"stream":true}
            """
        ),
        ProtocolRow(
            "nav_page: ephemeral from a server",
            .documented,
            .accepted,
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"ephemeral":true}
            """
        ),
        ProtocolRow(
            "back_button: only as start",
            .documented,
            .finding("misplaced-back-button"),
            """
            {"typ":"plain_page","widget":{"typ":"back_button","actions":[]}}
            """
        ),
        ProtocolRow(
            "button: a text of white space",
            .documented,
            .finding("blank-button-text"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":" ","actions":[]}}
            """
        ),
        ProtocolRow(
            "button: empty actions disable it",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[]}}
            """
        ),
        ProtocolRow(
            "checkbox: no rpc key since 0.25",
            .documented,
            .finding("unknown-key"),
            """
            {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","rpc":"/ok"}}
            """
        ),
        ProtocolRow(
            "checkbox: actions only when not empty",
            .documented,
            .finding("empty-checkbox-actions"),
            """
            {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","actions":[]}}
            """
        ),
        ProtocolRow(
            "column: alignment is not read",
            .documented,
            .finding("unknown-key"),
            """
            {"typ":"plain_page","widget":{"typ":"column","align":"end","alignment":"end","widgets":[]}}
            """
        ),
        ProtocolRow(
            "column: a bad enum value is logged",
            .documented,
            .finding("unknown-value"),
            """
            {"typ":"plain_page","widget":{"typ":"column","align":"left","widgets":[]}}
            """
        ),
        ProtocolRow(
            "error_text: the last error may be put in",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"error_text","text":"${INTERACTIVE_ERROR_DETAILS}"}}
            """
        ),
        ProtocolRow(
            "grouped_row_table: null cells",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[null,
            {"typ":"empty"}]]]}}
            """
        ),
        ProtocolRow(
            "grouped_row_table: no key widgets",
            .documented,
            .finding("unknown-key"),
            """
            {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[],"widgets":[]}}
            """
        ),
        ProtocolRow(
            "image: the Rust library requires disposition",
            .documented,
            .finding("missing-recommended-key"),
            """
            {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"/a"}}
            """
        ),
        ProtocolRow(
            "image: aspect ratio of 0",
            .documented,
            .finding("aspect-ratio-not-positive"),
            """
            {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":0,"url":"/a","disposition":"fit"}}
            """
        ),
        ProtocolRow(
            "selector: sends \"\" until touched",
            .documented,
            .finding("selector-without-initial-string"),
            """
            {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["A"]}}
            """
        ),
        ProtocolRow(
            "table: coming soon",
            .documented,
            .finding("unknown-typ"),
            """
            {"typ":"plain_page","widget":{"typ":"table"}}
            """
        ),
        ProtocolRow(
            "typ: unknown",
            .documented,
            .finding("unknown-typ"),
            """
            {"typ":"plain_page","widget":{"typ":"gallery"}}
            """
        ),
        ProtocolRow(
            "typ: missing",
            .documented,
            .finding("missing-typ"),
            """
            {"typ":"plain_page","widget":{"text":"A"}}
            """
        ),
        ProtocolRow(
            "null in an array",
            .documented,
            .finding("null-in-array"),
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[null]}}
            """
        ),
        ProtocolRow(
            "variables: two inputs with one name",
            .documented,
            .finding("duplicate-var-name"),
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
            {"typ":"checkbox","var_name":"a"}]}}
            """
        ),
        ProtocolRow(
            "variables: objects by #",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
            {"typ":"checkbox","var_name":"a#c"}]}}
            """
        ),
        ProtocolRow(
            "variables: arrays by %",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a%b"},
            {"typ":"checkbox","var_name":"a%c"}]}}
            """
        ),
        ProtocolRow(
            "variables: # and % mixed",
            .documented,
            .finding("colliding-var-names"),
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
            {"typ":"checkbox","var_name":"a%c"}]}}
            """
        ),
        ProtocolRow(
            "image: on any server",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"https://example.com/a.png",
            "disposition":"fit"}}
            """
        ),
        ProtocolRow(
            "nav_page: no start",
            .objects,
            .accepted,
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"}}
            """
        ),
        ProtocolRow(
            "nav_page: start is empty",
            .objects,
            .accepted,
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"empty"}}
            """
        ),
        ProtocolRow(
            "nav_page: start is another widget",
            .objects,
            .finding("bad-start-widget"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"start":{"typ":"text","text":"A"}}
            """
        ),
        ProtocolRow(
            "nav_page: end is never shown",
            .objects,
            .finding("end-never-shown"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"end":{"typ":"text","text":"A"}}
            """
        ),
        ProtocolRow(
            "nav_page: poll_seconds 0 is ignored",
            .objects,
            .finding("poll-seconds-zero"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"poll_seconds":0}
            """
        ),
        ProtocolRow(
            "nav_page: stream true",
            .objects,
            .finding("stream-true"),
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"stream":true}
            """
        ),
        ProtocolRow(
            "nav_page: ephemeral from a server",
            .objects,
            .accepted,
            """
            {"typ":"nav_page","title":"P","widget":{"typ":"empty"},"ephemeral":true}
            """
        ),
        ProtocolRow(
            "back_button: only as start",
            .objects,
            .finding("misplaced-back-button"),
            """
            {"typ":"plain_page","widget":{"typ":"back_button","actions":[]}}
            """
        ),
        ProtocolRow(
            "button: a text of white space",
            .objects,
            .finding("blank-button-text"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":" ","actions":[]}}
            """
        ),
        ProtocolRow(
            "button: empty actions disable it",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[]}}
            """
        ),
        ProtocolRow(
            "checkbox: no rpc key since 0.25",
            .objects,
            .finding("unknown-key"),
            """
            {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","rpc":"/ok"}}
            """
        ),
        ProtocolRow(
            "checkbox: actions only when not empty",
            .objects,
            .finding("empty-checkbox-actions"),
            """
            {"typ":"plain_page","widget":{"typ":"checkbox","var_name":"a","actions":[]}}
            """
        ),
        ProtocolRow(
            "column: alignment is not read",
            .objects,
            .finding("unknown-key"),
            """
            {"typ":"plain_page","widget":{"typ":"column","align":"end","alignment":"end","widgets":[]}}
            """
        ),
        ProtocolRow(
            "column: a bad enum value is logged",
            .objects,
            .finding("unknown-value"),
            """
            {"typ":"plain_page","widget":{"typ":"column","align":"left","widgets":[]}}
            """
        ),
        ProtocolRow(
            "error_text: the last error may be put in",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"error_text","text":"${INTERACTIVE_ERROR_DETAILS}"}}
            """
        ),
        ProtocolRow(
            "grouped_row_table: null cells",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[[[null,
            {"typ":"empty"}]]]}}
            """
        ),
        ProtocolRow(
            "grouped_row_table: no key widgets",
            .objects,
            .finding("unknown-key"),
            """
            {"typ":"plain_page","widget":{"typ":"grouped_row_table","row_groups":[],"widgets":[]}}
            """
        ),
        ProtocolRow(
            "image: the Rust library requires disposition",
            .objects,
            .finding("missing-recommended-key"),
            """
            {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"/a"}}
            """
        ),
        ProtocolRow(
            "image: aspect ratio of 0",
            .objects,
            .finding("aspect-ratio-not-positive"),
            """
            {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":0,"url":"/a","disposition":"fit"}}
            """
        ),
        ProtocolRow(
            "selector: sends \"\" until touched",
            .objects,
            .finding("selector-without-initial-string"),
            """
            {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["A"]}}
            """
        ),
        ProtocolRow(
            "table: coming soon",
            .objects,
            .finding("unknown-typ"),
            """
            {"typ":"plain_page","widget":{"typ":"table"}}
            """
        ),
        ProtocolRow(
            "typ: unknown",
            .objects,
            .finding("unknown-typ"),
            """
            {"typ":"plain_page","widget":{"typ":"gallery"}}
            """
        ),
        ProtocolRow(
            "typ: missing",
            .objects,
            .finding("missing-typ"),
            """
            {"typ":"plain_page","widget":{"text":"A"}}
            """
        ),
        ProtocolRow(
            "null in an array",
            .objects,
            .finding("null-in-array"),
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[null]}}
            """
        ),
        ProtocolRow(
            "variables: two inputs with one name",
            .objects,
            .finding("duplicate-var-name"),
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
            {"typ":"checkbox","var_name":"a"}]}}
            """
        ),
        ProtocolRow(
            "variables: objects by #",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
            {"typ":"checkbox","var_name":"a#c"}]}}
            """
        ),
        ProtocolRow(
            "variables: arrays by %",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a%b"},
            {"typ":"checkbox","var_name":"a%c"}]}}
            """
        ),
        ProtocolRow(
            "variables: # and % mixed",
            .objects,
            .finding("colliding-var-names"),
            """
            {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"a#b"},
            {"typ":"checkbox","var_name":"a%c"}]}}
            """
        ),
        ProtocolRow(
            "image: on any server",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"image","aspect_ratio":1,"url":"https://example.com/a.png",
            "disposition":"fit"}}
            """
        ),
        ProtocolRow(
            "checkbox_button: rejected up to 0.30",
            .documented,
            .finding("widget-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"checkbox_button","text":"A"}}
            """
        ),
        ProtocolRow(
            "checkbox_button: since 0.38",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"checkbox_button","text":"A"}}
            """
        ),
        ProtocolRow(
            "validated: ignored up to 0.30",
            .documented,
            .finding("key-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","validated":true}}
            """
        ),
        ProtocolRow(
            "validated: read since 0.31",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a","validated":true}}
            """
        ),
        ProtocolRow(
            "push: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/a"]}}
            """
        ),
        ProtocolRow(
            "push: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
            "page":"/a"}]}}
            """
        ),
        ProtocolRow(
            "push: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
            "page":"/a"}]}}
            """
        ),
        ProtocolRow(
            "push: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/a"]}}
            """
        ),
        ProtocolRow(
            "push: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push"]}}
            """
        ),
        ProtocolRow(
            "pop: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["pop"]}}
            """
        ),
        ProtocolRow(
            "pop: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"pop"}]}}
            """
        ),
        ProtocolRow(
            "pop: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"pop"}]}}
            """
        ),
        ProtocolRow(
            "pop: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["pop"]}}
            """
        ),
        ProtocolRow(
            "pop: with an argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["pop:/a"]}}
            """
        ),
        ProtocolRow(
            "replace_all: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/a"]}}
            """
        ),
        ProtocolRow(
            "replace_all: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
            "page":"/a"}]}}
            """
        ),
        ProtocolRow(
            "replace_all: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
            "page":"/a"}]}}
            """
        ),
        ProtocolRow(
            "replace_all: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/a"]}}
            """
        ),
        ProtocolRow(
            "replace_all: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all"]}}
            """
        ),
        ProtocolRow(
            "rpc: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a"]}}
            """
        ),
        ProtocolRow(
            "rpc: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a"}]}}
            """
        ),
        ProtocolRow(
            "rpc: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a"}]}}
            """
        ),
        ProtocolRow(
            "rpc: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a"]}}
            """
        ),
        ProtocolRow(
            "rpc: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc"]}}
            """
        ),
        ProtocolRow(
            "poll: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["poll"]}}
            """
        ),
        ProtocolRow(
            "poll: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"poll"}]}}
            """
        ),
        ProtocolRow(
            "poll: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"poll"}]}}
            """
        ),
        ProtocolRow(
            "poll: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["poll"]}}
            """
        ),
        ProtocolRow(
            "poll: with an argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["poll:/a"]}}
            """
        ),
        ProtocolRow(
            "launch_url: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go",
            "actions":["launch_url:tel:+12223334444"]}}
            """
        ),
        ProtocolRow(
            "launch_url: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"launch_url",
            "url":"tel:+12223334444"}]}}
            """
        ),
        ProtocolRow(
            "launch_url: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"launch_url",
            "url":"tel:+12223334444"}]}}
            """
        ),
        ProtocolRow(
            "launch_url: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go",
            "actions":["launch_url:tel:+12223334444"]}}
            """
        ),
        ProtocolRow(
            "launch_url: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["launch_url"]}}
            """
        ),
        ProtocolRow(
            "choose_photo: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/a"]}}
            """
        ),
        ProtocolRow(
            "choose_photo: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
            "url":"/a"}]}}
            """
        ),
        ProtocolRow(
            "choose_photo: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
            "url":"/a"}]}}
            """
        ),
        ProtocolRow(
            "choose_photo: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/a"]}}
            """
        ),
        ProtocolRow(
            "choose_photo: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo"]}}
            """
        ),
        ProtocolRow(
            "take_photo: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo:/a"]}}
            """
        ),
        ProtocolRow(
            "take_photo: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
            "url":"/a"}]}}
            """
        ),
        ProtocolRow(
            "take_photo: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
            "url":"/a"}]}}
            """
        ),
        ProtocolRow(
            "take_photo: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo:/a"]}}
            """
        ),
        ProtocolRow(
            "take_photo: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo"]}}
            """
        ),
        ProtocolRow(
            "copy_to_clipboard: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["copy_to_clipboard:a"]}}
            """
        ),
        ProtocolRow(
            "copy_to_clipboard: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"copy_to_clipboard",
            "string_value":"a"}]}}
            """
        ),
        ProtocolRow(
            "copy_to_clipboard: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"copy_to_clipboard",
            "string_value":"a"}]}}
            """
        ),
        ProtocolRow(
            "copy_to_clipboard: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["copy_to_clipboard:a"]}}
            """
        ),
        ProtocolRow(
            "copy_to_clipboard: without its argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["copy_to_clipboard"]}}
            """
        ),
        ProtocolRow(
            "logout: as a string",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["logout"]}}
            """
        ),
        ProtocolRow(
            "logout: as an object",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"logout"}]}}
            """
        ),
        ProtocolRow(
            "logout: as an object",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"logout"}]}}
            """
        ),
        ProtocolRow(
            "logout: as a string",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["logout"]}}
            """
        ),
        ProtocolRow(
            "logout: with an argument",
            .documented,
            .finding("malformed-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["logout:/a"]}}
            """
        ),
        ProtocolRow(
            "on_user_error_poll: its own action",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a",
            "on_user_error_poll"]}}
            """
        ),
        ProtocolRow(
            "on_user_error_poll: before its rpc",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["on_user_error_poll",
            "rpc:/a"]}}
            """
        ),
        ProtocolRow(
            "on_user_error_poll: without an rpc",
            .documented,
            .finding("on-user-error-poll-without-rpc"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["on_user_error_poll"]}}
            """
        ),
        ProtocolRow(
            "on_user_error_poll: its own action",
            .objects,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go",
            "actions":[{"typ":"on_user_error_poll"}]}}
            """
        ),
        ProtocolRow(
            "on_user_error_poll: a flag of the rpc",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a",
            "on_user_error_poll":true}]}}
            """
        ),
        ProtocolRow(
            "modal: no string form",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["modal"]}}
            """
        ),
        ProtocolRow(
            "modal: no buttons",
            .objects,
            .finding("wrong-count"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
            "buttons":[]}]}}
            """
        ),
        ProtocolRow(
            "modal: a destructive button",
            .objects,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
            "buttons":[{"text":"!Delete","actions":[]},{"text":"Cancel","actions":[]}]}]}}
            """
        ),
        ProtocolRow(
            "modal: two buttons Cancel",
            .objects,
            .finding("two-cancel-buttons"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
            "buttons":[{"text":"Cancel","actions":[]},{"text":"Cancel","actions":[]}]}]}}
            """
        ),
        ProtocolRow(
            "modal: actions after it",
            .objects,
            .finding("actions-after-modal"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"T",
            "buttons":[{"text":"OK","actions":[]}]},{"typ":"pop"}]}}
            """
        ),
        ProtocolRow(
            "reset_var: no string form",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["reset_var:a"]}}
            """
        ),
        ProtocolRow(
            "stop_actions: no string form",
            .documented,
            .finding("action-of-other-dialect"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["stop_actions"]}}
            """
        ),
        ProtocolRow(
            "rpc: outside the base URL",
            .documented,
            .finding("url-outside-base"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc://example.com/a"]}}
            """
        ),
        ProtocolRow(
            "rpc: outside the base URL",
            .objects,
            .finding("url-outside-base"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
            "url":"/../a"}]}}
            """
        ),
        ProtocolRow(
            "choose_photo: outside the base URL",
            .documented,
            .finding("url-outside-base"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go",
            "actions":["choose_photo://example.com/a"]}}
            """
        ),
        ProtocolRow(
            "choose_photo: outside the base URL",
            .objects,
            .finding("url-outside-base"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
            "url":"/../a"}]}}
            """
        ),
        ProtocolRow(
            "take_photo: outside the base URL",
            .documented,
            .finding("url-outside-base"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go",
            "actions":["take_photo://example.com/a"]}}
            """
        ),
        ProtocolRow(
            "take_photo: outside the base URL",
            .objects,
            .finding("url-outside-base"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
            "url":"/../a"}]}}
            """
        ),
        ProtocolRow(
            "actions: unknown",
            .documented,
            .finding("unknown-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["fly"]}}
            """
        ),
        ProtocolRow(
            "actions: unknown",
            .objects,
            .finding("unknown-action"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"fly"}]}}
            """
        ),
        ProtocolRow(
            "push: of the page itself",
            .documented,
            .finding("push-of-itself"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/p"]}}
            """
        ),
        ProtocolRow(
            "push: of the page itself",
            .objects,
            .finding("push-of-itself"),
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
            "page":"/p"}]}}
            """
        ),
        ProtocolRow(
            "push: a page of the client",
            .documented,
            .accepted,
            """
            {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/support"]}}
            """
        ),
        ProtocolRow(
            "push: a page further down on the stack",
            .documented,
            .notJudged("which pages are on the stack is known to the client only")
        ),
        ProtocolRow(
            "pop: of the last page",
            .documented,
            .notJudged("which pages are on the stack is known to the client only")
        ),
        ProtocolRow(
            "selector: since 0.28",
            .documented,
            .notJudged("there is nothing else to use, and the clients before are older than the documentation")
        ),
        ProtocolRow(
            "choose_photo: no aspect ratio in a string",
            .documented,
            .notJudged("a string can't hold one, so there is nothing to see")
        ),
        ProtocolRow(
            "spacing: whole numbers without a fraction",
            .documented,
            .notJudged("8 and 8.0 are the same once they are parsed; a fraction that means something is kept")
        ),
        ProtocolRow(
            "logout, reset_var, initial_string",
            .documented,
            .notJudged("what they do to the client's variables can't be seen on a page")
        ),
        ProtocolRow(
            "an rpc's answer, 403, 422 and 503",
            .documented,
            .notJudged("they are no pages")
        ),
        ProtocolRow(
            "bodies that are empty or not UTF-8",
            .documented,
            .notJudged("see the inspector, which reads bytes: not-json")
        ),
        ProtocolRow(
            "pages without POST, links to nowhere",
            .documented,
            .notJudged("see the rules about links, which need the app's routes")
        ),
    ]
}
