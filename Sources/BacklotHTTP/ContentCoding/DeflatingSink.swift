/// Compresses what a handler writes, on its way to where it is sent.
final class DeflatingSink: BodySink {
    /// How far the body has been written.
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
    ///   - writer: takes what comes out.
    ///   - deflater: a state that is given back to `pool` at the end.
    ///   - promised: how many bytes will be written. If it is nil, each piece is sent at once: it may be an event, and
    ///     the next one an hour away.
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

    /// Ends the body: no more is written.
    ///
    /// - Throws: when not as much was written as was promised, and as `write`.
    func finish() async throws {
        try await use { progress in
            if let promised, progress.written != promised { throw StreamError.lengthMismatch(promised: promised) }
            try await send([], .finish, &progress)
            progress.isFinished = true
        }
    }

    private func use(_ body: (inout Progress) async throws -> Void) async throws {
        // Nothing was compressed of what would be too much.
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
