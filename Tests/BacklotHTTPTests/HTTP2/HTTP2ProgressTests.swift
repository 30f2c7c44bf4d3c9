import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct HTTP2ProgressTests {
    /// 1000 bytes a second after one second of grace.
    private static let configuration: ServerConfiguration = {
        var configuration = ServerConfiguration()
        configuration.limits.leastRate = 1000
        configuration.timeouts.rateGrace = .seconds(1)
        return configuration
    }()

    @Test func aClientThatIsWaitedForHasItsGrace() {
        var progress = HTTP2Progress()
        #expect(progress.isInputSlow(true, Self.configuration, at: 10_000) == false)
        #expect(progress.isInputSlow(true, Self.configuration, at: 10_999) == false)
        #expect(progress.isInputSlow(true, Self.configuration, at: 11_000) == true)
    }

    @Test func bytesBuyTime() {
        var progress = HTTP2Progress()
        progress.received = 1_000_000
        #expect(progress.isInputSlow(true, Self.configuration, at: 0) == false, "what came before doesn't count")
        progress.received += 500
        #expect(progress.isInputSlow(true, Self.configuration, at: 1499) == false)
        #expect(progress.isInputSlow(true, Self.configuration, at: 1500) == true)
    }

    @Test func whoeverHasCaughtUpBeginsAnew() {
        var progress = HTTP2Progress()
        #expect(progress.isOutputSlow(true, Self.configuration, at: 0) == false)
        #expect(progress.isOutputSlow(false, Self.configuration, at: 900) == false)
        #expect(progress.isOutputSlow(true, Self.configuration, at: 1900) == false)
        #expect(progress.isOutputSlow(true, Self.configuration, at: 2899) == false)
        #expect(progress.isOutputSlow(true, Self.configuration, at: 2900) == true)
    }

    @Test func bothDirectionsAreMeasuredApart() {
        var progress = HTTP2Progress()
        #expect(progress.isOutputSlow(true, Self.configuration, at: 0) == false)
        #expect(progress.isInputSlow(true, Self.configuration, at: 0) == false)
        progress.received = 5000
        #expect(progress.isOutputSlow(true, Self.configuration, at: 1000) == true)
        #expect(progress.isInputSlow(true, Self.configuration, at: 1000) == false)
    }
}
