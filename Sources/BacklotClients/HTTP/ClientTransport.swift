internal import BacklotHTTP

/// Brings a request to a server and an answer back: in process, over a socket, or over TLS.
///
/// A transport follows no redirects, keeps no cookies and decompresses nothing: ``ClientSession`` does.
public protocol ClientTransport: Sendable {
    /// Sends one request, and returns the answer when all of it is there.
    ///
    /// May be called from many tasks at once.
    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse
}

/// The limits of size and time for a server's answers. No server can make a client exceed them.
public struct ClientLimits: Sendable, Equatable {
    /// The largest head of an answer, in bytes.
    public var head = 64 * 1024
    /// The largest body of an answer, in bytes.
    public var body = 16 * 1024 * 1024
    /// How deeply arrays and objects may be nested in a page, 1 to 512. Pages that crash phones are reported far below it.
    public var nesting = 512
    /// How many widgets a page may have before that is worth a warning.
    public var widgets = 2000
    /// How many redirects are followed, one after the other.
    public var redirects = 16
    /// The longest wait for the connection and for the next bytes.
    public var idle = Duration.seconds(10)
    /// The longest time for a whole answer, without its redirects.
    public var total = Duration.seconds(60)

    /// The default limits. Both times are those of the iOS client.
    public init() {}
}

/// The reason why a client got no usable answer.
public enum ClientError: Error, Equatable {
    /// The text is no URL that a client can ask for.
    case invalidURL(String, problem: String)
    /// A client in process reaches only the handler that it was given.
    case outsideOfProcess(HTTPURL)
    /// The host has no address.
    case unknownHost(String, reason: String)
    /// Nothing accepts connections there.
    case notConnected(String)
    /// No secure connection came about, as when the certificate isn't trusted.
    case notSecured(String)
    /// The answer, or a part of it, came too late. The text says what was waited for, and for how long.
    case timedOut(String)
    /// The connection ended before the answer did, after so many bytes of its body; nil where not even the head was whole.
    case cutShort(bodyBytes: Int?)
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The head is larger than the limit, in bytes.
    case headTooLarge(limit: Int)
    /// The answer is not HTTP. The text says what is wrong.
    case malformed(String)
    /// The body isn't what its Content-Encoding says, or is compressed in a way that nobody has asked for. The text says what
    /// is wrong.
    case undecodable(String)
    /// One redirect led to the next, more often than the limit.
    case tooManyRedirects(limit: Int, last: HTTPURL)
    /// A redirect leads nowhere that a client can go. The text is its `Location`; nil where it has none.
    case badRedirect(String?)
    /// The task that waited for the answer was cancelled.
    case cancelled
}

extension ClientError: CustomStringConvertible {
    /// What went wrong, and where it helps, what to do. One sentence without a full stop.
    public var description: String {
        switch self {
        case .invalidURL(let url, let problem): "'\(url)' is no URL that can be asked for: \(problem)"
        case .outsideOfProcess(let url): "\(url) is another server, which a client in process can't reach"
        case .unknownHost(let host, let reason): "\(ClientConnectionError.unknownHost(host, reason: reason))"
        case .notConnected(let reason): "there is no connection: \(reason)"
        case .notSecured(let reason): "\(ClientConnectionError.notSecured(reason))"
        case .timedOut(let what): "\(ClientConnectionError.timedOut(what))"
        case .cutShort(let bytes): "\(ClientConnectionError.cutShort(bodyBytes: bytes))"
        case .bodyTooLarge(let limit): "\(ClientConnectionError.bodyTooLarge(limit: limit))"
        case .headTooLarge(let limit): "\(ClientConnectionError.headTooLarge(limit: limit))"
        case .malformed(let what): "\(ClientConnectionError.malformed(what))"
        case .undecodable(let what): "the answer can't be decompressed: \(what)"
        case .tooManyRedirects(let limit, let last):
            "more than \(limit) redirects follow each other, the last one to \(last)"
        case .badRedirect(nil): "a redirect doesn't say where to: it has no Location"
        case .badRedirect(let place?): "a redirect leads to '\(place)', where no client can go"
        case .cancelled: "\(ClientConnectionError.cancelled)"
        }
    }
}
