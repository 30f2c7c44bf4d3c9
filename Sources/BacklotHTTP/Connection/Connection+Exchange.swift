internal import HTTPTypes
internal import Logging
internal import Synchronization

extension Connection: Exchange {
    // MARK: Requests

    /// Calls the handler.
    ///
    /// - Parameter body: the whole body; nil if it may still be arriving.
    func handle(_ head: RequestHead, _ body: [UInt8]?) {
        if let configuration = server.tls?.configuration, tls == nil {
            machine.endAfterResponse()
            if let response = configuration.redirection(of: head) {
                server.logger.debug("a request from \(remoteAddress) came in clear text to a port of TLS")
                return complete(response)
            }
        }
        var source = body.map(RequestBody.Source.bytes) ?? activity?.incoming.map(RequestBody.Source.incoming)
        if machine.request.contains(.upgradable) {
            let incoming = IncomingBody(declaredLength: nil, loop: loop, source: self, server: server)
            active.incoming = incoming
            source = .upgradable(incoming)
        }
        var request = Request(
            head: head,
            body: RequestBody(source ?? .bytes([]), limit: server.configuration.limits.body),
            remoteAddress: remoteAddress,
            tls: tls?.details,
            trustedProxies: server.configuration.trustedProxies
        )
        request.attributes = attributes
        if machine.isNew { server.noteProxy(of: request) }
        handle(request)
    }

    func start(_ request: Request, on executor: any TaskExecutor, _ operation: @escaping @Sendable () async -> Void) {
        let task = Task.immediate(executorPreference: executor) { await operation() }
        guard machine.isInExchange else { return }
        active.task = task
        let headSize = UInt16(clamping: request.head.bytes.count)
        active.counts = RequestCounts(network: server.network(of: request), headSize: headSize)
        updateInFlight()
    }

    /// Counts the handler of a closed connection until it returns: a client that goes away must not gather any number of them.
    func keepCounts(until task: Task<Void, Never>) {
        updateInFlight()
        Task(executorPreference: loop) {
            await task.value
            self.activity?.task = nil
            self.updateInFlight()
            self.activity = nil
        }
    }

    var counts: RequestCounts {
        get { activity?.counts ?? RequestCounts() }
        set { active.counts = newValue }
    }

    var isUnderWay: Bool { activity?.task != nil }

    /// Whether the handler waits for the client: for the request's body, or for room for the response's.
    var isClientAwaited: Bool { activity?.isClientAwaited ?? false }

    func waitChanged() { updateInFlight() }

    func fail(_ error: any Error, _ request: Request) {
        if error is RequestError { machine.endAfterResponse() }
        complete(server.response(to: error, for: request))
    }

    // MARK: Responses

    /// Refuses bytes that can't be a request. The bytes after them are never read as requests.
    func refuse(_ error: RequestError) {
        server.note(error, from: remoteAddress)
        if error == .encrypted { server.noteEncrypted(from: remoteAddress, at: loop.clock.elapsed) }
        var response = Response.text(error.reason, status: error.status)
        response.headers.append(contentsOf: error.headers)
        write(response)
        perform(.finish)
    }

    /// Sends a complete response, and ends the exchange.
    func complete(_ response: Response) {
        loop.preconditionIsCurrent()
        guard machine.phase == .exchange else { return }
        if case .fault(let fault) = response.body { return commit(fault, response) }
        _ = machine.respond(closes: response.closesConnection, activity?.body, hasInput: hasInput)
        write(response)
        endExchange()
    }

    private var encoder: ResponseEncoder { ResponseEncoder(to: machine.request, dateLine: loop.clock.dateLine) }

    private func write(_ response: Response) {
        if !pending.append(response, encoder, server) { cutFile() }
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

    func startResponse(_ response: Response, _ length: Int?) -> OutgoingBody? {
        loop.preconditionIsCurrent()
        guard machine.phase == .exchange else { return nil }
        let framing = encoder.framing(of: response)
        // The function that writes the response may read the body.
        let mayReadBody = framing != .none && response.status.kind == .successful
        let closes = framing == .untilClose || framing == .upgraded || response.closesConnection
        if machine.respond(closes: closes, activity?.body, mayReadBody: mayReadBody, hasInput: hasInput) {
            pending.appendContinue()
        }
        write(response)
        guard framing != .none else {
            endExchange()
            return nil
        }
        let body = OutgoingBody(outlet: self, framing: framing, promised: length)
        active.outgoing = body
        if framing == .upgraded { active.body = machine.upgrade() }
        // The head doesn't wait for the first piece.
        roundLater()
        return body
    }

    func isSending(_ body: OutgoingBody) -> Bool { activity?.outgoing === body }

    func endResponse(_ body: OutgoingBody) {
        closeChunk()
        pending.append { ResponseEncoder.writeEnd(body.framing, into: &$0) }
        endExchange()
    }

    func cutResponse(_ body: OutgoingBody, _ fault: ConnectionFault?) {
        closeChunk()
        switch fault {
        case .connectionReset: return cut(withReset: true)
        case .emptyResponse, .malformedChunk, .randomData:
            let bytes = fault == .malformedChunk ? Array(ConnectionFault.noChunk.utf8) : ConnectionFault.randomBytes()
            if fault != .emptyResponse { pending.append { $0 += bytes } }
            machine.endAfterResponse()
            return endExchange()
        case nil: break
        }
        // If the end of the connection marks the end of the body, only a reset tells that bytes are missing.
        cut(withReset: body.framing == .untilClose)
    }

    /// Breaks the connection on purpose instead of responding. No further request is read.
    private func commit(_ fault: ConnectionFault, _ response: Response) {
        machine.endAfterResponse()
        if fault == .connectionReset { return cut(withReset: true) }
        pending.append { $0 += fault.bytes(of: response, loop.clock.dateLine) }
        endExchange()
    }

    /// Cuts the connection in the middle of a response. Earlier responses are complete, and may still be waiting here.
    private func cut(withReset: Bool) {
        sendOutput()
        if isOpen, withReset { socket.resetOnClose() }
        abort()
    }
}

/// Sending.
extension Connection {
    /// The output to write into.
    var pending: Output {
        if let output {
            output.trim()
            return output
        }
        let output = loop.buffers.takeOutput()
        self.output = output
        return output
    }

