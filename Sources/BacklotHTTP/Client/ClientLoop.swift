/// Exchanges requests and answers over TCP, with TLS or without. All clients of a process share one event loop, which waits for all of
/// their connections at once and never ends.
package enum ClientLoop {
    private static let loop: Result<EventLoop, SocketError> = {
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
    /// - Throws: `ClientFault`; `notConnected` or `unreachable` when none of the host's addresses accepts the connection.
    package static func exchange(
        _ request: OutgoingRequest,
        host: String,
        port: UInt16,
        over connector: TLSConnector? = nil,
        versions: HTTPVersions = .any,
        bounds: ClientBounds
    ) async throws(ClientFault) -> IncomingResponse {
        let context = try connector?.context(offering: versions)
        let began = ContinuousClock.now
        var failure = ClientFault.unknownHost(host, reason: "it has no address")
        for address in try await addresses(of: host, port: port) {
            do throws(ClientFault) {
                let route = ClientRoute(
                    address: address,
                    context: context,
                    host: host,
                    versions: versions,
                    spent: began.duration(to: .now).milliseconds
                )
                return try await exchange(request, on: route, bounds)
            } catch {
                switch error {
                case .notConnected, .unreachable: failure = error
                default: throw error
                }
            }
        }
        throw failure
    }

    private static func addresses(of host: String, port: UInt16) async throws(ClientFault) -> [SocketAddress] {
        // An IP address needs no name server, and so no thread that may block.
        if let address = SocketAddress(host: host, port: port) { return [address] }
        do {
            return try await Blocking.run { try HostLookup.addresses(of: host, port: port) }
        } catch let fault as ClientFault {
            throw fault
        } catch {
            throw .unknownHost(host, reason: "\(error)")
        }
    }

    private static func exchange(
        _ request: OutgoingRequest,
        on route: ClientRoute,
        _ bounds: ClientBounds
    ) async throws(ClientFault) -> IncomingResponse {
        let loop: EventLoop
        switch Self.loop {
        case .success(let running): loop = running
        case .failure(let error): throw .notConnected(error)
        }
        let cancellation = Cancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute {
                    cancellation.begin(request, route, bounds, loop) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            loop.execute { cancellation.cancel() }
        }
        return try result.get()
    }

    /// A connection that may be cancelled, also before it has begun. Lives on the loop.
    private final class Cancellation: @unchecked Sendable {
        private var isCancelled = false
        private weak var connection: ClientConnection?

        func begin(
            _ request: OutgoingRequest,
            _ route: ClientRoute,
            _ bounds: ClientBounds,
            _ loop: EventLoop,
            completion: @escaping (Result<IncomingResponse, ClientFault>) -> Void
        ) {
            guard !isCancelled else { return completion(.failure(.cancelled)) }
            do throws(SocketError) {
                let connection = try ClientConnection(
                    request,
                    on: route,
                    bounds: bounds,
                    loop: loop,
                    completion: completion
                )
                self.connection = connection
                connection.start()
            } catch {
                completion(.failure(.notConnected(error)))
            }
        }

        func cancel() {
            isCancelled = true
            connection?.abort()
        }
    }
}
