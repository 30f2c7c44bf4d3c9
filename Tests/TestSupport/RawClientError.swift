/// An error of a `RawClient`.
public enum RawClientError: Error, Equatable {
    /// A system call failed, with this `errno`.
    case system(String, Int32)
    /// The server sent nothing more for as long as the client was willing to wait. The text came before.
    case timedOut(String)
    /// The connection ended before the response did. The text came before.
    case ended(ConnectionEnd, String)
    /// The text isn't an HTTP/1.1 response.
    case notAResponse(String)
    /// TLS failed; the library's reason is given.
    case tls(String)
}
