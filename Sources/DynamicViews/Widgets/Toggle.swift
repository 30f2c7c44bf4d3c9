public import Backlot

/// A switch, beside a text. The app stores whether it is on.
///
/// Source: Dynamic Views documentation, Toggle.
///
/// ```swift
/// document { toggle("Profile.news", id: "news", key: "showNews").onToggle { isOn, request in print(isOn) } }
/// ```
public struct Toggle: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The app's key for the state; no other widget may have it.
    public let key: String
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `toggle`
    public var type: StaticString { "toggle" }

    static let vocabulary = Kind(Toggle(id: "", text: "", key: ""), "A switch, beside a text.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.text(text)
        keys("key", key).required("The key under which the app stores the state; no other widget may have it.")
    }
}

extension Toggle {
    init(_ object: DocumentObject) throws(DocumentError) {
        self.init(
            id: try object.requiredString("id"),
            text: try object.requiredString("text"),
            key: try object.requiredString("key")
        )
    }
}

/// Makes a ``Toggle``.
///
/// ```swift
/// document { toggle("Profile.news", id: "news", key: "showNews").onToggle { isOn, request in print(isOn) } }
/// ```
/// - Parameters:
///   - text: the text's localisation key.
///   - key: the app's key for the state; no other widget may have it.
public func toggle(_ text: String, id: String, key: String) -> Toggle {
    Toggle(id: id, text: text, key: key)
}
