/// The end of a connection, as the client saw it.
public enum ConnectionEnd: Equatable, Sendable {
    /// With a last byte, in order.
    case closed
    /// With a reset, which may take bytes with it.
    case reset
    /// Not at all, as long as the client was willing to wait.
    case stillOpen
}
