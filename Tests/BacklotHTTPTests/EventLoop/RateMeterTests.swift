import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct RateMeterTests {
    private func deadline(_ meter: RateMeter) -> Int64? { meter.deadline(grace: 10_000, leastRate: 500) }

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
}
