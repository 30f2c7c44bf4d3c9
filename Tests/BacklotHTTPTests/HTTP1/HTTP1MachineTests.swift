import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// The decisions of HTTP/1.1, without a socket and with a clock that the tests set.
@Suite(.timeLimit(.minutes(5))) struct HTTP1MachineTests {
    private static func make(_ handling: MachineConnection.Handling = .atOnce) -> MachineConnection {
        var connection = MachineConnection()
        connection.handling = { _ in handling }
        return connection
    }

    // MARK: Requests

    @Test func `Requests and refusals are the same wherever the bytes are cut`() {
        // The handler sets the limit of its body.
        for example in WireCase.all where !example.responses.contains("413") {
            let wire = example.wire
            // In what is thousands of bytes long, most are alike.
            let step = wire.count > 2000 ? wire.count / 20 : 1
            for cut in stride(from: 0, to: wire.count, by: step) {
                let seen = Self.exchange(wire, cut: cut, .afterBody)
                if seen != Self.expected(example) { Issue.record("\(example.title): \(seen), cut at byte \(cut)") }
            }
        }
    }

    private static func expected(_ example: WireCase) -> [String] {
        example.responses.map { response in
            response.lastIndex(of: "[").map { String(response[..<$0].dropLast()) } ?? response
        }
    }

    private static func exchange(_ wire: [UInt8], cut: Int, _ handling: MachineConnection.Handling) -> [String] {
        var connection = make(handling)
        for piece in [wire[..<cut], wire[cut...]] {
            connection.send(piece)
            while connection.isTurnDue || connection.untaken > 0 {
                connection.takeTurn()
                connection.takeResponses()
            }
        }
        connection.end()
        if let violation = connection.violation { return [violation] }
        let failed = connection.failures.map { "\($0.status.code)" }
        // The handler of a body that fails responds with the error.
        return connection.handled.dropLast(failed.count) + failed + connection.refusals.map { "\($0.status.code)" }
    }

    @Test func `A request waits for the response before`() {
        var connection = Self.make(.later)
        connection.send(bytes(request("GET /a") + request("GET /b")))
        #expect(connection.handled == ["GET /a"] && connection.untaken == 0)
        #expect(!connection.wantsInput && connection.deadline == nil)
        connection.respond()
        #expect(connection.handled == ["GET /a", "GET /b"] && connection.ended == ["/a"])
    }

    @Test func `Requests wait for room and for their turn`() {
        var connection = Self.make()
        connection.send(bytes(String(repeating: request(), count: 200)))
        #expect(connection.handled.count == MachineConnection.room && connection.machine.stall == .room)
        var rounds = 0
        while connection.handled.count < 200, rounds < 200 {
            connection.takeResponses()
            rounds += 1
        }
        #expect(rounds < 70 && connection.violation == nil)
    }

    // MARK: Bodies

    @Test(arguments: [
        ("Content-Length: 65536", false, false, HTTP1Machine.Phase.discarding),
        ("Content-Length: 65537", false, false, .finishing), ("Transfer-Encoding: chunked", false, false, .finishing),
        ("Content-Length: 5", true, false, .finishing), ("Content-Length: 5", false, true, .finishing),
    ])
    func `A short unread body is discarded, and another ends the connection`(
        _ framing: String,
        _ closes: Bool,
        _ isDraining: Bool,
        _ phase: HTTP1Machine.Phase
    ) {
        var connection = Self.make(.later)
        connection.send(bytes(request("POST /", framing)))
        if isDraining { connection.drain() }
        connection.respond(closes: closes)
        #expect(connection.machine.phase == (phase == .finishing ? .finishing : .discarding))
        #expect(connection.machine.request.contains(.persistent) == (phase == .discarding))
    }

    @Test func `A client that waits for a 100 gets it once`() {
        var machine = HTTP1Machine(at: 0)
        let body = Self.begin(&machine, request("POST /", "Content-Length: 5", "Expect: 100-continue")).body
        let isTold = [machine.bodyWanted(body, at: 1), machine.bodyWanted(body, at: 2)]
        #expect(isTold == [true, false])
    }

    @Test(arguments: [true, false])
    func `A 100 precedes a response that may read the body`(_ mayReadBody: Bool) {
        var machine = HTTP1Machine(at: 0)
        let body = Self.begin(&machine, request("POST /", "Content-Length: 5", "Expect: 100-continue")).body
        #expect(machine.respond(closes: false, body, mayReadBody: mayReadBody, hasInput: false) == mayReadBody)
        // Whether a client that got no 100 sends the body can't be known.
        #expect(machine.request.contains(.persistent) == mayReadBody)
        let isToldLater = machine.bodyWanted(body, at: 1)
        #expect(!isToldLater)
    }

    /// Has the machine read all of the bytes.
    ///
    /// - Returns: what it did, and the body that it opened.
    @discardableResult
    private static func begin(
        _ machine: inout HTTP1Machine,
        _ wire: String,
        at now: Int64 = 0
    ) -> (actions: [HTTP1Machine.Action], body: HTTP1Machine.Body?) {
        let input = bytes(wire)
        var (position, parser) = (0, HeadParser(limits: .init()))
        var actions: [HTTP1Machine.Action] = []
        var body: HTTP1Machine.Body?
        while let action = machine.next(
            input.span,
            from: &position,
            &parser,
            body,
            hasRoom: true,
            limits: .init(),
            at: now
        ) {
            actions.append(action)
            if case .openBody(let opened) = action { body = opened }
        }
        return (actions, body)
    }

    // MARK: Time

    private static let configuration = {
        var configuration = ServerConfiguration()
        configuration.timeouts.head = .seconds(1)
        configuration.timeouts.idle = .seconds(2)
        configuration.timeouts.body = .seconds(3)
        configuration.timeouts.rateGrace = .seconds(4)
        configuration.timeouts.linger = .seconds(5)
        configuration.timeouts.lingerInAll = .seconds(30)
        configuration.timeouts.drainIdle = .milliseconds(50)
        return configuration
    }()

    private static func deadline(
        _ machine: HTTP1Machine,
        _ body: HTTP1Machine.Body? = nil,
        isBodyAwaited: Bool = false,
        at now: Int64 = 0
    ) -> Int64? {
        machine.deadline(body, isBodyAwaited: isBodyAwaited, configuration.waits, leastRate: 500, at: now)
    }

    /// The end of the client's side is watched for while a handler is at work and nothing is read; TLS may have to write before it reads.
    @Test func `A connection waits only for events that it can use`() {
        var machine = HTTP1Machine(at: 0)
        func interest(_ wantsInput: Bool, _ isReadingBlocked: Bool, _ isWriting: Bool) -> Readiness {
            machine.interest(wantsInput: wantsInput, isReadingBlocked: isReadingBlocked, isWriting: isWriting)
        }
        for isWriting in [false, true] {
            let writing: Readiness = isWriting ? .writable : []
            #expect(interest(true, false, isWriting) == writing.union(.readable))
            #expect(interest(true, true, isWriting) == .writable)
            #expect(interest(false, false, isWriting) == writing)
        }
        Self.begin(&machine, request())
        #expect(interest(false, false, false) == .ended && interest(false, false, true) == [.ended, .writable])
        machine.inputEnding(at: 0)
        #expect(interest(false, false, false) == [])
    }

    @Test func `Each phase has its time`() {
        var machine = HTTP1Machine(at: 0)
        #expect(Self.deadline(machine) == 1000, "a new connection has as long as a head")
        machine.received(at: 100)
        Self.begin(&machine, "GET / HTTP/1.1\r\n", at: 100)
        machine.received(at: 900)
        #expect(Self.deadline(machine) == 1100, "the time of a head runs from its first byte")
        let body = Self.begin(&machine, request("POST /", "Content-Length: 100"), at: 1000).body
        #expect(Self.deadline(machine, body) == nil, "a handler may take its time")
        #expect(Self.deadline(machine, body, isBodyAwaited: true, at: 1000) == 4000)
        machine.received(at: 3000)
        #expect(
            Self.deadline(machine, body, isBodyAwaited: true, at: 3000) == 5000,
            "bytes that drip in have to come fast enough"
        )
        _ = machine.respond(closes: false, body, hasInput: false)
        #expect(machine.responseEnded(at: 3000) == .dropBody)
        #expect(machine.timedOut(at: 6000) == .close)
    }

    @Test func `The longest timeouts don't overflow`() {
        // A stop waits for the sum of two, and a client adds one to the time.
        #expect(
            Duration.seconds(Int64.max).milliseconds < Int64.max / 3
                && Duration.seconds(Int64.max).wholeSeconds < Int.max / 3
        )
        var timeouts = ServerConfiguration.Timeouts()
        let longest = Duration.seconds(Int64.max)
        (timeouts.head, timeouts.body, timeouts.rateGrace) = (longest, longest, longest)
        (timeouts.linger, timeouts.lingerInAll) = (longest, longest)
        let waits = Waits(timeouts)
        var machine = HTTP1Machine(at: 1000)
        func isFar(_ body: HTTP1Machine.Body? = nil) -> Bool {
            let deadline = machine.deadline(body, isBodyAwaited: true, waits, leastRate: 500, at: 1000)
            return deadline ?? 0 > Int64.max / 8
        }
        #expect(isFar())
        let body = Self.begin(&machine, request("POST /", "Content-Length: 100"), at: 1000).body
        #expect(isFar(body))
        _ = machine.finish(at: 1000)
        #expect(isFar())
    }

    /// The total time isn't limited while the bytes come fast enough.
    @Test func `A body that keeps coming is awaited`() {
        var configuration = Self.configuration
        configuration.timeouts.rateGrace = .seconds(60)
        var machine = HTTP1Machine(at: 0)
        let body = Self.begin(&machine, request("POST /", "Content-Length: 100")).body
        for time in stride(from: Int64(0), through: 20_000, by: 2000) {
            machine.received(at: time)
            let deadline = machine.deadline(
                body,
                isBodyAwaited: true,
                configuration.waits,
                leastRate: 500,
                at: time
            )
            #expect(deadline == time + 3000)
        }
    }

    @Test func `An idle connection has its time`() {
        var machine = HTTP1Machine(at: 0)
        Self.begin(&machine, request())
        _ = machine.respond(closes: false, nil, hasInput: false)
        #expect(machine.responseEnded(at: 500) == nil)
        #expect(Self.deadline(machine) == 2500)
        machine.written(at: 700)
        #expect(Self.deadline(machine) == 2700, "which begins when the client has taken the response")
        #expect(machine.drain(at: 800) == .receive)
        #expect(Self.deadline(machine) == 850)
        #expect(machine.timedOut(at: 850) == .finish && machine.phase == .finishing)
    }

    @Test(arguments: [
        (now: Int64(1_000), isDraining: false, deadline: Int64(6_000)),
        (20_000, false, 25_000), (26_000, false, 31_000), (26_001, false, 31_000), (30_999, false, 31_000),
        (1_000, true, 6_000), (20_000, true, 6_000),
    ])
    func `A lingering connection ends some seconds after its last bytes`(
        _ now: Int64,
        _ isDraining: Bool,
        _ deadline: Int64
    ) {
        var machine = HTTP1Machine(at: 0)
        _ = machine.finish(at: 500)
        machine.sent(at: 1_000)
        if isDraining { _ = machine.drain(at: 1_000) }
        machine.received(at: now)
        #expect(Self.deadline(machine, at: now) == deadline)
        #expect(machine.timedOut(at: deadline) == .close)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n", HTTP1Machine.Action.refuse(.timedOut("the head of the request"))), ("\r\n", .finish),
        ("", .finish),
        (request("POST /", "Content-Length: 1"), .failBody(.timedOut("the body of the request"))),
    ])
    func `A timeout ends the head, the body or the idle connection`(_ wire: String, _ action: HTTP1Machine.Action) {
        var machine = HTTP1Machine(at: 0)
        Self.begin(&machine, wire)
        #expect(machine.timedOut(at: 10_000) == action)
        #expect(!machine.request.contains(.persistent))
    }

    // MARK: The end

    /// Its end is known however much stands before it, of a client of either version.
    @Test(arguments: ["HTTP/1.1", "HTTP/1.0"], [true, false])
    func `A client that has ended its side is probed once`(_ version: String, _ isBehindBytes: Bool) {
        var connection = Self.make(.later)
        connection.send(bytes(request("GET /a", version: version)))
        if isBehindBytes { connection.arrived = bytes(request("GET /b")) }
        #expect(connection.deadline == nil)
        connection.end()
        #expect(connection.deadline == connection.now + HTTP1Machine.probeDelay)
        connection.timeOut()
        #expect(connection.probes == 1 && connection.deadline == nil)
        connection.respond()
        #expect(connection.ended == ["/a"])
        #expect(connection.violation == nil)
    }

    @Test func `A response that has begun needs no probe`() {
        var connection = Self.make(.later)
        connection.send(bytes(request()))
        connection.respond(isWhole: false)
        connection.end()
        #expect(connection.machine.phase == .responding)
        connection.takeResponses()
        #expect(connection.deadline == nil)
        connection.endResponse()
        connection.takeResponses()
        #expect(connection.isClosed)
    }

    @Test(arguments: [
        ("", false, HTTP1Machine.Action?.none), ("GET / HT", false, .refuse(.overloaded)), ("GET / HT", true, .close),
        (request(), false, .dropInput), (request("POST /", "Content-Length: 1"), true, .close),
    ])
    func `Without memory, a connection gives up what can be repeated`(
        _ wire: String,
        _ hasOutput: Bool,
        _ action: HTTP1Machine.Action?
    ) {
        var machine = HTTP1Machine(at: 0)
        Self.begin(&machine, wire)
        #expect(machine.relinquish(hasOutput: hasOutput, isClientAwaited: false, at: 1) == action)
    }

    @Test func `Without memory, an awaited body is given up once`() {
        var machine = HTTP1Machine(at: 0)
        Self.begin(&machine, request("POST /", "Content-Length: 1"))
        #expect(machine.relinquish(hasOutput: false, isClientAwaited: true, at: 1) == .failBody(.overloaded))
        #expect(machine.relinquish(hasOutput: false, isClientAwaited: true, at: 2) == nil)
    }

    @Test func `A closed connection takes no further action`() {
        var machine = HTTP1Machine(at: 0)
        machine.close()
        #expect(Self.begin(&machine, request()).actions.isEmpty)
        #expect(machine.timedOut(at: 1) == nil && machine.finish(at: 1) == nil && machine.inputEnded(at: 1) == nil)
        #expect(machine.drain(at: 1) == nil && machine.relinquish(hasOutput: true, isClientAwaited: true, at: 1) == nil)
        #expect(Self.deadline(machine) == nil && !machine.wantsInput(hasRoom: true, isBodyFull: false))
    }
}
