import TestSupport
import Testing

@testable import BacklotHTTP

/// The decisions about a client's frames, without a socket and without the library.
@Suite(.timeLimit(.minutes(5))) struct HTTP2InputTests {
    private static func add(_ name: String, _ count: Int, to input: inout HTTP2Input) -> HTTP2Input.FieldVerdict {
        input.add(bytes(name).span, [UInt8](repeating: 0x61, count: count).span)
    }

    private static func data(_ length: Int, flags: UInt8 = 0) -> HTTP2FrameHeader {
        HTTP2FrameHeader(type: HTTP2FrameHeader.data, flags: flags, length: length)
    }

    @Test func `Trailers beyond their limit fail, and beyond a head's they are an attack`() {
        var limits = ServerConfiguration.Limits()
        (limits.trailers, limits.head) = (100, 1000)
        var input = HTTP2Input(limits: limits)
        #expect(Self.add("a", 10_000, to: &input) == .accepted, "no list is being read")
        input.begin(.trailers(3, 0), at: 0)
        #expect(Self.add("a", 67, to: &input) == .accepted)
        #expect(Self.add("a", 0, to: &input) == .trailersTooLarge(3))
        #expect(input.failure == nil)
        #expect(Self.add("a", 900, to: &input) == .attack)
        #expect(input.failure == .enhanceYourCalm)
    }

    @Test func `A header list counts from its second read to its end`() {
        var input = HTTP2Input(limits: .init())
        input.read(50)
        #expect((input.blockSize, input.blockBegan) == (0, nil))
        input.begin(.request(1), at: 7)
        input.read(10)
        input.read(20)
        #expect((input.blockSize, input.blockBegan) == (30, 7))
        #expect(input.takeBlock() == .request(1))
        #expect((input.blockSize, input.blockBegan, input.block) == (0, nil, nil))
        input.begin(.request(3), at: 8)
        input.closed(1, isClientDone: true, isTaken: true)
        #expect(input.block == .request(3), "another stream's end leaves it alone")
        input.closed(3, isClientDone: true, isTaken: false)
        #expect(input.block == nil)
    }

    @Test(arguments: [(0, 0, false), (0, 1, true), (1, 1, true)] as [(Int, UInt8, Bool)])
    func `Empty DATA frames are an error unless they end a stream`(_ length: Int, _ flags: UInt8, _ isFree: Bool) {
        var input = HTTP2Input(limits: .init())
        let frame = Self.data(length, flags: flags)
        let isFine = (0..<101).allSatisfy { _ in input.frameBegan(frame, at: 0) && input.dataEnded(frame, at: 0) }
        #expect(isFine == isFree)
        #expect(input.excess == (isFree ? nil : .emptyData))
        #expect(input.failure == (isFree ? nil : .enhanceYourCalm))
    }

    @Test(arguments: [true, false]) func `Resets of streams that were of use don't count`(_ isOfUse: Bool) {
        var input = HTTP2Input(limits: .init())
        let frame = HTTP2FrameHeader(type: HTTP2FrameHeader.resetStream, flags: 0, length: 4)
        let isFine = (0..<1000).allSatisfy { _ in input.frameBegan(frame, isOfUse: isOfUse, at: 0) }
        #expect(isFine == isOfUse && input.failure == (isOfUse ? nil : .enhanceYourCalm))
        let ping = HTTP2FrameHeader(type: HTTP2FrameHeader.ping, flags: 0, length: 8)
        #expect(
            (0..<1000).contains { _ in !input.frameBegan(ping, isOfUse: isOfUse, at: 0) },
            "other frames count as before"
        )
    }

    /// Padding brings nothing either: that is known when the frame ends.
    @Test func `DATA frames that hold only padding are an error`() {
        var input = HTTP2Input(limits: .init())
        let frame = Self.data(5)
        for round in 0...100 {
            let began = input.frameBegan(frame, at: 0)
            #expect(began)
            let ended = input.dataEnded(frame, at: 0)
            #expect(ended == (round < 100))
        }
        var other = HTTP2Input(limits: .init())
        for _ in 0..<500 {
            let began = other.frameBegan(frame, at: 0)
            other.dataCame(5)
            let ended = other.dataEnded(frame, at: 0)
            #expect(began && ended)
        }
    }

    @Test(
        arguments: [
            (HTTP2ErrorCode.flowControlError, nil, true), (.flowControlError, true, true),
            (.flowControlError, false, false),
            (.cancel, false, true), (.protocolError, false, true),
        ] as [(HTTP2ErrorCode, Bool?, Bool)]
    )
    func `A reset for a broken window ends the connection unless the client widened it`(
        _ code: HTTP2ErrorCode,
        _ isWindowBroken: Bool?,
        _ isFine: Bool
    ) {
        var input = HTTP2Input(limits: .init())
        let result = input.resetSent(code, isWindowBroken: isWindowBroken, at: 0)
        #expect(result == isFine && input.failure == (isFine ? nil : code))
    }

    // MARK: Any order

    /// In any order of frames, a client can send on open streams, and can't on ended ones. A client that opens its streams in order and
    /// completes its header lists and DATA frames is never refused.
    @Test(arguments: UInt64(0)..<50)
    func `A well-behaved client is never refused, in any order of frames`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var input = HTTP2Input(limits: .init())
        var (next, now): (Int32, Int64) = (1, 0)
        // The open streams, and whether their clients have ended them.
        var open: [Int32: Bool] = [:]
        var ended: Set<Int32> = []
        for _ in 0..<20_000 {
            now += Int64.random(in: 0...50, using: &random)
            let end = UInt8.random(in: 0...1, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1 where open.count < 100:
                let head = HTTP2FrameHeader(type: HTTP2FrameHeader.headers, flags: end, length: 9)
                let (began, mayRead) = (
                    input.frameBegan(head, at: now), input.mayRead(head, next, isOpen: false)
                )
                #expect(began && mayRead)
                input.begin(.request(next), at: now)
                input.opened(next)
                #expect(input.newest == next && input.takeBlock() == .request(next))
                open[next] = end == 1
                next += 2 * Int32.random(in: 1...2, using: &random)
            case 2...4:
                guard let id = open.first(where: { !$0.value })?.key else { continue }
                let head = Self.data(2000, flags: end)
                let (began, mayRead) = (input.frameBegan(head, at: now), input.mayRead(head, id, isOpen: true))
                #expect(began && mayRead)
                input.dataCame(2000)
                let isFine = input.dataEnded(head, at: now)
                #expect(isFine)
                open[id] = end == 1
            case 5...6:
                guard let (id, isDone) = open.randomElement(using: &random) else { continue }
                open[id] = nil
                input.closed(id, isClientDone: isDone, isTaken: true)
                if isDone { ended.insert(id) }
            default:
                // On a copy: this frame ends the connection.
                guard let id = ended.randomElement(using: &random) else { continue }
                var copy = input
                let mayRead = copy.mayRead(Self.data(1), id, isOpen: false)
                #expect(!mayRead && copy.failure == .streamClosed)
            }
        }
        #expect(input.failure == nil && input.excess == nil && input.block == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct HTTP2EndingTests {
    private static let waits = Waits(ServerConfiguration.Timeouts())

    /// An announcement is made once, and finished once; nothing follows the end.
    @Test func `An ending goes through its stages once`() {
        var ending = HTTP2Ending(began: 0)
        #expect(ending.finishAnnouncement() == false)
        #expect(ending.announce(at: 5) && ending.stage == .announced(5))
        #expect(ending.announce(at: 6) == false)
        #expect(ending.finishAnnouncement() && ending.stage == .begun)
        #expect(!ending.finishAnnouncement() && !ending.begin() && !ending.announce(at: 7))
        #expect(ending.terminate() && !ending.terminate() && ending.isTerminated)
        #expect(!ending.begin() && !ending.announce(at: 8) && !ending.finishAnnouncement())
        var silent = HTTP2Ending(began: 0)
        #expect(silent.begin() && silent.stage == .begun && !silent.begin())
    }

    @Test(arguments: UInt64(0)..<100)
    func `A connection is over exactly at its deadline`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ending = HTTP2Ending(began: 1000)
        ending.hasHadRequest = .random(using: &random)
        if Bool.random(using: &random) { _ = ending.announce(at: 1500) }
        let blockBegan: Int64? = Bool.random(using: &random) ? 2000 : nil
        let deadline = ending.deadline(blockBegan: blockBegan, Self.waits)
        func isOver(at now: Int64) -> Bool {
            ending.isAnnouncementOver(at: now, Self.waits)
                || ending.isTimeOver(at: now, blockBegan: blockBegan, hasStreams: false, Self.waits)
        }
        #expect(isOver(at: deadline))
        let isIdle = blockBegan == nil && ending.stage == .none
        if isIdle { #expect(!isOver(at: deadline - 1)) }
        // With a stream, an idle connection isn't over.
        #expect(ending.isTimeOver(at: .max / 2, blockBegan: nil, hasStreams: true, Self.waits) == false)
    }
}
