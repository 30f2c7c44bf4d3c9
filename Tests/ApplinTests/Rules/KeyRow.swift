import Applin
import BacklotJSON
import Testing

/// One row of the protocol's tables: a page, widget or action with its keys.
///
/// Keys are written as `name:type`, with a `!` at the end if all parsers require them, and a `+` if only some do.
struct KeyRow: Sendable, CustomTestStringConvertible {
    enum Presence { case required, recommended, optional }

    struct Key: Sendable {
        let name: String
        let type: String
        let presence: Presence
    }

    enum Place { case page, widget, start, action }

    let typ: String
    let keys: [Key]
    let place: Place
    let dialects: [Dialect]

    init(_ typ: String, _ keys: String, _ place: Place, _ dialects: [Dialect] = Dialect.allCases) {
        self.typ = typ
        self.place = place
        self.dialects = dialects
        self.keys = keys.split(separator: " ").map { key in
            let parts = key.split(separator: ":")
            let presence: Presence = key.hasSuffix("!") ? .required : key.hasSuffix("+") ? .recommended : .optional
            let type = presence == .optional ? parts[1] : parts[1].dropLast()
            return Key(name: String(parts[0]), type: String(type), presence: presence)
        }
    }

    var testDescription: String { typ }

    static let all = pages + widgets + actions.filter { $0.dialects.contains(.objects) }

    static let pages = [
        KeyRow(
            "nav_page",
            "title:string! widget:widget! start:start end:empty poll_seconds:unsigned stream:no ephemeral:bool",
            .page
        ),
        KeyRow("plain_page", "title:string widget:widget! poll_seconds:unsigned ephemeral:bool", .page),
    ]

    static let widgets = [
        KeyRow("back_button", "actions:actions+", .start),
        KeyRow("button", "text:string! actions:actions+", .widget),
        KeyRow(
            "checkbox",
            "var_name:string! text:string initial_bool:bool actions:actions poll_delay_ms:unsigned validated:bool",
            .widget
        ),
        KeyRow("checkbox_button", "actions:actions initial_bool:bool text:string", .widget, [.objects]),
        KeyRow("column", "widgets:widgets+ align:align+ spacing:number", .widget),
        KeyRow("empty", "", .widget),
        KeyRow("error_text", "text:string!", .widget),
        KeyRow("form", "widgets:widgets+", .widget),
        KeyRow("form_button", "text:string! actions:actions+ align:align", .widget),
        KeyRow("form_section", "title:string widgets:widgets+", .widget),
        KeyRow("grouped_row_table", "row_groups:groups+ spacing:number", .widget),
        KeyRow("image", "aspect_ratio:number! url:string! disposition:disposition+", .widget),
        KeyRow("last_error_text", "", .widget),
        KeyRow(
            "nav_button",
            "text:string! actions:actions+ sub_text:string badge_text:string photo_url:string",
            .widget
        ),
        KeyRow("scroll", "widget:widget! pull_to_refresh:bool", .widget),
        KeyRow(
            "selector",
            "var_name:string! var_name1:string var_name2:string options:strings options1:strings options2:strings "
                + "initial_string:string initial_string1:string initial_string2:string label:string error:string "
                + "poll_delay_ms:unsigned validated:bool",
            .widget
        ),
        KeyRow("text", "text:string!", .widget),
        KeyRow(
            "textfield",
            "var_name:string! allow:allow auto_capitalize:capitals error:string initial_string:string label:string "
                + "max_lines:unsigned max_chars:unsigned min_chars:unsigned poll_delay_ms:unsigned validated:bool",
            .widget
        ),
    ]

