import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(5))) struct BlockingTests {
    private struct Failure: Error {}

    @Test func returnsWhatTheWorkReturns() async throws {
        #expect(try await Blocking.run { 7 } == 7)
    }

    @Test func throwsWhatTheWorkThrows() async throws {
        await #expect(throws: Failure.self) { try await Blocking.run { throw Failure() } }
    }

    /// Calls that block do not keep others waiting, however few cores there are: here each waits for all others.
    @Test func manyBlockAtATime() async throws {
        let arrived = Locked(0)
        let haveMet = try await withThrowingTaskGroup { group in
            for _ in 0..<32 {
                group.addTask {
                    try await Blocking.run {
                        arrived.withLock { $0 += 1 }
                        for _ in 0..<2000 where arrived.withLock({ $0 }) < 32 { _ = usleep(1000) }
                        return arrived.withLock { $0 } == 32
                    }
                }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(haveMet)
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
