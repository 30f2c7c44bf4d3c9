import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct FrameBudgetTests {
    @Test(arguments: [
        (FrameBudget.Kind.settings, 50), (.ping, 300), (.advice, 500), (.emptyData, 100), (.windowUpdate, 1000),
        (.reset, 200),
    ])
    func `One client may send a burst of each kind`(_ kind: FrameBudget.Kind, _ burst: Int) {
        var budget = FrameBudget()
        for _ in 0..<burst { #expect(budget.spend(kind, at: 0) == true) }
        #expect(budget.spend(kind, at: 0) == false)
        for other in [FrameBudget.Kind.settings, .ping, .advice, .emptyData, .windowUpdate, .reset] where other != kind
        {
            #expect(budget.spend(other, at: 0) == true, "kinds don't pay for each other")
        }
    }

    /// A proxy that cancels one request in two is as busy as one may be.
    @Test func `Responses pay for resets`() {
        var budget = FrameBudget()
        for _ in 0..<10_000 {
            #expect(budget.spend(.reset, at: 0) == true)
            budget.responseTaken()
        }
        for _ in 0..<200 { #expect(budget.spend(.reset, at: 0) == true) }
        #expect(budget.spend(.reset, at: 0) == false)
    }

    /// The clients of a proxy leave, half of them at once; all of them is an attack that the proxy passes on.
    @Test(arguments: [(2, true), (1, false)]) func `Streams of a trusted proxy pay for half as many resets`(
        streams: Int,
        isHeld: Bool
    ) {
        var budget = FrameBudget()
        let isFine = (0..<1000).allSatisfy { _ in
            for _ in 0..<streams { budget.streamOpened() }
            return budget.spend(.reset, at: 0)
        }
        #expect(isFine == isHeld)
    }

    /// Both windows may be opened for each frame of a response.
    @Test func `Data pays for window updates`() {
        var budget = FrameBudget()
        for _ in 0..<10_000 {
            budget.dataExchanged()
            for _ in 0..<2 { #expect(budget.spend(.windowUpdate, at: 0) == true) }
        }
    }

    @Test(arguments: [
        (HTTP2FrameHeader(type: 0, flags: 0, length: 0), FrameBudget.Kind.emptyData),
        (HTTP2FrameHeader(type: 0, flags: 0, length: 1), nil),
        (HTTP2FrameHeader(type: 0, flags: 1, length: 0), nil),
        (HTTP2FrameHeader(type: 1, flags: 0, length: 5), nil),
        (HTTP2FrameHeader(type: 2, flags: 0, length: 5), .advice),
        (HTTP2FrameHeader(type: 3, flags: 0, length: 4), .reset),
        (HTTP2FrameHeader(type: 4, flags: 0, length: 0), .settings),
        (HTTP2FrameHeader(type: 4, flags: 1, length: 0), .settings),
        (HTTP2FrameHeader(type: 6, flags: 1, length: 8), .ping),
        (HTTP2FrameHeader(type: 7, flags: 0, length: 8), .advice),
        (HTTP2FrameHeader(type: 8, flags: 0, length: 4), .windowUpdate),
        (HTTP2FrameHeader(type: 9, flags: 0, length: 0), nil),
        (HTTP2FrameHeader(type: 200, flags: 0, length: 0), .advice),
    ])
    func `Each frame has its kind`(_ header: HTTP2FrameHeader, _ kind: FrameBudget.Kind?) {
        #expect(header.budgetKind == kind)
    }

    // MARK: TokenBucket

    @Test func `After a burst, tokens come at their rate`() {
        var bucket = TokenBucket(burst: 3, perSecond: 2)
        #expect((0..<4).map { _ in bucket.take(at: 1000) } == [true, true, true, false])
        #expect(bucket.take(at: 1499) == false)
        #expect(bucket.take(at: 1500) == true)
        #expect(bucket.take(at: 1501) == false)
        #expect((0..<4).map { _ in bucket.take(at: 60_000) } == [true, true, true, false], "never more than the burst")
    }

    @Test func `Tokens can be earned up to the burst`() {
        var bucket = TokenBucket(burst: 2, perSecond: 0)
        #expect((0..<3).map { _ in bucket.take(at: 0) } == [true, true, false])
        bucket.add(1)
        #expect((0..<2).map { _ in bucket.take(at: 0) } == [true, false])
        bucket.add(100)
        #expect((0..<3).map { _ in bucket.take(at: 0) } == [true, true, false], "never more than the burst")
    }

    @Test func `A clock that goes back or jumps does no harm`() {
        var bucket = TokenBucket(burst: 1, perSecond: 1000)
        #expect(bucket.take(at: 5000) == true)
        #expect(bucket.take(at: 4000) == false)
        #expect(bucket.take(at: .max) == true)
    }
}
