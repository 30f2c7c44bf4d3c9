import Backlot
public import BacklotJSON

/// Connects the device to the shop's network.
///
/// Source: Dynamic Views documentation, Connect Wifi.
public struct ConnectWifi: Widget {
    /// What interactions call it.
    public let id: String
    /// The space around it.
    public var padding: Padding?

    /// `snabble.connectWifi`
    public var type: StaticString { "snabble.connectWifi" }

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

/// Makes a ``ConnectWifi``.
public func connectWifi(id: String) -> ConnectWifi {
    ConnectWifi(id: id)
}
