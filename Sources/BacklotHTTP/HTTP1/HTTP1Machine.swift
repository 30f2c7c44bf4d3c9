/// The state of HTTP/1.1 on one connection (RFC 9112): who acts next, whether another request may follow a response,
/// and how long a client may take. A value without I/O.
///
/// A `Connection` reports events to the machine and performs its actions. While bytes wait, it calls `next` until
/// nothing is left to do.
struct HTTP1Machine {
    /// The stages of a connection, in their order.
    enum Phase: UInt8 {
        /// The server expects a PROXY protocol header, or the client's first byte, which tells whether it speaks TLS.
        case opening
        /// The handshake of TLS.
        case handshake
        /// The server waits for a request, or is in the middle of its head.
        case head
        /// A handler has the request. The body may still be arriving.
        case exchange
        /// The response has begun, and its body is being written.
        case responding
        /// The response is complete; the rest of the request's body is read and dropped.
        case discarding
        /// The client speaks HTTP/2: `HTTP2Connection` decides.
        case http2
        /// The last response is being sent; the server drops further bytes of the client.
        case finishing
        /// Everything is sent, and the server waits for the client to close.
        case lingering
        case closed
    }

    /// The state of the client's side.
    enum Input: UInt8 {
        case open
        /// The system has reported the end, but there may be bytes to read before it.
        case ending
        /// The end has been read.
        case ended
    }

    /// The reason why received bytes wait.
    enum Stall: UInt8 {
        case none
        /// The client must first accept responses.
        case room
        /// Other connections take their turn first.
        case turn
    }

    /// The state of a connection's work: it handles several requests in one round, and sends their responses together
    /// at its end.
    enum Round: UInt8 {
        case none, scheduled, running
    }

