/// Compresses what a handler writes, on its way to where it is sent.
final class DeflatingSink: BodySink {
    /// How far the body has been written.
    private struct Progress {
        var written = 0
        var turn = LoopTurn()
    }

    private enum State {
        case ready(Progress)
        /// A task writes.
        case inUse
        case failed(any Error)
    }

    private let writer: BodyWriter
    private let deflater: Deflater
    private let pool: DeflaterPool
    private let promised: Int?
    private let state = Locked(State.ready(Progress()))

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
            progress.written += bytes.count
            if let promised, progress.written > promised {
                progress.written -= bytes.count
                throw StreamError.lengthMismatch(promised: promised)
            }
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
        }
        state.withLock { $0 = .failed(StreamError.ended) }
    }

    /// Calls `body` with exclusive access to the progress.
    private func use(_ body: (inout Progress) async throws -> Void) async throws {
        var progress = try state.withLock { state in
            switch state {
            case .ready(let progress):
                state = .inUse
                return progress
            case .inUse: throw StreamError.usedTwice
            case .failed(let error): throw error
            }
        }
        do {
            try await body(&progress)
            state.withLock { $0 = .ready(progress) }
        } catch StreamError.lengthMismatch(let promised) {
            // Nothing of it was compressed.
            state.withLock { $0 = .ready(progress) }
            throw StreamError.lengthMismatch(promised: promised)
        } catch {
            state.withLock { $0 = .failed(error) }
            throw error
        }
    }

    private func send(_ bytes: [UInt8], _ flush: Deflater.Flush, _ progress: inout Progress) async throws {
        var start = 0
        repeat {
            let end = min(start + LoopTurn.length, bytes.count)
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
        progress.turn = LoopTurn()
        return try await Blocking.run { [deflater] in deflater.compress(bytes.span.extracting(range), flush) }
    }
}
