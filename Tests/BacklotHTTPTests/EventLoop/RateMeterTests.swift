import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct RateMeterTests {
    private static func configuration(grace: Duration, leastRate: Int) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.limits.leastRate = leastRate
        configuration.timeouts.rateGrace = grace
        return configuration
    }

    private func deadline(_ meter: RateMeter) -> Int64? {
        meter.deadline(Self.configuration(grace: .seconds(10), leastRate: 500))
    }

    @Test func `Who isn't waited for has no deadline`() {
        var meter = RateMeter()
        #expect(deadline(meter) == nil)
        meter.wait(true, at: 5)
        meter.wait(false, at: 6)
        #expect(deadline(meter) == nil)
    }

    @Test func `Each byte pays for its share of a second, after the grace`() {
        var meter = RateMeter()
        meter.wait(true, at: 1_000)
        #expect(deadline(meter) == 11_000)
        meter.bytes += 500
        #expect(deadline(meter) == 12_000)
        meter.bytes += 1
        #expect(deadline(meter) == 12_002)
    }

    @Test func `Only the time counts that it was waited for`() {
        var meter = RateMeter()
        meter.wait(true, at: 0)
        meter.wait(true, at: 3_000)
        meter.wait(false, at: 4_000)
        meter.wait(false, at: 50_000)
        meter.wait(true, at: 100_000)
        #expect(deadline(meter) == 106_000)
    }

    // MARK: Several requests together

    /// 1000 bytes a second after one second of grace.
    private func isSlow(_ meter: inout RateMeter, _ isWaiting: Bool = true, at now: Int64) -> Bool {
        meter.isSlow(isWaiting, Self.configuration(grace: .seconds(1), leastRate: 1000), at: now)
    }

    @Test func `Bytes buy time, but for those that came before`() {
        var meter = RateMeter(bytes: 1_000_000)
        #expect(!isSlow(&meter, at: 0) && !isSlow(&meter, at: 999))
        meter.bytes += 500
        #expect(!isSlow(&meter, at: 1499) && isSlow(&meter, at: 1500))
    }

    @Test func `Whoever has caught up begins anew`() {
        var meter = RateMeter()
        #expect(!isSlow(&meter, at: 0) && !isSlow(&meter, false, at: 900) && !isSlow(&meter, at: 1900))
        #expect(!isSlow(&meter, at: 2899) && isSlow(&meter, at: 2900))
    }
}
