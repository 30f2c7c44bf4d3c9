import Backlot
public import BacklotJSON

/// A row that leads to another document.
///
/// Source: the public source of the iOS client; it is not documented. Android clients don't know it.
public struct Navigation: Widget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The document that it leads to.
    public let resource: String
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `navigation`
    public var type: StaticString { "navigation" }

    init(id: String, text: String, resource: String) {
        self.id = id
        self.text = text
        self.resource = resource
    }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        text = try wire.requiredString("text")
        resource = try wire.requiredString("resource")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) {
            $0.field("text", text)
            $0.field("resource", resource)
        }
    }
}

extension Navigation {
    static let vocabulary = Kind.widget(
        "navigation",
        "A row that leads to another document.",
        support: .on("ios"),
        instead: Kind.leftOutForAndroid,
        keys: [.text, .required("resource", .string, "The document that it leads to.")]
    )
}

/// Makes a ``Navigation``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - resource: the document that it leads to.
public func navigation(_ text: String, id: String, resource: String) -> Navigation {
    Navigation(id: id, text: text, resource: resource)
}
