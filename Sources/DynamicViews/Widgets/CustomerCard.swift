import Backlot
public import BacklotJSON

/// A customer card.
///
/// Source: Dynamic Views documentation, Customer Card. Its text is for Android clients, which need one.
public struct CustomerCard: Widget {
    /// What interactions call it.
    public let id: String
    var projectId: String?
    var text: String?
    /// The space around it.
    public var padding: Padding?

    /// `snabble.customerCard`
    public var type: StaticString { "snabble.customerCard" }

    init(id: String) { self.id = id }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        projectId = try wire.string("projectId")
        text = try wire.string("text")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        let text = writer.dialect.platform == .android ? text : nil
        writer.widget(self) {
            $0.field("text", text)
            $0.field("projectId", projectId)
        }
    }

    /// Names the project whose card is shown.
    public consuming func projectId(_ projectId: String?) -> CustomerCard {
        self.projectId = projectId
        return consume self
    }

    /// Shows a text on the card, by its localisation key, to Android clients. Others are not sent it.
    public consuming func text(_ text: String?) -> CustomerCard {
        self.text = text
        return consume self
    }
}

/// Makes a ``CustomerCard``.
public func customerCard(id: String) -> CustomerCard {
    CustomerCard(id: id)
}
