internal import HTTPTypes
internal import Logging
internal import Synchronization

extension Connection: Exchange {
    // MARK: Requests

    /// Calls the handler.
    ///
    /// - Parameter body: all of the body; nil where it may still be arriving.
    func handle(_ head: RequestHead, _ body: [UInt8]?) {
        if isStray {
            guard mayBeStray(head) else { return refuseStray(head) }
            machine.endAfterResponse()
        }
        let source = activity?.incoming.map(RequestBody.Source.incoming)
        let request = Request(
            head: head,
            body: RequestBody(
                body.map(RequestBody.Source.bytes) ?? source ?? .bytes([]),
                limit: server.configuration.limits.body
            ),
            remoteAddress: remoteAddress,
            tls: tls?.details,
            trustedProxies: server.configuration.trustedProxies
        )
        if machine.isNew { server.noteProxy(of: request) }
        handle(request)
    }

    func start(_ request: Request, on executor: any TaskExecutor, _ operation: @escaping @Sendable () async -> Void) {
        let task = Task.immediate(executorPreference: executor) { await operation() }
        guard machine.isInExchange else { return }
        active.task = task
        active.counts = RequestCounts(
            network: server.network(of: request),
            headSize: UInt16(clamping: request.head.bytes.count)
        )
        updateInFlight()
    }

    var counts: RequestCounts {
        get { activity?.counts ?? RequestCounts() }
        set { active.counts = newValue }
    }

    var isUnderWay: Bool { activity?.task != nil }

    /// Whether the handler waits for the client: for the request's body, or for room for the response's.
    var isClientAwaited: Bool {
        guard let activity else { return false }
        return activity.incoming?.isAwaited ?? false || activity.outgoing?.isWaiting ?? false
    }

    func waitChanged() { updateInFlight() }

    func fail(_ error: any Error, _ request: Request) {
        if error is RequestError { machine.endAfterResponse() }
        complete(server.response(to: error, for: request))
    }

    // MARK: Responses

    /// Refuses what can't be a request. Nothing after it is read as one.
    func refuse(_ error: RequestError) {
        server.logger.debug("refused a request from \(remoteAddress): \(error.reason)")
        if error == .encrypted { server.noteEncrypted(from: remoteAddress, at: loop.clock.elapsed) }
        var response = Response.text(error.reason, status: error.status)
        response.headers.append(contentsOf: error.headers)
        write(response)
        perform(.finish)
    }

    /// Sends a response that is all there, and ends the exchange.
    func complete(_ response: Response) {
        loop.preconditionIsCurrent()
        guard machine.phase == .exchange else { return }
        if case .fault(let fault) = response.body { return commit(fault, response) }
        _ = machine.respond(closes: response.closesConnection, hasInput: hasInput)
        write(response)
        endExchange()
    }

    private var encoder: ResponseEncoder {
        let request = machine.request
        return ResponseEncoder(
            isHead: request.contains(.head),
            isHTTP10: request.contains(.http10),
            isPersistent: request.contains(.persistent),
            dateLine: loop.clock.dateLine
        )
    }

    private func write(_ response: Response) {
        let encoder = encoder
        let isBegun = machine.request.isSuperset(of: [.probed, .http10])
        append {
            let start = $0.count
            encoder.write(response, into: &$0)
            if isBegun { $0.remove(at: start) }
        }
        guard encoder.framing(of: response) == .length else { return }
        switch response.body {
        case .file(let slice): write(slice)
        case .bytes(let bytes) where bytes.count > OutgoingSlice.copiedBytes: active.file = OutgoingSlice(bytes, server)
        case .empty, .bytes, .stream, .fault: break
        }
    }

    /// The response is complete.
    private func endExchange() {
        guard isOpen else { return }
        if let activity {
            activity.task = nil
            activity.outgoing = nil
            updateInFlight()
        }
        perform(machine.responseEnded(at: loop.clock.now))
        activity?.incoming = nil
        round()
    }

    func startAnswer(_ response: Response, _ length: Int?) -> OutgoingBody? {
        loop.preconditionIsCurrent()
        guard machine.phase == .exchange else { return nil }
        let framing = encoder.framing(of: response)
        // The function that writes the response may read the body.
        let mayReadBody = framing != .none && response.status.kind == .successful
        let closes = framing == .untilClose || response.closesConnection
        if machine.respond(closes: closes, mayReadBody: mayReadBody, hasInput: hasInput) { writeContinue() }
        write(response)
        guard framing != .none else {
            endExchange()
            return nil
        }
        let body = OutgoingBody(outlet: self, framing: framing, promised: length)
        active.outgoing = body
        // The head doesn't wait for the first piece.
        roundLater()
        return body
    }

    func isSending(_ body: OutgoingBody) -> Bool { activity?.outgoing === body }

    func endAnswer(_ body: OutgoingBody) {
        closeChunk()
        append { ResponseEncoder.writeEnd(body.framing, into: &$0) }
        endExchange()
    }

    func cutAnswer(_ body: OutgoingBody) {
        // Responses before this one are whole, and may still be here.
        closeChunk()
        sendOutput()
        // Where the end of the connection means the end of the body, only a reset says that bytes are missing.
        if isOpen, body.framing == .untilClose { socket.resetOnClose() }
        abort()
    }

    /// Misbehaves instead of responding. No further request is read.
    private func commit(_ fault: ConnectionFault, _ response: Response) {
        machine.endAfterResponse()
        switch fault {
        case .connectionReset:
            // Responses before this one are whole, and may still be here.
            sendOutput()
            guard isOpen else { return }
            socket.resetOnClose()
            return abort()
        case .emptyResponse: break
        case .malformedChunk:
            var head = response
            head.body = .stream { _ in }
            // Whatever the client speaks and has asked for: it is meant to find the fault.
            let encoder = ResponseEncoder(dateLine: loop.clock.dateLine)
            append {
                encoder.write(head, into: &$0)
                $0.append(contentsOf: ConnectionFault.noChunk.utf8)
            }
        case .randomData: append { $0.append(contentsOf: ConnectionFault.randomBytes()) }
        }
        endExchange()
    }

    /// Sends an interim response, which each client of HTTP/1.1 understands (RFC 9110, section 15.2), or to one of HTTP/1.0 the byte
    /// that each response begins with. The system of a client that has gone sends a reset, which cancels the handler.
    func probe() {
        if machine.request.contains(.http10) { append { $0.append(UInt8(ascii: "H")) } } else { writeContinue() }
    }

    private func writeContinue() { append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") } }
}

extension Connection: BodySource {
    func bodyWanted(taken: Int) {
        if machine.bodyWanted(at: loop.clock.now) { writeContinue() }
        round()
    }
}
