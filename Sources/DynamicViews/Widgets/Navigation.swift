public import Backlot

/// A row that leads to another document.
///
/// Source: the public source of the iOS client; it is not documented. Android clients don't know it.
public struct Navigation: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The document that the row leads to.
    public let resource: String
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `navigation`
    public var type: StaticString { "navigation" }

    static let vocabulary = Kind(
        Navigation(id: "", text: "", resource: ""),
        "A row that leads to another document.",
        support: .on("ios"),
        instead: Kind.leftOutForAndroid
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.text(text)
        keys("resource", resource).required("The document that it leads to.")
    }
}

extension Navigation {
    init(_ object: DocumentObject) throws(DocumentError) {
        self.init(
            id: try object.requiredString("id"),
            text: try object.requiredString("text"),
            resource: try object.requiredString("resource")
        )
    }
}

/// Makes a ``Navigation``.
///
/// ```swift
/// document { navigation("Profile.terms", id: "terms", resource: "terms") }  // leads to the view "terms"
/// ```
/// - Parameters:
///   - text: the text's localisation key.
///   - resource: the document that the row leads to.
public func navigation(_ text: String, id: String, resource: String) -> Navigation {
    Navigation(id: id, text: text, resource: resource)
}
