import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite struct BlockingTests {
    private struct Failure: Error {}

    @Test func returnsWhatTheWorkReturns() async throws {
        #expect(try await Blocking.run { 7 } == 7)
    }

    @Test func throwsWhatTheWorkThrows() async throws {
        await #expect(throws: Failure.self) { try await Blocking.run { throw Failure() } }
    }

    /// Calls that block do not keep others waiting, however few cores there are.
    @Test func manyBlockAtATime() async throws {
        let duration = try await ContinuousClock().measure {
            try await withThrowingTaskGroup { group in
                for _ in 0..<32 { group.addTask { try await Blocking.run { _ = usleep(100_000) } } }
                try await group.waitForAll()
            }
        }
        #expect(duration < .seconds(1))
    }

    @Test func workBeyondTheLimitWaitsItsTurn() async throws {
        let threads = BlockingThreads(most: 2)
        let running = Locked((now: 0, most: 0))
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        threads.run {
                            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                            _ = usleep(1000)
                            running.withLock { $0.now -= 1 }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(running.withLock { $0 } == (now: 0, most: 2))
    }
}
