public import BacklotJSON

/// A button that performs actions.
///
/// Source: Applin documentation, Widgets, button.
public struct Button: Widget {
    /// The text on the button; it must hold a symbol other than white space.
    public let text: String
    /// What a tap does, in this order, up to the first failure. None: the button is disabled.
    public let actions: [any Action]

    /// `button`
    public var typ: StaticString { "button" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("text", text)
            $0.field("actions", actions)
        }
    }
}

/// Makes a ``Button``; with empty braces it is disabled.
public func button(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> Button {
    Button(text: text, actions: actions())
}
