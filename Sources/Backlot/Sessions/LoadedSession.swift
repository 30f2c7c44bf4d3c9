/// A session as it was loaded for one request, and what was done to it since. Most requests only ask who is logged in: what takes
/// the stored session apart is done for the others.
struct LoadedSession: Sendable {
    /// Which session it is.
    private(set) var choice = SessionChoice.none
    private(set) var isLoaded = false
    /// Whether the session's last request is long enough ago to be noted anew.
    private var isTouchDue = false
    private var opened: SessionState?

    /// Notes what was loaded.
    ///
    /// - Parameter now: the time, in seconds since 1970.
    mutating func load(_ choice: SessionChoice, times: SessionTimes, now: Int) {
        self.choice = choice
        isLoaded = true
        if case .one(let record) = choice { isTouchDue = times.isTouchDue(record, at: now) }
    }

    /// Who is logged in.
    var user: String? {
        if let opened { return opened.user }
        guard case .one(let record) = choice else { return nil }
        return record.user
    }

    /// Whether the session gets a new id, however the old one was named.
    var changesID: Bool { opened.map { $0.logsIn || $0.renews } ?? false }

    /// Whether nothing is to be saved.
    var isUnchanged: Bool { !isTouchDue && opened?.isUnchanged ?? true }

    /// Changes the session.
    ///
    /// - Parameter open: takes the stored session apart.
    mutating func change<Result>(
        _ open: (SessionChoice) -> SessionState,
        _ body: (inout SessionState) -> Result
    ) -> Result {
        var state = opened ?? open(choice)
        // Nothing else refers to the values while they change, so that they needn't be copied.
        opened = nil
        defer { opened = state }
        return body(&state)
    }
}
