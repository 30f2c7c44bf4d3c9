/// When sessions end.
struct SessionTimes: Equatable, Sendable {
    /// How long a session lives without a request, in seconds.
    let idle: Int
    /// How long a session lives after its log-in, in seconds.
    let absolute: Int
    /// How much time passes before a session's last request is written again, in seconds.
    let touch: Int

    init(_ configuration: SessionConfiguration) {
        idle = configuration.idleTimeout
        absolute = configuration.absoluteTimeout
        touch = min(configuration.touchInterval, configuration.idleTimeout / 2)
    }

    /// When a session that was last seen at `lastSeen` ends, both in seconds since 1970.
    func expiry(createdAt: Int, lastSeen: Int) -> Int {
        min(lastSeen + idle, lastPossibleExpiry(createdAt: createdAt))
    }

    /// When a session ends at the latest, in seconds since 1970. Its cookie ends then too.
    func lastPossibleExpiry(createdAt: Int) -> Int { createdAt + absolute }

    /// Whether a stored session still lives. The time-outs of now count too, which may be shorter than those it was
    /// stored with.
    func isLive(_ record: SessionRecord, at now: Int) -> Bool {
        now < min(record.expiresAt, expiry(createdAt: record.createdAt, lastSeen: record.lastSeen))
    }

    /// Whether it is time to write again when a session was last seen.
    func isTouchDue(_ record: SessionRecord, at now: Int) -> Bool {
        now > record.lastSeen && now - record.lastSeen >= touch
    }
}
