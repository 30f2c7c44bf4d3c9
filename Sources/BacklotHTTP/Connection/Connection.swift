internal import Logging
internal import Synchronization

/// One client's connection: reads requests, hands them to the handler one after the other, and sends the responses in order.
///
/// Confined to its loop. It carries out its machine's decisions. It holds bytes only while a message is incomplete, so an idle
/// connection consists of this object only.
final class Connection: Channel, @unchecked Sendable {
    // The machine comes first to pack its flags with those of `Channel`: among references, each flag would take eight bytes.
    @exclusivity(unchecked) private var unchecked: HTTP1Machine
    let server: ServerContext
    /// The client's address: the peer's, or the one from the PROXY protocol.
    var remoteAddress: SocketAddress
    /// The attributes of each new request.
    private(set) var attributes = RequestAttributes()
    /// The other end of the socket.
    var peerAddress: SocketAddress { attributes[ProxyHeader.Statement.self]?.proxy ?? remoteAddress }
    var partial: PartialMessage?
    var activity: Activity?
    var http2: HTTP2Connection?
    /// nil when everything is sent.
    var output: Output?
    private var session: TLSSession?

    /// The session, once the client has begun its handshake; nil in clear text.
    var tls: TLSSession? {
        // For a server of clear text, this reads only a constant: each access to a class's variable is checked at run time.
        get { server.tls == nil ? nil : session }
        set { session = newValue }
    }

    /// The activity, created on first use.
    var active: Activity {
        if let activity { return activity }
        let activity = Activity()
        self.activity = activity
        return activity
    }

    /// Makes the decisions. The machine doesn't need Swift's exclusivity checks at run time, because it is confined to the loop
    /// and never calls back into the connection.
    var machine: HTTP1Machine {
        @inline(__always) get { unsafe unchecked }
        @inline(__always) _modify { yield unsafe &unchecked }
    }

    init(socket: Socket, remoteAddress: SocketAddress, loop: EventLoop, server: ServerContext) {
        self.server = server
        self.remoteAddress = remoteAddress
        unsafe unchecked = HTTP1Machine(at: loop.clock.now)
        super.init(socket: socket, loop: loop)
    }

    /// Starts reading.
    func start() {
        open(.readable)
        if server.hasOpening(remoteAddress) {
            machine.open(with: .opening)
            active.start = ConnectionStart(hasProxyHeader: server.hasProxyHeader(remoteAddress), server)
        }
        updateDeadline()
    }

    // MARK: Events

    override func ready(_ readiness: Readiness) {
        loop.fileRoom = OutgoingSlice.window
        if let start = activity?.start { return advance(start, readiness) }
        if readiness.contains(.hungUp) {
            // After both sides have ended, the client's earlier bytes must still be read: closing before that would send a reset,
            // and the client would lose the response.
            return machine.isFinishing && machine.input != .ended ? receive() : abort()
        }
        // The client has accepted some bytes: work that waited for that continues.
        if readiness.contains(.writable) { round() }
        if readiness.contains(.ended) { machine.inputEnding(at: loop.clock.now) }
        if !readiness.isDisjoint(with: [.readable, .ended]) || tls?.readingWantsWrite ?? false, isOpen { receive() }
    }

    override func deadlineReached() {
        if let output {
            if isOverdue(output) {
                // The client may have accepted more than the system has reported so far.
                output.meter?.look(queued: socket.unacknowledged, at: loop.clock.now)
                if isOverdue(output) { return abort() }
            }
            // A client of HTTP/2 has times for its requests as well.
            if http2 == nil { return updateDeadline() }
        }
        if let start = activity?.start { server.noteTimedOut(start, of: self) }
        if let http2 { http2.timeOut() } else { perform(machine.timedOut(at: loop.clock.now)) }
        round()
    }

    /// Whether the client's time to accept some of the output is over.
    private func isOverdue(_ output: Output) -> Bool { output.deadline(server).map { $0 <= loop.clock.now } ?? false }

    override func drain() {
        perform(machine.drain(at: loop.clock.now))
        http2?.drain()
        updateDeadline()
    }

    /// Cuts the connection and cancels a running handler.
    override func abort() {
        guard isOpen else { return }
        // First, because code that sees the count fall expects the address to have room again.
        server.release(connectionFrom: remoteAddress)
        if machine.phase == .lingering { server.endLingering(self) }
        // Before the socket closes: code that waits for the last connection to close may read the count.
        server.connections.subtract(1, ordering: .relaxed)
        loop.connections.subtract(1, ordering: .relaxed)
        machine.close()
        closeSocket()
        activity?.cancel()
        if let task = activity?.task { keepCounts(until: task) } else { activity = nil }
        http2?.close()
        (partial, http2, tls, output) = (nil, nil, nil, nil)
    }

    // MARK: The start

