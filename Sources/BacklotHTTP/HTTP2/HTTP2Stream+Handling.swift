internal import Logging
internal import Synchronization

/// The handler of the request.
extension HTTP2Stream: Exchange {
    /// Starts the handler: the head is there, and as much of the body as came with it.
    func begin() {
        guard isOpen else { return }
        switch head {
        case .success(let head): begin(head)
        case .failure(.refused(let error)):
            server.logger.debug("refused a request from \(remoteAddress): \(error.reason)")
            complete(Response(error))
        case .failure(.malformed): reset(.protocolError)
        }
    }

    private func begin(_ head: RequestHead) {
        // Handlers of streams that were reset run on; a client must not gather any number of them.
        guard connection.handlers < server.configuration.limits.streams, !connection.isOverdrawn else {
            return reset(.refusedStream)
        }
        handle(Request(head: head, body: makeBody(head), remoteAddress: remoteAddress))
    }

    func start(_ operation: @escaping @Sendable () async -> Void) {
        connection.handlers += 1
        isUnderWay = true
        let task = Task.immediate(executorPreference: loop) {
            await operation()
            self.ended()
        }
        guard isUnderWay else { return }
        self.task = task
        updateInFlight()
    }

    /// Whether the handler waits for the client: for the request's body, or for room for the answer's.
    var isClientAwaited: Bool { isBodyAwaited || outgoing?.isWaiting ?? false }

    func waitChanged() {
        noteHeld()
        updateInFlight()
    }

    /// The handler has returned. Until then its request counts, whatever has become of the stream.
    private func ended() {
        loop.preconditionIsCurrent()
        isUnderWay = false
        task = nil
        connection.handlers -= 1
        updateInFlight()
    }

    func fail(_ error: any Error, _ request: Request) {
        complete(server.response(to: error, for: request))
    }
}
