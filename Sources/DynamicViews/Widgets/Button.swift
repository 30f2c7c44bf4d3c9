public import Backlot

/// A button to tap.
///
/// Source: Dynamic Views documentation, Button. Clients read `foregroundColor`, which the documentation misspells.
public struct Button: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The localisation key of the text on the button.
    public let text: String
    var foregroundColor: ColorName?
    var backgroundColor: ColorName?
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `button`
    public var type: StaticString { "button" }

    static let vocabulary = Kind(
        Button(id: "", text: ""),
        "A button to tap.",
        misnomers: [
            "forgroundColor": "Write \"foregroundColor\".",
            "key": "Remove it: the app knows the button by its id.",
        ]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.text(text)
        keys("foregroundColor", foregroundColor?.rawValue).optional(
            "The text's colour, by the name that the app gives it, such as label."
        )
        keys("backgroundColor", backgroundColor?.rawValue).optional(
            "The colour behind the text, by the name that the app gives it, such as systemBackground."
        )
    }

    /// Colours the text, with one of the app's colour names, such as `label`.
    public consuming func foregroundColor(_ color: ColorName?) -> Button {
        changing(self) { $0.foregroundColor = color }
    }

    /// Colours the background of the text, with one of the app's colour names, such as `systemBackground`.
    public consuming func backgroundColor(_ color: ColorName?) -> Button {
        changing(self) { $0.backgroundColor = color }
    }
}

extension Button {
    init(_ object: DocumentObject) throws(DocumentError) {
        self.init(
            id: try object.requiredString("id"),
            text: try object.requiredString("text"),
            foregroundColor: try object.string("foregroundColor").map(ColorName.init(rawValue:)),
            backgroundColor: try object.string("backgroundColor").map(ColorName.init(rawValue:))
        )
    }
}

/// Makes a ``Button``.
///
/// ```swift
/// document { button("Dashboard.help", id: "help").onTap { _, request in print("help") } }
/// ```
/// - Parameter text: the localisation key of the text on it.
public func button(_ text: String, id: String) -> Button {
    Button(id: id, text: text)
}
