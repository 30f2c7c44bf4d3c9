/// Applies content codings to the bodies of responses.
package final class ContentEncoder: Sendable {
    /// The largest body that is compressed in one step, on the event loop. Larger ones are compressed piece by piece, partly on
    /// other threads.
    static let mostAtOnce = Turn.length

    private let pool: DeflaterPool
    /// Limits the number of streams that are compressed at a time: each holds 256 KB of state until it ends.
    private let streams: BufferBudget

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - level: from 1, fast, to 9, small.
    ///   - streams: the number of bodies that may be compressed piece by piece at a time.
    package init(level: Int, streams: Int) {
        pool = DeflaterPool(level: level)
        self.streams = BufferBudget(limit: streams)
    }

    /// Compresses bytes with gzip, for a client; nil if that doesn't make them smaller.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        Deflater(.gzip, level: 6)?.compress(bytes, upTo: bytes.count)
    }

    /// The body in a coding; nil if that doesn't make it smaller, or if too many are already being compressed.
    package func encode(_ body: ResponseBody, _ coding: ContentCoding) -> ResponseBody? {
        switch body {
        case .empty, .fault: nil
        case .bytes(let bytes) where bytes.count <= Self.mostAtOnce:
            encodeAtOnce(bytes, coding).map { .bytes($0) }
        case .bytes(let bytes): stream(coding, promised: bytes.count) { try await $0.write(bytes) }
        case .file(let slice): encode(slice.inPieces, coding)
        case .stream(let length, let produce): stream(coding, promised: length, produce)
        }
    }

    private func encodeAtOnce(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
        guard !bytes.isEmpty, let deflater = pool.take(coding) else { return nil }
        defer { pool.giveBack(deflater) }
        return deflater.compress(bytes, upTo: bytes.count - 1)
    }

    private func stream(
        _ coding: ContentCoding,
        promised: Int?,
        _ produce: @escaping @Sendable (BodyWriter) async throws -> Void
    ) -> ResponseBody? {
        guard streams.takeIfFree(1) else { return nil }
        // It ends with the stream, or when the stream is never written.
        let ticket = Ticket { [streams] in streams.take(-1) }
        return .stream { [pool] writer in
            guard let deflater = pool.take(coding) else { throw ContentCodingError.noMemory }
            let sink = DeflatingSink(writer, deflater, pool, promised: promised)
            try await produce(BodyWriter(sink))
            try await sink.finish()
            withExtendedLifetime(ticket) {}
        }
    }
}

extension ContentCoding {
    /// Encodes a complete body, for data that is compressed once and sent often; nil if that doesn't make it smaller.
    ///
    /// - Parameter level: from 1, fast, to 9, small.
    package func encode(_ body: [UInt8], level: Int) -> [UInt8]? {
        body.isEmpty ? nil : Deflater(self, level: level)?.compress(body, upTo: body.count - 1)
    }
}

/// Compresses the bytes of a handler before they are sent.
final class DeflatingSink: BodySink {
    /// The progress of writing the body.
    private struct Progress {
        var written = 0
        var turn = Turn()
        var isFinished = false
    }

    private let writer: BodyWriter
    private let deflater: Deflater
    private let pool: DeflaterPool
    private let promised: Int?
    private let progress = Exclusive(Progress())

    /// - Parameters:
    ///   - writer: receives the compressed bytes.
    ///   - deflater: a state that returns to `pool` at the end.
    ///   - promised: the number of bytes that will be written. With nil, each piece is sent at once: it may be an event, and the
    ///     next one may follow an hour later.
    init(_ writer: BodyWriter, _ deflater: Deflater, _ pool: DeflaterPool, promised: Int?) {
        self.writer = writer
        self.deflater = deflater
        self.pool = pool
        self.promised = promised
    }

    deinit {
        pool.giveBack(deflater)
    }

    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await use { progress in
            if let promised, progress.written + bytes.count > promised {
                throw StreamError.lengthMismatch(promised: promised)
            }
            progress.written += bytes.count
            try await send(bytes, promised == nil ? .sync : .none, &progress)
        }
    }

    /// Ends the body.
    ///
    /// - Throws: an error if fewer bytes were written than promised, and the errors of `write`.
    func finish() async throws {
        try await use { progress in
            if let promised, progress.written != promised { throw StreamError.lengthMismatch(promised: promised) }
            try await send([], .finish, &progress)
            progress.isFinished = true
        }
    }

    private func use(_ body: (inout Progress) async throws -> Void) async throws {
        // Bytes beyond the promised length were not compressed.
        let isPassing = { (error: any Error) in
            if case StreamError.lengthMismatch = error { true } else { false }
        }
        try await progress.use(unless: isPassing) { progress in
            guard !progress.isFinished else { throw StreamError.ended }
            try await body(&progress)
        }
    }

    private func send(_ bytes: [UInt8], _ flush: Deflater.Flush, _ progress: inout Progress) async throws {
        var start = 0
        repeat {
            let end = min(start + Turn.length, bytes.count)
            let compressed = try await compress(bytes, start..<end, end == bytes.count ? flush : .none, &progress)
            if !compressed.isEmpty { try await writer.write(compressed) }
            start = end
        } while start < bytes.count
    }

    private func compress(
        _ bytes: [UInt8],
        _ range: Range<Int>,
        _ flush: Deflater.Flush,
        _ progress: inout Progress
    ) async throws -> [UInt8] {
        if progress.turn.hasRoom(for: range.count) {
            progress.turn.count(range.count)
            return deflater.compress(bytes.span.extracting(range), flush)
        }
        progress.turn = Turn()
        return try await Blocking.run { [deflater] in deflater.compress(bytes.span.extracting(range), flush) }
    }
}
