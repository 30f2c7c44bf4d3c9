internal import BacklotHTTP

/// Sends a request to a server and returns its response: in process, over a socket, or over TLS.
///
/// A transport doesn't follow redirects, keep cookies or decompress bodies: ``ClientSession`` does.
public protocol ClientTransport: Sendable {
    /// Sends a request, and returns the response once it is complete.
    ///
    /// Tasks may call it concurrently.
    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse

    /// Sends a request, and returns the response once its head is there. Its body arrives in pieces, such as the events of a stream; the
    /// exchange ends when nobody reads them any more. A transport without this function sends the complete body as one piece.
    func open(_ request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientStream
}

/// A response to a client without its body, and the pieces of the body.
public struct ClientStream: Sendable {
    /// The most pieces that wait for a reader.
    private static let pieceLimit = 1000

    /// The response.
    public let response: ClientResponse
    /// The pieces of the body, as they arrive.
    public let pieces: AsyncThrowingStream<[UInt8], any Error>
    private let writing: Task<Void, Never>
    private let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation

    /// Creates a response with the pieces that a function writes. Its task is cancelled when nobody reads them any more.
    public init(
        _ response: ClientResponse,
        _ produce: @escaping @Sendable (_ write: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> Void
    ) {
        self.response = response
        let (pieces, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.pieceLimit)
        )
        let writing = Task {
            do {
                try await produce { piece in
                    switch continuation.yield(piece) {
                    case .dropped: throw ClientError.malformed("more than \(Self.pieceLimit) pieces wait to be read")
                    // A handler that never waits doesn't notice its cancellation.
                    case .terminated: throw CancellationError()
                    default: break
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in writing.cancel() }
        (self.pieces, self.continuation, self.writing) = (pieces, continuation, writing)
    }

    /// Ends the pieces with an error.
    func end(_ error: ClientError) { continuation.finish(throwing: error) }

    /// Ends the exchange, and waits until its end.
    func close() async {
        continuation.finish()
        await writing.value
    }
}

extension ClientTransport {
    /// Sends a request, and returns the complete body as one piece.
    public func open(_ request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientStream {
        var response = try await response(to: request, limits: limits)
        let body = response.body
        response.body = []
        return ClientStream(response) { try $0(body) }
    }
}

/// The limits of size and time for a server's responses. No server can make a client exceed them.
public struct ClientLimits: Sendable, Equatable {
    /// The maximum size of a response's head, in bytes.
    public var head = 64 * 1024
    /// The maximum size of a response's body, in bytes.
    public var body = 16 * 1024 * 1024
    /// The maximum depth of arrays and objects in a page, 1 to 512. Pages that crash phones are reported far below it.
    public var nesting = 512
    /// The number of widgets on a page above which there is a warning.
    public var widgets = 2000
    /// The maximum number of redirects in a row.
    public var redirects = 16
    /// The maximum wait for the connection, and for the next bytes.
    public var idle = Duration.seconds(10)
    /// The maximum time for a complete response, without its redirects.
    public var total = Duration.seconds(60)

    /// Creates the default limits. Both times are the same as in the iOS client.
    public init() {}
}

/// The reason why a client got no usable response.
public enum ClientError: Error, Equatable {
    /// The text isn't a URL that a client can request.
    case invalidURL(String, problem: String)
    /// A client in process only reaches its own handler.
    case outsideOfProcess(HTTPURL)
    /// The host has no address.
    case unknownHost(String, reason: String)
    /// The server doesn't accept connections.
    case notConnected(String)
    /// The client couldn't establish a secure connection, for example because it doesn't trust the certificate.
    case notSecured(String)
    /// The response, or a part of it, came too late. The text says what the client waited for, and how long.
    case timedOut(String)
    /// The connection ended after this many bytes of the response's body; nil if not even the head was complete.
    case cutShort(bodyBytes: Int?)
    /// The body exceeds the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The head exceeds the limit, in bytes.
    case headTooLarge(limit: Int)
    /// The response isn't HTTP. The text is the reason.
    case malformed(String)
    /// The body doesn't match its Content-Encoding, or has a coding that the client didn't accept. The text is the reason.
    case undecodable(String)
    /// More redirects in a row than the limit allows.
    case tooManyRedirects(limit: Int, last: HTTPURL)
    /// A client can't follow the redirect. The text is its `Location`; nil without one.
    case badRedirect(String?)
    /// The start page of an app is another response. The text says which, such as `404 Not Found`.
    case noApp(String)
    /// The task that waited for the response was cancelled.
    case cancelled
}

extension ClientError: CustomStringConvertible {
    /// A description of the error, with advice if possible. One sentence without a full stop.
    public var description: String {
        switch self {
        case .invalidURL(let url, let problem): "'\(url)' isn't a usable URL: \(problem)"
        case .outsideOfProcess(let url): "\(url) is another server, which a client in process can't reach"
        case .unknownHost(let host, let reason): "\(ClientConnectionError.unknownHost(host, reason: reason))"
        case .notConnected(let reason): "there is no connection: \(reason)"
        case .notSecured(let reason): "\(ClientConnectionError.notSecured(reason))"
        case .timedOut(let what): "\(ClientConnectionError.timedOut(what))"
        case .cutShort(let bytes): "\(ClientConnectionError.cutShort(bodyBytes: bytes))"
        case .bodyTooLarge(let limit): "\(ClientConnectionError.bodyTooLarge(limit: limit))"
        case .headTooLarge(let limit): "\(ClientConnectionError.headTooLarge(limit: limit))"
        case .malformed(let what): "\(ClientConnectionError.malformed(what))"
        case .undecodable(let what): "the response can't be decompressed: \(what)"
        case .tooManyRedirects(let limit, let last):
            "more than \(limit) redirects follow each other, the last one to \(last)"
        case .badRedirect(nil): "a redirect has no Location"
        case .badRedirect(let place?): "a redirect leads to '\(place)', where no client can go"
        case .noApp(let response): "there is no app: the response is \(response)"
        case .cancelled: "\(ClientConnectionError.cancelled)"
        }
    }
}
