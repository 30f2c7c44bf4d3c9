import Testing

@testable import BacklotClients

@Suite(.timeLimit(.minutes(5))) struct PollScheduleTests {
    /// The times of the looks at the stack up to a time, all with the same outcome.
    private func passes(until end: Int64, hasFailed: Bool, jitter: Double = 0) -> [Int64] {
        var schedule = PollSchedule(now: 0)
        var times: [Int64] = []
        while case .pass(let time)? = schedule.next(until: end) {
            times.append(time)
            schedule.passEnded(hasFailed: hasFailed, now: time, jitter: jitter)
        }
        return times
    }

    @Test func `While all goes well, it looks once a second`() {
        #expect(passes(until: 4500, hasFailed: false) == [1000, 2000, 3000, 4000])
    }

    @Test(
        arguments: [
            (0, [1000, 6000, 16_000, 46_000, 76_000]),
            (-1, [1000, 3500, 8500, 23_500, 38_500]),
            (1, [1000, 8500, 23_500, 68_500]),
            (7, [1000, 8500, 23_500, 68_500]),
        ] as [(Double, [Int64])]
    )
    func `After failures it waits for 5, 10 and 30 seconds, a half more or less`(jitter: Double, times: [Int64]) {
        let passes = passes(until: 80_000, hasFailed: true, jitter: jitter)
        #expect(Array(passes.prefix(times.count)) == times)
    }

    @Test func `After a success it begins anew`() {
        var schedule = PollSchedule(now: 0)
        for _ in 1...3 { schedule.passEnded(hasFailed: true, now: 0, jitter: 0) }
        #expect(schedule.next(until: 30_000) == .pass(at: 30_000))
        schedule.passEnded(hasFailed: false, now: 30_000, jitter: 0)
        #expect(schedule.next(until: 60_000) == .pass(at: 31_000))
        schedule.passEnded(hasFailed: true, now: 31_000, jitter: 0)
        #expect(schedule.next(until: 60_000) == .pass(at: 36_000))
    }

    @Test func `Of several changes the first one's poll is done, and no other`() {
        var schedule = PollSchedule(now: 0)
        schedule.schedule(after: 900, now: 0)
        schedule.schedule(after: 300, now: 0)
        schedule.schedule(after: 300, now: 200)
        #expect(schedule.next(until: 299) == nil)
        #expect(schedule.next(until: 300) == .delayed(at: 300))
        schedule.delayedPollBegan()
        #expect(schedule.next(until: 999) == nil)
    }

    @Test func `A poll without delay is due at once`() {
        var schedule = PollSchedule(now: 5000)
        schedule.schedule(after: 0, now: 5000)
        #expect(schedule.next(until: 5000) == .delayed(at: 5000))
    }

    @Test func `Looks at nothing are left out`() {
        var schedule = PollSchedule(now: 0)
        schedule.skip(to: 10_500)
        #expect(schedule.next(until: 9999) == nil)
        #expect(schedule.next(until: 20_000) == .pass(at: 10_000))
        schedule.skip(to: 500)
        #expect(schedule.next(until: 20_000) == .pass(at: 10_000))
    }

    @Test func `Looks after a poll for a change are not left out`() {
        var schedule = PollSchedule(now: 0)
        schedule.schedule(after: 4500, now: 0)
        schedule.skip(to: 10_500)
        #expect(schedule.next(until: 20_000) == .pass(at: 4000))
        schedule.passEnded(hasFailed: false, now: 4000, jitter: 0)
        schedule.skip(to: 10_500)
        #expect(schedule.next(until: 20_000) == .delayed(at: 4500))
        schedule.delayedPollBegan()
        #expect(schedule.next(until: 20_000) == .pass(at: 5000))
    }
}
