public import BacklotHTTP
internal import HTTPTypes
public import Logging

/// Calls a handler without a socket. The responses are the same as from its server, but take a fraction of the time.
public struct InProcessTransport: ClientTransport {
    /// The URL of the handler's root. The transport can't reach other hosts.
    public static let root = "http://localhost/"

    private let server: InProcessServer

    /// Creates a transport that calls a handler.
    ///
    /// - Parameter logger: the logger for the handler's errors that don't carry a status.
    /// - Throws: the errors of the handler's preparation, such as two routes for one path.
    public init(_ handler: any Handler, logger: Logger = Logger(label: "backlot.testing")) throws {
        try handler.prepare()
        server = InProcessServer(handler, logger: logger)
    }

    /// Calls the handler and returns its response.
    ///
    /// After `limits.total`, the transport stops waiting and cancels the handler's task. The task runs on until it checks for cancellation.
    public func response(
        to request: ClientRequest,
        limits: ClientLimits
    ) async throws(ClientError) -> ClientResponse {
        let (incoming, server) = (try incoming(request), server)
        let result = await race(limits.total) { () async -> Result<IncomingResponse, ClientConnectionError> in
            do throws(ClientConnectionError) {
                return .success(try await server.response(to: incoming, bodyLimit: limits.body))
            } catch {
                return .failure(error)
            }
        }
        do throws(ClientConnectionError) {
            return ClientResponse(try result.get())
        } catch {
            throw ClientError(error)
        }
    }

    /// Calls the handler, and returns its response before the body is complete.
    public func open(_ request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientStream {
        let incoming = try incoming(request)
        do throws(ClientConnectionError) {
            let response = try await server.open(incoming)
            return ClientStream(ClientResponse(status: response.status, headers: response.headers)) { write in
                try await response.body.write { try write($0) }
            }
        } catch {
            throw ClientError(error)
        }
    }

    private func incoming(_ request: ClientRequest) throws(ClientError) -> Request {
        guard request.url.scheme == .http, request.url.host == "localhost", request.url.port == 80 else {
            throw .outsideOfProcess(request.url)
        }
        var headers = request.headers
        if request.waitsForContinue { headers[.expect] = "100-continue" }
        do throws(RequestError) {
            return try Request(request.method, request.url.target, headers: headers, body: request.body)
        } catch {
            throw .malformed("the request itself: \(error.reason)")
        }
    }
}

/// Runs an operation in a new task. Stops waiting after the time limit, or when the caller is cancelled.
private func race(
    _ limit: Duration,
    _ operation: @escaping @Sendable () async -> Result<IncomingResponse, ClientConnectionError>
) async -> Result<IncomingResponse, ClientConnectionError> {
    let (results, continuation) = AsyncStream.makeStream(
        of: Result<IncomingResponse, ClientConnectionError>.self,
        bufferingPolicy: .bufferingOldest(1)
    )
    let hasEnded = Locked(false)
    let work = Task.immediate {
        let result = await operation()
        hasEnded.withLock { $0 = true }
        continuation.yield(result)
    }
    // Most handlers respond at once.
    let watch =
        hasEnded.withLock(\.self)
        ? nil
        : Task {
            try await Task.sleep(for: limit)
            continuation.yield(.failure(.timedOut("the handler hadn't responded after \(limit.milliseconds) ms")))
        }
    defer {
        work.cancel()
        watch?.cancel()
    }
    return await results.first { _ in true } ?? .failure(.cancelled)
}
