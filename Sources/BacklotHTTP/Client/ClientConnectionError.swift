/// The reason why a client got no answer, or only part of one.
package enum ClientConnectionError: Error, Equatable {
    /// The system knows no address of the host.
    case unknownHost(String, reason: String)
    /// Nothing accepts connections there.
    case notConnected(SocketError)
    /// A connection came about too late; the text says what was waited for.
    case unreachable(String)
    /// There is no secure connection, as when the server's certificate isn't trusted. The text says why.
    case notSecured(String)
    /// Too much time has passed; the text says what hadn't happened by then.
    case timedOut(String)
    /// The connection ended before the answer did, after `bodyBytes` bytes of its body; nil if the head wasn't whole.
    case cutShort(bodyBytes: Int?)
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The head is larger than the limit, in bytes.
    case headTooLarge(limit: Int)
    /// The bytes are not an answer of HTTP/1.1. The text says what is wrong.
    case malformed(String)
    /// The request's own body could not be read to its end.
    case bodyUnavailable(RequestError)
    /// The task that waited was cancelled.
    case cancelled
}

extension ClientConnectionError: CustomStringConvertible {
    /// What went wrong, as the rest of a sentence.
    package var description: String {
        switch self {
        case .unknownHost(let host, let reason): "the host '\(host)' has no address: \(reason)"
        case .notConnected(let error): "there is no connection: \(error)"
        case .notSecured(let reason): "there is no secure connection: \(reason)"
        case .unreachable(let what), .timedOut(let what): "it took too long: \(what)"
        case .cutShort(nil): "the connection ended before the head of the answer was whole"
        case .cutShort(let bytes?): "the connection ended in the middle of the answer, after \(bytes) bytes of its body"
        case .bodyTooLarge(let limit): "the answer's body is larger than \(limit) bytes, the client's limit"
        case .headTooLarge(let limit): "the answer's head is larger than \(limit) bytes, the client's limit"
        case .malformed(let what): "the answer is not HTTP: \(what)"
        case .bodyUnavailable(let error): "the request's body could not be read: \(error.reason)"
        case .cancelled: "the task was cancelled"
        }
    }
}

extension ClientConnectionError {
    /// Whether another address of the host may be better.
    var isAboutAddress: Bool {
        switch self {
        case .notConnected, .unreachable: true
        default: false
        }
    }

    /// The error that a client gets when a connection is broken on purpose.
    init(_ fault: ConnectionFault) {
        self =
            switch fault {
            case .connectionReset, .emptyResponse: .cutShort(bodyBytes: nil)
            case .malformedChunk: .malformed("a chunk has no size, but '\(ConnectionFault.noChunk.dropLast())'")
            case .randomData: .malformed("it begins with random bytes")
            }
    }
}
