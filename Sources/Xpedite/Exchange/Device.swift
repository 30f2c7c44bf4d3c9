import BacklotJSON

/// What a client says of itself when a session begins. What it leaves out is nil.
///
/// Source: Xpedite API reference, Initialisation.
public struct Device: Sendable, Equatable {
    /// Which app it is.
    public let bundleID: String?
    /// Which device it is.
    public let uuid: String?
    /// How large its screen is, in logical pixels, as the client writes it.
    public let bounds: String?
    /// Which version of the client it is.
    public let xpediteVersion: Int?

    init(_ packet: JSONObject) {
        bundleID = packet["bundleID"]?.string
        uuid = packet["uuid"]?.string
        bounds = packet["bounds"].flatMap { $0.string ?? ($0.isNull ? nil : $0.description) }
        xpediteVersion = packet["xpediteVersion"]?.number?.int64.map { Int($0) }
    }
}
