public import Backlot

/// A text to read.
///
/// Source: Dynamic Views documentation, Text.
public struct Text: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    var textColor: ColorName?
    var textStyle: TextStyle?
    var showDisclosure: Bool?
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `text`
    public var type: StaticString { "text" }

    static let vocabulary = Kind(Text(id: "", text: ""), "A text to read.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.text(text)
        keys("textColor", textColor?.rawValue).optional(
            "The text's colour, by the name that the app gives it, such as label."
        )
        keys("textStyle", textStyle?.rawValue).optional("The style of the text, by its name, such as title.")
        keys("showDisclosure", showDisclosure).optional("Whether an arrow shows that a tap leads on.", default: false)
    }

    /// Colours the text, with one of the app's colour names.
    public consuming func textColor(_ color: ColorName?) -> Text { changing(self) { $0.textColor = color } }

    /// Chooses the style of the text.
    public consuming func textStyle(_ style: TextStyle?) -> Text { changing(self) { $0.textStyle = style } }

    /// Shows an arrow: a tap leads on.
    public consuming func showDisclosure(_ shows: Bool? = true) -> Text { changing(self) { $0.showDisclosure = shows } }
}

extension Text {
    init(_ object: DocumentObject) throws(DocumentError) {
        self.init(
            id: try object.requiredString("id"),
            text: try object.requiredString("text"),
            textColor: try object.string("textColor").map(ColorName.init(rawValue:)),
            textStyle: try object.string("textStyle").map(TextStyle.init(rawValue:)),
            showDisclosure: try object.bool("showDisclosure")
        )
    }
}

/// Makes a ``Text``.
///
/// ```swift
/// document { text("Dashboard.title", id: "title").textStyle(.title).textColor(.accent) }
/// ```
/// - Parameter text: the text's localisation key.
public func text(_ text: String, id: String) -> Text {
    Text(id: id, text: text)
}