    /// Continues with the steps before the first request.
    private func advance(_ start: ConnectionStart, _ readiness: Readiness) {
        var buffer = loop.buffers.takeReadBuffer()
        let progress = start.advance(on: socket, server.tls?.context, using: &buffer)
        loop.buffers.giveBack(readBuffer: consume buffer)
        switch progress {
        case .waits where readiness.contains(.hungUp): failHandshake("the client is gone")
        case .waits(let next):
            if start.isHandshake { machine.open(with: .handshake) }
            watch(next)
        case .named(let client, let isEncrypted):
            guard server.admit(connectionFrom: client) else {
                return refuseConnection(.addressLimit, "there are too many from \(client.host)")
            }
            attributes[ProxyHeader.Statement.self] = (proxy: remoteAddress, isEncrypted)
            remoteAddress = client
            advance(start, readiness)
        case .ended(let session): endStart(session)
        case .handshakeFailed(let reason): failHandshake(reason)
        case .refused(let reason): refuseConnection(.proxyHeader, reason)
        case .gone: abort()
        }
    }

    private func endStart(_ session: TLSSession?) {
        (activity, tls) = (nil, session)
        machine.advance(to: .head, at: loop.clock.now)
        watch(.readable)
        if session?.applicationProtocol == "h2" {
            startHTTP2()
            return round()
        }
        updateDeadline()
        if session == nil { receive() } else { receiveUnreadLater() }
    }

    private func refuseConnection(_ refusal: RequestRefusal, _ reason: String) {
        server.note(refusal, reason, from: remoteAddress)
        abort()
    }

    private func failHandshake(_ reason: String) {
        server.noteFailedHandshake(reason, from: remoteAddress, at: loop.clock.elapsed)
        activity = nil
        // Continues to read and drop bytes. If the socket closed while some wait, the system would reset the connection, and the
        // client might lose the alert with the reason.
        finish()
    }

    private func startHTTP2() {
        machine.open(with: .http2)
        let http2 = HTTP2Connection(self)
        self.http2 = http2
        if machine.isDraining { http2.drain() }
    }

    /// Carries out the machine's decision.
    ///
    /// - Parameter input: the bytes that the decision refers to.
    func perform(_ action: consuming HTTP1Machine.Action?, on input: [UInt8] = []) {
        switch action {
        case nil: break
        case .openBody(let body):
            let incoming = IncomingBody(declaredLength: body.length, loop: loop, source: self, server: server)
            incoming.hold?.add(body.head?.bytes.count ?? 0)
            active.body = body
            active.incoming = incoming
        case .take(let bytes): activity?.incoming?.append(input.span.extracting(bytes))
        case .endBody:
            activity?.incoming?.finish()
            activity?.incoming?.detach()
        case .failBody(let error): activity?.endBody(error)
        case .dropBody: activity?.endBody(StreamError.ended)
        case .handle(let head, let body):
            handle(head, body.map { $0.isEmpty ? [] : Array(copying: input.span.extracting($0)) })
        case .refuse(let error): refuse(error)
        case .preface:
            // Over TLS, the handshake decides (RFC 9113, section 3.2).
            guard server.configuration.http2 != .off, server.tls == nil else {
                return perform(machine.refuse(.versionNotSupported, at: loop.clock.now))
            }
            startHTTP2()
        case .probe: pending.appendProbe(to: machine.request)
        case .receive: receive()
        case .dropInput: partial = nil
        case .finish:
            activity?.endBody(RequestError.incomplete)
            http2?.close()
            (partial, http2) = (nil, nil)
        case .close: abort()
        }
    }

    /// Closes after the output; no further request is read.
    func finish() {
        perform(machine.finish(at: loop.clock.now))
        round()
    }

    // MARK: Reading

    /// Reads the bytes that have arrived, and works on them.
    func receive() {
        // Until then, bytes stay with the system: changing the watch for such a short time isn't worthwhile.
        if machine.stall == .turn { return }
        guard wantsInput else {
            updateInterest()
            return updateDeadline()
        }
        let wasBlocked = tls?.readingWantsWrite ?? false
        var buffer = loop.buffers.takeReadBuffer()
        let received: Socket.Outcome
        if let tls { received = tls.receive(into: &buffer) } else { received = socket.receive(into: &buffer) }
        switch received {
        case .bytes(let count):
            loop.bytesReceived += count
            self.received(buffer, count: count)
        case .end:
            perform(machine.inputEnded(at: loop.clock.now))
            http2?.endInput()
            round()
        // The round that was scheduled for unread bytes still has other work: TLS may have had only a part of a record.
        case .wouldBlock: if machine.isRoundDue { round() }
        case .failed:
            if let failure = tls?.failure {
                server.logger.debug("the TLS connection of \(remoteAddress) broke: \(failure)")
            }
            abort()
        }
        loop.buffers.giveBack(readBuffer: consume buffer)
        if wasBlocked || tls?.readingWantsWrite ?? false { updateInterest() }
        receiveUnreadLater()
    }

    private func received(_ buffer: [UInt8], count: Int) {
        machine.received(at: loop.clock.now)
        if machine.isFinishing { return updateDeadline() }
        guard machine.beginRound() else { return }
        if let http2 {
            http2.receive(buffer.span.extracting(..<count))
        } else if let partial {
            partial.bytes.append(copying: buffer.span.extracting(..<count))
            workOnPartial()
        } else {
            var parser = HeadParser(limits: server.configuration.limits)
            let consumed = work(on: buffer, count: count, &parser)
            if consumed < count { keep(buffer.span.extracting(consumed..<count), parser) }
        }
        endRound()
    }

