public import BacklotJSON

/// A button that looks like a checkbox and has no variable: its actions say what a tap does.
///
/// Source: not documented; clients since 0.38 have it. Those up to 0.30 reject a page that has one.
public struct CheckboxButton: Widget {
    /// The label next to the box.
    public let text: String
    /// What a tap does. When an action fails, the box goes back to its former value.
    public let actions: [any Action]
    var initialBool: Bool?

    /// `checkbox_button`
    public var typ: StaticString { "checkbox_button" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
            $0.field("initial_bool", initialBool)
            if !actions.isEmpty {
                $0.field("actions", actions)
            }
        }
    }

    /// Says whether the box is checked.
    public consuming func initialBool(_ value: Bool?) -> CheckboxButton {
        initialBool = value
        return consume self
    }
}

/// Makes a ``CheckboxButton``.
public func checkboxButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> CheckboxButton {
    CheckboxButton(text: text, actions: actions())
}
