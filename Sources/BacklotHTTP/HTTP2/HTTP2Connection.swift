internal import Logging

/// The HTTP/2 side of a connection: its streams, and the limits on the work that its client may cause.
///
/// Confined to the connection's loop. `HTTP2Connection+Frames` has the library's calls while it reads and writes;
/// handlers run only after these, so that nothing they do happens inside the library.
final class HTTP2Connection: @unchecked Sendable {
    /// What changes with each frame.
    struct State {
        var input: HTTP2Input
        var ending: HTTP2Ending
        /// The open streams, in any order.
        var streams: [HTTP2Stream] = []
        /// Requests that can be handled, oldest first.
        var begun: [(stream: HTTP2Stream, head: Result<RequestHead, HeaderList.ListError>)] = []
        /// Streams whose bodies have got bytes for a handler.
        var fed: [HTTP2Stream] = []
        /// Streams whose responses have room again.
        var relieved: [HTTP2Stream] = []
    }

    /// How many bytes of frames may wait for the socket.
    static let outputLimit = 64 * 1024

    let connection: Connection
    let session: NGHTTP2Session
    @exclusivity(unchecked) private var unchecked: State
    /// How many handlers have not returned, those of reset streams included.
    var handlers = 0
    /// How fast bodies come while they are waited for, and how fast responses go out while they wait for windows.
    var (input, output) = (RateMeter(), RateMeter())
    /// How much of the budget its streams hold while they wait for the client, in bytes.
    var held = 0
    private let hold: BufferShare

    /// When to look next whether clients make progress.
    var nextCheck: Int64?

    init(_ connection: Connection) {
        let limits = connection.server.configuration.limits
        self.connection = connection
        // A preface that drips in has begun before.
        let ending = HTTP2Ending(began: connection.machine.since)
        unsafe unchecked = State(input: HTTP2Input(limits: limits), ending: ending)
        session = NGHTTP2Session(limits: limits)
        hold = BufferShare(connection.server)
        session.start(self, limits: limits)
    }

    /// The state. Confined to the loop as it is, it needs none of the checks that the language makes while a program runs, which
    /// would take a tenth of a request's instructions: nothing holds a part of it while another changes it.
    var state: State {
        @inline(__always) _read { yield unsafe unchecked }
        @inline(__always) _modify { yield unsafe &unchecked }
    }

    var streams: [HTTP2Stream] { state.streams }
    var loop: EventLoop { connection.loop }
    var server: ServerContext { connection.server }
    var remoteAddress: SocketAddress { connection.remoteAddress }
    var now: Int64 { connection.loop.clock.now }

    // MARK: Reading

    /// Reads frames, and starts the handlers of the requests that are in them.
    func receive(_ bytes: Span<UInt8>) {
        // The library must not see what comes after its end (CVE-2026-27135).
        guard !state.ending.isTerminated else { return }
        do throws(HTTP2ErrorCode) {
            try read(bytes)
        } catch {
            fail(error)
        }
        state.input.read(bytes.count)
        run()
    }

    /// Ends the connection for what the client has done, or else with `code`.
    private func fail(_ code: HTTP2ErrorCode) {
        if let kind = state.input.excess {
            server.logger.debug("too many frames of the kind '\(kind)' from \(remoteAddress)")
        }
        terminate(state.input.failure ?? code)
    }

    private func read(_ bytes: Span<UInt8>) throws(HTTP2ErrorCode) {
        var (start, position) = (0, 0)
        while let (header, id) = state.input.nextData(in: bytes, from: &position) {
            // The frames before it decide what it may be.
            let end = max(start, position - FrameHeads.length)
            try session.receive(bytes.extracting(start..<end))
            start = end
            guard mayRead(header, id) else { throw .enhanceYourCalm }
        }
        try session.receive(bytes.extracting(start...))
    }

    /// Runs what was found while the library read.
    private func run() {
        guard !state.ending.isTerminated else { return }
        forEach(\.begun) { $0.stream.begin($0.head) }
        forEach(\.fed) { $0.deliver() }
    }

    /// Empties a list, and calls `body` with each element.
    @inline(__always)
    private func forEach<Element>(_ list: WritableKeyPath<State, [Element]>, _ body: (Element) -> Void) {
        guard !state[keyPath: list].isEmpty else { return }
        var elements: [Element] = []
        swap(&elements, &state[keyPath: list])
        for element in elements { body(element) }
        guard state[keyPath: list].isEmpty else { return }
        // The next ones need no memory then.
        elements.removeAll(keepingCapacity: elements.capacity <= 64)
        swap(&elements, &state[keyPath: list])
    }

    // MARK: Writing

    /// How often frames are gathered and sent before other connections get their turn.
    private static let writesPerTurn = 16

