internal import HTTPTypes
internal import Logging
internal import Synchronization

extension Connection: Exchange {
    /// Starts an exchange: the head is read, and with it as much of the body as is there.
    func begin(_ head: RequestHead, _ bytes: [UInt8], _ position: inout Int, _ count: Int) {
        let isFirst = !hasHadRequest
        hasHadRequest = true
        phase = .exchange
        isPersistent = head.isPersistent
        isHTTP10 = head.line.isHTTP10
        isHead = head.isMethod("HEAD")
        if isStray {
            guard mayBeStray(head) else { return refuseStray(head) }
            isPersistent = false
        }
        guard let body = readBody(head, bytes, &position, count) else { return }
        if isDraining { hasFollower = position < count }
        let request = Request(
            head: head,
            body: body,
            remoteAddress: remoteAddress,
            tls: tls?.details,
            trustedProxies: server.configuration.trustedProxies
        )
        if isFirst { server.noteProxy(of: request) }
        handle(request)
    }

    /// The body as the handler will see it, or nil when it is malformed already.
    private func readBody(
        _ head: RequestHead,
        _ bytes: [UInt8],
        _ position: inout Int,
        _ count: Int
    ) -> RequestBody? {
        let limits = server.configuration.limits
        guard let decoder = BodyDecoder(head.framing, limits: limits) else {
            return RequestBody(.bytes([]), limit: limits.body)
        }
        if case .length(let length) = head.framing, length <= count - position {
            let body = Array(copying: bytes.span.extracting(position..<(position + length)))
            position += length
            return RequestBody(.bytes(body), limit: limits.body)
        }
        let incoming = FramedBody(decoder: decoder, loop: loop, source: self, server: server)
        incoming.body.hold?.add(head.bytes.count)
        do throws(RequestError) {
            owesContinue = head.expectsContinue && position == count
            try incoming.feed(bytes.span.extracting(..<count), from: &position)
        } catch {
            refuse(error, isHead: isHead)
            return nil
        }
        self.incoming = incoming
        return RequestBody(.incoming(incoming.body), limit: limits.body)
    }

    func start(_ request: Request, on executor: any TaskExecutor, _ operation: @escaping @Sendable () async -> Void) {
        counts.headSize = UInt16(clamping: request.head.bytes.count)
        let task = Task.immediate(executorPreference: executor) { await operation() }
        guard phase == .exchange, isOpen else { return }
        self.task = task
        network = server.network(of: request)
        updateInFlight()
    }

    var isUnderWay: Bool { task != nil }

    /// Whether the handler waits for the client: for the request's body, or for room for the answer's.
    var isClientAwaited: Bool { incoming?.isAwaited ?? false || outgoing?.isWaiting ?? false }

    func waitChanged() { updateInFlight() }

    func fail(_ error: any Error, _ request: Request) {
        if error is RequestError { isPersistent = false }
        complete(server.response(to: error, for: request))
    }

    // MARK: Answers

    /// Refuses what can't be a request. Nothing after it is read as one.
    ///
    /// - Parameter isHead: whether it is known to be HEAD, whose answers have no body.
    func refuse(_ error: RequestError, isHead: Bool) {
        server.logger.debug("refused a request from \(remoteAddress): \(error.reason)")
        if error == .encrypted { server.noteEncrypted(from: remoteAddress, at: loop.clock.elapsed) }
        isPersistent = false
        self.isHead = isHead
        isHTTP10 = false
        var response = Response.text(error.reason, status: error.status)
        response.headers.append(contentsOf: error.headers)
        write(response)
        linger()
    }

    /// Sends an answer that is all there, and ends the exchange.
    func complete(_ response: Response) {
        loop.preconditionIsCurrent()
        guard isOpen, phase == .exchange else { return }
        if case .fault(let fault) = response.body { return commit(fault, response) }
        write(response)
        guard isOpen else { return }
        endExchange()
    }

    func write(_ response: Response) {
        if isPersistent { isPersistent = keepsConnection(after: response) }
        let encoder = encoder
        append { encoder.write(response, into: &$0) }
        guard encoder.framing(of: response) == .length else { return }
        switch response.body {
        case .file(let slice): write(slice)
        case .bytes(let bytes) where bytes.count > OutgoingSlice.copiedBytes: file = OutgoingSlice(bytes, server)
        case .empty, .bytes, .stream, .fault: break
        }
    }

