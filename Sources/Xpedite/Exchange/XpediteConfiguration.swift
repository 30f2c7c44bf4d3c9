public import Backlot

/// The settings of an app.
public struct XpediteConfiguration: Sendable {
    /// How long a session lives without a packet, in seconds: ten years.
    ///
    /// "The mobile app can remain running long after your web server session expires", so a session lives longer than the app
    /// runs. A client whose session has ended must begin again with `setConnection`.
    public var sessionLife = 10 * 365 * 86_400
    /// The clock that ends sessions.
    public var clock = SessionClock.system
    /// The largest packet, in bytes.
    public var packetLimit = 1 << 20
    /// The most bytes of forms that a session keeps, to check the values that come back: 32 KB. Values of larger forms aren't
    /// checked.
    public var formLimit = 32 * 1024
    /// How the reference's gaps about packets are read.
    public var readings = ExchangeReadings()
    /// How the reference's gaps about pages are read.
    public var rules = RuleReadings()
    /// What becomes of a page that breaks rules.
    public var validation = Validation.automatic

    /// The default configuration.
    public init() {}
}
