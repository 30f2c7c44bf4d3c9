/// What is to be done to the session of a request in the store.
enum SessionWrite: Equatable {
    case nothing
    case touch(SessionHash, lastSeen: Int, _ expiresAt: Int)
    case insert(SessionRecord)
    /// Replaces the session under a key, if it still has the version.
    case replace(SessionHash, version: Int, SessionRecord)
}
