public import Backlot

/// A customer card.
///
/// Source: Dynamic Views documentation, Customer Card. Android clients need a text, and iOS clients ignore it.
public struct CustomerCard: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    var projectId: String?
    var text: String?
    var image: String?
    /// The space around the card.
    public var padding: Padding?
    /// The handlers of the card's interactions.
    public var handlers = WidgetHandlers()

    /// `snabble.customerCard`
    public var type: StaticString { "snabble.customerCard" }

    static let vocabulary = Kind(CustomerCard(id: ""), "A customer card.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        let isAndroid = keys.isForAndroid
        keys("text", isAndroid ? text : nil).required(
            "The text on the card.",
            .text(.localisationKey),
            support: .on("android")
        )
        keys("image", isAndroid ? image : nil).optional(
            "The picture on the card.",
            .text(.pictureName),
            support: .on("android")
        )
        keys("projectId", projectId).optional("The project of the card.")
    }

    /// Sets the project of the card.
    public consuming func projectId(_ projectId: String?) -> CustomerCard {
        changing(self) { $0.projectId = projectId }
    }

    /// Shows a text on the card, by its localisation key. Android clients need it; iOS clients don't get it.
    public consuming func text(_ text: String?) -> CustomerCard { changing(self) { $0.text = text } }

    /// Shows one of the app's pictures on the card, by its name. Only Android clients get it.
    public consuming func image(_ image: String?) -> CustomerCard { changing(self) { $0.image = image } }
}

extension CustomerCard {
    init(_ object: DocumentObject, _ dialect: Dialect) throws(DocumentError) {
        // iOS clients ignore these keys.
        let isAndroid = dialect.platform == .android
        self.init(
            id: try object.requiredString("id"),
            projectId: try object.string("projectId"),
            text: isAndroid ? try object.string("text") : object.value("text")?.string,
            image: isAndroid ? try object.string("image") : object.value("image")?.string
        )
    }
}

/// Makes a ``CustomerCard``.
///
/// ```swift
/// document { customerCard(id: "card") }
/// ```
public func customerCard(id: String) -> CustomerCard {
    CustomerCard(id: id)
}
