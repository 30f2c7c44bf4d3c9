public import Backlot

/// Widgets one below the other, with lines between them.
///
/// Source: Applin documentation, Widgets, form.
public struct Form: Widget, KeyedObject {
    /// The widgets, from top to bottom; may be empty.
    public let widgets: [any Widget]

    /// `form`
    public var typ: StaticString { "form" }

    /// The widgets, from top to bottom.
    public var children: [any Widget] { widgets }

    static let vocabulary = Kind(Form(widgets: []), "Widgets one below the other, with lines between them.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("widgets", widgets).recommended("The widgets, from top to bottom.", otherwise: [])
    }
}

/// Makes a ``Form``.
///
/// ```swift
/// form {
///     textfield("Name", varName: "name")
///     checkbox("I agree", varName: "agree")
///     formButton("Create Account", rpc("/create_account"), replaceAll("/"))
/// }
/// ```
public func form(@WidgetListBuilder _ widgets: () -> [any Widget]) -> Form {
    Form(widgets: widgets())
}

/// Widgets that belong together, under a title.
///
/// Source: Applin documentation, Widgets, form_section.
public struct FormSection: Widget, KeyedObject {
    /// The text above the widgets.
    public let title: String?
    /// The widgets, from top to bottom.
    public let widgets: [any Widget]

    /// `form_section`
    public var typ: StaticString { "form_section" }

    /// The widgets, from top to bottom.
    public var children: [any Widget] { widgets }

    static let vocabulary = Kind(FormSection(title: nil, widgets: []), "Widgets that belong together, under a title.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("title", title).optional("The text above the widgets.")
        keys("widgets", widgets).recommended("The widgets, from top to bottom.", otherwise: [])
    }
}

/// Makes a ``FormSection``.
///
/// ```swift
/// form {
///     formSection("Address") {
///         textfield("Street", varName: "street")
///         textfield("City", varName: "city")
///     }
/// }
/// ```
public func formSection(_ title: String? = nil, @WidgetListBuilder _ widgets: () -> [any Widget]) -> FormSection {
    FormSection(title: title, widgets: widgets())
}
