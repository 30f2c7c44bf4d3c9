/// Decides when an HTTP/2 connection ends (RFC 9113, section 6.8). A value type without I/O. Its times are milliseconds of the
/// loop's clock.
struct HTTP2Ending: Equatable {
    /// The stages of a connection's end.
    enum Phase: Equatable {
        case none
        /// The server announced at this time that it will soon refuse new streams.
        case announced(Int64)
        /// The server accepts no further streams; open ones continue.
        case begun
        /// The server has stopped reading.
        case terminated
    }

    private(set) var stage = Phase.none
    /// The time when a stream last began or ended.
    var lastActive: Int64
    var hasHadRequest = false

    /// - Parameter began: the time of the client's first byte.
    init(began: Int64) {
        lastActive = began
    }

    var isTerminated: Bool { stage == .terminated }

    /// Whether to send the announcement.
    mutating func announce(at now: Int64) -> Bool { move(to: .announced(now), if: stage == .none) }

    /// Whether to refuse further streams now that the client has seen the announcement.
    mutating func finishAnnouncement() -> Bool { move(to: .begun, if: isAnnounced) }

    /// Whether to refuse further streams without an announcement, since the client has sent its last byte.
    mutating func begin() -> Bool { move(to: .begun, if: stage == .none || isAnnounced) }

    /// Whether to end the connection at once.
    mutating func terminate() -> Bool { move(to: .terminated, if: !isTerminated) }

    private mutating func move(to next: Phase, if isDue: Bool) -> Bool {
        if isDue { stage = next }
        return isDue
    }

    private var isAnnounced: Bool {
        if case .announced = stage { true } else { false }
    }

    // MARK: Time

    /// The time of the next check of a connection without streams.
    ///
    /// - Parameter blockBegan: the time when the current header list began.
    func deadline(blockBegan: Int64?, _ waits: Waits) -> Int64 {
        blockBegan.map { $0 + waits.head } ?? announcementDeadline(waits) ?? idleDeadline(waits)
    }

    /// Whether the client's time to react to the announcement is over.
    func isAnnouncementOver(at now: Int64, _ waits: Waits) -> Bool {
        announcementDeadline(waits).map { $0 <= now } ?? false
    }

    /// Whether the time for a header list, or for a connection without streams, is over.
    func isTimeOver(at now: Int64, blockBegan: Int64?, hasStreams: Bool, _ waits: Waits) -> Bool {
        if let blockBegan, blockBegan + waits.head <= now { return true }
        return !hasStreams && idleDeadline(waits) <= now
    }

    private func announcementDeadline(_ waits: Waits) -> Int64? {
        if case .announced(let since) = stage { since + waits.linger } else { nil }
    }

    /// Before its first request, a client has only the time for a head. The preface and SETTINGS don't extend that time.
    private func idleDeadline(_ waits: Waits) -> Int64 { lastActive + (hasHadRequest ? waits.idle : waits.head) }
}
