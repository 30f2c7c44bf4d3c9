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
        guard connection.handlers < server.configuration.limits.streams else { return reset(.refusedStream) }
        handle(Request(head: head, body: makeBody(head), remoteAddress: remoteAddress))
    }

    func start(_ operation: @escaping @Sendable () async -> Void) {
        connection.handlers += 1
        let task = Task.immediate(executorPreference: loop) {
            await operation()
            self.ended()
        }
        guard !hasEnded else { return }
        self.task = task
        isInFlight = true
        server.requestsInFlight.add(1, ordering: .relaxed)
    }

    /// The handler has returned. Until then its request counts, whatever has become of the stream.
    private func ended() {
        loop.preconditionIsCurrent()
        hasEnded = true
        task = nil
        connection.handlers -= 1
        guard isInFlight else { return }
        isInFlight = false
        server.requestsInFlight.subtract(1, ordering: .relaxed)
    }

    /// Files are read rather than sent by the system: heads of frames stand between the pieces of a body.
    func adapt(_ response: inout Response) {
        guard case .file(let slice) = response.body, !isHead else { return }
        response.body = slice.inPieces
    }

    func fail(_ error: any Error, _ request: Request) {
        complete(server.response(to: error, for: request))
    }
}
