import Backlot
public import BacklotJSON

/// One or two of the last purchases. A tap on one shows its receipt; another shows more of them.
///
/// Source: Dynamic Views documentation, Last Purchases.
public struct LastPurchases: Widget {
    /// The name in interactions.
    public let id: String
    var projectId: String?
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `snabble.lastPurchases`
    public var type: StaticString { "snabble.lastPurchases" }

    init(id: String) { self.id = id }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        projectId = try wire.string("projectId")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) { $0.field("projectId", projectId) }
    }

    /// Names the project whose purchases are shown.
    public consuming func projectId(_ projectId: String?) -> LastPurchases {
        changing(self) { $0.projectId = projectId }
    }
}

extension LastPurchases {
    static let vocabulary = Kind.widget(
        "snabble.lastPurchases",
        "One or two of the last purchases.",
        formerNames: ["purchases": Kind.renamed("snabble.lastPurchases")],
        keys: [.projectId]
    )
}

/// Makes a ``LastPurchases``.
public func lastPurchases(id: String) -> LastPurchases {
    LastPurchases(id: id)
}
