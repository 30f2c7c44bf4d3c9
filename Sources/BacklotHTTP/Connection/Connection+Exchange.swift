internal import HTTPTypes
internal import Logging
internal import Synchronization

extension Connection: Exchange {
    // MARK: Requests

    /// Calls the handler.
    ///
    /// - Parameter body: all of the body; nil where it may still be arriving.
    func handle(_ head: RequestHead, _ body: [UInt8]?) {
        if let configuration = server.tls?.configuration, tls == nil {
            machine.endAfterResponse()
            if let response = configuration.redirection(of: head) {
                server.logger.debug("a request from \(remoteAddress) came in clear text to a port of TLS")
                return complete(response)
            }
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
        _ = machine.respond(closes: response.closesConnection, activity?.body, hasInput: hasInput)
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
        let (encoder, pending) = (encoder, pending)
        // A probe was the first byte.
        let isBegun = machine.request.isSuperset(of: [.probed, .http10])
        pending.append {
            let start = $0.count
            encoder.write(response, into: &$0)
            if isBegun { $0.remove(at: start) }
        }
        var isBodySent: Bool { encoder.framing(of: response) == .length }
        switch response.body {
        case .file(let slice) where isBodySent: write(slice)
        case .bytes(let bytes) where bytes.count > OutgoingSlice.copiedBytes && isBodySent:
            pending.file = OutgoingSlice(bytes, server)
        case .empty, .bytes, .file, .stream, .fault: break
        }
    }

    /// Sends a slice of a file after the bytes that wait. Until it is sent there is no room for anything else.
    private func write(_ slice: FileSlice) {
        let pending = pending
        let whole = slice.within(slice.count, from: 0)
        guard slice.count <= Self.copiedFileSize else { return pending.file = OutgoingSlice(slice) }
        var count: Int? = -1
        pending.append { bytes in
            do throws(FileError) { count = try slice.file.read(whole, into: &bytes, mayBlock: false) } catch {}
        }
        if count == nil { pending.file = OutgoingSlice(slice) } else if count != slice.count { cutFile() }
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
        if machine.respond(closes: closes, activity?.body, mayReadBody: mayReadBody, hasInput: hasInput) {
            writeContinue()
        }
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
        pending.append { ResponseEncoder.writeEnd(body.framing, into: &$0) }
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
        guard fault == .connectionReset else {
            let bytes = fault.bytes(of: response, loop.clock.dateLine)
            if !bytes.isEmpty { pending.append { $0 += bytes } }
            return endExchange()
        }
        // Responses before this one are whole, and may still be here.
        sendOutput()
        if isOpen { socket.resetOnClose() }
        abort()
    }

    /// Sends an interim response, which each client of HTTP/1.1 understands (RFC 9110, section 15.2), or to one of HTTP/1.0 the byte
    /// that each response begins with. The system of a client that has gone sends a reset, which cancels the handler.
    func probe() {
        if machine.request.contains(.http10) {
            pending.append { $0.append(UInt8(ascii: "H")) }
        } else {
            writeContinue()
        }
    }

    private func writeContinue() { pending.append { $0.append("HTTP/1.1 100 Continue\r\n\r\n") } }
}

/// Sending.
extension Connection {
    /// Files up to this size, in bytes, are read and sent with their heads: one system call less, and cheaper up to
    /// here.
    static let copiedFileSize = 32 * 1024
    /// How often frames of HTTP/2 are gathered and sent before others get their turn.
    private static let writesPerTurn = 16

    /// The output, to write into.
    var pending: Output {
        if let output {
            output.trim()
            return output
        }
        let output = loop.buffers.takeOutput()
        self.output = output
        return output
    }

    /// Whether more may be written before the client has taken what is there.
    var hasRoom: Bool { output?.hasRoom ?? true }

    /// Takes a piece of a streamed body, or begins a chunk with it; the pieces of a round are sent together.
    func send(_ bytes: [UInt8], of body: OutgoingBody, isLast: Bool) {
        if body.framing == .chunked { body.chunk = bytes } else { pending.append { $0 += bytes } }
        roundLater()
    }

    /// Puts the chunk that has been gathered after what waits to be sent.
    private func closeChunk() {
        guard let outgoing = activity?.outgoing, !outgoing.chunk.isEmpty else { return }
        pending.append { ResponseEncoder.writeChunk(outgoing.chunk, into: &$0) }
        outgoing.chunk = []
    }

