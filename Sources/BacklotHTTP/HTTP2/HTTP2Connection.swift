internal import Logging

/// The HTTP/2 part of a connection: its streams, and the limits on the work that its client may cause.
///
/// Confined to the connection's loop. `HTTP2Connection+Frames` has the callbacks of nghttp2. Handlers run only after these
/// callbacks, so that they never run inside the library.
final class HTTP2Connection: @unchecked Sendable {
    /// The state that changes with each frame.
    struct State {
        var input: HTTP2Input
        var ending: HTTP2Ending
        /// Whether the server must still announce the last stream that it accepts.
        var isShutdownDue = false
        /// The open streams, in any order.
        var streams: [HTTP2Stream] = []
        /// The requests that are ready for their handlers, oldest first.
        var begun: [(stream: HTTP2Stream, head: Result<RequestHead, HeaderList.ListError>)] = []
        /// The streams that have received body bytes for a handler.
        var fed: [HTTP2Stream] = []
        /// The streams that have room for more of their response.
        var relieved: [HTTP2Stream] = []
    }

    /// The maximum number of bytes of frames that may wait for the socket.
    static let outputLimit = 64 * 1024

    let connection: Connection
    let session: NGHTTP2Session
    @exclusivity(unchecked) private var unchecked: State
    /// The number of handlers that haven't returned, including those of reset streams.
    var handlers = 0
    /// The rates of bodies while handlers wait for them, and of responses while they wait for windows.
    var (input, output) = (RateMeter(), RateMeter())
    /// The bytes of the budget that the connection's streams hold while they wait for the client.
    var held = 0
    private let hold: BufferShare
    let isOfTrustedProxy: Bool
    /// The bytes by which the windows of streams are larger than at first.
    private var widening = 0

    /// The time of the next check for clients without progress.
    var nextCheck: Int64?
    /// The time of the last check that found the server not reading, because much output waits.
    var lastUnread: Int64 = 0
    /// The time by when a client that keeps the least rate has received all windows for its bodies.
    private(set) var windowsKnown: Int64 = 0

    init(_ connection: Connection) {
        let limits = connection.server.configuration.limits
        self.connection = connection
        // The time of the connection's first byte, which is earlier than now if the preface arrives slowly.
        let ending = HTTP2Ending(began: connection.machine.since)
        unsafe unchecked = State(input: HTTP2Input(limits: limits), ending: ending)
        session = NGHTTP2Session(limits: limits)
        hold = BufferShare(connection.server)
        isOfTrustedProxy = connection.server.configuration.trustedProxies.contain(connection.peerAddress)
        session.start(self, limits: limits)
    }

    /// The state, without Swift's exclusivity checks at run time. The loop already rules out overlapping accesses, and the checks
    /// would take a tenth of a request's instructions. It has `get` and not `_read`: in debug builds of Swift 6.3, callers that read
    /// a property of so large a struct would read from the accessor's frame after it was freed.
    var state: State {
        @inline(__always) get { unsafe unchecked }
        @inline(__always) _modify { yield unsafe &unchecked }
    }

    var streams: [HTTP2Stream] { state.streams }
    var loop: EventLoop { connection.loop }
    var server: ServerContext { connection.server }
    var remoteAddress: SocketAddress { connection.remoteAddress }
    var now: Int64 { connection.loop.clock.now }

    // MARK: Reading

    /// Reads frames, and starts the handlers of their requests.
    func receive(_ bytes: Span<UInt8>) {
        // After its end, the library must not see more bytes (CVE-2026-27135).
        guard !state.ending.isTerminated else { return }
        do throws(HTTP2ErrorCode) {
            try read(bytes)
        } catch {
            fail(error)
        }
        state.input.read(bytes.count)
        run()
    }

    /// Ends the connection with the error that the client has caused, or with `code` if it hasn't caused one.
    private func fail(_ code: HTTP2ErrorCode) {
        terminate(state.input.failure ?? code, state.input.excess.map { "too many frames of the kind '\($0)'" })
    }

    private func read(_ bytes: Span<UInt8>) throws(HTTP2ErrorCode) {
        var (start, position) = (0, 0)
        while let (header, id) = state.input.nextData(in: bytes, from: &position) {
            // The earlier frames decide whether this one is allowed.
            let end = max(start, position - FrameHeads.length)
            try session.receive(bytes.extracting(start..<end))
            start = end
            guard mayRead(header, id) else { throw .enhanceYourCalm }
        }
        try session.receive(bytes.extracting(start...))
    }

