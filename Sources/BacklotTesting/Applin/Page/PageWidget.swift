internal import BacklotJSON

/// A widget of a page. It knows its place, and not its children: a page keeps all of them in one flat array.
struct PageWidget: Sendable {
    /// What it is: `textfield`.
    let typ: String
    /// Its members, as they came.
    let object: JSONObject
    /// How many widgets stand around it.
    let depth: Int
    /// The title of the innermost form_section around it.
    let section: String?
    /// What a tap does.
    let actions: [PageAction]

    /// The string under a key.
    func string(_ key: String) -> String? { object[key]?.string }

    /// What people call it: the text on it or beside it; nil for what has none.
    var label: String? {
        switch typ {
        case "button", "form_button", "nav_button", "checkbox", "checkbox_button": string("text")
        case "textfield", "selector": string("label")
        default: nil
        }
    }

    /// The variables that it sets, with the values that are sent while nobody has touched it.
    var inputs: [PageInput] {
        switch typ {
        case "checkbox":
            [PageInput(name: string("var_name") ?? "", initial: .bool(object["initial_bool"]?.bool ?? false))]
        case "textfield":
            [PageInput(name: string("var_name") ?? "", initial: .string(string("initial_string") ?? ""))]
        case "selector":
            ["", "1", "2"].compactMap { column in
                string("var_name\(column)").map { name in
                    PageInput(name: name, initial: .string(string("initial_string\(column)") ?? ""))
                }
            }
        default: []
        }
    }

    /// Whether a page with it is refreshed at once when it is opened.
    var isValidated: Bool { object["validated"]?.bool ?? false }

    /// How long after a change the page is polled, in milliseconds; nil where it isn't.
    var pollDelay: Int64? { object["poll_delay_ms"]?.number?.int64 }

    /// The options of a selector, column by column.
    var columns: [[String]] {
        ["options", "options1", "options2"].compactMap { key in
            object[key]?.array?.compactMap(\.string)
        }
    }
}

/// A variable of an input.
struct PageInput: Equatable, Sendable {
    let name: String
    /// What is sent while the variable is unset.
    let initial: JSONValue
}
