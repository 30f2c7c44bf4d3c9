import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct TokenBucketTests {
    @Test func aBurstAndThenTheRate() {
        var bucket = TokenBucket(burst: 3, perSecond: 2)
        #expect((0..<4).map { _ in bucket.take(at: 1000) } == [true, true, true, false])
        #expect(bucket.take(at: 1499) == false)
        #expect(bucket.take(at: 1500) == true)
        #expect(bucket.take(at: 1501) == false)
        #expect((0..<4).map { _ in bucket.take(at: 60_000) } == [true, true, true, false], "never more than the burst")
    }

    @Test func tokensCanBeEarned() {
        var bucket = TokenBucket(burst: 2, perSecond: 0)
        #expect((0..<3).map { _ in bucket.take(at: 0) } == [true, true, false])
        bucket.add(1)
        #expect((0..<2).map { _ in bucket.take(at: 0) } == [true, false])
        bucket.add(100)
        #expect((0..<3).map { _ in bucket.take(at: 0) } == [true, true, false], "never more than the burst")
    }

    @Test func aClockThatStandsStillOrJumpsDoesNoHarm() {
        var bucket = TokenBucket(burst: 1, perSecond: 1000)
        #expect(bucket.take(at: 5000) == true)
        #expect(bucket.take(at: 4000) == false)
        #expect(bucket.take(at: .max) == true)
    }
}
