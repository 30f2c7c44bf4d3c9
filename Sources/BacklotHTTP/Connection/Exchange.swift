internal import Logging
internal import Synchronization

/// A request and its answer: the one in hand of an HTTP/1 connection, or a stream of HTTP/2. It lives on a loop.
///
/// The requirements cover what differs between the two. The extension runs the handler, which is the same for both.
protocol Exchange: BodyOutlet, Sendable {
    var server: ServerContext { get }
    /// The address at the other end of the connection.
    var remoteAddress: SocketAddress { get }

    var counts: RequestCounts { get set }
    /// Whether the handler has suspended and not returned yet.
    var isUnderWay: Bool { get }
    /// Whether the handler waits for the client, and not the client for the handler.
    var isClientAwaited: Bool { get }

    /// Runs what may suspend, in a task that is cancelled when the client goes away.
    ///
    /// - Parameter executor: runs the task, on the loop.
    func start(_ request: Request, on executor: any TaskExecutor, _ operation: @escaping @Sendable () async -> Void)
    /// Answers an error that the handler has thrown.
    func fail(_ error: any Error, _ request: Request)
    /// Sends an answer that is all there.
    func complete(_ response: Response)

    /// Sends the head of an answer whose body is written piece by piece.
    ///
    /// - Returns: where the body goes; nil when none may be sent.
    func startResponse(_ response: Response, _ length: Int?) -> OutgoingBody?
    /// Whether a body is still being sent and hasn't been given up.
    func isSending(_ body: OutgoingBody) -> Bool
    /// The body is whole.
    func endResponse(_ body: OutgoingBody)
    /// The body will never be whole. The head is gone: only a cut tells the client.
    func cutResponse(_ body: OutgoingBody)
}

/// What counts of a request, beside others.
struct RequestCounts {
    /// The network that the request counts for, once its handler has suspended.
    var network: UInt64?
    /// Whether the request counts among those in flight.
    var isInFlight = false
    /// Whether it counts among those of its client.
    var isHeld = false
    /// How many bytes its head has, once its handler has suspended.
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

    /// Counts the request among those in flight, unless it waits for its client: such a request must not keep others
    /// out. Among those of its client it always counts: many could wait, and go on together.
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

    /// Runs the handler: inline as far as it doesn't suspend, and after each suspension on this loop again.
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
                    return start(request, on: executor) { [response] in await self.send(response) }
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
            server.logger.error("a streamed answer failed: \(String(reflecting: error))")
            cutResponse(body)
        }
    }
}

extension ServerContext {
    /// Calls the handler. Here it is known not to change, and needs no copy.
    fileprivate func respond(to request: Request) throws -> HandlerResult { try handler.respond(to: request) }
}
