import Testing

@testable import BacklotHTTP

/// A connection without a socket, a handler or a clock: it does what its machine decides, and checks that the decisions fit together.
struct MachineConnection {
    /// A handler's way to respond to a request.
    enum Handling: CaseIterable {
        /// It responds before it suspends.
        case atOnce
        case closes
        /// It suspends, reads no body, and responds when a test calls `respond`.
        case later
        /// It suspends, and responds when it has the whole body.
        case afterBody
    }

    /// A request that a handler has.
    struct Current {
        let target: String
        let handling: Handling
        /// The bytes of the body so far, and those that the handler has not taken yet.
        var body: [UInt8] = []
        var unread = 0
        var isBodyOpen: Bool
        var isBodyWanted: Bool
        var isResponding = false
    }

    var machine: HTTP1Machine
    var configuration = ServerConfiguration()
    var now: Int64 = 1_000_000
    /// Chooses what the handler does with the next request.
    var handling: (RequestHead) -> Handling = { _ in .atOnce }

    /// The client's bytes that haven't been received, and whether its end stands behind them.
    var (arrived, hasClientEnded) = ([UInt8](), false)
    private var parser: HeadParser
    private var body: HTTP1Machine.Body?
    private var pending: [UInt8] = []
    private var openedBody: (bytes: [UInt8], isWhole: Bool)?
    private(set) var current: Current?
    /// The number of responses that the client has not taken.
    private(set) var untaken = 0
    private(set) var isTurnDue = false
    /// Whether a round of work is under way.
    private var isInRound = false

    /// The requests that handlers got, such as `GET /`, and the targets of ended responses.
    private(set) var handled: [String] = []
    private(set) var ended: [String] = []
    private(set) var refusals: [RequestError] = []
    private(set) var probes = 0
    private(set) var failures: [RequestError] = []
    private(set) var isClosed = false
    /// The first decision that can't be.
    private(set) var violation: String?

    /// The largest number of responses that may wait for the client.
    static let room = 3

    init(limits: ServerConfiguration.Limits = .init()) {
        machine = HTTP1Machine(at: now)
        configuration.limits = limits
        parser = HeadParser(limits: limits)
    }

    private mutating func require(_ isTrue: Bool, _ violation: StaticString) {
        if !isTrue, self.violation == nil { self.violation = "\(violation); \(machine.phase), \(handled), \(ended)" }
    }

    // MARK: The client

    /// The client sends bytes, and the connection receives them where it wants any.
    mutating func send(_ bytes: some Sequence<UInt8>) {
        arrived += bytes
        receive()
    }

    mutating func end() {
        hasClientEnded = true
        machine.inputEnding(at: now)
        receive()
    }

    mutating func takeResponses() {
        untaken = 0
        machine.written(at: now)
        round()
        receive()
    }

    /// Receives what has arrived.
    mutating func receive() {
        guard !isClosed, wantsInput else { return }
        if !arrived.isEmpty {
            machine.received(at: now)
            pending += arrived
            arrived = []
            round()
        } else if hasClientEnded {
            perform(machine.inputEnded(at: now))
            round()
        }
    }

    var wantsInput: Bool {
        machine.wantsInput(hasRoom: untaken < Self.room, isBodyFull: (current?.unread ?? 0) > 64)
    }

    // MARK: The handler

    mutating func respond(closes: Bool = false, isWhole: Bool = true) {
        guard let request = current, !request.isResponding, !isClosed else { return }
        current?.isResponding = true
        let isContinued = machine.respond(closes: closes, body, mayReadBody: !isWhole, hasInput: !arrived.isEmpty)
        require(!isContinued || current?.isBodyOpen ?? false, "a 100 for a body that isn't read")
        untaken += 1
        if isWhole { endResponse() }
    }

    mutating func endResponse() {
        guard let request = current, request.isResponding, !isClosed else { return }
        ended.append(request.target)
        current = nil
        perform(machine.responseEnded(at: now))
        round()
    }

    /// The handler takes the received bytes of the body, and waits for more.
    mutating func readBody() {
        guard current?.isBodyOpen ?? false, !isClosed else { return }
        current?.unread = 0
        current?.isBodyWanted = true
        _ = machine.bodyWanted(body, at: now)
        round()
        receive()
    }

    // MARK: The connection

    mutating func drain() {
        perform(machine.drain(at: now))
        round()
    }

    mutating func relinquish() {
        guard !isClosed else { return }
        perform(machine.relinquish(hasOutput: untaken > 0, isClientAwaited: isClientAwaited, at: now))
        round()
    }

    var waitsFor: LoadShedding.Party { machine.waitsFor(hasOutput: untaken > 0, isClientAwaited: isClientAwaited) }

    /// The bytes that load shedding can free: of a response, a hundred.
    var held: Int {
        guard waitsFor == .client else { return pending.count }
        return pending.count + (openedBody?.bytes.count ?? 0) + (current?.body.count ?? 0) + 100 * untaken
    }

