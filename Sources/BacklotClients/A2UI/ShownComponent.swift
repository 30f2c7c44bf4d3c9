internal import A2UI
internal import Backlot

/// A component on the screen.
struct ShownComponent {
    /// The kinds of inputs.
    enum Input: String {
        case text = "text field"
        case box = "check box"
        case choice = "choice"
        case number = "slider"
        case date = "date or time"
    }

    let surface: String
    let node: Node
    let tree: NodeTree
    /// The number of components around it.
    let depth: Int
    /// The paths of the modal that a tap on it opens, and of that modal's trigger.
    var modal: (path: String, trigger: String)?

    var type: String { node.component?.type ?? "" }

    /// The value of a property without bindings and calls.
    func value(_ key: String) -> JSONValue? {
        if case .value(let value, _)? = node.properties[key] { value } else { nil }
    }

    /// The path in the model that a property is bound to.
    func target(_ key: String) -> DataPath? {
        if case .value(_, let path)? = node.properties[key] { path } else { nil }
    }

    func text(_ key: String) -> String? { value(key).map { $0.string ?? $0.description } }

    /// The path of the node that a property names.
    func path(_ key: String) -> String? { if case .node(let path)? = node.properties[key] { path } else { nil } }

    // MARK: Taps

    /// The property with the action.
    var actionProperty: String? { node.properties.filter { $0.value == .action }.keys.min() }
    var hasAction: Bool { actionProperty != nil }
    var isModal: Bool { type == "Modal" && path("trigger") != nil }

    /// Whether a component within this one has an action.
    var holdsAction: Bool { below { $0.properties.values.contains(.action) } != nil }

    var tabs: [(title: String, child: String?)]? {
        guard type == "Tabs", case .list(let tabs)? = node.properties["tabs"] else { return nil }
        return tabs.map { tab in
            guard case .object(let members) = tab else { return ("", nil) }
            var (title, child): (String, String?) = ("", nil)
            if case .value(let text, _)? = members["title"] { title = text?.string ?? "" }
            if case .node(let path)? = members["child"] { child = path }
            return (title, child)
        }
    }

    // MARK: Texts

    /// The name that people and screen readers call it by: its own, or the first text in it.
    var label: String {
        let given = value("accessibility")?["label"]?.string ?? value("@accessibility")?["label"]?.string
        let own = ["label", "title", "text", "description"].lazy.compactMap { text($0) }.first { !$0.isEmpty }
        return own ?? given ?? below { text(of: $0) != nil }.flatMap(text) ?? (input == nil ? "" : node.componentID)
    }

    /// The texts that it shows, without the value of an input.
    var texts: [String] {
        let own = ["title", "text", "label", "description"].compactMap { text($0) }
        return own + (tabs ?? []).map(\.title) + options.map(\.label)
    }

    private func text(of node: Node) -> String? {
        if case .value(.string(let text)?, _)? = node.properties["text"] { text } else { nil }
    }

    /// The first node below this one that fits.
    private func below(_ fits: (Node) -> Bool) -> Node? {
        var queue = Array(node.children.reversed())
        while let path = queue.popLast() {
            guard let node = tree.nodes[path] else { continue }
            if fits(node) { return node }
            queue += node.children.reversed()
        }
        return nil
    }

    // MARK: Inputs

    var input: Input? {
        switch type {
        case "TextField": .text
        case "CheckBox": .box
        case "ChoicePicker": .choice
        case "Slider": .number
        case "DateTimeInput": .date
        default: nil
        }
    }

    var options: [(label: String, value: String)] {
        guard type == "ChoicePicker" else { return [] }
        return (value("options")?.array ?? []).map { ($0["label"]?.string ?? "", $0["value"]?.string ?? "") }
    }

    var isMultiple: Bool { value("variant") == "multipleSelection" }

    /// The range of a slider.
    var range: ClosedRange<Double> {
        let least = value("min")?.number?.double ?? 0
        return least...max(least, value("max")?.number?.double ?? least)
    }

    private var takesDates: Bool { value("enableDate") == true || value("enableTime") != true }
    private var takesTimes: Bool { value("enableTime") == true || value("enableDate") != true }

    /// Whether a text is one that the input's picker can give.
    func takesDate(_ text: String) -> Bool {
        switch (takesDates, takesTimes) {
        case (true, false): text.utf8.count == 10 && ISODate.seconds(text) != nil
        case (false, true): ISODate.seconds("2000-01-01T\(text)Z") != nil
        default:
            ISODate.seconds(text) != nil || ISODate.seconds("\(text)Z") != nil
                || ISODate.seconds("2000-01-01T\(text)Z") != nil
        }
    }

    var dateNoun: String {
        switch (takesDates, takesTimes) {
        case (true, false): "a date such as 2026-12-31"
        case (false, true): "a time such as 18:30"
        default: "a date and time such as 2026-12-31T18:30"
        }
    }

    /// Values that a person could give.
    var samples: [String] {
        switch input {
        case .number: [range.lowerBound, range.upperBound].map { Int64(exactly: $0).map { "\($0)" } ?? "\($0)" }
        case .date where takesDates && takesTimes: ["2026-12-31T18:30", ""]
        case .date: [takesDates ? "2026-12-31" : "18:30", ""]
        default: options.map(\.label)
        }
    }
}
