/// Why a client did not get what it was to get.
public enum RawClientError: Error, Equatable {
    /// A system call failed, with this `errno`.
    case system(String, Int32)
    /// The server sent nothing more for as long as the client was willing to wait. What had come is given.
    case timedOut(String)
    /// The connection ended before the answer did. What had come is given.
    case ended(ConnectionEnd, String)
    /// What came is no answer of HTTP/1.1.
    case notAResponse(String)
    /// TLS failed; the library's reason is given.
    case tls(String)
}
