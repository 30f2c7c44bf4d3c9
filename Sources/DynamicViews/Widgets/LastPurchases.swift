public import Backlot

/// One or two of the last purchases. A tap on a purchase shows its receipt. A button shows more purchases.
///
/// Source: Dynamic Views documentation, Last Purchases. The public source of the iOS client needs its project.
public struct LastPurchases: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    var projectId: String?
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `snabble.lastPurchases`
    public var type: StaticString { "snabble.lastPurchases" }

    private static let projectMeaning = "The project of the purchases."
    static let vocabulary = Kind(
        LastPurchases(id: ""),
        "One or two of the last purchases.",
        formerNames: ["purchases": Kind.renamed("snabble.lastPurchases")]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.declare([
            .required("projectId", .string, Self.projectMeaning, support: .on("ios")),
            .optional("projectId", .string, Self.projectMeaning, support: .on("android")),
        ])
        keys.write { $0.field("projectId", projectId) }
    }

    /// Sets the project of the purchases.
    public consuming func projectId(_ projectId: String?) -> LastPurchases {
        changing(self) { $0.projectId = projectId }
    }
}

extension LastPurchases {
    init(_ object: DocumentObject, _ dialect: Dialect) throws(DocumentError) {
        let isNeeded = dialect.platform == .ios
        let projectId = isNeeded ? try object.requiredString("projectId") : try object.string("projectId")
        self.init(id: try object.requiredString("id"), projectId: projectId)
    }
}

/// Makes a ``LastPurchases``.
///
/// ```swift
/// document {
///     lastPurchases(projectId: "shop", id: "purchases").onReceipt { receipt, request in print(receipt) }
/// }
/// ```
/// - Parameter projectId: the project of the purchases.
public func lastPurchases(projectId: String, id: String) -> LastPurchases {
    LastPurchases(id: id, projectId: projectId)
}

/// Makes a ``LastPurchases`` without a project, which iOS clients refuse.
@available(*, deprecated, message: "iOS clients need the project: write lastPurchases(projectId: \"…\", id: \"…\")")
public func lastPurchases(id: String) -> LastPurchases {
    LastPurchases(id: id)
}
