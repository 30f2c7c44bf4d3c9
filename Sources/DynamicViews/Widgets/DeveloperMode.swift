public import Backlot
public import BacklotJSON

/// Widgets for developers, shown once developer mode is on.
///
/// Source: Dynamic Views documentation, Developer Mode. iOS clients ignore its padding, and Android clients don't know it.
public struct DeveloperMode: Widget {
    /// The name in interactions.
    public let id: String
    /// The widgets, from top to bottom.
    public internal(set) var items: [any Widget]
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `developerMode`
    public var type: StaticString { "developerMode" }
    /// The widgets, from top to bottom.
    public var children: [any Widget] { items }

    init(id: String, items: [any Widget]) {
        self.id = id
        self.items = items
    }

    init(_ wire: WireReader, _ dialect: Dialect) throws(WireError) {
        id = try wire.requiredString("id")
        items = try wire.widgets("items", dialect)
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) { $0.field("items", items) }
    }
}

extension DeveloperMode {
    static let vocabulary = Kind.widget(
        "developerMode",
        "Widgets for developers, shown once developer mode is on.",
        support: .on("ios"),
        instead: Kind.leftOutForAndroid,
        keys: [.required("items", .objects(.widget), "The widgets, from top to bottom.")]
    )
}

/// Makes a ``DeveloperMode``.
public func developerMode(id: String, @ListBuilder<any Widget> _ items: () -> [any Widget]) -> DeveloperMode {
    DeveloperMode(id: id, items: items())
}
