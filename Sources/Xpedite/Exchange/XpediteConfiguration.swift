public import Backlot

/// How an app talks to its clients.
public struct XpediteConfiguration: Sendable {
    /// How long a session lives without a packet, in seconds: ten years.
    ///
    /// "The mobile app can remain running long after your web server session expires": so a session is to outlive it. A client
    /// whose session has ended must begin anew with `setConnection`.
    public var sessionLife = 10 * 365 * 86_400
    /// The clock that sessions end by.
    public var clock = SessionClock.system
    /// The largest packet, in bytes.
    public var packetLimit = 1 << 20
    /// The most bytes of forms that are kept in a session, to check what comes back: 32 KB. A larger form is not checked.
    public var formLimit = 32 * 1024
    /// How the exchange's gaps are read.
    public var readings = Readings()
    /// How the rules' gaps are read.
    public var rules = RuleReadings()
    /// What becomes of a page that breaks rules.
    public var validation = PageValidation.automatic

    /// The default configuration.
    public init() {}
}
