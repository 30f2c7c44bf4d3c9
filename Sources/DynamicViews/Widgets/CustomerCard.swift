import Backlot
public import BacklotJSON

/// A customer card.
///
/// Source: Dynamic Views documentation, Customer Card. Android clients need a text, and iOS clients ignore it.
public struct CustomerCard: Widget {
    /// The name in interactions.
    public let id: String
    var projectId: String?
    var text: String?
    var image: String?
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `snabble.customerCard`
    public var type: StaticString { "snabble.customerCard" }

    init(id: String) { self.id = id }

    init(_ wire: WireReader, _ dialect: Dialect) throws(WireError) {
        id = try wire.requiredString("id")
        projectId = try wire.string("projectId")
        // iOS clients don't look at these, whatever they are.
        let isAndroid = dialect.platform == .android
        text = isAndroid ? try wire.string("text") : wire.value("text")?.string
        image = isAndroid ? try wire.string("image") : wire.value("image")?.string
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        let isAndroid = writer.dialect.platform == .android
        writer.widget(self) {
            $0.field("text", isAndroid ? text : nil)
            $0.field("image", isAndroid ? image : nil)
            $0.field("projectId", projectId)
        }
    }

    /// Names the project whose card is shown.
    public consuming func projectId(_ projectId: String?) -> CustomerCard {
        changing(self) { $0.projectId = projectId }
    }

    /// Shows a text on the card, by its localisation key. Android clients need it; iOS clients aren't sent it.
    public consuming func text(_ text: String?) -> CustomerCard { changing(self) { $0.text = text } }

    /// Shows a picture on the card, by its name among the app's. Only Android clients are sent it.
    public consuming func image(_ image: String?) -> CustomerCard { changing(self) { $0.image = image } }
}

extension CustomerCard {
    static let vocabulary = Kind.widget(
        "snabble.customerCard",
        "A customer card.",
        keys: [
            .required("text", .text(.localisationKey), "The text on the card.", support: .on("android")),
            .optional("image", .text(.pictureName), "The picture on the card.", support: .on("android")),
            .projectId,
        ]
    )
}

/// Makes a ``CustomerCard``.
public func customerCard(id: String) -> CustomerCard {
    CustomerCard(id: id)
}
