internal import Backlot

/// Draws the screen as an indented tree, with a line for each widget.
struct PageDrawing {
    /// The maximum number of lines.
    private static let maximumLines = 10_000
    /// The maximum number of characters of one text.
    private static let maximumCharacters = 400

    private let state: ApplinClientState

    init(_ state: ApplinClientState) {
        self.state = state
    }

    /// The drawing, without a line break at its end.
    var text: String {
        guard let top = state.top else { return "(the app isn't launched)" }
        return (layerLines + pageLines(top)).joined(separator: "\n")
    }

    private var layerLines: [String] {
        switch state.layer {
        case .none: []
        case .photoPicker(let upload):
            [
                "photo picker, for \(upload.url)\(upload.aspectRatio.map { ", cut to \($0)" } ?? "")", "in front of:",
            ]
        case .modal(let modal):
            ["modal \(quoted(modal.title))"]
                + (modal.message.map { ["  message \(quoted($0))"] } ?? [])
                + modal.buttons.map { button in
                    let mark = button.isDestructive ? " (destructive)" : ""
                    return "  button \(quoted(button.text))\(mark)\(arrow(button.actions))"
                }
                + ["in front of:"]
        }
    }

    private func pageLines(_ entry: ApplinClientState.Entry) -> [String] {
        let page = entry.page
        var lines = ["\(entry.path): \(page.typ)\(page.title.map { " \(quoted($0))" } ?? "")"]
        switch page.backButton {
        case .none: break
        case .standard: if state.stack.count > 1 { lines.append("  back_button") }
        case .custom(let actions): lines.append("  back_button\(actions.isEmpty ? " (disabled)" : arrow(actions))")
        }
        for widget in page.widgets.prefix(Self.maximumLines) {
            let indent = String(repeating: "  ", count: widget.depth + 1)
            lines.append(indent + widget.typ + details(widget))
        }
        let rest = page.widgets.count - Self.maximumLines
        return rest > 0 ? lines + ["  … and \(rest) more widgets"] : lines
    }

    private func details(_ widget: PageWidget) -> String {
        switch widget.typ {
        case "button", "form_button": " \(quoted(widget.label))\(effect(widget))"
        case "nav_button":
            " \(quoted(widget.label))\(named(widget, "sub_text", "badge_text", "photo_url"))\(effect(widget))"
        case "checkbox":
            " \(quoted(widget.label)) (\(names(widget))): \(isOn(widget) ? "on" : "off")\(arrow(widget.actions))"
        case "checkbox_button":
            " \(quoted(widget.label)): \(widget.object["initial_bool"]?.bool == true ? "on" : "off")\(arrow(widget.actions))"
        case "textfield", "selector":
            " \(widget.label.map { "\(quoted($0)) " } ?? "")(\(names(widget))): \(values(widget))"
                + "\(difference(widget))\(named(widget, "error"))"
        case "error_text": " \(quoted(state.readable(widget.string("text") ?? "")))"
        case "last_error_text": " \(quoted(state.top?.errorDetails))"
        case "text": " \(quoted(widget.string("text")))"
        case "form_section": widget.string("title").map { " \(quoted($0))" } ?? ""
        case "image": " \(widget.string("url") ?? "")"
        default: ""
        }
    }

    private func effect(_ widget: PageWidget) -> String {
        widget.actions.isEmpty ? " (disabled)" : arrow(widget.actions)
    }

    private func arrow(_ actions: [PageAction]) -> String {
        actions.isEmpty
            ? "" : " → " + actions.map(\.description).joined(separator: ", ").cut(to: Self.maximumCharacters)
    }

    private func named(_ widget: PageWidget, _ keys: String...) -> String {
        keys.compactMap { key in widget.string(key).map { ", \(key) \(quoted($0))" } }.joined()
    }

    private func names(_ widget: PageWidget) -> String { widget.inputs.map(\.name).joined(separator: ", ") }

    private func values(_ widget: PageWidget) -> String {
        if let text = state.shownText(widget) { return quoted(text) }
        return widget.inputs.map { quoted(state.value(of: $0).string) }.joined(separator: ", ")
    }

    /// The value that a text field sends, if it differs from the shown text.
    private func difference(_ widget: PageWidget) -> String {
        guard let text = state.shownText(widget),
            let sent = widget.inputs.first.map({ state.value(of: $0).string }),
            sent ?? "" != text
        else { return "" }
        return ", but sends \(quoted(sent))"
    }

    private func isOn(_ widget: PageWidget) -> Bool {
        widget.inputs.first.map { state.value(of: $0).bool ?? false } ?? false
    }

    private func quoted(_ text: String?) -> String { (text ?? "").cut(to: Self.maximumCharacters).inQuotes }
}

extension ApplinClientState {
    /// The text that a person reads: the placeholder for the last error is filled in.
    func readable(_ text: String) -> String {
        guard let place = text.firstRange(of: "${INTERACTIVE_ERROR_DETAILS}") else { return text }
        return text[..<place.lowerBound] + (lastError?.text ?? "") + text[place.upperBound...]
    }
}