    private var isClientAwaited: Bool { current.map { $0.isBodyWanted && $0.isBodyOpen && $0.unread == 0 } ?? false }

    /// The time at which the client must have done something; nil while it needn't.
    var deadline: Int64? {
        if isClosed { return nil }
        if untaken > 0 { return now + configuration.waits.write }
        return machine.deadline(body, isBodyAwaited: isClientAwaited, configuration.waits, leastRate: 500, at: now)
    }

    /// The deadline has come.
    mutating func timeOut() {
        guard let deadline else { return }
        now = max(now, deadline)
        if untaken > 0 { close() } else { perform(machine.timedOut(at: now)) }
        round()
    }

    /// Other connections had their turn.
    mutating func takeTurn() {
        guard isTurnDue else { return }
        isTurnDue = false
        round()
        receive()
    }

    mutating func close() {
        machine.close()
        (isClosed, current, openedBody, pending, untaken) = (true, nil, nil, [], 0)
    }

    private mutating func round() {
        guard !isClosed, machine.beginRound() else { return }
        let limits = configuration.limits
        repeat {
            var position = 0
            let input = pending
            while let action = machine.next(
                input.span,
                from: &position,
                &parser,
                body,
                hasRoom: untaken < Self.room,
                limits: limits,
                at: now
            ) {
                perform(action)
            }
            pending.removeFirst(min(position, pending.count))
        } while machine.stall == .room && untaken < Self.room
        if machine.phase == .finishing, untaken == 0 { machine.sent(at: now) }
        if machine.isDone(hasOutput: untaken > 0) { close() }
        if machine.endRound() { isTurnDue = true }
        check()
    }

    private mutating func perform(_ action: HTTP1Machine.Action?) {
        guard let action else { return }
        require(!isClosed, "an action after the end")
        switch action {
        case .openBody(let body):
            self.body = body
            require(openedBody == nil && current == nil, "a body within another request")
            openedBody = ([], false)
        case .take(let range):
            let bytes = pending[range]
            if openedBody != nil { openedBody?.bytes += bytes } else { takeBody(bytes) }
        case .endBody:
            if openedBody != nil { openedBody?.isWhole = true } else { endBody(isWhole: true) }
        case .failBody(let error):
            failures.append(error)
            endBody(isWhole: false)
        case .dropBody: require(current == nil, "a body dropped that a handler may read")
        case .handle(let head, let body): handle(head, body)
        case .refuse(let error):
            require(current == nil, "a refusal within an exchange")
            refusals.append(error)
            openedBody = nil
            untaken += 1
            finish()
        case .preface: perform(machine.refuse(.versionNotSupported, at: now))
        case .probe:
            require(current.map { !$0.isResponding } ?? false, "a probe without a handler at work")
            probes += 1
        case .receive: receive()
        case .dropInput: pending = []
        case .finish: finish()
        case .close: close()
        }
    }

    private mutating func finish() {
        require(machine.isFinishing, "input dropped that is still wanted")
        pending = []
    }

    private mutating func handle(_ head: RequestHead, _ range: Range<Int>?) {
        require(current == nil, "two requests at a time")
        require(untaken < Self.room, "a request without room for its response")
        let handling = handling(head)
        var request = Current(
            target: head.string(head.line.target),
            handling: handling,
            isBodyOpen: range == nil,
            isBodyWanted: handling == .afterBody
        )
        request.body = range.map { Array(pending[$0]) } ?? openedBody?.bytes ?? []
        if openedBody?.isWhole ?? false { request.isBodyOpen = false }
        require(range == nil || openedBody == nil, "two bodies of one request")
        openedBody = nil
        handled.append(head.string(head.line.method) + " " + request.target)
        current = request
        switch handling {
        case .atOnce: respond()
        case .closes: respond(closes: true)
        case .later: break
        case .afterBody: if request.isBodyOpen { _ = machine.bodyWanted(body, at: now) } else { respond() }
        }
    }

    private mutating func takeBody(_ bytes: ArraySlice<UInt8>) {
        require(current?.isBodyOpen ?? false, "bytes of a body that nobody reads")
        current?.body += bytes
        // A body that is collected never waits for its reader.
        if !(current?.isBodyWanted ?? false) { current?.unread += bytes.count }
    }

    private mutating func endBody(isWhole: Bool) {
        require(current?.isBodyOpen ?? false, "the end of a body that nobody reads")
        current?.isBodyOpen = false
        if current?.handling == .afterBody { respond(closes: !isWhole) }
    }

    /// Checks the conditions that hold between rounds.
    private mutating func check() {
        guard !isClosed else { return }
        require(ended.count + (current == nil ? 0 : 1) == handled.count, "a request without a response")
        require((current != nil) == machine.isInExchange, "the machine and the handler disagree")
        require(deadline != nil || current != nil && !isClientAwaited, "the client has no deadline")
        require(!machine.isFinishing || pending.isEmpty, "bytes are kept that nobody reads")
        require(refusals.count <= 1, "two refusals")
    }
}
