internal import Logging
internal import Synchronization

/// One client's connection: reads requests, hands them to the handler one after the other, sends the responses in order.
///
/// Confined to its loop. It does what its machine decides; bytes stay with it only while a message is incomplete, so that an idle
/// connection is this object and nothing else.
final class Connection: Channel, @unchecked Sendable {
    // The machine's flags follow those of `Channel`: among references, each would take eight bytes of an idle connection.
    @exclusivity(unchecked) private var unchecked: HTTP1Machine
    let server: ServerContext
    /// The client's address: the peer's, or the one that the PROXY protocol names.
    var remoteAddress: SocketAddress
    var partial: PartialMessage?
    var activity: Activity?
    var http2: HTTP2Connection?
    /// nil while everything is sent.
    var output: Output?
    private var session: TLSSession?

    /// The session, once the client has begun its handshake; nil in clear text.
    var tls: TLSSession? {
        // A server of clear text is known by what never changes: each look at a variable of a class is checked at run time.
        get { server.tls == nil ? nil : session }
        set { session = newValue }
    }

    /// The activity, which begins where there is none.
    var active: Activity {
        if let activity { return activity }
        let activity = Activity()
        self.activity = activity
        return activity
    }

    /// Decides. Confined to the loop as it is, it needs none of the checks that the language makes while a program runs: no step of it
    /// calls anything that takes another.
    var machine: HTTP1Machine {
        @inline(__always) _read { yield unsafe unchecked }
        @inline(__always) _modify { yield unsafe &unchecked }
    }

    init(socket: Socket, remoteAddress: SocketAddress, loop: EventLoop, server: ServerContext) {
        self.server = server
        self.remoteAddress = remoteAddress
        unsafe unchecked = HTTP1Machine(at: loop.clock.now)
        super.init(socket: socket, loop: loop)
    }

    /// Starts to read.
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
            // When both sides have ended, what the client sent before must be read: closing on top of it would send a
            // reset, and take the response with it.
            return machine.isFinishing && machine.input != .ended ? receive() : abort()
        }
        // The client has taken some bytes: what had to wait for that continues.
        if readiness.contains(.writable) { round() }
        if readiness.contains(.ended) { machine.inputEnding(at: loop.clock.now) }
        if !readiness.isDisjoint(with: [.readable, .ended]) || tls?.readingWantsWrite ?? false, isOpen { receive() }
    }

    override func deadlineReached() {
        if let output {
            // The client may have taken more than the system has told so far.
            output.meter?.look(queued: socket.unacknowledged, at: loop.clock.now)
            return output.deadline(server).map { $0 <= loop.clock.now } ?? false ? abort() : updateDeadline()
        }
        if let start = activity?.start { server.noteTimedOut(start, of: self) }
        if let http2 { http2.timeOut() } else { perform(machine.timedOut(at: loop.clock.now)) }
        round()
    }

    override func drain() {
        perform(machine.drain(at: loop.clock.now))
        http2?.drain()
        updateDeadline()
    }

    /// Cuts the connection. A handler that is at work is cancelled.
    override func abort() {
        guard isOpen else { return }
        // Before the socket closes: code that waits for the last one to close may read the count.
        server.connections.subtract(1, ordering: .relaxed)
        loop.connections.subtract(1, ordering: .relaxed)
        server.release(connectionFrom: remoteAddress)
        if machine.phase == .lingering { server.endLingering(self) }
        machine.close()
        closeSocket()
        if let activity {
            activity.cancel()
            updateInFlight()
        }
        http2?.close()
        (activity, partial, http2, tls, output) = (nil, nil, nil, nil, nil)
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
        case .named(let client):
            guard server.admit(connectionFrom: client) else {
                return refuseConnection("there are too many from \(client.host)")
            }
            remoteAddress = client
            advance(start, readiness)
        case .ended(let session): endStart(session)
        case .handshakeFailed(let reason): failHandshake(reason)
        case .refused(let reason): refuseConnection(reason)
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

    private func refuseConnection(_ reason: String) {
        server.logger.debug("refused a connection from \(remoteAddress): \(reason)")
        abort()
    }

    private func failHandshake(_ reason: String) {
        server.noteFailedHandshake(reason, from: remoteAddress, at: loop.clock.elapsed)
        activity = nil
        // Reads on and drops the bytes: if the socket closed while some wait, the system would reset the connection, and the client
        // might lose the alert with the reason.
        finish()
    }

    private func startHTTP2() {
        machine.open(with: .http2)
        let http2 = HTTP2Connection(self)
        self.http2 = http2
        if machine.isDraining { http2.drain() }
    }

    /// Does what the machine has decided.
    ///
    /// - Parameter input: the bytes that it has decided about.
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

    /// Stops after the output: no further request is read.
    func finish() {
        perform(machine.finish(at: loop.clock.now))
        round()
    }

    // MARK: Reading

    /// Reads what has arrived, and works on it.
    func receive() {
        // What comes meanwhile stays with the system: the watch need not change for so short a time.
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
        case .wouldBlock: break
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

    /// Works on the bytes that wait.
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

    /// Takes as many messages out of `bytes` as there are and as can be worked on.
    ///
    /// - Parameter parser: sees what is not used up.
    /// - Returns: how many bytes were used up.
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

    /// Works on what waits, sends what there is, and sets what to wait for next, and for how long. In the middle of a round, all
    /// that is done at its end.
    func round() {
        guard isOpen, machine.beginRound() else { return }
        workOnPartial()
        endRound()
    }

    /// Has a round follow what runs in this round of the loop, so that all that has to say something is sent together.
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
        // Nothing would call for requests that wait here once all responses before them are sent.
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
        if activity?.isOver ?? false { activity = nil }
        if isAgainDue { doRoundLater() } else { updateInterest(isLazy: true) }
        updateDeadline()
    }

    /// Sets until when the client must have made progress.
    func updateDeadline() {
        guard isOpen else { return }
        if let output {
            setDeadline(output.deadline(server))
        } else if let http2 {
            setDeadline(http2.nextDeadline())
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

    /// When the client last made progress, in milliseconds of the loop's clock: of several requests, the one that waits
    /// for longest.
    var lastAdvance: Int64 { http2?.lastAdvance ?? output?.meter?.lastTaken ?? machine.since }

    /// How much of the budget the connection holds that can be freed, in bytes: while it waits for its client, and what has
    /// come behind a request that a handler works on. A body that a handler works on isn't counted: cutting the client would
    /// not free it.
    var held: Int {
        if let http2 { return http2.heldInAll }
        let behind = partial?.hold.bytes ?? 0
        guard waitsFor == .client else { return behind }
        return behind + (activity?.incoming?.hold?.bytes ?? 0) + (output?.held ?? 0)
    }

    /// Gives up requests whose client makes no progress, the oldest first, until about `bytes` bytes are free.
    ///
    /// - Parameter before: a time of the loop's clock, in milliseconds. Requests that made progress after it are
    ///   spared.
    func relinquish(_ bytes: Int, before: Int64) {
        if let http2 { return http2.relinquish(bytes, before: before) }
        guard lastAdvance <= before else { return }
        perform(machine.relinquish(hasOutput: output != nil, isClientAwaited: isClientAwaited, at: loop.clock.now))
        round()
    }
}
