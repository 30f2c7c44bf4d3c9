/// Exchanges requests and answers over TCP, with TLS or without.
///
/// An exchange runs on the event loop of its caller where that is a server's, so that it pays no thread hop. All others share one
/// loop, which waits for all of their connections at once and never ends.
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

    /// Sends a request on a new connection and returns the answer.
    ///
    /// - Parameters:
    ///   - connector: how TLS is spoken; nil for a connection without it.
    ///   - versions: the versions of HTTP that are spoken.
    /// - Throws: `ClientConnectionError`; `notConnected` or `unreachable` when none of the host's addresses accepts the connection.
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

    /// Sends a request and returns the answer as soon as its head is there.
    ///
    /// A request on a connection that was used before, and that breaks before any byte of an answer, is sent once more on a new
    /// one where that does no harm: it has an idempotent method, and a body whose bytes are still there (RFC 9110, section 9.2.2;
    /// RFC 9112, section 9.3.1), or the server says that it never looked at it (RFC 9113, section 8.7).
    ///
    /// - Parameters:
    ///   - connector: how TLS is spoken; nil for a connection without it.
    ///   - versions: the versions of HTTP that are spoken.
    ///   - keepsConnection: whether the connection may be one that was used before, and is kept for others.
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
        for address in try await destination.addresses() {
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