    /// The properties of the current request.
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// The response has no body (RFC 9110, section 9.3.2).
        static let head = Traits(rawValue: 1)
        static let http10 = Traits(rawValue: 2)
        /// Another request may follow.
        static let persistent = Traits(rawValue: 4)
        /// The server has sent something to find out whether the client has gone.
        static let probed = Traits(rawValue: 8)
        /// The client wants to speak WebSocket from here on.
        static let upgradable = Traits(rawValue: 16)
        /// It does: what comes is no HTTP any more, and belongs to the handler.
        static let upgraded = Traits(rawValue: 32)
    }

    /// An instruction to the connection.
    enum Action: Equatable {
        /// Keep the state of an arriving body. Its bytes follow with `take`.
        case openBody(Body)
        /// Add these bytes of the input to the body.
        case take(Range<Int>)
        /// The body is whole.
        case endBody
        /// Pass an error to the reader of the body.
        case failBody(RequestError)
        /// Drop the rest of the body: the response is complete, so nobody needs it.
        case dropBody
        /// Call the handler. The body is these bytes of the input; with nil, it is the one that was opened.
        case handle(RequestHead, body: Range<Int>?)
        /// Send the error's response and then become `finishing`.
        case refuse(RequestError)
        /// Check whether the input is HTTP/2.
        case preface
        /// Send bytes that a living client ignores: if the client has gone, its system responds with a reset.
        case probe
        /// Look for a request that the system has already received.
        case receive
        /// Drop the bytes behind the current request.
        case dropInput
        /// Read no more, and end the connection after the bytes that wait.
        case finish
        /// Cut the connection.
        case close
    }

    /// An arriving body. It is kept outside the machine because few connections have one, and it is confined to their
    /// loop.
    final class Body: Equatable, @unchecked Sendable {
        fileprivate var decoder: BodyDecoder
        /// The length in bytes; nil if the client hasn't stated it.
        let length: Int?
        /// The rate at which the client sends the body, while the server waits for it.
        fileprivate var meter = RateMeter()
        /// The request's head, until its handler is called.
        fileprivate(set) var head: RequestHead?
        /// Whether the server must send a 100 when a handler asks for the body.
        fileprivate var owesContinue: Bool
        fileprivate var isWhole = false

        fileprivate init(_ decoder: BodyDecoder, of head: RequestHead?, owesContinue: Bool) {
            self.decoder = decoder
            self.head = head
            self.owesContinue = owesContinue
            length = decoder.remaining
        }

        static func == (first: Body, second: Body) -> Bool { first === second }
    }

    /// The number of requests that a connection may begin before other connections get their turn.
    static let requestsPerTurn: UInt8 = 64
    /// The most bytes of an unwanted body that the server reads to keep the connection.
    static let discardLimit = 64 * 1024
    /// The time from the client's last byte until the server probes it, in milliseconds.
    static let probeDelay: Int64 = 1000

    /// The time when the current wait for the client began, in milliseconds of the loop's clock.
    private(set) var since: Int64
    private(set) var phase = Phase.head
    private(set) var request: Traits = []
    private(set) var input = Input.open
    private(set) var stall = Stall.none
    private var round = Round.none
    /// The number of requests begun in this round.
    private var begun: UInt8 = 0
    /// Whether a body is arriving.
    private var isReadingBody = false
    private(set) var isDraining = false
    /// Whether the connection hasn't sent a response yet.
    private(set) var isNew = true
    /// Whether a head has begun but not ended. Empty lines before it don't count.
    private(set) var isInHead = false
    /// Whether bytes follow the current request.
    private var isFollowed = false

    init(at now: Int64) {
        since = now
    }

    var isOpening: Bool { phase.rawValue < Phase.head.rawValue }
    /// Whether a handler has a request.
    var isInExchange: Bool { phase == .exchange || phase == .responding }
    /// Whether the client's bytes are dropped.
    var isFinishing: Bool { phase == .finishing || phase == .lingering }

    // MARK: The beginning

    /// The connection begins with a phase before the first request.
    @inline(__always)
    mutating func open(with phase: Phase) { self.phase = phase }

    /// A phase before the first request has ended.
    @inline(__always)
    mutating func advance(to phase: Phase, at now: Int64) { (self.phase, since) = (phase, now) }

    // MARK: Rounds

    /// Begins a round. Returns false in the middle of one: the end of that round also handles the new event.
    @inline(__always)
    mutating func beginRound() -> Bool {
        guard round != .running else { return false }
        (round, stall, begun) = (.running, .none, 0)
        return true
    }

    /// Ends a round. Returns whether another round must follow after other connections had their turn.
    @inline(__always)
    mutating func endRound() -> Bool {
        round = .none
        return stall == .turn && scheduleRound()
    }

    /// Returns whether a round must be scheduled: not when the end of one is near.
    @inline(__always)
    mutating func scheduleRound() -> Bool {
        guard round == .none else { return false }
        round = .scheduled
        return true
    }

    /// Whether a scheduled round is still due.
    var isRoundDue: Bool { round == .scheduled }

    /// Lets other connections have their turn before the next round.
    @inline(__always)
    mutating func yield() { stall = .turn }

    // MARK: The client's bytes

    /// Bytes have arrived.
    @inline(__always)
    mutating func received(at now: Int64) {
        // The time for a head counts from its first byte. The time for the end of the connection counts from its last
        // response.
        if !isInHead, !isFinishing { since = now }
    }

    /// The next thing to do with the input; nil while it lacks bytes, a response, room or its turn.
    ///
    /// - Parameters:
    ///   - input: the received bytes. Those before `position`, which it advances, are used up.
    ///   - parser: the parser of heads, which reads the bytes that aren't used up.
    ///   - body: the body that was opened last.
    ///   - hasRoom: whether another response may be written.
    mutating func next(
        _ input: Span<UInt8>,
        from position: inout Int,
        _ parser: inout HeadParser,
        _ body: @autoclosure () -> Body?,
        hasRoom: @autoclosure () -> Bool,
        limits: @autoclosure () -> ServerConfiguration.Limits,
        at now: Int64
    ) -> Action? {
        while true {
            switch phase {
            case .head:
                isInHead = false
                guard position < input.count else { return nil }
                guard hasRoom() else { return wait(for: .room) }
                guard begun < Self.requestsPerTurn else { return wait(for: .turn) }
                stall = .none
                return readHead(input, from: &position, &parser, limits, at: now)
            case .exchange, .responding, .discarding:
                if let action = readBody(body(), input, from: &position, at: now) { return action }
                guard phase == .head else { return nil }
            case .finishing, .lingering, .closed:
                position = input.count
                return nil
            case .opening, .handshake, .http2: return nil
            }
        }
    }

    private mutating func wait(for stall: Stall) -> Action? {
        self.stall = stall
        return nil
    }

    private mutating func readHead(
        _ input: Span<UInt8>,
        from position: inout Int,
        _ parser: inout HeadParser,
        _ limits: () -> ServerConfiguration.Limits,
        at now: Int64
    ) -> Action? {
        do throws(RequestError) {
            if let head = try parser.parse(input.extracting(position...)) {
                position += head.length
                return begin(head, input, &position, limits, at: now)
            }
            let rest = input.extracting(position...)
            isInHead = parser.hasBegun(rest)
            request = parser.isHead(rest) ? .head : []
            return nil
        } catch {
            let rest = input.extracting(position...)
            // Only the first bytes of a connection can be the preface.
            if error == .versionNotSupported, isNew, HTTP2Preface.begins(rest) { return .preface }
            request = parser.isHead(rest) ? .head : []
            return refuse(error, at: now)
        }
    }

    private mutating func begin(
        _ head: RequestHead,
        _ input: Span<UInt8>,
        _ position: inout Int,
        _ limits: () -> ServerConfiguration.Limits,
        at now: Int64
    ) -> Action {
        begun += 1
        (phase, since) = (.exchange, now)
        request = head.isPersistent ? .persistent : []
        if head.line.isHTTP10 { request.insert(.http10) }
        if head.isMethod("HEAD") { request.insert(.head) }
        let whole: Range<Int>
        switch head.framing {
        case .none:
            whole = position..<position
            if head.asksForWebSocket, !head.line.isHTTP10 { request.insert(.upgradable) }
        case .length(let length) where length <= input.count - position: whole = position..<(position + length)
        case .length(let length): return open(.length(remaining: length), head, isThere: position < input.count)
        case .chunked: return open(.chunked(ChunkedDecoder(limits: limits())), head, isThere: position < input.count)
        }
        position = whole.upperBound
        isFollowed = position < input.count
        return .handle(head, body: whole)
    }

    private mutating func open(_ decoder: BodyDecoder, _ head: RequestHead, isThere: Bool) -> Action {
        isReadingBody = true
        return .openBody(Body(decoder, of: head, owesContinue: head.expectsContinue && !isThere))
    }

    /// - Returns: nil if more bytes are needed or no body is being read. After the end of an unwanted body, a head may
    ///   follow.
    private mutating func readBody(
        _ body: Body?,
        _ input: Span<UInt8>,
        from position: inout Int,
        at now: Int64
    ) -> Action? {
        guard isReadingBody, let body else {
            isFollowed = position < input.count
            return nil
        }
        let start = position
        defer { body.meter.bytes += position - start }
        if position < input.count { body.owesContinue = false }
        do throws(RequestError) {
            while let bytes = try body.decoder.next(input, from: &position) {
                if phase != .discarding { return .take(bytes) }
            }
        } catch {
            position = input.count
            if phase == .discarding { return finish(at: now) }
            // If the handler has been called, it gets the error from the body, and its response is the refusal.
            return body.head == nil ? giveUpBody(error) : refuse(error, at: now)
        }
        if body.decoder.isFinished {
            if phase == .discarding {
                nextRequest(at: now)
                return nil
            }
            isFollowed = position < input.count
            // A handler that hasn't been called yet gets the whole body with its call.
            isReadingBody = body.head != nil && !body.isWhole
            if !body.isWhole {
                body.isWhole = true
                return .endBody
            }
        }
        guard let head = body.head else { return nil }
        body.head = nil
        return .handle(head, body: nil)
    }

    /// The reader of the body has received `taken` bytes, or waits for some.
    ///
    /// - Returns: whether the client waits for a 100 before it sends them (RFC 9110, section 10.1.1).
    mutating func bodyWanted(_ body: Body?, at now: Int64) -> Bool {
        since = now
        return takeContinue(body)
    }

    private func takeContinue(_ body: Body?) -> Bool {
        guard isReadingBody, let body, body.owesContinue, phase == .exchange else { return false }
        body.owesContinue = false
        return true
    }

    /// Makes the current request the last one of the connection, and stops reading its body.
    private mutating func giveUpBody(_ error: RequestError) -> Action? {
        guard isInExchange, isReadingBody else { return nil }
        endAfterResponse()
        isReadingBody = false
        return .failBody(error)
    }

    // MARK: Responses

    /// Closes the connection after the current request.
    @inline(__always)
    mutating func endAfterResponse() { request.remove(.persistent) }

    /// Begins a response. The connection stays open if the start of the next request can be found at a reasonable cost.
    ///
    /// - Parameters:
    ///   - closes: whether the connection must close after the response.
    ///   - body: the body that was opened last.
    ///   - mayReadBody: whether a handler may still ask for the request's body.
    ///   - hasInput: whether the system has received more bytes. When the server stops, a client that doesn't wait for
    ///     responses still gets all of them. Nothing after a response with `Connection: close` may be read as a request
    ///     (RFC 9112, section 9.6).
    /// - Returns: whether a 100 must come before the response, since it can't follow the response's head.
    mutating func respond(
        closes: Bool,
        _ body: Body?,
        mayReadBody: Bool = false,
        hasInput: @autoclosure () -> Bool
    ) -> Bool {
        let isContinueDue = mayReadBody && takeContinue(body)
        if request.contains(.persistent), closes || !canFollow(body, hasInput) { endAfterResponse() }
        body?.owesContinue = false
        phase = .responding
        return isContinueDue
    }

    /// The response was 101: all further bytes of the client are the body of its request.
    mutating func upgrade() -> Body {
        request.insert(.upgraded)
        isReadingBody = true
        return Body(.endless, of: nil, owesContinue: false)
    }

    private func canFollow(_ body: Body?, _ hasInput: () -> Bool) -> Bool {
        guard isReadingBody, let body else { return !isDraining || isFollowed || hasInput() }
        // A client that waits for its 100 may or may not send the body: the server can't tell which.
        guard !isDraining, !body.owesContinue, let remaining = body.decoder.remaining else { return false }
        return remaining <= Self.discardLimit
    }

    /// The response is complete.
    mutating func responseEnded(at now: Int64) -> Action? {
        guard request.contains(.persistent) else { return finish(at: now) }
        guard !isReadingBody else {
            (phase, since) = (.discarding, now)
            return .dropBody
        }
        nextRequest(at: now)
        return nil
    }

    private mutating func nextRequest(at now: Int64) {
        (phase, since, isReadingBody, isNew) = (.head, now, false, false)
    }

    /// The client has accepted the output that the connection waited for.
    @inline(__always)
    mutating func written(at now: Int64) {
        if phase == .head, !isInHead { since = now }
    }

    // MARK: The end

    /// Refuses bytes that can't be a request.
    mutating func refuse(_ error: RequestError, at now: Int64) -> Action {
        request.subtract([.persistent, .http10])
        _ = finish(at: now)
        return .refuse(error)
    }

    /// Stops reading requests.
    mutating func finish(at now: Int64) -> Action? {
        guard phase.rawValue < Phase.finishing.rawValue else { return nil }
        (phase, since, isReadingBody, isInHead) = (.finishing, now, false, false)
        return .finish
    }

    /// Everything is sent, and the sending side is closed.
    @inline(__always)
    mutating func sent(at now: Int64) { (phase, since) = (.lingering, now) }

    @inline(__always)
    mutating func close() { (phase, isReadingBody, isInHead) = (.closed, false, false) }

    /// The client has sent its last byte, which the server may still have to read.
    @inline(__always)
    mutating func inputEnding(at now: Int64) {
        guard input == .open else { return }
        input = .ending
        if phase == .exchange { since = now }
    }

    /// The server has read the client's last byte. It can still send responses.
    mutating func inputEnded(at now: Int64) -> Action? {
        (input, since) = (.ended, now)
        guard isReadingBody, request.contains(.upgraded) else { return giveUpBody(.incomplete) }
        isReadingBody = false
        return .endBody
    }

    /// Whether everything is done after the client's last byte.
    @inline(__always)
    func isDone(hasOutput: Bool) -> Bool {
        input == .ended && !isInExchange && phase != .http2 && !hasOutput && stall != .turn
    }

    /// The server stops: a connection without a request waits a moment for one more.
    mutating func drain(at now: Int64) -> Action? {
        isDraining = true
        if isOpening { since = now }
        guard phase == .head, !isInHead else { return nil }
        since = now
        return .receive
    }

    // MARK: Waiting

    /// Whether the connection can use arriving bytes.
    @inline(__always)
    func wantsInput(hasRoom: @autoclosure () -> Bool, isBodyFull: @autoclosure () -> Bool) -> Bool {
        guard input != .ended else { return false }
        return switch phase {
        case .head: stall != .turn && hasRoom()
        case .exchange, .responding: isReadingBody && !isBodyFull()
        case .http2: hasRoom()
        case .opening, .handshake, .discarding, .finishing, .lingering: true
        case .closed: false
        }
    }

    /// The events that the connection is interested in now.
    ///
    /// - Parameters:
    ///   - isReadingBlocked: whether TLS must write before it can read.
    ///   - isWriting: whether output waits for the client.
    @inline(__always)
    func interest(wantsInput: Bool, isReadingBlocked: Bool, isWriting: Bool) -> Readiness {
        let writing: Readiness = isWriting || isReadingBlocked ? .writable : []
        if wantsInput, !isReadingBlocked { return writing.union(.readable) }
        // While the connection receives nothing, the system would report the same bytes repeatedly.
        return phase == .exchange && input == .open ? writing.union(.ended) : writing
    }

    /// Whether to find out if the client has gone: it has sent its last byte, and its handler is still working.
    ///
    /// Only by sending something can the server tell whether the client has closed the connection or only its own side.
    private var isProbeDue: Bool {
        phase == .exchange && input != .open && !isReadingBody && !request.contains(.probed)
    }

    /// The deadline for the client's next progress, in milliseconds of the loop's clock, if the client has accepted all output. nil while
    /// the handler may take its time.
    ///
    /// - Parameters:
    ///   - body: the body that was opened last.
    ///   - isBodyAwaited: whether a handler waits for bytes of the body.
    ///   - leastRate: the number of body bytes that must arrive per second.
    func deadline(_ body: Body?, isBodyAwaited: Bool, _ waits: Waits, leastRate: Int, at now: Int64) -> Int64? {
        switch phase {
        case .opening, .handshake:
            return since + (isDraining ? min(waits.handshake, waits.drainIdle) : waits.handshake)
        case .head where isInHead: return since + waits.head
        case .head: return since + (isDraining ? waits.drainIdle : isNew ? waits.head : waits.idle)
        case .exchange where isProbeDue: return since + Self.probeDelay
        case .exchange, .responding, .discarding:
            guard isReadingBody, let body, !request.contains(.upgraded) else { return nil }
            body.meter.wait(isBodyAwaited || phase == .discarding, at: now)
            return body.meter.deadline(waits, leastRate: leastRate).map { min($0, since + waits.body) }
        case .finishing, .lingering:
            return min(now + waits.linger, since + (isDraining ? waits.linger : waits.lingerInAll))
        case .http2, .closed: return nil
        }
    }

    /// The deadline has passed.
    mutating func timedOut(at now: Int64) -> Action? {
        switch phase {
        case .head: return isInHead ? refuse(.timedOut("the head of the request"), at: now) : finish(at: now)
        case .exchange where isProbeDue:
            request.insert(.probed)
            return .probe
        case .exchange, .responding: return giveUpBody(.timedOut("the body of the request"))
        case .http2, .closed: return nil
        case .opening, .handshake, .discarding, .finishing, .lingering: return .close
        }
    }

    /// The party that the connection waits for.
    ///
    /// - Parameter isClientAwaited: whether the handler waits for the client.
    func waitsFor(hasOutput: Bool, isClientAwaited: Bool) -> LoadShedding.Party {
        switch phase {
        case .opening, .http2, .closed: .nobody
        case .head: isInHead || hasOutput ? .client : .nobody
        case .exchange, .responding: hasOutput || isClientAwaited ? .client : .handler
        case .handshake, .discarding, .finishing, .lingering: .client
        }
    }

    /// Frees the memory that is kept for the client, because the server is running out of it.
    mutating func relinquish(hasOutput: Bool, isClientAwaited: Bool, at now: Int64) -> Action? {
        switch waitsFor(hasOutput: hasOutput, isClientAwaited: isClientAwaited) {
        case .nobody: return nil
        case .client where hasOutput: return .close
        case .client where phase == .head: return refuse(.overloaded, at: now)
        // The handler gets an error and responds with it, so the client learns the reason.
        case .client: return giveUpBody(.overloaded)
        // The client must repeat the requests it has sent after the current one (RFC 9112, section 9.3.2).
        case .handler:
            endAfterResponse()
            isFollowed = false
            return .dropInput
        }
    }
}

extension RequestHead: Equatable {
    static func == (first: RequestHead, second: RequestHead) -> Bool {
        first === second || first.bytes == second.bytes
    }
}
