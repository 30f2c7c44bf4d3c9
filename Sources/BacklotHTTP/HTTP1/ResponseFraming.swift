/// How the end of an answer's body is told to the client (RFC 9112, section 6).
enum ResponseFraming: Equatable {
    /// No body is sent.
    case none
    /// `Content-Length` has said it.
    case length
    /// In chunks, the last of them empty.
    case chunked
    /// By the end of the connection: for clients of HTTP/1.0.
    case untilClose
}
