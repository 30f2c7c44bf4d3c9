import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct DeadlinesTests {
    @Test func `Without deadlines, a loop sleeps for ever`() {
        var deadlines = Deadlines()
        #expect(deadlines.sleep(at: 1000) == -1)
        #expect(deadlines.takeExpired(at: 1000) == [])
        deadlines.set(7, nil)
        #expect(deadlines.sleep(at: 1000) == -1)
    }

    @Test func `A deadline expires when its time has come`() {
        var deadlines = Deadlines()
        deadlines.set(3, 1500)
        #expect(deadlines.sleep(at: 1000) == 500)
        #expect(deadlines.takeExpired(at: 1499) == [])
        #expect(deadlines.takeExpired(at: 1500) == [3])
        #expect(deadlines.takeExpired(at: 9999) == [])
        #expect(deadlines.sleep(at: 9999) == -1)
    }

    @Test func `The earliest deadline decides how long to sleep`() {
        var deadlines = Deadlines()
        deadlines.set(9, 3000)
        deadlines.set(1, 2000)
        deadlines.set(5, 4000)
        #expect(deadlines.sleep(at: 1000) == 1000)
        #expect(deadlines.takeExpired(at: 3500) == [1, 9])
        #expect(deadlines.sleep(at: 3500) == 500)
        #expect(deadlines.takeExpired(at: 4000) == [5])
    }

    @Test func `A loop sleeps no longer than the longest sleep`() {
        var deadlines = Deadlines()
        deadlines.set(1, 90_000)
        #expect(Int64(deadlines.sleep(at: 1000)) == Deadlines.longestSleep)
        #expect(deadlines.takeExpired(at: 1000 + Deadlines.longestSleep) == [])
    }

    @Test func `A deadline in the past is due at once`() {
        var deadlines = Deadlines()
        deadlines.set(0, 10)
        #expect(deadlines.sleep(at: 1000) == 0)
        #expect(deadlines.takeExpired(at: 1000) == [0])
    }

    @Test func `A deadline can be moved and removed`() {
        var deadlines = Deadlines()
        deadlines.set(2, 1100)
        deadlines.set(2, 2000)
        #expect(deadlines.takeExpired(at: 1200) == [])
        #expect(deadlines.sleep(at: 1200) == 800)
        deadlines.set(2, nil)
        #expect(deadlines.takeExpired(at: 3000) == [])
        #expect(deadlines.sleep(at: 3000) == -1)
    }

    @Test func `Deadlines are searched no more often than their resolution`() {
        var deadlines = Deadlines()
        deadlines.set(1, 1000)
        deadlines.set(2, 1001)
        #expect(deadlines.takeExpired(at: 1000) == [1])
        #expect(deadlines.sleep(at: 1000) == Int32(Deadlines.resolution))
        #expect(deadlines.takeExpired(at: 1005) == [])
        #expect(deadlines.takeExpired(at: 1000 + Deadlines.resolution) == [2])
    }

    @Test func `A far deadline doesn't overflow`() {
        var deadlines = Deadlines()
        deadlines.set(1, .max - 1)
        #expect(Int64(deadlines.sleep(at: 0)) == Deadlines.longestSleep)
    }
}

@Suite(.timeLimit(.minutes(5))) struct LoopClockTests {
    /// The time that a clock counts of what has passed.
    private func counted(_ milliseconds: Int64, allowed: Int64?) -> Int64 {
        var clock = LoopClock()
        let before = clock.now
        clock.advance(to: before + milliseconds, allowed: allowed)
        return clock.now - before
    }

    @Test func `Allowed time and some patience count`() {
        #expect(counted(0, allowed: 0) == 0)
        #expect(counted(LoopClock.patience, allowed: 0) == LoopClock.patience)
        #expect(counted(5000 + LoopClock.patience, allowed: 5000) == 5000 + LoopClock.patience)
        #expect(counted(3, allowed: 5000) == 3)
        #expect(counted(100_000_000, allowed: nil) == 100_000_000)
    }

    @Test func `Time that the loop loses isn't counted`() {
        #expect(counted(20_000, allowed: 0) == LoopClock.patience)
        #expect(counted(20_000, allowed: 5000) == 5000 + LoopClock.patience)
        var clock = LoopClock()
        let start = clock.now
        clock.advance(to: start + 10_000, allowed: 0)
        clock.advance(to: start + 10_500, allowed: 500)
        #expect(clock.now == start + LoopClock.patience + 500)
        clock.advance(to: start + 20_500, allowed: 0)
        #expect(clock.now == start + 2 * LoopClock.patience + 500)
        #expect(clock.elapsed == start + 20_500)
    }

    @Test func `The loop's clock never goes back`() {
        #expect(counted(-4, allowed: 0) == 0)
    }
}
