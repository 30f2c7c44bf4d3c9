/// The reason why a client got no response, or only part of one.
package enum ClientConnectionError: Error, Equatable {
    /// The system can't find an address of the host.
    case unknownHost(String, reason: String)
    /// Nobody accepts connections at that address.
    case notConnected(SocketError)
    /// Connecting took too long. The text names the event that was still missing.
    case unreachable(String)
    /// The connection could not be secured, for example because the server's certificate isn't trusted. The text has the reason.
    case notSecured(String)
    /// The exchange took too long. The text names the event that was still missing.
    case timedOut(String)
    /// The connection ended before the response did, after `bodyBytes` bytes of its body; nil if the head was incomplete.
    case cutShort(bodyBytes: Int?)
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The head is larger than the limit, in bytes.
    case headTooLarge(limit: Int)
    /// The bytes are not a response in HTTP/1.1. The text describes the error.
    case malformed(String)
    /// The client couldn't read the body that it was to send to its end.
    case bodyUnavailable(RequestError)
    /// The waiting task was cancelled.
    case cancelled
}

extension ClientConnectionError: CustomStringConvertible {
    /// The error, as the rest of a sentence.
    package var description: String {
        switch self {
        case .unknownHost(let host, let reason): "the host '\(host)' has no address: \(reason)"
        case .notConnected(let error): "there is no connection: \(error)"
        case .notSecured(let reason): "there is no secure connection: \(reason)"
        case .unreachable(let what), .timedOut(let what): "it took too long: \(what)"
        case .cutShort(nil): "the connection ended before the head of the response was complete"
        case .cutShort(let bytes?):
            "the connection ended in the middle of the response, after \(bytes) bytes of its body"
        case .bodyTooLarge(let limit): "the response's body is larger than \(limit) bytes, the client's limit"
        case .headTooLarge(let limit): "the response's head is larger than \(limit) bytes, the client's limit"
        case .malformed(let what): "the response is not HTTP: \(what)"
        case .bodyUnavailable(let error): "the request's body could not be read: \(error.reason)"
        case .cancelled: "the task was cancelled"
        }
    }
}

extension ClientConnectionError {
    /// Whether the client should try another address of the host.
    var isAboutAddress: Bool {
        switch self {
        case .notConnected, .unreachable: true
        default: false
        }
    }

    /// The error that a client gets when the server breaks a connection on purpose.
    init(_ fault: ConnectionFault) {
        self =
            switch fault {
            case .connectionReset, .emptyResponse: .cutShort(bodyBytes: nil)
            case .malformedChunk: .malformed("a chunk has no size, but '\(ConnectionFault.noChunk.dropLast())'")
            case .randomData: .malformed("it begins with random bytes")
            }
    }
}