    private func keep(_ rest: Span<UInt8>, _ parser: HeadParser) {
        if isOpen { partial = PartialMessage(rest, parser, server) }
    }

    /// Works on the waiting bytes.
    private func workOnPartial() {
        guard let partial else { return }
        var parser = partial.parser
        let bytes = partial.bytes
        let consumed = work(on: bytes, count: bytes.count, &parser)
        guard consumed > 0 else {
            partial.parser = parser
            return
        }
        self.partial = nil
        if consumed < bytes.count { keep(bytes.span.extracting(consumed...), parser) }
    }

    /// Takes as many messages out of `bytes` as are complete and can be handled now.
    ///
    /// - Parameter parser: the parser of heads, which keeps its progress in the remaining bytes.
    /// - Returns: the number of bytes used.
    private func work(on bytes: [UInt8], count: Int, _ parser: inout HeadParser) -> Int {
        var position = 0
        while let action = machine.next(
            bytes.span.extracting(..<count),
            from: &position,
            &parser,
            activity?.body,
            hasRoom: hasRoom,
            limits: server.configuration.limits,
            at: loop.clock.now
        ) { perform(consume action, on: bytes) }
        if let http2 {
            http2.receive(bytes.span.extracting(position..<count))
            return count
        }
        activity?.incoming?.deliver()
        return position
    }

    // MARK: Rounds

    /// Handles waiting requests, sends the output, and sets the events and the deadline to wait for. In the middle of a round,
    /// the end of that round does this.
    func round() {
        guard isOpen, machine.beginRound() else { return }
        workOnPartial()
        endRound()
    }

    /// Schedules a round after the current work of the loop, so that all output is sent together.
    func roundLater() {
        guard isOpen, machine.scheduleRound() else { return }
        doRoundLater()
    }

    private func doRoundLater() {
        loop.later { [self] in
            guard isOpen, machine.isRoundDue else { return }
            if tls?.hasUnread ?? false, wantsInput, machine.stall != .turn { receive() } else { round() }
        }
    }

    func endRound() {
        flush()
        // Once all earlier responses are sent, no event would wake the requests that wait here.
        while machine.stall == .room, hasRoom, isOpen {
            workOnPartial()
            flush()
        }
        if hasRoom, isOpen { activity?.outgoing?.roomMade() }
        if machine.isDone(hasOutput: output != nil), isOpen {
            sayGoodbye()
            abort()
        }
        let isAgainDue = machine.endRound()
        guard isOpen else { return }
        if let activity {
            // Between two requests, the machine has no body.
            if machine.phase == .head { activity.body = nil }
            if activity.isOver { self.activity = nil }
        }
        if isAgainDue { doRoundLater() } else { updateInterest(isLazy: true) }
        updateDeadline()
    }

    /// Sets the deadline for the client's next progress.
    func updateDeadline() {
        guard isOpen else { return }
        if let http2 {
            setDeadline(min(output?.deadline(server) ?? .max, http2.nextDeadline()))
        } else if let output {
            setDeadline(output.deadline(server))
        } else {
            let isBodyAwaited = activity?.incoming?.isAwaited ?? false
            let (waits, leastRate) = (server.configuration.waits, server.configuration.limits.leastRate)
            let (body, now) = (activity?.body, loop.clock.now)
            setDeadline(machine.deadline(body, isBodyAwaited: isBodyAwaited, waits, leastRate: leastRate, at: now))
        }
    }

    // MARK: Load shedding

    /// The party that the connection waits for.
    var waitsFor: LoadShedding.Party {
        http2?.waitsFor ?? machine.waitsFor(hasOutput: output != nil, isClientAwaited: isClientAwaited)
    }

    /// The time when the client last made progress, in milliseconds of the loop's clock; with several requests, that of the one
    /// that waits longest.
    var lastAdvance: Int64 { http2?.lastAdvance ?? output?.meter?.lastTaken ?? machine.since }

    /// The bytes of the budget that the connection holds and can free: while it waits for its client, and bytes that came after a
    /// request that a handler works on. A body that a handler works on isn't counted: cutting off the client would not free it.
    var held: Int {
        if let http2 { return http2.heldInAll + (output?.held ?? 0) }
        let behind = partial?.hold.bytes ?? 0
        guard waitsFor == .client else { return behind }
        return behind + (activity?.incoming?.hold?.bytes ?? 0) + (output?.held ?? 0)
    }

    /// Gives up requests if their client makes no progress, the oldest first, until about `bytes` bytes are free.
    ///
    /// - Parameter before: a time of the loop's clock, in milliseconds. Requests that made progress after it are kept.
    func relinquish(_ bytes: Int, before: Int64) {
        if let http2 { return http2.relinquish(bytes, before: before) }
        guard lastAdvance <= before else { return }
        perform(machine.relinquish(hasOutput: output != nil, isClientAwaited: isClientAwaited, at: loop.clock.now))
        round()
    }
}
