public import BacklotJSON

/// Widgets that belong together, under a title.
///
/// Source: Applin documentation, Widgets, form_section.
public struct FormSection: Widget {
    /// The text above the widgets.
    public let title: String?
    /// The widgets, from top to bottom.
    public let widgets: [any Widget]

    /// `form_section`
    public var typ: StaticString { "form_section" }

    /// The widgets, from top to bottom.
    public var children: [any Widget] { widgets }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("title", title)
            $0.field("widgets", widgets)
        }
    }
}

/// Makes a ``FormSection``.
public func formSection(_ title: String? = nil, @WidgetListBuilder _ widgets: () -> [any Widget]) -> FormSection {
    FormSection(title: title, widgets: widgets())
}
