import Backlot
public import BacklotJSON

/// Asks the user for the permission to use the location, and disappears once it is given.
///
/// Source: Dynamic Views documentation, Location Permission.
public struct LocationPermission: Widget {
    /// What interactions call it.
    public let id: String
    /// The space around it.
    public var padding: Padding?

    /// `snabble.locationPermission`
    public var type: StaticString { "snabble.locationPermission" }

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

/// Makes a ``LocationPermission``.
public func locationPermission(id: String) -> LocationPermission {
    LocationPermission(id: id)
}
