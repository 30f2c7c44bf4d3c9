/// Decides when an HTTP/2 connection ends (RFC 9113, section 6.8). A value without I/O; its times are milliseconds of the loop's
/// clock.
struct HTTP2Ending: Equatable {
    /// The stages of the end.
    enum Phase: Equatable {
        case none
        /// The server has announced that it will accept no more streams; since when.
        case announced(Int64)
        /// No further stream is accepted; those that are open continue.
        case begun
        /// Nothing is read any more.
        case terminated
    }

    private(set) var stage = Phase.none
    /// When a stream last began or ended.
    var lastActive: Int64
    var hasHadRequest = false

    /// - Parameter began: when the client sent its first byte.
    init(began: Int64) {
        lastActive = began
    }

    var isTerminated: Bool { stage == .terminated }

    /// Whether the announcement is to be sent.
    mutating func announce(at now: Int64) -> Bool { move(to: .announced(now), if: stage == .none) }

    /// Whether to refuse further streams now: the client has seen the announcement.
    mutating func finishAnnouncement() -> Bool { move(to: .begun, if: isAnnounced) }

    /// The same without an announcement, of a client that has sent its last byte.
    mutating func begin() -> Bool { move(to: .begun, if: stage == .none || isAnnounced) }

    /// Whether the connection is to be ended at once.
    mutating func terminate() -> Bool { move(to: .terminated, if: !isTerminated) }

    private mutating func move(to next: Phase, if isDue: Bool) -> Bool {
        if isDue { stage = next }
        return isDue
    }

    private var isAnnounced: Bool {
        if case .announced = stage { true } else { false }
    }

    // MARK: Time

    /// When to look next at a connection without streams.
    ///
    /// - Parameter blockBegan: when the header list began that is being read.
    func deadline(blockBegan: Int64?, _ waits: Waits) -> Int64 {
        blockBegan.map { $0 + waits.head } ?? announcementDeadline(waits) ?? idleDeadline(waits)
    }

    /// Whether the client's time to react to the announcement is over.
    func isAnnouncementOver(at now: Int64, _ waits: Waits) -> Bool {
        announcementDeadline(waits).map { $0 <= now } ?? false
    }

    /// Whether a header list has taken too long, or a connection without streams has.
    func isTimeOver(at now: Int64, blockBegan: Int64?, hasStreams: Bool, _ waits: Waits) -> Bool {
        if let blockBegan, blockBegan + waits.head <= now { return true }
        return !hasStreams && idleDeadline(waits) <= now
    }

    private func announcementDeadline(_ waits: Waits) -> Int64? {
        if case .announced(let since) = stage { since + waits.linger } else { nil }
    }

    /// A client that has sent nothing but the preface and SETTINGS has no longer than one that has sent no head.
    private func idleDeadline(_ waits: Waits) -> Int64 { lastActive + (hasHadRequest ? waits.idle : waits.head) }
}
