internal import Logging

/// The HTTP/2 side of a connection: its streams, and the limits on the work that its client may cause.
///
/// Confined to the connection's loop. `HTTP2Connection+Frames` has the library's calls while it reads and writes;
/// handlers run only after these, so that nothing they do happens inside the library.
final class HTTP2Connection: @unchecked Sendable {
    /// How far the end has come (RFC 9113, section 6.8).
    enum Shutdown: Equatable {
        case none
        /// The server has announced that it will accept no more streams; since when, in milliseconds.
        case announced(Int64)
        /// No further stream is accepted; those that are open go on.
        case begun
        /// Nothing is read any more.
        case terminated
    }

    /// A header list that is being read.
    enum HeaderBlock {
        case request(HTTP2Stream)
        /// The number of bytes so far.
        case trailers(HTTP2Stream?, Int)
    }

    /// How many bytes of frames may wait for the socket.
    static let outputLimit = 64 * 1024

    let connection: Connection
    let session: NGHTTP2Session
    var streams: [HTTP2Stream] = []
    /// How many handlers have not returned, those of reset streams included.
    var handlers = 0
    var budget = FrameBudget()
    /// How fast bodies come while they are waited for, and how fast responses go out while they wait for windows.
    var (input, output) = (RateMeter(), RateMeter())
    /// How much of the budget its streams hold while they wait for the client, in bytes.
    var held = 0
    private let hold: BufferShare
    /// Why the connection has to end, found while the library reads or writes.
    var failure: HTTP2ErrorCode?

    // MARK: Reading in progress

    var list: HeaderList
    var block: HeaderBlock?
    var numbers = StreamNumbers()
    private var heads = FrameHeads()
    /// When the header list began that is being read, in milliseconds of the loop's clock.
    var blockBegan: Int64?
    /// How many bytes the reads have brought that it has come with and gone beyond.
    var blockSize = 0
    /// Whether the DATA frame that is being read has brought a byte.
    var hasData = false
    /// Streams whose requests can be handled, oldest first.
    var begun: [HTTP2Stream] = []
    /// Streams whose bodies have got bytes for a handler.
    var fed: [HTTP2Stream] = []
    /// Streams whose answers have room again.
    var relieved: [HTTP2Stream] = []

    // MARK: The end

    var shutdown = Shutdown.none
    /// When a stream last began or ended.
    var lastActive: Int64
    var hasHadRequest = false
    /// When to look next whether clients make progress.
    var nextCheck: Int64?
    private var scratch = FieldList()

    init(_ connection: Connection) {
        let limits = connection.server.configuration.limits
        self.connection = connection
        list = HeaderList(limits: limits)
        // A preface that drips in has begun before.
        lastActive = connection.machine.since
        session = NGHTTP2Session(limits: limits)
        hold = BufferShare(connection.server)
        session.start(self, limits: limits)
    }

    var loop: EventLoop { connection.loop }
    var server: ServerContext { connection.server }
    var remoteAddress: SocketAddress { connection.remoteAddress }
    var now: Int64 { connection.loop.clock.now }

    // MARK: Reading

    /// Reads frames, and starts the handlers of the requests that are in them.
    func receive(_ bytes: Span<UInt8>) {
        // The library must not see what comes after its end (CVE-2026-27135).
        guard shutdown != .terminated else { return }
        do throws(HTTP2ErrorCode) {
            try read(bytes)
        } catch {
            terminate(failure ?? error)
        }
        if block != nil { blockSize += bytes.count }
        run()
    }

