/// What follows from a request's changes for the session's id: it stays, it gets a new one (rotation), or the session ends.
extension SessionState {
    /// Drops what a handler did that stopped halfway, but for what takes rights away: log-outs stay, and a user's session
    /// that was to get a new id ends.
    mutating func abandon() {
        isAbandoned = true
        if logsIn || renews, stored?.user != nil { startsOver = true }
    }

    /// The sessions that end, each by itself.
    var ended: [SessionHash] {
        let old = startsOver && (!hasToken || isAbandoned) ? [stored?.key].compactMap(\.self) : []
        return logsIn && !isAbandoned || logsOut ? old + surplus : old
    }

    /// Whether the client must forget its cookie, once nothing is left to be written.
    var clearsCookie: Bool { logsOut && !isAbandoned }

    /// What is to be written at `now`.
    ///
    /// - Parameter newKey: makes the key that the session gets if it gets a new one.
    mutating func write(
        at now: Int,
        newKey: @autoclosure () -> SessionHash
    ) throws(SessionError) -> SessionWrite {
        guard !isAbandoned else { return .nothing }
        values = try changes.applied(to: base)
        // A user who is logged out everywhere has no session left that could be emptied.
        guard let stored, !startsOver || hasToken && endedUsers.isEmpty else {
            guard user != nil || !values.entries.isEmpty else { return .nothing }
            return .insert(try record(newKey(), createdAt: now, at: now, version: 0))
        }
        let moves = logsIn || renews || startsOver
        guard moves || values != base else {
            guard times.isTouchDue(stored, at: now) else { return .nothing }
            let expiry = times.expiry(createdAt: stored.createdAt, lastSeen: now, user: stored.user)
            return .touch(stored.key, lastSeen: now, expiry)
        }
        let record = try record(
            moves ? newKey() : stored.key,
            createdAt: logsIn || startsOver ? now : stored.createdAt,
            at: max(now, stored.lastSeen),
            version: stored.version + 1
        )
        return .replace(stored.key, version: stored.version, record)
    }

    /// Goes on from what the store has now, because somebody was faster.
    ///
    /// Where the session is gone, somebody has ended or renewed it: only a log-in goes on, with a new session.
    mutating func rebase(onto record: SessionRecord?, at now: Int) {
        if let record, record.mount == mount, record.user == stored?.user, times.isLive(record, at: now) {
            stored = record
            base = startsOver ? SessionValues() : SessionValues(decoding: record.values) ?? SessionValues()
        } else {
            stored = nil
            base = SessionValues()
            isAbandoned = !logsIn
        }
    }

    private func record(
        _ key: SessionHash,
        createdAt: Int,
        at now: Int,
        version: Int
    ) throws(SessionError) -> SessionRecord {
        let bytes = values.encoded
        let size = bytes.count + (user?.utf8.count ?? 0)
        guard size <= maximumBytes else { throw .tooLarge(bytes: size, limit: maximumBytes) }
        return SessionRecord(
            key: key,
            mount: mount,
            user: user,
            values: bytes,
            createdAt: createdAt,
            lastSeen: now,
            expiresAt: times.expiry(createdAt: createdAt, lastSeen: now, user: user),
            version: version
        )
    }
}

/// What is to be done to the session of a request in the store.
enum SessionWrite: Equatable {
    case nothing
    case touch(SessionHash, lastSeen: Int, _ expiresAt: Int)
    case insert(SessionRecord)
    /// Replaces the session under a key, if it still has the version.
    case replace(SessionHash, version: Int, SessionRecord)
}
