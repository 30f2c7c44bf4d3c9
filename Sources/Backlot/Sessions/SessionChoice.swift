/// Which of the sessions that a client has sent ids of is the request's.
enum SessionChoice: Equatable {
    /// None lives, or none belongs to this app.
    case none
    /// Exactly one.
    case one(SessionRecord)
    /// Several, which a client of one app can't have by itself: the request has no session. A log-in or log-out ends these.
    case several([SessionHash])

    /// How many ids of one request are looked up. Apps whose paths contain each other have a cookie each.
    static let maximum = 4

    /// - Parameters:
    ///   - found: what the store has for each key that was asked for.
    ///   - mount: the app's path.
    ///   - now: the time, in seconds since 1970.
    init(among found: [(key: SessionHash, record: SessionRecord?)], mount: String, at now: Int, times: SessionTimes) {
        let own = found.compactMap { key, record -> SessionRecord? in
            // However a store has found it, the hash is compared here, in constant time.
            guard let record, record.key == key, record.mount == mount, times.isLive(record, at: now) else {
                return nil
            }
            return record
        }
        switch own.count {
        case 0: self = .none
        case 1: self = .one(own[0])
        default: self = .several(own.map(\.key))
        }
    }
}
