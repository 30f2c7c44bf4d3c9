public import Backlot

/// A text for the user to notice, with an optional picture at its left.
///
/// Source: Dynamic Views documentation, Information. Clients read `image`, which the documentation calls imageSource. Android
/// clients don't know `hideable`.
public struct Information: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// Whether the user can hide the information.
    public let hideable: Bool
    var image: String?
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `information`
    public var type: StaticString { "information" }

    static let vocabulary = Kind(
        Information(id: "", text: "", hideable: false),
        "A text for the user to notice, with an optional picture at its left.",
        misnomers: ["imageSource": "Write \"image\"."]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.text(text)
        keys("image", image).optional("The picture.", .text(.pictureName))
        keys("hideable", keys.isForAndroid ? nil : hideable).required(
            "Whether the user can hide it.",
            support: .on("ios")
        )
    }

    /// Shows a picture, by its name among the app's.
    public consuming func image(_ image: String?) -> Information { changing(self) { $0.image = image } }
}

extension Information {
    init(_ object: DocumentObject, _ dialect: Dialect) throws(DocumentError) {
        let isAndroid = dialect.platform == .android
        self.init(
            id: try object.requiredString("id"),
            text: try object.requiredString("text"),
            hideable: isAndroid
                // A file for both platforms has it for the others.
                ? object.value("hideable")?.bool ?? false
                : try object.required("hideable", try object.bool("hideable")),
            image: try object.string("image")
        )
    }
}

/// Makes an ``Information``.
///
/// ```swift
/// document { information("Dashboard.holidays", id: "holidays", hideable: true) }
/// ```
/// - Parameters:
///   - text: the text's localisation key.
///   - hideable: whether the user can hide it.
public func information(_ text: String, id: String, hideable: Bool) -> Information {
    Information(id: id, text: text, hideable: hideable)
}
