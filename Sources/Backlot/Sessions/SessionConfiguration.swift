/// How long sessions live, how large they may be, and what their cookie says.
public struct SessionConfiguration: Sendable {
    /// To which requests from other sites a browser adds the cookie. Mobile clients ignore it.
    public typealias SameSite = SetCookie.SameSite

    /// How long a session lives without a request: 90 days.
    ///
    /// People open a mobile app once in a while and expect to be logged in still; the device's lock is what protects it.
    /// Set less for an app that handles money.
    public var idleTimeout = Duration.days(90)
    /// The lifetime of a session without a user after its last request, at most `idleTimeout`: 7 days. Anybody can begin
    /// as many as they like.
    public var anonymousTimeout = Duration.days(7)
    /// How long a session lives after its log-in, however often it is used: 365 days by default, at most 400,
    /// because browsers keep no cookie longer.
    ///
    /// The cookie lives so long too: it never goes before the session does, and needs no renewal. A session that has been
    /// idle too long is dead all the same, because the server keeps the time.
    public var absoluteTimeout = Duration.days(365)
    /// How much time passes before a session's last request is written to the store again: a minute. An idle
    /// session may end that much early. At most half of `anonymousTimeout` is used.
    public var touchInterval = Duration.seconds(60)
    /// The largest session, in bytes of its user's name and its encoded values. More is a programmer's error (500).
    public var maximumBytes = 64 * 1024
    /// The `SameSite` attribute of the cookie.
    public var sameSite = SameSite.lax
    /// Refuses requests that pages of other sites make with the cookie. Name the origins of web clients whose pages may make them;
    /// nil lets all of them in.
    public var crossSiteDefence: CrossSiteDefence? = CrossSiteDefence()
    /// The proxies that are believed when they say that a request came by HTTPS, besides those that the server trusts
    /// (`ServerConfiguration.trustedProxies`). The cookie is `Secure` then, and over TLS.
    public var trustedProxies: [AddressRange] = []
    /// The text for users who must log in first (403).
    public var logInText = "Please log in."
    /// When a client may try again while the store can't be reached (503).
    public var retryAfter = Duration.seconds(5)
    /// The clock.
    public var clock = SessionClock.system
    /// The system's random generator, unless a test brings its own.
    var randomBytes: @Sendable (_ count: Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        var word: UInt64 = 0
        // The generator is asked for eight bytes at a time, since each time is a call of the system.
        return (0..<count).map { index in
            word = index % 8 == 0 ? generator.next() : word >> 8
            return UInt8(truncatingIfNeeded: word)
        }
    }

    /// The default configuration.
    public init() {}

    /// Stops the program when a value makes no sense.
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

    /// A new id, which nobody can guess.
    func makeID() -> SessionID { SessionID(randomBytes: randomBytes(SessionID.byteCount)) }
}

extension Duration {
    /// Days of 24 hours.
    package static func days(_ days: Int) -> Duration { .seconds(days * 86_400) }
}

/// When sessions end.
struct SessionTimes: Equatable, Sendable {
    /// How long a session lives without a request, in seconds.
    let idle: Int
    /// How long a session that nobody is logged in to lives without a request, in seconds.
    let anonymous: Int
    /// How long a session lives after its log-in, in seconds.
    let absolute: Int
    /// How much time passes before a session's last request is written again, in seconds.
    let touch: Int

    init(_ configuration: SessionConfiguration) {
        idle = configuration.idleTimeout.wholeSeconds
        anonymous = min(idle, configuration.anonymousTimeout.wholeSeconds)
        absolute = configuration.absoluteTimeout.wholeSeconds
        touch = min(configuration.touchInterval.wholeSeconds, anonymous / 2)
    }

    /// When a session that was last seen at `lastSeen` ends, both in seconds since 1970.
    func expiry(createdAt: Int, lastSeen: Int, user: String?) -> Int {
        min(lastSeen + (user == nil ? anonymous : idle), lastPossibleExpiry(createdAt: createdAt))
    }

    /// When a session ends at the latest, in seconds since 1970. Its cookie ends then too.
    func lastPossibleExpiry(createdAt: Int) -> Int { createdAt + absolute }

    /// Whether a stored session still lives. The time-outs of now count too, which may be shorter than those it was
    /// stored with.
    func isLive(_ record: SessionRecord, at now: Int) -> Bool {
        now < min(record.expiresAt, expiry(createdAt: record.createdAt, lastSeen: record.lastSeen, user: record.user))
    }

    /// Whether it is time to write again when a session was last seen.
    func isTouchDue(_ record: SessionRecord, at now: Int) -> Bool {
        now > record.lastSeen && now - record.lastSeen >= touch
    }
}

/// Where sessions take the time from: the system's clock, or in tests one that is set by hand.
public struct SessionClock: Sendable {
    /// The system's clock.
    public static let system = SessionClock { HTTPDate.now.secondsSince1970 }

    private let read: @Sendable () -> Int

    /// A clock that asks `read` for the whole seconds since 1970 began in UTC.
    public init(_ read: @escaping @Sendable () -> Int) { self.read = read }

    /// Now, in whole seconds since 1970 began in UTC.
    public var secondsSince1970: Int { read() }
}
