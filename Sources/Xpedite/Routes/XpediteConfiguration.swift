public import Backlot

/// The settings of an app.
public struct XpediteConfiguration: Sendable {
    /// The lifetime of a session without a packet: ten years.
    ///
    /// "The mobile app can remain running long after your web server session expires", so a session outlives the app's run. After the
    /// end of its session, a client must begin again with `setConnection`.
    public var sessionLifetime = Duration.seconds(10 * 365 * 86_400)
    /// The maximum number of sessions without a log-in.
    public var sessionLimits = SessionLimits()
    /// The clock that ends sessions.
    public var clock = SessionClock.system
    /// The largest packet, in bytes.
    public var packetLimit = 1 << 20
    /// The maximum number of bytes of forms that a session keeps, to check the returned values: 32 KB. Values of larger forms
    /// aren't checked.
    public var formLimit = 32 * 1024
    /// This project's interpretations of points about packets and responses that the reference leaves open.
    public var readings = ExchangeReadings()
    /// This project's interpretations of points about pages that the reference leaves open.
    public var rules = XpediteRuleReadings()
    /// The treatment of a page that breaks rules.
    public var validation = Validation.automatic

    /// Creates the default configuration.
    public init() {}
}

/// The maximum number of sessions without a log-in that clients may begin, in one process. One more ends the oldest session without
/// a method call; if all have had calls, the oldest session.
///
/// Addresses are `Request.clientAddress`, of IPv6 the first 64 bits: behind proxies that the server doesn't trust
/// (`ServerConfiguration.trustedProxies`), all clients seem to share one address.
public struct SessionLimits: Sendable {
    /// The maximum number of sessions of one device from one address. A device sends its `uuid` when it connects.
    public var perDevice = 4
    /// The maximum number of sessions from one address. Many devices may share it.
    public var perAddress = 1000

    /// Creates the default limits.
    public init() {}
}