    /// Sends frames as long as there are any and the system takes them.
    func flush() {
        var writes = 0
        while connection.sendOutput(), session.wantsToWrite {
            guard writes < Self.writesPerTurn else {
                connection.machine.yield()
                break
            }
            writes += 1
            let output = connection.pending
            output.append { if !session.write(into: &$0, upTo: Self.outputLimit) { fail(.internalError) } }
            guard output.waiting > 0 else {
                connection.sendOutput()
                break
            }
        }
        forEach(\.relieved) { $0.outgoing?.roomMade() }
        publishHeld()
        guard connection.isOpen else { return }
        if connection.machine.input == .ended, connection.output == nil, !session.wantsToWrite { resetBlocked() }
        if session.isOver { connection.perform(connection.machine.finish(at: now)) }
    }

    /// Counts what the streams hold against the server's budget.
    func publishHeld() {
        let bytes = held + state.input.blockSize
        if hold.bytes != bytes { hold.set(bytes) }
    }

    /// Notes that there are frames to write: at once, or after everything else in this round of the loop.
    func changed() {
        connection.roundLater()
    }

    // MARK: The end

    /// Lets the open streams finish, and then closes; no request is lost that the client has sent (RFC 9113, section
    /// 6.8).
    func drain() {
        guard state.ending.announce(at: now) else { return }
        session.announceShutdown()
        changed()
    }

    /// The client has seen the announcement: the server accepts no more streams from now on.
    func finishAnnouncement() {
        guard state.ending.finishAnnouncement() else { return }
        session.shutDown()
        changed()
    }

    /// Ends the connection with an error, or for want of requests.
    func terminate(_ code: HTTP2ErrorCode) {
        guard state.ending.terminate() else { return }
        if code != .noError {
            server.logger.debug("ended the HTTP/2 connection of \(remoteAddress): code \(code.rawValue)")
        }
        session.terminate(code)
        changed()
    }

    /// The client has sent its last byte: bodies that are not whole fail, and answers can still be sent.
    func endInput() {
        for stream in streams where !stream.isRequestEnded { stream.failBody(RequestError.incomplete) }
        // An incomplete header list can't be answered.
        if case .request(let id) = state.input.block { session.stream(id)?.reset(.cancel) }
        state.input.drop()
        guard state.ending.begin() else { return }
        session.shutDown()
        changed()
    }

    /// Gives up on answers that wait for windows, of a client that can't open them any more.
    func resetBlocked() {
        for stream in streams where stream.isResponsePending { stream.reset(.cancel) }
    }

    /// Frees everything. Handlers that run are cancelled.
    func close() {
        for stream in streams { stream.close() }
        (state.streams, state.begun, state.fed, state.relieved) = ([], [], [], [])
        state.input.drop()
        publishHeld()
        session.close()
    }
}

extension HTTP2Connection {
    private var waits: Waits { server.configuration.waits }

    /// How often open streams are looked at, in milliseconds: often enough for the shortest of their waits.
    private var checkInterval: Int64 {
        let shortest = min(waits.body, waits.write, waits.rateGrace, waits.linger)
        return min(max(shortest / 4, Deadlines.resolution), 1000)
    }

    /// When to call `timeOut` next, in milliseconds of the loop's clock.
    func nextDeadline() -> Int64 {
        guard streams.isEmpty else {
            // One look at all of them from time to time: a deadline for each stream would have to be set with every
            // frame.
            let check = nextCheck ?? now + checkInterval
            nextCheck = check
            return check
        }
        nextCheck = nil
        return state.ending.deadline(blockBegan: state.input.blockBegan, waits)
    }

    /// Gives up requests, answers and connections whose time is over.
    func timeOut() {
        nextCheck = nil
        if state.ending.isAnnouncementOver(at: now, waits) { finishAnnouncement() }
        let began = state.input.blockBegan
        if state.ending.isTimeOver(at: now, blockBegan: began, hasStreams: !streams.isEmpty, waits) {
            return terminate(.noError)
        }
        checkBodies()
        checkResponses()
    }

    private func checkBodies() {
        let isWaiting = streams.contains(where: \.isBodyAwaited)
        let isSlow = input.isSlow(isWaiting, server.configuration, at: now)
        for stream in streams where stream.isBodyAwaited && (isSlow || stream.lastReceived + waits.body <= now) {
            stream.failBody(RequestError.timedOut("the body of the request"))
        }
    }

    private func checkResponses() {
        // While the socket is full, the connection measures what the client takes.
        let isWaiting = connection.output == nil && streams.contains(where: \.isResponsePending)
        let isSlow = output.isSlow(isWaiting, server.configuration, at: now)
        guard isWaiting else {
            for stream in streams { stream.lastSent = now }
            return
        }
        for stream in streams where stream.isResponsePending && (isSlow || stream.lastSent + waits.write <= now) {
            stream.reset(.cancel)
        }
    }
}
