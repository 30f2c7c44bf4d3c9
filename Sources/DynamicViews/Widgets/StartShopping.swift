import Backlot
public import BacklotJSON

/// Starts the scanner, for a user who has entered a shop.
///
/// Source: Dynamic Views documentation, Start Shopping.
public struct StartShopping: Widget {
    /// What interactions call it.
    public let id: String
    /// The space around it.
    public var padding: Padding?

    /// `snabble.startShopping`
    public var type: StaticString { "snabble.startShopping" }

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

/// Makes a ``StartShopping``.
public func startShopping(id: String) -> StartShopping {
    StartShopping(id: id)
}
