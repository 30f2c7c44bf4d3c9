internal import BacklotHTTP

/// Speaks HTTP/1.1 over TCP, for `http://`. Each request opens a connection. No thread waits for an answer.
public struct SocketTransport: ClientTransport {
    /// A transport; all of them share one event loop.
    public init() {}

    /// Connects, sends the request and returns the answer.
    public func response(
        to request: ClientRequest,
        limits: ClientLimits
    ) async throws(ClientFailure) -> ClientResponse {
        guard request.url.scheme == .http else { throw .unsupportedScheme(request.url) }
        let outgoing = OutgoingRequest(
            method: request.method,
            target: request.url.target,
            authority: request.url.authority,
            headers: request.headers,
            body: request.body,
            waitsForContinue: request.waitsForContinue
        )
        let bounds = ClientBounds(
            head: limits.head,
            body: limits.body,
            idle: limits.idle,
            total: limits.total
        )
        do throws(ClientFault) {
            return ClientResponse(
                try await ClientLoop.exchange(
                    outgoing,
                    host: request.url.host,
                    port: request.url.port,
                    bounds: bounds
                )
            )
        } catch {
            throw ClientFailure(error)
        }
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

extension ClientFailure {
    init(_ fault: ClientFault) {
        self =
            switch fault {
            case .unknownHost(let host, let reason): .unknownHost(host, reason: reason)
            case .notConnected(let error): .notConnected("\(error)")
            case .timedOut(let what): .timedOut(what)
            case .cutShort(let bytes): .cutShort(bodyBytes: bytes)
            case .bodyTooLarge(let limit): .bodyTooLarge(limit: limit)
            case .headTooLarge(let limit): .headTooLarge(limit: limit)
            case .malformed(let what): .malformed(what)
            case .cancelled: .cancelled
            }
    }
}