    /// Processes the events that the library reported while it read.
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
        // The next elements then need no new memory.
        elements.removeAll(keepingCapacity: elements.capacity <= 64)
        swap(&elements, &state[keyPath: list])
    }

    // MARK: Writing

    /// The number of times that frames are gathered and sent before other connections get their turn.
    private static let writesPerTurn = 16

    /// Sends the waiting frames until the system accepts no more.
    func flush() {
        var writes = 0
        while connection.sendOutput(), wantsToWrite() {
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

    /// Whether frames wait for the library to write them.
    private func wantsToWrite() -> Bool {
        // Not before the frame can be written: until then, the library opens streams beyond the number in it, and their handlers run.
        if state.isShutdownDue { session.shutDown() }
        state.isShutdownDue = false
        return session.wantsToWrite
    }

    /// Counts the bytes that the streams hold against the server's budget.
    func publishHeld() {
        let bytes = held + state.input.blockSize
        if hold.bytes != bytes { hold.set(bytes) }
    }

    /// Schedules the writing of frames: at once, or after everything else in this round of the loop.
    func changed() {
        connection.roundLater()
    }

    /// Doubles a stream's window when a handler has taken a quarter of it: one window per round trip would slow distant clients down. The
    /// connection's window grows with it.
    ///
    /// A handler that stops reading leaves one window of bytes unread, so windows don't grow while memory is short.
    func widen(_ stream: HTTP2Stream, after taken: Int) {
        stream.taken += taken
        guard stream.taken >= stream.window / 4, stream.window * 2 <= NGHTTP2Session.widestWindow,
            !server.buffers.isPressed
        else { return }
        stream.taken = 0
        widening += stream.window
        stream.window *= 2
        session.setWindow(stream.window, of: stream.id)
        session.setWindow(NGHTTP2Session.connectionWindow + widening)
    }

    /// The window of an ended stream no longer enlarges the connection's.
    func narrow(_ stream: HTTP2Stream) {
        guard stream.window > NGHTTP2Session.streamWindow else { return }
        widening -= stream.window - NGHTTP2Session.streamWindow
        session.setWindow(NGHTTP2Session.connectionWindow + widening)
    }

    /// Schedules the writing of a frame that lets the client send more of a body. The client gets it after the waiting output.
    func windowChanged() {
        if let output = connection.output {
            let bytes = Int64(output.waiting + connection.socket.unacknowledged)
            windowsKnown = now + bytes * 1000 / Int64(server.configuration.limits.leastRate)
        }
        changed()
    }

    // MARK: The end

    /// Lets the open streams finish, and then closes, without losing a request that the client has sent (RFC 9113, section 6.8).
    func drain() {
        guard state.ending.announce(at: now) else { return }
        session.announceShutdown()
        changed()
    }

    /// The client has seen the announcement: after the bytes that have been received, the server accepts no new streams.
    func finishAnnouncement() {
        guard state.ending.finishAnnouncement() else { return }
        state.isShutdownDue = true
        changed()
    }

    /// Ends the connection with an error, or without one if the client sends no requests.
    func terminate(_ code: HTTP2ErrorCode, _ reason: String? = nil) {
        guard state.ending.terminate() else { return }
        if code != .noError {
            server.logger.info(
                """
                ended the HTTP/2 connection of \(connection.peerAddress) with \(streams.count) open streams: \
                \(reason ?? "the client broke the protocol") (error code \(code.rawValue) of RFC 9113)
                """
            )
        }
        session.terminate(code)
        changed()
    }

    /// The client has sent its last byte: incomplete bodies fail, but responses can still be sent.
    func endInput() {
        for stream in streams where !stream.isRequestEnded { stream.failBody(RequestError.incomplete) }
        // A request with an incomplete header list can't have a response.
        if case .request(let id) = state.input.block { session.stream(id)?.reset(.cancel) }
        state.input.drop()
        guard state.ending.begin() else { return }
        session.shutDown()
        changed()
    }

    /// Gives up responses that wait for windows, because the client can't open them any more.
    func resetBlocked() {
        for stream in streams where stream.isResponsePending { stream.reset(.cancel) }
    }

    /// Frees everything and cancels the running handlers.
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

    /// The interval between checks of open streams, in milliseconds: often enough for the shortest of their timeouts.
    private var checkInterval: Int64 {
        let shortest = min(waits.head, waits.body, waits.write, waits.rateGrace, waits.linger)
        return min(max(shortest / 4, Deadlines.resolution), 1000)
    }

    /// The time when the current header list began, or, if that is later, when a check last found the server not reading.
    private var blockBegan: Int64? { state.input.blockBegan.map { max($0, lastUnread) } }

    /// The time of the next call of `timeOut`, in milliseconds of the loop's clock.
    func nextDeadline() -> Int64 {
        guard streams.isEmpty, connection.output == nil else {
            // One check of all streams from time to time: with a deadline for each stream, every frame would have to set it.
            let check = nextCheck ?? now + checkInterval
            nextCheck = check
            return check
        }
        nextCheck = nil
        return state.ending.deadline(blockBegan: blockBegan, waits)
    }

    /// Gives up overdue requests, responses and connections.
    func timeOut() {
        nextCheck = nil
        if !connection.wantsInput { lastUnread = now }
        if state.ending.isAnnouncementOver(at: now, waits) { finishAnnouncement() }
        let isFull = connection.output != nil
        let isBusy = isFull || !streams.isEmpty
        if state.ending.isTimeOver(at: now, blockBegan: blockBegan, hasStreams: isBusy, waits) {
            return terminate(.noError)
        }
        checkBodies(isFull: isFull)
        let longest = state.ending.stage == .none ? waits.lingerInAll : waits.linger
        for stream in streams where stream.hasLingered(waits.linger, inAll: longest) { stream.reset(.noError) }
        // While the socket is full, the connection measures the client's rate instead.
        if !isFull { checkResponses() }
    }

    /// - Parameter isFull: whether output waits for the client. Windows then open late, so the rate of bodies doesn't count.
    private func checkBodies(isFull: Bool) {
        let isWaiting = streams.contains(where: \.isBodyAwaited)
        let isSlow = !isFull && input.isSlow(isWaiting, server.configuration, at: now)
        // Until then, the server reads nothing, or the client may not know that it may send.
        let start = max(lastUnread, windowsKnown)
        for stream in streams where stream.isBodyAwaited {
            guard isSlow || max(stream.lastReceived, start) + waits.body <= now else { continue }
            stream.failBody(RequestError.timedOut("the body of the request"))
        }
    }

    private func checkResponses() {
        let isWaiting = streams.contains(where: \.isResponsePending)
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
