public import BacklotJSON

/// Widgets one below the other, with lines between them.
///
/// Source: Applin documentation, Widgets, form.
public struct Form: Widget {
    /// The widgets, from top to bottom; there may be none.
    public let widgets: [any Widget]

    /// `form`
    public var typ: StaticString { "form" }

    /// The widgets, from top to bottom.
    public var children: [any Widget] { widgets }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("widgets", widgets)
        }
    }
}

/// Makes a ``Form``.
public func form(@WidgetListBuilder _ widgets: () -> [any Widget]) -> Form {
    Form(widgets: widgets())
}
