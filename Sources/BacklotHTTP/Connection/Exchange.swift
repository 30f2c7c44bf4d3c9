internal import Logging
internal import Synchronization

/// A request and its response: the current one of an HTTP/1 connection, or a stream of HTTP/2. It lives on a loop.
///
/// The requirements cover the differences between the two. The extension runs the handler, in the same way for both.
protocol Exchange: BodyOutlet, Sendable {
    var server: ServerContext { get }
    /// The address at the other end of the connection.
    var remoteAddress: SocketAddress { get }

    var counts: RequestCounts { get set }
    /// Whether the handler has suspended and not returned yet.
    var isUnderWay: Bool { get }
    /// Whether the handler waits for the client, rather than the client for the handler.
    var isClientAwaited: Bool { get }

    /// Runs an operation that may suspend, in a task that is cancelled when the client goes away.
    ///
    /// - Parameter executor: the executor of the task, on the loop.
    func start(_ request: Request, on executor: any TaskExecutor, _ operation: @escaping @Sendable () async -> Void)
    /// Responds to an error thrown by the handler.
    func fail(_ error: any Error, _ request: Request)
    /// Sends a complete response.
    func complete(_ response: Response)

    /// Sends the head of a response with a body that is written piece by piece.
    ///
    /// - Returns: the body to write to; nil when no body may be sent.
    func startResponse(_ response: Response, _ length: Int?) -> OutgoingBody?
    /// Whether a body is still being sent and hasn't been given up.
    func isSending(_ body: OutgoingBody) -> Bool
    /// The body is complete.
    func endResponse(_ body: OutgoingBody)
    /// The body will never be complete. The head is already sent, so only cutting the connection tells the client.
    ///
    /// - Parameter fault: the way to cut it; nil for the one that clients are sure to notice.
    func cutResponse(_ body: OutgoingBody, _ fault: ConnectionFault?)
}

/// The counters of the server that a request contributes to.
struct RequestCounts {
    /// The network that the request counts for, once its handler has suspended.
    var network: UInt64?
    /// Whether the request counts among those in flight.
    var isInFlight = false
    /// Whether the request counts among those in flight of its client.
    var isHeld = false
    /// The number of bytes of the request's head, once its handler has suspended.
    var headSize: UInt16 = 0
}

extension Exchange {
    /// Hands a request to the handler, unless there are too many already.
    func handle(_ request: Request) {
        guard server.hasRoom(for: request) else { return complete(.tooManyRequests) }
        var ticket: Ticket?
        guard server.admit(request, over: remoteAddress, &ticket) else { return complete(.tooManyFromAddress) }
        run(request, ticket)
    }

    /// Counts the request among those in flight, unless it waits for its client: such a request must not keep others out. It
    /// always counts for its client: otherwise many requests could wait and then continue together.
    func updateInFlight() {
        let weight = ServerContext.weight(headSize: Int(counts.headSize))
        if isUnderWay != counts.isHeld, let network = counts.network {
            counts.isHeld = isUnderWay
            server.hold(isUnderWay ? weight : -weight, for: network, on: loop)
        }
        let isInFlight = isUnderWay && !isClientAwaited
        guard isInFlight != counts.isInFlight else { return }
        counts.isInFlight = isInFlight
        server.requestsInFlight.add(isInFlight ? weight : -weight, ordering: .relaxed)
    }

    /// Runs the handler: inline until it suspends, and on this loop again after each suspension.
    private func run(_ request: Request, _ ticket: Ticket?) {
        guard BuildDefaults.watchesLoops else { return run(request, ticket, on: loop) }
        let watch = LoopWatch(loop, request, server.logger)
        var request = request
        request.loopWatch = watch
        let start = LoopClock.nanoseconds
        run(request, ticket, on: watch)
        watch.note(since: start)
    }

    private func run(_ request: Request, _ ticket: Ticket?, on executor: any TaskExecutor) {
        do {
            switch try server.respond(to: request) {
            case .ready(var response):
                server.check(&response, to: request)
                if response.takesTime {
                    return start(request, on: executor) { [response] in
                        await self.send(response)
                        withExtendedLifetime(ticket) {}
                    }
                }
                complete(response)
            case .pending(let work): start(request, on: executor) { await self.run(work, request, ticket) }
            }
        } catch {
            fail(error, request)
        }
    }

    private func run(
        _ work: @Sendable () async throws -> Response,
        _ request: Request,
        _ ticket: Ticket?
    ) async {
        defer { withExtendedLifetime(ticket) {} }
        do {
            var response = try await work()
            server.check(&response, to: request)
            await send(response)
        } catch {
            fail(error, request)
        }
    }

    private func send(_ response: Response) async {
        if let pace = response.pace { return await send(response.paced(by: pace)) }
        guard case .stream(let length, let produce) = response.body else { return complete(response) }
        if let body = startResponse(response, length) { await write(produce, into: body) }
    }

    private func write(_ produce: @Sendable (BodyWriter) async throws -> Void, into body: OutgoingBody) async {
        do {
            try await server.streams.watched { try await produce(BodyWriter(body)) }
            guard isSending(body) else { return }
            try body.checkLength()
            body.end(.ended)
            endResponse(body)
        } catch {
            guard isSending(body) else { return }
            if let broken = error as? BrokenStream { return cutResponse(body, broken.fault) }
            server.logger.error("a streamed response failed: \(String(reflecting: error))")
            cutResponse(body, nil)
        }
    }
}

extension ServerContext {
    /// Calls the handler. Here it is a constant, so the compiler needs no copy of it.
    fileprivate func respond(to request: Request) throws -> HandlerResult { try handler.respond(to: request) }
}
