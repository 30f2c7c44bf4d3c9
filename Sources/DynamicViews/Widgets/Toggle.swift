import Backlot
public import BacklotJSON

/// A switch, beside a text. The app stores whether it is on.
///
/// Source: Dynamic Views documentation, Toggle.
public struct Toggle: Widget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The key under which the app stores the state; no other widget may have it.
    public let key: String
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `toggle`
    public var type: StaticString { "toggle" }

    init(id: String, text: String, key: String) {
        self.id = id
        self.text = text
        self.key = key
    }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        text = try wire.requiredString("text")
        key = try wire.requiredString("key")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) {
            $0.field("text", text)
            $0.field("key", key)
        }
    }
}

extension Toggle {
    static let vocabulary = Kind.widget(
        "toggle",
        "A switch, beside a text.",
        keys: [
            .text,
            .required("key", .string, "The key under which the app stores the state; no other widget may have it."),
        ]
    )
}

/// Makes a ``Toggle``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - key: the key under which the app stores the state; no other widget may have it.
public func toggle(_ text: String, id: String, key: String) -> Toggle {
    Toggle(id: id, text: text, key: key)
}
