public import Backlot

/// A group of widgets under a heading, in a document with the style list.
///
/// Source: Dynamic Views documentation, Section. iOS clients ignore its padding.
public struct Section: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The heading's localisation key.
    public let header: String
    /// The widgets, from top to bottom.
    public internal(set) var items: [any Widget]
    /// The space around the widget, for Android clients.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `section`
    public var type: StaticString { "section" }
    /// The widgets, from top to bottom.
    public var children: [any Widget] { items }

    static let vocabulary = Kind(
        Section(id: "", header: "", items: []),
        "A group of widgets under a heading, in a document with the style list."
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("header", header).required("The heading.", .text(.localisationKey))
        keys("items", items).required("The widgets, from top to bottom.")
    }
}

extension Section {
    init(_ object: DocumentObject, _ dialect: Dialect) throws(DocumentError) {
        self.init(
            id: try object.requiredString("id"),
            header: try object.requiredString("header"),
            items: try object.widgets("items", dialect)
        )
    }
}

/// Makes a ``Section``.
///
/// ```swift
/// document {
///     section("Profile.header", id: "settings") {
///         toggle("Profile.news", id: "news", key: "showNews")
///         version(id: "version")
///     }
/// }
/// ```
/// - Parameter header: the heading's localisation key.
public func section(
    _ header: String,
    id: String,
    @ListBuilder<any Widget> _ items: () -> [any Widget]
) -> Section {
    Section(id: id, header: header, items: items())
}