    /// Whether more may be written before the client has accepted the waiting bytes.
    var hasRoom: Bool { output?.hasRoom ?? true }

    /// Accepts a piece of a streamed body, or begins a chunk with it. The pieces of a round are sent together.
    func send(_ bytes: [UInt8], of body: OutgoingBody, isLast: Bool) {
        if body.framing == .chunked { body.chunk = bytes } else { pending.append { $0 += bytes } }
        roundLater()
    }

    /// Appends the collected chunk to the output.
    private func closeChunk() {
        guard let chunk = activity?.outgoing?.takeChunk() else { return }
        pending.append { ResponseEncoder.writeChunk(chunk, into: &$0) }
    }

    /// Gives the system as many bytes as it accepts.
    func flush() {
        closeChunk()
        http2?.flush()
        guard isOpen, sendOutput(), machine.phase == .finishing, sayGoodbye() else { return }
        machine.sent(at: loop.clock.now)
        socket.shutdownSending()
        // The client gets time to read the last response and to close.
        if machine.input != .ended { server.startLingering(self) }
    }

    /// Sends the waiting bytes.
    ///
    /// - Returns: whether all of them are sent.
    @discardableResult
    func sendOutput() -> Bool {
        guard let output else { return true }
        switch output.send(of: self) {
        case .waiting: return false
        case .failed: abort()
        case .fileLost: cutFile()
        case .all:
            if output.meter.take() != nil { machine.written(at: loop.clock.now) }
            self.output = nil
            loop.buffers.giveBack(output)
            return true
        }
        return false
    }

    /// Cuts the connection: the file has become shorter or unreadable after its length was promised.
    private func cutFile() {
        server.logger.error("a file became shorter, or unreadable, while it was sent: its connection was cut")
        output?.file = nil
        cut(withReset: false)
    }

    func fileLoaded() {
        loop.fileRoom = OutgoingSlice.window
        output?.meter?.lastTaken = loop.clock.now
        round()
    }

    /// Tells the client over TLS that no more bytes will come.
    ///
    /// - Returns: whether the message is sent, or isn't needed.
    @discardableResult
    func sayGoodbye() -> Bool {
        guard let tls, machine.phase != .lingering else { return true }
        return tls.shutDown() != .wantsWrite
    }

    // MARK: Interest

    /// Whether the connection can use bytes that arrive now.
    var wantsInput: Bool {
        machine.wantsInput(
            hasRoom: http2 == nil ? hasRoom : output.map { $0.waiting < HTTP2Connection.outputLimit } ?? true,
            isBodyFull: activity?.incoming?.isFull ?? false
        )
    }

    /// Whether the client has sent bytes that haven't been received.
    var hasInput: Bool { tls?.hasUnread ?? false || socket.hasInput }

    /// Watches the socket for the events of interest; costs a system call only when these have changed.
    ///
    /// - Parameter isLazy: whether a watch may stay although it isn't needed for now.
    func updateInterest(isLazy: Bool = false) {
        guard isOpen else { return }
        let isWriting = output?.isReady ?? (machine.phase == .finishing && tls != nil)
        let wantsInput = wantsInput
        let isReadingBlocked = wantsInput && tls?.readingWantsWrite ?? false
        let next = machine.interest(wantsInput: wantsInput, isReadingBlocked: isReadingBlocked, isWriting: isWriting)
        // Few clients send anything before they have their response, so two system calls per request would be wasted. If bytes do
        // come, the watch ends.
        if isLazy, interest == .readable, !wantsInput, !isWriting, machine.isInExchange { return }
        watch(next)
        if next.contains(.readable) { receiveUnreadLater() }
    }

    /// Receives, in the next round of the loop, bytes that TLS has already decrypted: the system doesn't report them again.
    func receiveUnreadLater() {
        if tls?.hasUnread ?? false, wantsInput { roundLater() }
    }
}

extension Connection: BodySource {
    func bodyWanted(taken: Int) {
        if machine.bodyWanted(activity?.body, at: loop.clock.now) { pending.appendContinue() }
        round()
    }
}
