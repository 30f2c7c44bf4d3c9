import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct BackoffTests {
    @Test func `Each delay doubles up to two seconds, until a success resets it`() {
        var backoff = Backoff()
        let delays = (0..<8).map { _ in backoff.delay() / .milliseconds(1) }
        #expect(delays == [50, 100, 200, 400, 800, 1600, 2000, 2000])
        backoff.reset()
        #expect(backoff.delay() == .milliseconds(50))
    }
}
