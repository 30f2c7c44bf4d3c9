/// How the end of a request's body is told (RFC 9112, section 6).
enum BodyFraming: Equatable, Sendable {
    /// There is no body.
    case none
    /// So many bytes follow.
    case length(Int)
    /// Chunks follow, the last of them empty.
    case chunked
}
