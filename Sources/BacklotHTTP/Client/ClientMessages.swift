package import HTTPTypes

/// A request that a client sends.
package struct OutgoingRequest: Sendable {
    package var method: HTTPRequest.Method
    /// The path and the query, as they go over the wire.
    package var target: String
    /// The value of `Host`.
    package var authority: String
    /// The header fields, but for `Host`, `Content-Length` and `Expect`.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// Whether the body waits until the server asks for it (RFC 9110, section 10.1.1).
    package var waitsForContinue: Bool

    package init(
        method: HTTPRequest.Method,
        target: String,
        authority: String,
        headers: HTTPFields,
        body: [UInt8],
        waitsForContinue: Bool
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
        self.waitsForContinue = waitsForContinue
    }

    /// The fields that are made of the request, whatever `headers` holds.
    static let ownFields: Set<String> = ["host", "content-length", "expect", "transfer-encoding"]

    /// The head as it goes over the wire.
    var head: [UInt8] {
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(authority)\r\n"
        for field in headers where !Self.ownFields.contains(field.name.canonicalName) {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        // RFC 9110, section 8.6: also where the method would let one expect a body.
        if !body.isEmpty || method == .post || method == .put { text += "Content-Length: \(body.count)\r\n" }
        if waitsForContinue { text += "Expect: 100-continue\r\n" }
        return Array((text + "\r\n").utf8)
    }
}

/// An answer that a client got, all of it.
package struct IncomingResponse: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: [UInt8]
    /// Whether the server asked for the body that was held back.
    package var wasContinued = false
    /// From the beginning to the first byte of the answer.
    package var firstByte: Duration = .zero
    /// From the beginning to the last byte.
    package var total: Duration = .zero
}

/// The largest answer that a client takes, and the longest time it waits.
package struct ClientBounds: Sendable {
    /// The largest head, in bytes.
    let head: Int
    /// The largest body, in bytes.
    let body: Int
    /// The longest wait for the connection, or for the next bytes, in milliseconds.
    let idle: Int64
    /// The longest time for the whole exchange, in milliseconds.
    let total: Int64

    package init(head: Int, body: Int, idle: Duration, total: Duration) {
        self.head = head
        self.body = body
        self.idle = idle.milliseconds
        self.total = total.milliseconds
    }
}

/// The reason why a client got no answer, or only part of one.
package enum ClientFault: Error, Equatable {
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
    /// The task that waited was cancelled.
    case cancelled
}

extension ClientFault: CustomStringConvertible {
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
        case .cancelled: "the task was cancelled"
        }
    }
}

extension ClientFault {
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
