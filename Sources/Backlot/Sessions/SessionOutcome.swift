/// What a client must be told about its session, by whatever means it keeps the id.
enum SessionOutcome: Sendable {
    /// Nothing.
    case unchanged
    /// It has a new id, which is good until `expiresAt` at the latest (seconds since 1970).
    case issued(SessionID, expiresAt: Int)
    /// It has none any more.
    case ended
}
