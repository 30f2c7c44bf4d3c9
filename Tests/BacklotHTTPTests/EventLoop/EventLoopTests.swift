import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
    /// A loop that has ended is freed, and with it a thread and two descriptors.
    @Test(arguments: [false, true])
    func isFreedAfterItsEnd(_ wasUsed: Bool) async throws {
        weak var freed: EventLoop?
        do {
            let loop = try EventLoop(name: "test")
            freed = loop
            loop.start()
            if wasUsed { await Task(executorPreference: loop) { await Task.yield() }.value }
            loop.stop()
        }
        let isFreed = try await eventually { freed == nil }
        #expect(isFreed)
    }

    @Test func callsRunOnItsThreadInOrderAlsoAfterItsEnd() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        let calls = Recorder<Int>()
        for number in 0..<50 {
            if number == 25 { loop.stop() }
            loop.execute { calls.record(loop.isCurrent ? number : -1) }
        }
        await Task(executorPreference: loop) { calls.record(loop.isCurrent ? 50 : -1) }.value
        #expect(calls.events == Array(0...50))
        #expect(!loop.isCurrent)
    }

    @Test func aCallOnItsThreadRunsAtOnce() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        let calls = Recorder<Int>()
        await withCheckedContinuation { continuation in
            loop.execute {
                loop.execute { calls.record(1) }
                calls.record(2)
                continuation.resume()
            }
        }
        #expect(calls.events == [1, 2])
        loop.stop()
    }
}