    /// Actions as objects; actions as strings have separate rows.
    static let actions = [
        KeyRow("choose_photo", "url:string! aspect_ratio:number", .action, [.objects]),
        KeyRow("copy_to_clipboard", "string_value:string!", .action, [.objects]),
        KeyRow("launch_url", "url:string!", .action, [.objects]),
        KeyRow("logout", "", .action, [.objects]),
        KeyRow("modal", "title:string! message:string buttons:buttons!", .action, [.objects]),
        KeyRow("on_user_error_poll", "", .action, [.documented]),
        KeyRow("poll", "", .action, [.objects]),
        KeyRow("pop", "", .action, [.objects]),
        KeyRow("push", "page:string!", .action, [.objects]),
        KeyRow("replace_all", "page:string!", .action, [.objects]),
        KeyRow("reset_var", "var_name:string!", .action, [.objects]),
        KeyRow("rpc", "url:string! on_user_error_poll:bool", .action, [.objects]),
        KeyRow("stop_actions", "", .action, [.objects]),
        KeyRow("take_photo", "url:string! aspect_ratio:number", .action, [.objects]),
    ]

    /// The page, widget or action with those of its keys that are wanted, each with a good value.
    func object(in dialect: Dialect, _ isWanted: (Key) -> Bool) -> JSONObject {
        var object: JSONObject = ["typ": .string(typ)]
        for key in keys where isWanted(key) {
            object[key.name] = key.goodValue(in: dialect)
        }
        return object
    }

    /// A page that has the object where it belongs.
    func page(_ object: JSONObject) -> JSONValue {
        let value = JSONValue.object(object)
        switch place {
        case .page: return value
        case .widget: return ["typ": "plain_page", "widget": value]
        case .start: return ["typ": "nav_page", "title": "P", "widget": ["typ": "empty"], "start": value]
        case .action:
            return ["typ": "plain_page", "widget": ["typ": "button", "text": "Go", "actions": [value]]]
        }
    }
}

extension KeyRow.Key {
    /// A value that clients accept.
    func goodValue(in dialect: Dialect) -> JSONValue {
        switch type {
        case "string": .string("/\(name)")
        case "bool": true
        case "no": false
        case "unsigned": 4_294_967_295
        case "number": 1.5
        case "align": "end"
        case "disposition": "stretch"
        case "allow": "email"
        case "capitals": "sentences"
        case "strings": ["/initial_string", "/initial_string1", "/initial_string2", ""]
        case "widget", "empty": ["typ": "empty"]
        case "start": ["typ": "back_button", "actions": []]
        case "widgets": [["typ": "empty"]]
        case "actions": dialect == .documented ? ["poll"] : [["typ": "poll"]]
        case "groups": [[[["typ": "empty"], nil], []], []]
        case "buttons": [["text": "Cancel", "actions": []]]
        default: nil
        }
    }

    /// Values that clients don't accept, each with the rule that says so.
    var wrongValues: [(JSONValue, String)] {
        let wrong = "wrong-type"
        switch type {
        case "string": return [(1, wrong), (true, wrong), ([], wrong), ([:], wrong)]
        case "bool", "no": return [(1, wrong), ("true", wrong), ([], wrong)]
        case "unsigned":
            let range = "number-out-of-range"
            return [("1", wrong), (true, wrong), (-1, range), (0.5, range), (4_294_967_296, range)]
        case "number": return [("1", wrong), (false, wrong)]
        case "align", "disposition", "allow", "capitals": return [("zzz", "unknown-value"), (1, wrong)]
        case "strings": return [("a", wrong), ([1], wrong), ([nil], "null-in-array")]
        case "widget", "empty", "start": return [("empty", wrong), ([], wrong), ([:], "missing-typ")]
        case "widgets", "buttons": return [([:], wrong), (["a"], wrong), ([nil], "null-in-array")]
        case "actions": return [("pop", wrong), ([1], wrong), ([nil], "null-in-array")]
        case "groups":
            return [
                ([:], wrong), ([[:]], wrong), ([[[:]]], wrong), ([[["a"]]], wrong), ([nil], "null-in-array"),
                ([[nil]], "null-in-array"),
            ]
        default: return []
        }
    }
}
