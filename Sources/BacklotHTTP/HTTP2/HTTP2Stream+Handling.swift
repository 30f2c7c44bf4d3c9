internal import Logging
internal import Synchronization

/// Runs the handler, as `Connection+Exchange` does for HTTP/1.
extension HTTP2Stream {
    /// Starts the handler: the head is there, and as much of the body as came with it.
    func begin() {
        guard isOpen else { return }
        switch head {
        case .success(let head): handle(head)
        case .failure(.refused(let error)):
            server.logger.debug("refused a request from \(connection.remoteAddress): \(error.reason)")
            complete(Response(error))
        case .failure(.malformed): reset(.protocolError)
        }
    }

    private func handle(_ head: RequestHead) {
        isHead = head.isMethod("HEAD")
        // Handlers of streams that were reset run on; a client must not gather any number of them.
        guard connection.handlers < server.configuration.limits.streams else { return reset(.refusedStream) }
        guard server.hasRoomForRequest else { return complete(.tooManyRequests) }
        let address = connection.remoteAddress
        let request = Request(head: head, body: makeBody(head), remoteAddress: address)
        let admission = server.admit(request, over: address)
        if case .refused = admission { return complete(.tooManyFromAddress) }
        run(request, admission.ticket)
    }

    private func run(_ request: Request, _ ticket: AddressTicket?) {
        do {
            if var response = try server.handler.answerAtOnce(request) {
                server.check(&response, to: request)
                response = inPieces(response)
                if case .stream = response.body { return start { [response] in await self.send(response) } }
                return complete(response)
            }
        } catch {
            return fail(error, request)
        }
        start {
            defer { withExtendedLifetime(ticket) {} }
            do {
                var response = try await self.server.handler.handle(request)
                self.server.check(&response, to: request)
                await self.send(self.inPieces(response))
            } catch {
                self.fail(error, request)
            }
        }
    }

    private func start(_ operation: @escaping @Sendable () async -> Void) {
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

    /// The answer, its body read rather than sent by the system: heads of frames stand between its pieces.
    private func inPieces(_ response: Response) -> Response {
        guard case .file(let slice) = response.body, !isHead else { return response }
        var response = response
        response.body = slice.inPieces
        return response
    }

    private func send(_ response: Response) async {
        guard case .stream(let length, let produce) = response.body else { return complete(response) }
        if let body = startAnswer(response, length) { await run(produce, into: body) }
    }

    private func fail(_ error: any Error, _ request: Request) {
        complete(server.response(to: error, for: request))
    }

    private func run(_ produce: @Sendable (BodyWriter) async throws -> Void, into body: OutgoingBody) async {
        do {
            try await produce(BodyWriter(body))
            guard isOpen else { return }
            try body.checkLength()
            body.end(.ended)
            endAnswer()
        } catch {
            // The head is gone: only a reset tells the client that the body is not whole.
            guard isOpen else { return }
            server.logger.error("a streamed answer failed: \(String(reflecting: error))")
            reset(.internalError)
        }
    }
}
