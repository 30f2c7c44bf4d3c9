public import BacklotHTTP

/// Speaks HTTP over TCP for `http://`, and over TLS for `https://`. Over TLS it uses HTTP/2 if the server offers it, otherwise
/// HTTP/1.1. Each request opens a connection. No thread blocks while it waits for a response.
///
/// ```swift
/// let own = try SocketTransport(trusting: .only(TLSTrust(.file("ca.pem"))))
/// let app = try ApplinClient(url: "https://staging.example.com/travel/", transport: own)
/// ```
public struct SocketTransport: ClientTransport {
    private let connector: TLSConnector
    private let versions: HTTPVersions
    /// The longest wait for the server's reaction before a body is sent that waits for 100 (Continue).
    package var continueWait = Duration.seconds(1)

    /// Creates a transport. All transports share one event loop.
    ///
    /// - Parameters:
    ///   - trust: the TLS servers to trust.
    ///   - versions: the accepted HTTP versions.
    public init(trusting trust: ServerTrust = .system, versions: HTTPVersions = .any) {
        connector = .trusting(trust)
        self.versions = versions
    }

    /// Connects, sends the request and returns the response.
    public func response(
        to request: ClientRequest,
        limits: ClientLimits
    ) async throws(ClientError) -> ClientResponse {
        let bounds = ClientBounds(
            head: limits.head,
            body: limits.body,
            idle: limits.idle,
            total: limits.total,
            continueWait: continueWait
        )
        do throws(ClientConnectionError) {
            return ClientResponse(
                try await ClientLoop.exchange(
                    OutgoingRequest(request),
                    host: request.url.host,
                    port: request.url.port,
                    over: request.url.scheme == .https ? connector : nil,
                    versions: versions,
                    bounds: bounds
                )
            )
        } catch {
            throw ClientError(error)
        }
    }

    /// Connects, sends the request and returns the response before its body is complete. A stream may be silent for a minute, and lasts for
    /// a day at most.
    public func open(_ request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientStream {
        let bounds = ClientBounds(head: limits.head, body: .max, idle: .seconds(60), total: .seconds(86_400))
        do throws(ClientConnectionError) {
            let opened = try await ClientLoop.open(
                OutgoingRequest(request),
                host: request.url.host,
                port: request.url.port,
                over: request.url.scheme == .https ? connector : nil,
                versions: versions,
                bounds: bounds,
                keepsConnection: false
            )
            return ClientStream(ClientResponse(status: opened.status, headers: opened.headers)) { write in
                defer { withExtendedLifetime(opened) {} }
                for try await piece in opened.body { try write(piece) }
            }
        } catch {
            throw ClientError(error)
        }
    }
}

extension OutgoingRequest {
    fileprivate init(_ request: ClientRequest) {
        self.init(
            method: request.method,
            target: request.url.target,
            authority: request.url.authority,
            headers: request.headers,
            body: request.body,
            waitsForContinue: request.waitsForContinue
        )
    }
}

extension ClientResponse {
    init(_ response: IncomingResponse) {
        self.init(
            status: response.status,
            headers: response.headers,
            body: response.body,
            firstByte: response.firstByte,
            total: response.total
        )
    }
}

extension ClientError {
    package init(_ fault: ClientConnectionError) {
        self =
            switch fault {
            case .unknownHost(let host, let reason): .unknownHost(host, reason: reason)
            case .notConnected(let error): .notConnected("\(error)")
            case .notSecured(let reason): .notSecured(reason)
            case .unreachable(let what), .timedOut(let what): .timedOut(what)
            case .cutShort(let bytes): .cutShort(bodyBytes: bytes)
            case .bodyTooLarge(let limit): .bodyTooLarge(limit: limit)
            case .headTooLarge(let limit): .headTooLarge(limit: limit)
            case .malformed(let what): .malformed(what)
            case .bodyUnavailable, .cancelled: .cancelled
            }
    }
}
