/// The body of an answer.
public enum ResponseBody: Sendable {
    /// No bytes.
    case empty
    /// Bytes that are all there.
    case bytes([UInt8])
    /// Bytes of an open file, which stays open until they are sent. When the file becomes shorter meanwhile, the connection
    /// is cut, so that the client can tell.
    case file(FileSlice)
    /// Bytes that a function writes while they are sent. It isn't called where no body may be sent, as for HEAD.
    ///
    /// With a length, exactly so many bytes must be written. Without one the body is sent in chunks, or to a client of
    /// HTTP/1.0 until the connection closes. When the function throws, the connection is cut, so that the client can tell.
    case stream(length: Int? = nil, @Sendable (BodyWriter) async throws -> Void)
    /// None, and no answer: the connection breaks (see `Response.fault`), also where no body may be sent.
    case fault(ConnectionFault)
}
