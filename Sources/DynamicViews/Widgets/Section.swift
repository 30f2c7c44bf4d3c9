public import Backlot
public import BacklotJSON

/// Widgets that belong together, under a heading, in a document whose style is list.
///
/// Source: Dynamic Views documentation, Section. iOS clients ignore its padding.
public struct Section: Widget {
    /// The name in interactions.
    public let id: String
    /// The heading's localisation key.
    public let header: String
    /// The widgets, from top to bottom.
    public internal(set) var items: [any Widget]
    /// The space around it, for Android clients.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `section`
    public var type: StaticString { "section" }
    /// The widgets, from top to bottom.
    public var children: [any Widget] { items }

    init(id: String, header: String, items: [any Widget]) {
        self.id = id
        self.header = header
        self.items = items
    }

    init(_ wire: WireReader, _ dialect: Dialect) throws(WireError) {
        id = try wire.requiredString("id")
        header = try wire.requiredString("header")
        items = try wire.widgets("items", dialect)
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) {
            $0.field("header", header)
            $0.field("items", items)
        }
    }
}

extension Section {
    static let vocabulary = Kind.widget(
        "section",
        "Widgets that belong together, under a heading, in a document whose style is list.",
        keys: [
            .required("header", .text(.localisationKey), "The heading."),
            .required("items", .objects(.widget), "The widgets, from top to bottom."),
        ]
    )
}

/// Makes a ``Section``.
///
/// - Parameter header: the heading's localisation key.
public func section(
    _ header: String,
    id: String,
    @ListBuilder<any Widget> _ items: () -> [any Widget]
) -> Section {
    Section(id: id, header: header, items: items())
}
