/// The lifetime and size of sessions, and the settings of their cookie.
public struct SessionConfiguration: Sendable {
    /// The requests from other sites that may carry the cookie. Mobile clients ignore this attribute.
    public typealias SameSite = SetCookie.SameSite

    /// The lifetime of a session without a request: 90 days.
    ///
    /// People who open a mobile app once in a while expect to be still logged in, and the device's lock protects the session. Set a
    /// shorter time for an app that handles money.
    public var idleTimeout = Duration.days(90)
    /// The lifetime of a session without a user after its last request, at most `idleTimeout`: 7 days. It is short because anybody
    /// can start any number of such sessions.
    public var anonymousTimeout = Duration.days(7)
    /// The maximum lifetime of a session after its log-in, however often it is used: 365 days by default. The limit is 400 days,
    /// because browsers keep cookies no longer.
    ///
    /// The cookie has the same lifetime, so it never expires before the session and needs no renewal. A session that was idle for
    /// too long is invalid nevertheless, because the server tracks the time.
    public var absoluteTimeout = Duration.days(365)
    /// The minimum time between two writes of a session's last request: a minute. An idle session may end that much early. At most
    /// half of `anonymousTimeout` is used.
    public var touchInterval = Duration.seconds(60)
    /// The maximum size of a session, in bytes of its user's name and its encoded values. More is a programmer's error (500).
    public var maximumBytes = 64 * 1024
    /// The `SameSite` attribute of the cookie.
    public var sameSite = SameSite.lax
    /// Refuses requests with the cookie from pages of other sites. List the origins of your web clients in it; nil accepts all
    /// requests.
    public var crossSiteDefence: CrossSiteDefence? = CrossSiteDefence()
    /// The proxies that may declare that a request came by HTTPS, in addition to those that the server trusts
    /// (`ServerConfiguration.trustedProxies`). Then, and over TLS, the cookie is `Secure`.
    public var trustedProxies: [AddressRange] = []
    /// The text for users who must log in first (403).
    public var logInText = "Please log in."
    /// The time before a client may try again while the store is unreachable (503).
    public var retryAfter = Duration.seconds(5)
    /// The clock that decides when sessions end.
    public var clock = SessionClock.system
    /// The system's random generator, unless a test replaces it.
    var randomBytes: @Sendable (_ count: Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        var word: UInt64 = 0
        // It asks the generator for eight bytes at a time, because each time is a system call.
        return (0..<count).map { index in
            word = index % 8 == 0 ? generator.next() : word >> 8
            return UInt8(truncatingIfNeeded: word)
        }
    }

    /// Creates the default configuration.
    public init() {}

    /// Stops the program for invalid values.
    func validate() {
        precondition(idleTimeout >= .seconds(1), "idleTimeout must be at least 1 second, but is \(idleTimeout)")
        precondition(
            anonymousTimeout >= .seconds(1),
            "anonymousTimeout must be at least 1 second, but is \(anonymousTimeout)"
        )
        precondition(
            (.seconds(1)...(.days(400))).contains(absoluteTimeout),
            "absoluteTimeout must be 1 second to 400 days, but is \(absoluteTimeout)"
        )
        precondition(touchInterval >= .zero, "touchInterval must not be negative, but is \(touchInterval)")
        precondition(maximumBytes > 0, "maximumBytes must be at least 1, but is \(maximumBytes)")
        precondition(retryAfter >= .zero, "retryAfter must not be negative, but is \(retryAfter)")
    }

    /// A new id that can't be guessed.
    func makeID() -> SessionID { SessionID(randomBytes: randomBytes(SessionID.byteCount)) }
}

extension Duration {
    /// Days of 24 hours.
    package static func days(_ days: Int) -> Duration { .seconds(days * 86_400) }
}

/// The rules for the end of sessions.
struct SessionTimes: Equatable, Sendable {
    /// The lifetime of a session without a request, in seconds.
    let idle: Int
    /// The lifetime of a session without a user and without a request, in seconds.
    let anonymous: Int
    /// The maximum lifetime of a session after its log-in, in seconds.
    let absolute: Int
    /// The minimum time between two writes of a session's last request, in seconds.
    let touch: Int

    init(_ configuration: SessionConfiguration) {
        idle = configuration.idleTimeout.wholeSeconds
        anonymous = min(idle, configuration.anonymousTimeout.wholeSeconds)
        absolute = configuration.absoluteTimeout.wholeSeconds
        touch = min(configuration.touchInterval.wholeSeconds, anonymous / 2)
    }

    /// The end of a session that was last seen at `lastSeen`, both in seconds since 1970.
    func expiry(createdAt: Int, lastSeen: Int, user: String?) -> Int {
        min(lastSeen + (user == nil ? anonymous : idle), lastPossibleExpiry(createdAt: createdAt))
    }

    /// The latest end of a session, in seconds since 1970. Its cookie ends then too.
    func lastPossibleExpiry(createdAt: Int) -> Int { createdAt + absolute }

    /// Whether a stored session is still valid. The current time-outs apply too, which may be shorter than those at the time of
    /// storing.
    func isLive(_ record: SessionRecord, at now: Int) -> Bool {
        now < min(record.expiresAt, expiry(createdAt: record.createdAt, lastSeen: record.lastSeen, user: record.user))
    }

    /// Whether the time of a session's last request must be written again.
    func isTouchDue(_ record: SessionRecord, at now: Int) -> Bool {
        now > record.lastSeen && now - record.lastSeen >= touch
    }
}

/// The source of time for sessions: the system's clock, or one that a test sets by hand.
public struct SessionClock: Sendable {
    /// The system's clock.
    public static let system = SessionClock { HTTPDate.now.secondsSince1970 }

    private let read: @Sendable () -> Int

    /// Creates a clock that calls `read` for the time, in whole seconds since 1970-01-01 in UTC.
    public init(_ read: @escaping @Sendable () -> Int) { self.read = read }

    /// The current time, in whole seconds since 1970-01-01 in UTC.
    public var secondsSince1970: Int { read() }
}
