import Backlot
public import BacklotJSON

/// Leads to the list of all shops.
///
/// Source: Dynamic Views documentation, All Stores.
public struct AllStores: Widget {
    /// What interactions call it.
    public let id: String
    /// The space around it.
    public var padding: Padding?

    /// `snabble.allStores`
    public var type: StaticString { "snabble.allStores" }

    init(id: String) { self.id = id }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self)
    }
}

/// Makes an ``AllStores``.
public func allStores(id: String) -> AllStores {
    AllStores(id: id)
}
