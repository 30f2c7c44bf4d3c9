public import HTTPTypes

/// The reason why a request was refused before a handler saw it, or while its body was read. The connection closes
/// after it.
public enum RequestError: HTTPError, Equatable {
    /// The bytes are not a request as RFC 9112 defines it. The text describes the error and its location.
    case malformed(String)
    /// The request line is longer than the limit, in bytes (RFC 9110, section 15.5.15).
    case targetTooLong(limit: Int)
    /// The header section is larger than the limit, in bytes (RFC 6585, section 5).
    case headTooLarge(limit: Int)
    /// There are more field lines than the limit (RFC 6585, section 5).
    case tooManyFields(limit: Int)
    /// The body is larger than the limit, in bytes (RFC 9110, section 15.5.14).
    case bodyTooLarge(limit: Int)
    /// An expectation other than `100-continue` (RFC 9110, section 15.5.18).
    case unknownExpectation
    /// A transfer coding other than chunked (RFC 9112, section 6.1).
    case unknownTransferCoding
    /// CONNECT, which creates a tunnel and is for proxies (RFC 9110, section 9.3.6).
    case connectNotSupported
    /// A version other than HTTP/1.0 and HTTP/1.1 (RFC 9110, section 15.6.6).
    case versionNotSupported
    /// The head or the body did not arrive in time (RFC 9110, section 15.5.9).
    case timedOut(String)
    /// The client closed the connection before the body was whole.
    case incomplete
    /// The bodies of all requests take more memory than `ServerConfiguration.Limits.bufferedBytes`.
    case overloaded

    /// The status of the refusal.
    public var status: HTTPResponse.Status {
        switch self {
        case .malformed, .incomplete: .badRequest
        case .targetTooLong: .uriTooLong
        case .headTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .bodyTooLarge: .contentTooLarge
        case .unknownExpectation: .expectationFailed
        case .unknownTransferCoding, .connectNotSupported: .notImplemented
        case .versionNotSupported: .httpVersionNotSupported
        case .timedOut: .requestTimeout
        case .overloaded: .serviceUnavailable
        }
    }

    /// One line for the client.
    public var reason: String {
        switch self {
        case .malformed(let what): "malformed request: \(what)"
        case .targetTooLong(let limit): "the request line is longer than \(limit) bytes"
        case .headTooLarge(let limit): "the header section is larger than \(limit) bytes"
        case .tooManyFields(let limit): "there are more than \(limit) header fields"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .unknownExpectation: "the only expectation that is understood is 100-continue"
        case .unknownTransferCoding: "the only transfer coding that is understood is chunked"
        case .connectNotSupported:
            "CONNECT is for proxies, and this server is not a proxy; over HTTP/2 it opens WebSockets (':protocol: websocket')"
        case .versionNotSupported: "only HTTP/1.0 and HTTP/1.1 are spoken here"
        case .timedOut(let what): "\(what) did not arrive in time"
        case .incomplete: "the connection was closed before the body was complete"
        case .overloaded: "the server is receiving too much at the moment: try again soon"
        }
    }

    /// The first byte begins a TLS handshake: the client should have used http.
    static let encrypted = RequestError.malformed("this looks like HTTPS; use http here")

    /// `Retry-After`, for errors where trying again helps.
    public var headers: HTTPFields { self == .overloaded ? [.retryAfter: "1"] : [:] }
}