    /// Gives the system as much as it takes.
    func flush() {
        closeChunk()
        if let http2 { flush(http2) }
        guard isOpen, sendOutput(), machine.phase == .finishing, sayGoodbye() else { return }
        machine.sent(at: loop.clock.now)
        socket.shutdownSending()
        guard machine.input != .ended else { return }
        // The client gets time to read the last response and to close. Past the limit, the oldest such connection is cut.
        loop.lingering.append(self)
        let count = server.lingering.add(1, ordering: .relaxed).newValue
        if count > server.configuration.limits.lingering { loop.lingering.first?.abort() }
    }

    /// Sends frames as long as there are any and the system takes them.
    private func flush(_ http2: HTTP2Connection) {
        var writes = 0
        while sendOutput(), http2.wantsToWrite {
            guard writes < Self.writesPerTurn else {
                machine.yield()
                break
            }
            writes += 1
            pending.append { http2.write(into: &$0) }
            guard pending.waiting > 0 else {
                sendOutput()
                break
            }
        }
        http2.relieve()
        http2.publishHeld()
        if machine.input == .ended, isOpen, output == nil, !http2.wantsToWrite { http2.resetBlocked() }
        if isOpen, http2.isOver { perform(machine.finish(at: loop.clock.now)) }
    }

    /// Sends what waits.
    ///
    /// - Returns: whether all of it is sent.
    @discardableResult
    private func sendOutput() -> Bool {
        guard let output else { return true }
        switch output.send(of: self) {
        case .waiting: return false
        case .failed: abort()
        case .fileLost: cutFile()
        case .all:
            if output.meter != nil {
                machine.written(at: loop.clock.now)
                output.meter = nil
            }
            self.output = nil
            loop.buffers.giveBack(output)
            return true
        }
        return false
    }

    /// Cuts the connection: the file has become shorter, or can't be read, and its length is promised already.
    private func cutFile() {
        server.logger.error("a file became shorter, or unreadable, while it was sent: its connection was cut")
        output?.file = nil
        // Responses before this one are whole, and may still be here.
        sendOutput()
        abort()
    }

    func fileLoaded() {
        loop.fileRoom = OutgoingSlice.window
        output?.meter?.lastTaken = loop.clock.now
        round()
    }

    /// Tells the client that nothing more will come.
    ///
    /// - Returns: whether it is said, or needn't be.
    @discardableResult
    func sayGoodbye() -> Bool {
        guard let tls, machine.phase != .lingering else { return true }
        return tls.shutDown() != .wantsWrite
    }

    // MARK: Interest

    /// Whether bytes that arrive now can be used.
    var wantsInput: Bool {
        machine.wantsInput(
            hasRoom: http2 == nil ? hasRoom : output.map { $0.waiting < HTTP2Connection.outputLimit } ?? true,
            isBodyFull: activity?.incoming?.isFull ?? false
        )
    }

    /// Whether the client has sent bytes that have not been received.
    var hasInput: Bool { tls?.hasUnread ?? false || socket.hasInput }

    /// Watches the socket for the events that are of use now; costs a system call only when these have changed.
    ///
    /// - Parameter isLazy: whether a watch may stay that is of no use for now. Few clients send anything before they have their
    ///   response, so that two system calls a request would change nothing; what does come ends the watch.
    func updateInterest(isLazy: Bool = false) {
        guard isOpen else { return }
        let wantsInput = wantsInput
        let isReadingBlocked = wantsInput && tls?.readingWantsWrite ?? false
        let isWriting = output?.isReady ?? (machine.phase == .finishing && tls != nil)
        let writing: Readiness = isWriting || isReadingBlocked ? .writable : []
        if isLazy, interest == .readable, writing.isEmpty, !wantsInput, machine.isInExchange { return }
        // What has arrived would be reported again and again while nothing can be received.
        let isReading = wantsInput && !isReadingBlocked
        let watchesEnd = machine.phase == .exchange && machine.input == .open
        watch(writing.union(isReading ? .readable : watchesEnd ? .ended : []))
        if isReading { receiveUnreadLater() }
    }

    /// Receives, in the next round of the loop, what TLS has decrypted already: the system doesn't report it again.
    func receiveUnreadLater() {
        if tls?.hasUnread ?? false, wantsInput { roundLater() }
    }
}

extension Connection: BodySource {
    func bodyWanted(taken: Int) {
        if machine.bodyWanted(activity?.body, at: loop.clock.now) { writeContinue() }
        round()
    }
}
