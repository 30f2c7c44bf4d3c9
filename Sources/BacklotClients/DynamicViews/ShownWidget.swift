public import Backlot

/// A widget on the screen.
struct ShownWidget {
    let object: JSONObject
    /// The number of widgets around this one.
    let depth: Int

    var type: String { object["type"]?.string ?? "" }
    var id: String { object["id"]?.string ?? "" }
    /// The text that a person reads on it; for a section, its heading.
    var text: String? { object["text"]?.string ?? object["header"]?.string }
    var options: [JSONObject] { (object["values"]?.array ?? []).compactMap(\.object) }
}

/// The content of the screen.
extension DynamicViewsClient {
    /// The widgets from top to bottom, each before the widgets inside it. Those of developerMode are included once it is on.
    var shown: [ShownWidget] { flat(document["widgets"]?.array ?? [], depth: 0) }

    private func flat(_ widgets: [JSONValue], depth: Int) -> [ShownWidget] {
        widgets.compactMap(\.object).flatMap { object -> [ShownWidget] in
            let widget = ShownWidget(object: object, depth: depth)
            guard widget.type != "developerMode" || hasDeveloperMode else { return [widget] }
            return [widget] + flat(object["items"]?.array ?? [], depth: depth + 1)
        }
    }

    /// The widgets from top to bottom, each before the widgets inside it.
    public var widgets: [JSONObject] { shown.map(\.object) }

    /// The readable texts from top to bottom, as localization keys.
    public var texts: [String] { shown.compactMap(\.text) }

    /// Whether a toggle, chosen by its text or id, is on; nil without such a toggle.
    public func isOn(_ toggle: String) -> Bool? {
        guard let widget = find(toggle, ["toggle"]), let key = widget.object["key"]?.string else { return nil }
        return storage[key]?.bool ?? false
    }

    /// The types of widgets with options.
    static let choices: Set<String> = ["multiValue", "snabble.switchEnvironment"]

    /// The id of the chosen option of a multiValue or switchEnvironment, which is named by its text or id; nil without a choice.
    public func choice(of widget: String) -> String? {
        find(widget, Self.choices).flatMap(chosenOption)?["id"]?.string
    }

    /// The option for the stored value: the value is its id, or the last dotted component of its id.
    private func chosenOption(of widget: ShownWidget) -> JSONObject? {
        storage[widget.id]?.string.flatMap { Self.option($0, of: widget) }
    }

    static func option(_ value: String, of widget: ShownWidget) -> JSONObject? {
        widget.options.first { $0["id"]?.string == value }
            ?? widget.options.first { $0["id"]?.string?.split(separator: ".").last.map(String.init) == value }
    }

    func find(_ name: String, _ types: Set<String>?) -> ShownWidget? {
        let all = shown.filter { types?.contains($0.type) ?? true }
        return all.first { $0.text == name } ?? all.first { $0.id == name }
    }

    var drawn: String { screen }

    /// The document as text, with a line for each widget.
    public var screen: String {
        guard let view = self.name else { return "(no view is loaded)" }
        let configuration = document["configuration"]
        let name = configuration?["image"]?.string ?? ""
        let image = name.isEmpty ? "" : ", image \(name.inQuotes)"
        var lines = ["\(view): \(configuration?["style"]?.string ?? "scroll")\(image)"]
        lines += shown.map { widget in
            let indent = String(repeating: "  ", count: widget.depth + 1)
            let text = widget.text.map { " \($0.cut(to: 200).inQuotes)" } ?? ""
            return "\(indent)\(widget.type) \(widget.id.inQuotes)\(text)\(details(widget))"
        }
        if asksForPassword { lines.append("in front of it: the question for the password of developer mode") }
        return lines.joined(separator: "\n")
    }

    private func details(_ widget: ShownWidget) -> String {
        switch widget.type {
        case "toggle": isOn(widget.id) == true ? ": on" : ": off"
        case let type where Self.choices.contains(type):
            ": \(chosenOption(of: widget)?["text"]?.string?.inQuotes ?? "nothing chosen")"
        case "image", "information", "snabble.customerCard":
            widget.object["image"]?.string.map { ", image \($0.inQuotes)" } ?? ""
        case "navigation": " → \(widget.object["resource"]?.string ?? "")"
        case "developerMode" where !hasDeveloperMode: " (off)"
        default: ""
        }
    }
}
