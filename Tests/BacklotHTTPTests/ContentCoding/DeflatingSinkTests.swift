import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct DeflatingSinkTests {
    /// Keeps what is written to it, and may make its writer wait.
    private final class Memory: BodySink {
        let written = Recorder<[UInt8]>()
        let began = Signal()
        let goOn = Signal()
        private let isGated: Bool
        private let error: StreamError?

        init(isGated: Bool = false, error: StreamError? = nil) {
            self.isGated = isGated
            self.error = error
        }

        func write(_ bytes: [UInt8]) async throws {
            began.fire()
            if isGated { await goOn.wait() }
            if let error { throw error }
            written.record(bytes)
        }

        var bytes: [UInt8] { written.events.flatMap { $0 } }
    }

    private static let pool = DeflaterPool(level: 3)

    private func makeSink(_ memory: Memory, promised: Int? = nil) throws -> DeflatingSink {
        let deflater = try #require(Self.pool.take(.gzip))
        return DeflatingSink(BodyWriter(memory), deflater, Self.pool, promised: promised)
    }

    @Test func `Each piece comes out at once`() async throws {
        let memory = Memory()
        let sink = try makeSink(memory)
        var text = ""
        for number in 0..<10 {
            try await sink.write(Array("event \(number)\n".utf8))
            text += "event \(number)\n"
            #expect(try ReferenceInflater.gunzip(beginning: memory.bytes) == Array(text.utf8))
            #expect(memory.written.events.count == number + 1)
        }
        try await sink.write([])
        #expect(memory.written.events.count == 10)
        try await sink.finish()
        #expect(try ReferenceInflater.gunzip(memory.bytes) == Array(text.utf8))
    }

    @Test func `A body of known length is compressed in one go`() async throws {
        let page = Samples.page(lines: 2000)
        let memory = Memory()
        let sink = try makeSink(memory, promised: page.count)
        for start in stride(from: 0, to: page.count, by: 10) {
            try await sink.write(Array(page[start..<min(page.count, start + 10)]))
        }
        try await sink.finish()
        #expect(try ReferenceInflater.gunzip(memory.bytes) == page)
        let deflater = try #require(Deflater(.gzip, level: 3))
        #expect(memory.bytes.count == deflater.compress(page.span, .finish).count)
    }

    /// A large piece is compressed in several steps, and the loop does only some of them.
    @Test(arguments: [65_536, 65_537, 1_000_000])
    func `Large pieces read back`(_ count: Int) async throws {
        let page = Array(Samples.page(lines: count / 80 + 1).prefix(count))
        for promised in [nil, 2 * page.count] {
            let memory = Memory()
            let sink = try makeSink(memory, promised: promised)
            try await sink.write(page)
            try await sink.write(page)
            try await sink.finish()
            #expect(try ReferenceInflater.gunzip(memory.bytes) == page + page)
        }
    }

    @Test func `A body longer or shorter than promised is an error`() async throws {
        let memory = Memory()
        let sink = try makeSink(memory, promised: 5)
        try await sink.write(Array("hel".utf8))
        await #expect(throws: StreamError.lengthMismatch(promised: 5)) { try await sink.write(Array("lo!".utf8)) }
        await #expect(throws: StreamError.lengthMismatch(promised: 5)) { try await sink.finish() }
        // The refused piece is not in the body.
        try await sink.write(Array("lo".utf8))
        try await sink.finish()
        #expect(try ReferenceInflater.gunzip(memory.bytes) == Array("hello".utf8))
    }

    @Test func `Writing after the end is an error`() async throws {
        let sink = try makeSink(Memory())
        try await sink.finish()
        await #expect(throws: StreamError.ended) { try await sink.write([1]) }
        await #expect(throws: StreamError.ended) { try await sink.finish() }
    }

    /// Compressed data can't leave out bytes that a client has not got: the rest would mean something else.
    @Test func `Writing after a failure fails again`() async throws {
        let sink = try makeSink(Memory(error: .connectionClosed))
        await #expect(throws: StreamError.connectionClosed) { try await sink.write([1]) }
        await #expect(throws: StreamError.connectionClosed) { try await sink.write([2]) }
        await #expect(throws: StreamError.connectionClosed) { try await sink.finish() }
    }

    @Test func `Writing by two tasks at a time is an error`() async throws {
        let memory = Memory(isGated: true)
        let sink = try makeSink(memory)
        let first = Task { try await sink.write([1]) }
        await memory.began.wait()
        await #expect(throws: StreamError.usedTwice) { try await sink.write([2]) }
        await #expect(throws: StreamError.usedTwice) { try await sink.finish() }
        memory.goOn.fire()
        try await first.value
        try await sink.write([3])
        try await sink.finish()
        #expect(try ReferenceInflater.gunzip(memory.bytes) == [1, 3])
    }

    @Test func `A sink gives its state back`() async throws {
        let pool = DeflaterPool(level: 1)
        do {
            let sink = DeflatingSink(BodyWriter(Memory()), try #require(pool.take(.gzip)), pool, promised: nil)
            try await sink.write([1])
            #expect(pool.idleCount == 0)
        }
        #expect(pool.idleCount == 1)
    }

    // MARK: Bodies that are encoded

    @Test func `Bodies are compressed if they become smaller`() throws {
        let encoder = ContentEncoder(level: 3, streams: 1)
        #expect(encoder.encode(.empty, .gzip) == nil)
        #expect(encoder.encode(.bytes([]), .gzip) == nil)
        #expect(encoder.encode(.bytes(Samples.noise(5000)), .gzip) == nil)
        let page = Samples.page(lines: 100)
        guard case .bytes(let gzip)? = encoder.encode(.bytes(page), .gzip),
            case .bytes(let zlib)? = encoder.encode(.bytes(page), .deflate)
        else {
            Issue.record("not compressed")
            return
        }
        #expect(try ReferenceInflater.gunzip(gzip) == page)
        #expect(try ReferenceInflater.inflate(zlib) == page)
    }

    /// Streams need a state each for as long as they last: only so many get one.
    @Test func `The number of compressed streams is bounded`() {
        let encoder = ContentEncoder(level: 3, streams: 1)
        let large = ResponseBody.bytes([UInt8](repeating: 0, count: ContentEncoder.mostAtOnce + 1))
        var first = encoder.encode(.stream { _ in }, .gzip)
        guard case .stream(length: nil, _)? = first else {
            Issue.record("not compressed")
            return
        }
        #expect(encoder.encode(.stream { _ in }, .gzip) == nil)
        #expect(encoder.encode(large, .gzip) == nil)
        first = nil
        guard case .stream(length: nil, _)? = encoder.encode(large, .gzip) else {
            Issue.record("the permit was not given back")
            return
        }
    }
}
