package import Applin
package import Backlot

/// A page as a client has read it from JSON.
package struct PageContents: Sendable {
    /// The button at the start of a nav page's title bar.
    package enum BackButton: Equatable, Sendable {
        /// The client's own, which pops the page; there is none on the last page of the stack.
        case standard
        /// The page has none.
        case none
        case custom([PageAction])
    }

    /// `nav_page` or `plain_page`.
    package let typ: String
    package let title: String?
    package let backButton: BackButton
    /// The id of the page's own back button; nil without one.
    let backButtonID: String?
    /// How often it refreshes itself, in seconds; nil for never.
    package let pollSeconds: Int64?
    /// Whether a client that starts again doesn't come back to it.
    package let isEphemeral: Bool
    /// Its widgets, each after the one that it stands in.
    package let widgets: [PageWidget]
    /// The variables of its inputs, in the order of the page.
    package let inputs: [PageInput]
    /// Which of its widgets lead to other pages, and do nothing else, by their places in `widgets`.
    package let ways: [Int]
    /// Whether it is refreshed at once when it is opened, so that the backend sees what its inputs hold.
    package let hasValidatedInput: Bool
    /// Whether it has text fields.
    let hasTextFields: Bool
    /// Its text fields: their variables, and the widget that each stands in.
    var textFields: [(parent: String, input: PageInput)] {
        widgets.filter { $0.typ == "textfield" }.flatMap { field in field.inputs.map { (field.parent, $0) } }
    }
    /// The names of its variables.
    var variables: Set<String> { Set(inputs.map(\.name)) }
    /// The dialect of its first action; nil where it has none.
    package let dialect: Dialect?
    /// The body of the answer that it came in.
    package let bytes: [UInt8]
    /// Its part of what many phones hold together; nil for a page of one client.
    var share: PageShare?

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: the value of `page` in the answer. Pages that clients reject must have been sorted out before.
    ///   - bytes: the body of the answer.
    ///   - client: the version of the client, which passes over keys that it doesn't know; nil for the newest.
    package init(_ page: JSONValue, bytes: [UInt8] = [], client: ClientVersion? = nil) {
        typ = page["typ"]?.string ?? ""
        title = page["title"]?.string
        backButton = Self.backButton(page)
        backButtonID = page["start"]?["id"]?.string
        // A stream switches polling off, and streams nothing.
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

    /// Whether it can be pulled down to refresh it.
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

    /// Walks through the tree with an array of what is still to be looked at, so that depth costs no stack.
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
                // Deep pages must not have places that grow with each level.
                let own = depth < 100 ? "\(place)/\(index)" : "\(widgets.count)"
                waiting.append((children[index], depth + 1, inner, own, place))
            }
        }
        return widgets
    }

    /// What stands in a widget, under the keys that its kind has; in one of an app's own, under any of them.
    private static func children(of object: JSONObject, _ typ: String) -> [JSONValue] {
        func value(_ key: String) -> JSONValue? { ApplinVocabulary.reads(key, of: typ) ? object[key] : nil }
        if let widget = value("widget") { return [widget] }
        if let widgets = value("widgets")?.array { return widgets }
        let groups = value("row_groups")?.array ?? []
        return groups.flatMap { ($0.array ?? []).flatMap { $0.array ?? [] } }
    }
}

/// A widget of a page. It knows its parent's place, and not its children: a page keeps all of them in one flat array.
package struct PageWidget: Sendable {
    /// Its kind, such as `textfield`.
    package let typ: String
    /// Its members, as they came.
    package let object: JSONObject
    /// How many widgets stand around it.
    package let depth: Int
    /// The title of the innermost form_section around it.
    package let section: String?
    /// Where the widget around it stands on the page: the numbers of the widgets that lead there, in those around them.
    let parent: String
    /// The actions of a tap.
    package let actions: [PageAction]

    /// The string under a key.
    package func string(_ key: String) -> String? { object[key]?.string }

    /// The text on it or beside it, by which people call it; nil without such a text.
    package var label: String? {
        switch typ {
        case "button", "form_button", "nav_button", "checkbox", "checkbox_button": string("text")
        case "textfield", "selector": string("label")
        default: nil
        }
    }

    /// The variables that it sets, with the values that are sent while nobody has touched it.
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

    /// Whether a page with it is refreshed at once when it is opened.
    package var isValidated: Bool { object["validated"]?.bool ?? false && !inputs.isEmpty }

    /// How long after a change the page is polled, in milliseconds; nil where it isn't.
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
    /// The value that is sent while the variable is unset.
    package let initial: JSONValue
}
