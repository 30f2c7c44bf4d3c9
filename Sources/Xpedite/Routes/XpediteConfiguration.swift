public import Backlot

/// The settings of an app.
public struct XpediteConfiguration: Sendable {
    /// How long a session lives without a packet: ten years.
    ///
    /// "The mobile app can remain running long after your web server session expires", so a session lives longer than the app
    /// runs. A client whose session has ended must begin again with `setConnection`.
    public var sessionLife = Duration.seconds(10 * 365 * 86_400)
    /// The most sessions in which nobody is logged in.
    public var sessionLimits = SessionLimits()
    /// The clock that ends sessions.
    public var clock = SessionClock.system
    /// The largest packet, in bytes.
    public var packetLimit = 1 << 20
    /// The most bytes of forms that a session keeps, to check the values that come back: 32 KB. Values of larger forms aren't
    /// checked.
    public var formLimit = 32 * 1024
    /// The readings of the reference's gaps about packets and answers.
    public var readings = ExchangeReadings()
    /// The readings of the reference's gaps about pages.
    public var rules = XpediteRuleReadings()
    /// What becomes of a page that breaks rules.
    public var validation = Validation.automatic

    /// The default configuration.
    public init() {}
}

/// How many sessions without a log-in clients may begin, in one process. With one more, the oldest in which no method was called
/// ends, or else the oldest.
///
/// Addresses are `Request.clientAddress`, of IPv6 the first 64 bits: behind proxies that the server doesn't trust
/// (`ServerConfiguration.trustedProxies`) all clients seem to share one.
public struct SessionLimits: Sendable {
    /// The most sessions of one device, which says its `uuid` when it connects, from one address.
    public var perDevice = 4
    /// The most sessions from one address. Many devices may share it.
    public var perAddress = 1000

    /// The default limits.
    public init() {}
}
