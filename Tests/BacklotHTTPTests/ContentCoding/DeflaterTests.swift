import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct DeflaterTests {
    private static let bodies: [[UInt8]] = [
        Array("a".utf8), Array(Samples.text.utf8), Samples.page(lines: 300), Samples.noise(10_000),
        [UInt8](repeating: 0, count: 100_000),
    ]

    private static func decode(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        switch coding {
        case .gzip: try ReferenceInflater.gunzip(bytes)
        case .deflate: try ReferenceInflater.inflate(bytes)
        }
    }

    @Test(arguments: ContentCoding.allCases, [1, 3, 6, 9])
    func `A body is compressed and reads back at each level`(_ coding: ContentCoding, _ level: Int) throws {
        let deflater = try #require(Deflater(coding, level: level))
        for body in Self.bodies {
            deflater.reset()
            let compressed = try #require(deflater.compress(body, upTo: body.count + 100))
            #expect(try Self.decode(compressed, coding) == body)
            if body.count > 200, body != Samples.noise(10_000) { #expect(compressed.count < body.count / 3) }
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func `A body that doesn't fit leaves the state as new`(_ coding: ContentCoding) throws {
        let deflater = try #require(Deflater(coding, level: 6))
        let page = Samples.page(lines: 300)
        let size = try #require(deflater.compress(page, upTo: page.count)).count
        for limit in [0, 1, 10, 1000, size - 1] {
            deflater.reset()
            #expect(deflater.compress(page, upTo: limit) == nil)
        }
        deflater.reset()
        #expect(deflater.compress(page, upTo: size)?.count == size)
        deflater.reset()
        #expect(deflater.compress(Samples.noise(5000), upTo: 4999) == nil)
        deflater.reset()
        _ = deflater.compress(page.span, .sync)
        deflater.reset()
        #expect(try Self.decode(try #require(deflater.compress(page, upTo: size)), coding) == page)
    }

    @Test(arguments: ContentCoding.allCases, [1, 7, 1000, 65_536])
    func `A body in pieces reads back`(_ coding: ContentCoding, _ size: Int) throws {
        for body in Self.bodies where body.count <= size * 20_000 {
            for flush in [Deflater.Flush.none, .sync] where flush == .none || body.count <= size * 100 {
                let deflater = try #require(Deflater(coding, level: 3))
                var compressed: [UInt8] = []
                for start in stride(from: 0, to: body.count, by: size) {
                    let end = min(body.count, start + size)
                    compressed += deflater.compress(body.span.extracting(start..<end), flush)
                }
                compressed += deflater.compress([UInt8]().span, .finish)
                #expect(try Self.decode(compressed, coding) == body)
            }
        }
    }

    @Test func `An empty body reads back`() throws {
        for coding in ContentCoding.allCases {
            let deflater = try #require(Deflater(coding, level: 6))
            #expect(try Self.decode(deflater.compress([UInt8]().span, .finish), coding) == [])
        }
    }

    /// Bytes that aren't flushed need not come out.
    @Test func `Flushed bytes can be read at once`() throws {
        let deflater = try #require(Deflater(.gzip, level: 6))
        var compressed = deflater.compress(Array("data: 1\n\n".utf8).span, .sync)
        #expect(try ReferenceInflater.gunzip(beginning: compressed) == Array("data: 1\n\n".utf8))
        let second = deflater.compress(Array("data: 2\n\n".utf8).span, .sync)
        #expect(second.count < 20)
        compressed += second
        #expect(try ReferenceInflater.gunzip(beginning: compressed) == Array("data: 1\n\ndata: 2\n\n".utf8))
        #expect(deflater.compress(Array("data: 3\n\n".utf8).span, .none) == [])
    }

    // MARK: DeflaterPool

    @Test func `States are used again`() throws {
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

    @Test func `The number of idle states is bounded`() throws {
        let pool = DeflaterPool(level: 3)
        let taken = try (0..<(DeflaterPool.mostIdle + 5)).map { _ in try #require(pool.take(.gzip)) }
        #expect(pool.idleCount == 0)
        for deflater in taken { pool.giveBack(deflater) }
        #expect(pool.idleCount == DeflaterPool.mostIdle)
    }

    @Test func `Many bodies can be compressed at a time`() async throws {
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
