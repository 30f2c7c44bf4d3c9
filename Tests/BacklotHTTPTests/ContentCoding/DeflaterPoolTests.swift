import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct DeflaterPoolTests {
    @Test func statesAreUsedAgain() throws {
        let pool = DeflaterPool(level: 3)
        let first = try #require(pool.take(.gzip))
        _ = first.compress(Array("half of something".utf8).span, .sync)
        pool.giveBack(first)
        #expect(pool.idleCount == 1)
        // Another coding needs another state.
        let other = try #require(pool.take(.deflate))
        #expect(other !== first)
        pool.giveBack(other)
        let second = try #require(pool.take(.gzip))
        #expect(second === first)
        #expect(pool.idleCount == 1)
        let text = Array(Samples.text.utf8)
        #expect(try ReferenceInflater.gunzip(try #require(second.compress(text, upTo: 1000))) == text)
    }

    @Test func idleStatesAreBounded() throws {
        let pool = DeflaterPool(level: 3)
        let taken = try (0..<(DeflaterPool.mostIdle + 5)).map { _ in try #require(pool.take(.gzip)) }
        #expect(pool.idleCount == 0)
        for deflater in taken { pool.giveBack(deflater) }
        #expect(pool.idleCount == DeflaterPool.mostIdle)
    }

    @Test func manyAtATime() async throws {
        let encoder = ContentEncoder(level: 3, streams: 0)
        let failures = Locked(0)
        await withDiscardingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<50 {
                        let body = Array("\(task) \(round) ".utf8) + Samples.page(lines: round + 3)
                        let coding: ContentCoding = (task + round).isMultiple(of: 3) ? .deflate : .gzip
                        guard case .bytes(let bytes)? = encoder.encode(.bytes(body), coding),
                            let decoded = coding == .gzip
                                ? try? ReferenceInflater.gunzip(bytes) : try? ReferenceInflater.inflate(bytes),
                            decoded == body
                        else {
                            failures.withLock { $0 += 1 }
                            continue
                        }
                    }
                }
            }
        }
        #expect(failures.withLock { $0 } == 0)
    }
}
