internal import Backlot
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

extension Form {
    static let vocabulary = Kind(
        "form",
        as: [.widget],
        "Widgets one below the other, with lines between them.",
        keys: [.recommended("widgets", .objects(.widget), otherwise: [], "The widgets, from top to bottom.")]
    )
}

/// Makes a ``Form``.
public func form(@WidgetListBuilder _ widgets: () -> [any Widget]) -> Form {
    Form(widgets: widgets())
}

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

extension FormSection {
    static let vocabulary = Kind(
        "form_section",
        as: [.widget],
        "Widgets that belong together, under a title.",
        keys: [
            .optional("title", .string, "The text above the widgets."),
            .recommended("widgets", .objects(.widget), otherwise: [], "The widgets, from top to bottom."),
        ]
    )
}

/// Makes a ``FormSection``.
public func formSection(_ title: String? = nil, @WidgetListBuilder _ widgets: () -> [any Widget]) -> FormSection {
    FormSection(title: title, widgets: widgets())
}