    private func read(_ bytes: Span<UInt8>) throws(HTTP2ErrorCode) {
        var (start, position) = (0, 0)
        while let (header, id) = heads.next(in: bytes, from: &position) {
            guard header.type <= HTTP2FrameHeader.headers else { continue }
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
        guard shutdown != .terminated else { return }
        for stream in Self.takeAll(&begun) { stream.begin() }
        for stream in Self.takeAll(&fed) { stream.deliver() }
    }

    private static func takeAll(_ streams: inout [HTTP2Stream]) -> [HTTP2Stream] {
        guard !streams.isEmpty else { return [] }
        defer { streams = [] }
        return streams
    }

    // MARK: Writing

    /// Appends frames that are due.
    func write(into output: inout [UInt8]) {
        if !session.write(into: &output, upTo: Self.outputLimit) { terminate(failure ?? .internalError) }
    }

    /// Counts what the streams hold against the server's budget.
    func publishHeld() {
        if hold.bytes != held + blockSize { hold.set(held + blockSize) }
    }

    /// Whether there are frames that could be written now.
    var wantsToWrite: Bool { session.wantsToWrite }

    /// Lets handlers go on that waited for room in their streams.
    func relieve() {
        for stream in Self.takeAll(&relieved) { stream.outgoing?.roomMade() }
    }

    /// Notes that there are frames to write: at once, or after everything else in this round of the loop.
    func changed() {
        connection.roundLater()
    }

    /// Sends the head of an answer.
    func submit(_ response: Response, on stream: HTTP2Stream, hasBody: Bool) {
        var head = FieldList()
        swap(&head, &scratch)
        head.append(response, dateLine: loop.clock.dateLine)
        session.submit(head, on: stream, hasBody: hasBody)
        head.removeAll()
        scratch = head
        changed()
    }

    // MARK: The end

    /// Whether everything has been said and written.
    var isOver: Bool { session.isOver }

    /// Lets the open streams finish, and then closes; no request is lost that the client has sent (RFC 9113, section
    /// 6.8).
    func drain() {
        guard shutdown == .none else { return }
        shutdown = .announced(now)
        session.announceShutdown()
        changed()
    }

    /// The client has seen the announcement: the server accepts no more streams from now on.
    func finishAnnouncement() {
        guard case .announced = shutdown else { return }
        shutdown = .begun
        session.shutDown()
        changed()
    }

    /// Ends the connection with an error, or for want of requests.
    func terminate(_ code: HTTP2ErrorCode) {
        guard shutdown != .terminated else { return }
        if code != .noError {
            server.logger.debug("ended the HTTP/2 connection of \(remoteAddress): code \(code.rawValue)")
        }
        shutdown = .terminated
        session.terminate(code)
        changed()
    }

    /// The client has sent its last byte: bodies that are not whole fail, and answers can still be sent.
    func endInput() {
        for stream in streams where !stream.isRequestEnded { stream.failBody(RequestError.incomplete) }
        // An incomplete header list can't be answered.
        if case .request(let stream) = block { stream.reset(.cancel) }
        headersDropped()
        finishAnnouncement()
        if shutdown == .none {
            shutdown = .begun
            session.shutDown()
        }
    }

    /// Gives up on answers that wait for windows, of a client that can't open them any more.
    func resetBlocked() {
        for stream in streams where stream.isAnswerPending { stream.reset(.cancel) }
    }

    /// Frees everything. Handlers that run are cancelled.
    func close() {
        for stream in streams { stream.close() }
        streams = []
        begun = []
        fed = []
        relieved = []
        // A list that was being read holds its stream, and the stream this connection.
        headersDropped()
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
        return blockDeadline ?? shutdownDeadline ?? idleDeadline
    }

    private var blockDeadline: Int64? { blockBegan.map { $0 + waits.head } }

    private var shutdownDeadline: Int64? {
        guard case .announced(let since) = shutdown else { return nil }
        return since + waits.linger
    }

    /// A client that has sent nothing but the preface and SETTINGS has no longer than one that has sent no head.
    private var idleDeadline: Int64 { lastActive + (hasHadRequest ? waits.idle : waits.head) }

    /// Gives up requests, answers and connections whose time is over.
    func timeOut() {
        nextCheck = nil
        if let shutdownDeadline, shutdownDeadline <= now { finishAnnouncement() }
        if let blockDeadline, blockDeadline <= now { return terminate(.noError) }
        if streams.isEmpty {
            if idleDeadline <= now { terminate(.noError) }
        } else {
            checkBodies()
            checkAnswers()
        }
    }

    private func checkBodies() {
        let isWaiting = streams.contains(where: \.isBodyAwaited)
        let isSlow = input.isSlow(isWaiting, server.configuration, at: now)
        for stream in streams where stream.isBodyAwaited && (isSlow || stream.lastReceived + waits.body <= now) {
            stream.failBody(RequestError.timedOut("the body of the request"))
        }
    }

    private func checkAnswers() {
        // While the socket is full, the connection measures what the client takes.
        let isWaiting = connection.output.isEmpty && streams.contains(where: \.isAnswerPending)
        let isSlow = output.isSlow(isWaiting, server.configuration, at: now)
        guard isWaiting else {
            for stream in streams { stream.lastSent = now }
            return
        }
        for stream in streams where stream.isAnswerPending && (isSlow || stream.lastSent + waits.write <= now) {
            stream.reset(.cancel)
        }
    }
}