    private var encoder: ResponseEncoder {
        ResponseEncoder(
            isHead: isHead,
            isHTTP10: isHTTP10,
            isPersistent: isPersistent,
            dateLine: loop.clock.dateLine
        )
    }

    /// Whether the next request can be found after this answer, at a bearable cost.
    private func keepsConnection(after response: Response) -> Bool {
        if response.closesConnection { return false }
        guard let incoming, !incoming.isFinished else { return !isDraining || hasSentMore }
        if isDraining { return false }
        // A client that waits for its 100 may send the body or not: the two can't be told apart.
        guard !owesContinue, let remaining = incoming.remaining else { return false }
        return remaining <= Self.discardLimit
    }

    /// Whether the client has sent more than the request in hand.
    ///
    /// When the server stops, whoever sends requests without waiting for the answers still gets all of them: nothing
    /// after an answer with `Connection: close` may be read as a request (RFC 9112, section 9.6), so that one has to
    /// wait.
    private var hasSentMore: Bool { (isProcessing ? hasFollower : partial != nil) || hasInput }

    /// The answer is complete.
    func endExchange() {
        task = nil
        outgoing = nil
        updateInFlight()
        network = nil
        owesContinue = false
        if !isPersistent {
            linger()
        } else if let incoming, !incoming.isFinished {
            incoming.fail(StreamError.ended)
            phase = .discarding
        } else {
            nextRequest()
        }
        resumeInput()
    }

    /// Waits for the next request.
    func nextRequest() {
        incoming = nil
        phase = .head
        lastProgress = loop.clock.now
        partial?.began = loop.clock.now
    }

    // MARK: Bodies that take time

    /// The time from the client's last byte until it is probed, in milliseconds.
    static let probeDelay: Int64 = 1000

    /// Whether to find out if the client has gone: it has sent its last byte, and its handler is at work.
    ///
    /// Only sending something tells a client that has closed the connection from one that has only ended its own side.
    var isProbeDue: Bool {
        inputEnded && !isProbed && !isHTTP10 && task != nil && outgoing == nil
            && incoming.map { $0.isFinished || !$0.body.isArriving } ?? true
    }

    /// Sends an interim response, which each client of HTTP/1.1 understands (RFC 9110, section 15.2). The system of a client that
    /// has gone sends a reset, which cancels the handler.
    func probe() {
        isProbed = true
        writeContinue()
        finishRound()
    }

    private func writeContinue() {
        owesContinue = false
        append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") }
    }

    func startAnswer(_ response: Response, _ length: Int?) -> OutgoingBody? {
        loop.preconditionIsCurrent()
        guard isOpen, phase == .exchange else { return nil }
        let framing = encoder.framing(of: response)
        if framing == .untilClose { isPersistent = false }
        // The function that writes the answer may read the body, and a 100 can't be sent once the head is.
        if owesContinue, framing != .none, response.status.kind == .successful { writeContinue() }
        write(response)
        owesContinue = false
        guard framing != .none else {
            endExchange()
            return nil
        }
        let body = OutgoingBody(outlet: self, framing: framing, promised: length)
        outgoing = body
        // The head doesn't wait for the first piece.
        if !isProcessing { flushAfterRound() }
        return body
    }

    func isSending(_ body: OutgoingBody) -> Bool { isOpen && outgoing === body }

    func endAnswer(_ body: OutgoingBody) {
        closeChunk()
        append { ResponseEncoder.writeEnd(body.framing, into: &$0) }
        endExchange()
    }

    func cutAnswer(_ body: OutgoingBody) {
        // Answers before this one are whole, and may still be here.
        closeChunk()
        sendOutput()
        // Where the end of the connection means the end of the body, only a reset says that bytes are missing.
        if isOpen, body.framing == .untilClose { socket.resetOnClose() }
        abort()
    }
}

extension Connection: BodySource {
    func bodyWanted(taken: Int) {
        if owesContinue { writeContinue() }
        lastProgress = loop.clock.now
        if !isProcessing { resumeInput() }
    }
}
