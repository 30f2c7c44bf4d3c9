import Backlot
public import BacklotJSON

/// A text for the user to notice, with an optional picture at its left.
///
/// Source: Dynamic Views documentation, Information. Clients read `image`, which the documentation calls imageSource. Android
/// clients don't know `hideable`.
public struct Information: Widget {
    /// The name in interactions.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// Whether the user can hide it.
    public let hideable: Bool
    var image: String?
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `information`
    public var type: StaticString { "information" }

    init(id: String, text: String, hideable: Bool) {
        self.id = id
        self.text = text
        self.hideable = hideable
    }

    init(_ wire: WireReader, _ dialect: Dialect) throws(WireError) {
        id = try wire.requiredString("id")
        text = try wire.requiredString("text")
        let isAndroid = dialect.platform == .android
        hideable = isAndroid ? false : try wire.required("hideable", try wire.bool("hideable"))
        image = try wire.string("image")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        let hideable = writer.dialect.platform == .android ? nil : hideable
        writer.widget(self) {
            $0.field("text", text)
            $0.field("image", image)
            $0.field("hideable", hideable)
        }
    }

    /// Shows a picture, by its name among the app's.
    public consuming func image(_ image: String?) -> Information { changing(self) { $0.image = image } }
}

extension Information {
    static let vocabulary = Kind.widget(
        "information",
        "A text for the user to notice, with an optional picture at its left.",
        misnomers: ["imageSource": "Write \"image\"."],
        keys: [
            .text,
            .optional("image", .text(.pictureName), "The picture."),
            .required("hideable", .bool, "Whether the user can hide it.", support: .on("ios")),
        ]
    )
}

/// Makes an ``Information``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - hideable: whether the user can hide it.
public func information(_ text: String, id: String, hideable: Bool) -> Information {
    Information(id: id, text: text, hideable: hideable)
}
