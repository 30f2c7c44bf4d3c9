public import Backlot

/// One or two of the last purchases. A tap on one shows its receipt; another shows more of them.
///
/// Source: Dynamic Views documentation, Last Purchases.
public struct LastPurchases: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    var projectId: String?
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `snabble.lastPurchases`
    public var type: StaticString { "snabble.lastPurchases" }

    static let vocabulary = Kind(
        LastPurchases(id: ""),
        "One or two of the last purchases.",
        formerNames: ["purchases": Kind.renamed("snabble.lastPurchases")]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.projectId(projectId)
    }

    /// Names the project whose purchases are shown.
    public consuming func projectId(_ projectId: String?) -> LastPurchases {
        changing(self) { $0.projectId = projectId }
    }
}

extension LastPurchases {
    init(_ wire: WireReader) throws(WireError) {
        self.init(id: try wire.requiredString("id"), projectId: try wire.string("projectId"))
    }
}

/// Makes a ``LastPurchases``.
public func lastPurchases(id: String) -> LastPurchases {
    LastPurchases(id: id)
}
