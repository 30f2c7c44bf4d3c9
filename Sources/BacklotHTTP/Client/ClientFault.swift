/// Why a client got no answer, or only part of one.
package enum ClientFault: Error, Equatable {
    /// The system knows no address of the host.
    case unknownHost(String, reason: String)
    /// Nothing accepts connections there.
    case notConnected(SocketError)
    /// Too much time has passed; the text says before what.
    case timedOut(String)
    /// The connection ended before the answer did, after so many bytes of its body; nil where the head wasn't whole.
    case cutShort(bodyBytes: Int?)
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The head is larger than the limit, in bytes.
    case headTooLarge(limit: Int)
    /// What came is no answer of HTTP/1.1. The text says what is wrong.
    case malformed(String)
    /// The task that waited was cancelled.
    case cancelled
}

extension ClientFault {
    /// What a client sees of a connection that was broken on purpose.
    init(_ fault: ConnectionFault) {
        self =
            switch fault {
            case .connectionReset, .emptyResponse: .cutShort(bodyBytes: nil)
            case .malformedChunk: .malformed("a chunk has no size, but '\(ConnectionFault.noChunk.dropLast())'")
            case .randomData: .malformed("it begins with random bytes")
            }
    }
}
