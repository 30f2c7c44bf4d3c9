/// Exchanges requests and responses over TCP, with TLS or without.
///
/// If the caller is on a server's event loop, the exchange runs on that loop, without a thread hop. All others share one loop, which waits
/// for all of their connections at once and never ends.
package enum ClientLoop {
    private static let shared: Result<EventLoop, SocketError> = {
        do throws(SocketError) {
            let loop = try EventLoop(name: "backlot.client")
            loop.start()
            return .success(loop)
        } catch {
            return .failure(error)
        }
    }()

    /// Sends a request on a new connection and returns the response.
    ///
    /// - Parameters:
    ///   - connector: the settings of TLS; nil for a connection without TLS.
    ///   - versions: the versions of HTTP that the client speaks.
    /// - Throws: `ClientConnectionError`; `notConnected` or `unreachable` if all of the host's addresses refuse the connection.
    package static func exchange(
        _ request: OutgoingRequest,
        host: String,
        port: UInt16,
        over connector: TLSConnector? = nil,
        versions: HTTPVersions = .any,
        bounds: ClientBounds
    ) async throws(ClientConnectionError) -> IncomingResponse {
        let began = ContinuousClock.now
        let response = try await open(
            request,
            host: host,
            port: port,
            over: connector,
            versions: versions,
            bounds: bounds,
            keepsConnection: false
        )
        let body = try await response.collect()
        return IncomingResponse(
            status: response.status,
            headers: response.headers,
            body: body,
            wasContinued: response.wasContinued,
            firstByte: response.firstByte,
            total: began.duration(to: .now)
        )
    }

    /// Sends a request and returns the response once its head has arrived.
    ///
    /// A reused connection may break before the first byte of a response. The client then repeats the request on a new connection if that
    /// does no harm. Either it has an idempotent method and its body's bytes are still there (RFC 9110, section 9.2.2; RFC 9112, section
    /// 9.3.1), or the server says that it hasn't processed the request (RFC 9113, section 8.7).
    ///
    /// - Parameters:
    ///   - connector: the settings of TLS; nil for a connection without TLS.
    ///   - versions: the versions of HTTP that the client speaks.
    ///   - keepsConnection: whether the client may reuse a connection, and keeps this one for other exchanges.
    /// - Throws: `ClientConnectionError`, as `exchange` does.
    package static func open(
        _ request: OutgoingRequest,
        host: String,
        port: UInt16,
        over connector: TLSConnector? = nil,
        versions: HTTPVersions = .any,
        bounds: ClientBounds,
        keepsConnection: Bool
    ) async throws(ClientConnectionError) -> StreamedResponse {
        let destination = ClientDestination(
            host: host,
            port: port,
            context: try connector?.context(offering: versions),
            versions: versions
        )
        let loop: EventLoop
        switch (ThreadLoop.current, Self.shared) {
        case (let current?, _): loop = current
        case (nil, .success(let shared)): loop = shared
        case (nil, .failure(let error)): throw .notConnected(error)
        }
        let exchange = PooledExchange(request, bounds: bounds, keepsConnection: keepsConnection, loop: loop)
        var failure = ClientConnectionError.unknownHost(host, reason: "it has no address")
        if keepsConnection {
            let isChecked = !request.isRepeatable
            let outcome = await exchange.run { loop.clients.take(destination, isChecked: isChecked) }
            if let response = try outcome.get() { return response }
        }
        for address in try await destination.addresses(within: min(bounds.idle, bounds.total)) {
            let outcome = await exchange.run { () throws(SocketError) in
                try ClientConnection(to: address, destination, loop: loop)
            }
            do throws(ClientConnectionError) {
                if let response = try outcome.get() { return response }
            } catch {
                guard error.isAboutAddress else { throw error }
                failure = error
            }
        }
        throw failure
    }
}
