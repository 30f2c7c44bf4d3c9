public import BacklotJSON

/// A button that performs actions, made to stand in a form.
///
/// Source: Applin documentation, Widgets, form_button.
public struct FormButton: Widget {
    /// The text on the button; it must hold a symbol other than white space.
    public let text: String
    /// What a tap does, in this order, up to the first failure. None: the button is disabled.
    public let actions: [any Action]
    var align: Align?

    /// `form_button`
    public var typ: StaticString { "form_button" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
            $0.field("align", align?.rawValue)
            $0.field("actions", actions)
        }
    }

    /// Places the button in the form's width. Without it, it stands in the middle.
    public consuming func align(_ align: Align?) -> FormButton {
        self.align = align
        return consume self
    }
}

/// Makes a ``FormButton``; with empty braces it is disabled.
public func formButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> FormButton {
    FormButton(text: text, actions: actions())
}
