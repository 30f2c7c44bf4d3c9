package import Applin
package import Backlot

/// A page that a client has read from JSON.
package struct PageContents: Sendable {
    /// The button at the start of a nav page's title bar.
    package enum BackButton: Equatable, Sendable {
        /// The client's own button, which pops the page. It is missing on the last page of the stack.
        case standard
        /// The page has no button there.
        case none
        case custom([PageAction])
    }

    /// `nav_page` or `plain_page`.
    package let typ: String
    package let title: String?
    package let backButton: BackButton
    /// The id of the page's own back button; nil without one.
    let backButtonID: String?
    /// The interval between refreshes, in seconds; nil if the page doesn't refresh itself.
    package let pollSeconds: Int64?
    /// Whether the page is dropped when the client starts again.
    package let isEphemeral: Bool
    /// The page's widgets, each after the widget that contains it.
    package let widgets: [PageWidget]
    /// The variables of the page's inputs, in the order of the page.
    package let inputs: [PageInput]
    /// The indices in `widgets` of the widgets that only lead to other pages.
    package let ways: [Int]
    /// Whether the client refreshes the page at once after opening it, so that the backend can validate its inputs.
    package let hasValidatedInput: Bool
    /// Whether the page has text fields.
    let hasTextFields: Bool
    /// The page's text fields: each one's variable, and the location of the widget that contains it.
    var textFields: [(parent: String, input: PageInput)] {
        widgets.filter { $0.typ == "textfield" }.flatMap { field in field.inputs.map { (field.parent, $0) } }
    }
    /// The names of the page's variables.
    var variables: Set<String> { Set(inputs.map(\.name)) }
    /// The dialect of the first action; nil without actions.
    package let dialect: Dialect?
    /// The body of the response with the page.
    package let bytes: [UInt8]
    /// The page's part in the memory that many clients of a load test share; nil for a single client.
    var share: PageShare?

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: the value of `page` in the response. The caller must have ruled out pages that clients reject.
    ///   - bytes: the body of the response.
    ///   - client: the version of the client, which skips keys that it doesn't know; nil for the newest.
    package init(_ page: JSONValue, bytes: [UInt8] = [], client: ClientVersion? = nil) {
        typ = page["typ"]?.string ?? ""
        title = page["title"]?.string
        backButton = Self.backButton(page)
        backButtonID = page["start"]?["id"]?.string
        // A page with a stream doesn't poll, and this client doesn't support streams.
        let seconds = page["stream"]?.bool == true ? nil : page["poll_seconds"]?.number?.int64
        pollSeconds = seconds.flatMap { $0 > 0 ? min($0, Int64(UInt32.max)) : nil }
        isEphemeral = page["ephemeral"]?.bool ?? false
        let widgets = Self.widgets(page["widget"], client)
        self.widgets = widgets
        inputs = widgets.flatMap(\.inputs)
        hasValidatedInput = widgets.contains(where: \.isValidated)
        hasTextFields = widgets.contains { $0.typ == "textfield" }
        ways = widgets.indices.filter { widgets[$0].typ != "checkbox" && PageAction.onlyLead(widgets[$0].actions) }
        let lists = [page["start"]?["actions"]] + widgets.map { $0.object["actions"] }
        dialect = lists.lazy.compactMap { $0?[0] }.first.map { $0.string == nil ? .objects : .documented }
        self.bytes = bytes
    }

    /// Whether the user can pull the page down to refresh it.
    package var isPullable: Bool {
        widgets.contains { $0.typ == "scroll" && $0.object["pull_to_refresh"]?.bool != false }
    }

    private static func backButton(_ page: JSONValue) -> BackButton {
        guard page["typ"]?.string == "nav_page" else { return .none }
        return switch page["start"]?["typ"]?.string {
        case "back_button": .custom(PageAction.list(page["start"]?["actions"]))
        case "empty": .none
        default: .standard
        }
    }

    /// Visits the tree with an array of pending widgets, so that deep nesting doesn't use up the call stack.
    private static func widgets(_ root: JSONValue?, _ client: ClientVersion?) -> [PageWidget] {
        var widgets: [PageWidget] = []
        var waiting: [(value: JSONValue, depth: Int, section: String?, place: String, parent: String)] =
            root.map { [($0, 0, nil, "", "")] } ?? []
        while let (value, depth, section, place, parent) = waiting.popLast() {
            guard let known = value.object, let typ = known["typ"]?.string else { continue }
            let object = client.map { ApplinVocabulary.members(of: known, typ, readBy: $0) } ?? known
            widgets.append(
                PageWidget(
                    typ: typ,
                    object: object,
                    depth: depth,
                    section: section,
                    parent: parent,
                    actions: PageAction.list(object["actions"], client)
                )
            )
            let inner = typ == "form_section" ? object["title"]?.string : section
            let children = children(of: object, typ)
            for index in children.indices.reversed() {
                // The locations in deep pages must not grow with each level.
                let own = depth < 100 ? "\(place)/\(index)" : "\(widgets.count)"
                waiting.append((children[index], depth + 1, inner, own, place))
            }
        }
        return widgets
    }

    /// The children of a widget, under the keys of its kind; for an app's own widget, under any key.
    private static func children(of object: JSONObject, _ typ: String) -> [JSONValue] {
        func value(_ key: String) -> JSONValue? { ApplinVocabulary.reads(key, of: typ) ? object[key] : nil }
        if let widget = value("widget") { return [widget] }
        if let widgets = value("widgets")?.array { return widgets }
        let groups = value("row_groups")?.array ?? []
        return groups.flatMap { ($0.array ?? []).flatMap { $0.array ?? [] } }
    }
}

/// A widget of a page. It has its parent's location but not its children, because a page keeps all widgets in one flat array.
package struct PageWidget: Sendable {
    /// The widget's kind, such as `textfield`.
    package let typ: String
    /// The members of the widget's JSON object that the client knows.
    package let object: JSONObject
    /// The number of widgets around this one.
    package let depth: Int
    /// The title of the innermost form_section around the widget.
    package let section: String?
    /// The location of the parent widget: the child indices on the way to it.
    let parent: String
    /// The actions that a tap runs.
    package let actions: [PageAction]

    /// The string under a key.
    package func string(_ key: String) -> String? { object[key]?.string }

    /// The text on the widget or beside it, which people use as its name; nil without such a text.
    package var label: String? {
        switch typ {
        case "button", "form_button", "nav_button", "checkbox", "checkbox_button": string("text")
        case "textfield", "selector": string("label")
        default: nil
        }
    }

    /// The variables that the widget sets, with the values to send while it is untouched.
    package var inputs: [PageInput] {
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

    /// Whether the client refreshes a page with this widget at once after opening it.
    package var isValidated: Bool { object["validated"]?.bool ?? false && !inputs.isEmpty }

    /// The delay between a change and the poll of the page, in milliseconds; nil if a change doesn't cause a poll.
    package var pollDelay: Int64? {
        object["poll_delay_ms"]?.number?.int64.map { max(0, min($0, Int64(UInt32.max))) }
    }

    /// The options of a selector, column by column.
    package var columns: [[String]] {
        ["options", "options1", "options2"].compactMap { key in
            object[key]?.array?.compactMap(\.string)
        }
    }
}

/// A variable of an input.
package struct PageInput: Equatable, Sendable {
    package let name: String
    /// The value to send while the variable is unset.
    package let initial: JSONValue
}
