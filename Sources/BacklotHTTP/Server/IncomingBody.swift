/// A request's body on its way from a connection to a handler.
///
/// Lives on the connection's loop. A handler may ask for pieces from anywhere: the question hops to the loop.
final class IncomingBody: @unchecked Sendable {
    private enum State {
        case arriving
        case finished
        case failed(any Error)
    }

    /// Somebody who asks for the next piece, as the loop knows him.
    private final class Reader: @unchecked Sendable {
        var continuation: CheckedContinuation<[UInt8]?, any Error>?
        /// Cancelled, perhaps before the question has come to the loop.
        var isCancelled = false
    }

    /// How many bytes may wait for the handler before the connection stops reading.
    static let highWater = 64 * 1024

    let declaredLength: Int?
    private let loop: EventLoop
    private var decoder: BodyDecoder
    private var state = State.arriving
    private var waiting: [UInt8] = []
    private var reader: Reader?
    /// Called when a handler asks for bytes that are not there yet.
    private var onDemand: (() -> Void)?

    init(decoder: BodyDecoder, loop: EventLoop, onDemand: @escaping () -> Void) {
        self.decoder = decoder
        self.declaredLength = decoder.remaining
        self.loop = loop
        self.onDemand = onDemand
    }

    // MARK: The connection's side

    /// Whether all of the body has come.
    var isFinished: Bool { decoder.isFinished }
    /// How many bytes are still to come, where that is known.
    var remaining: Int? { decoder.remaining }
    /// Whether the connection should wait with reading until the handler has caught up.
    var isFull: Bool { waiting.count >= Self.highWater }
    /// Whether a handler waits for bytes.
    var isAwaited: Bool { reader != nil }

    /// Takes what belongs to the body from `input`, moving `position` past it.
    ///
    /// What comes after `fail` is dropped.
    func feed(_ input: Span<UInt8>, from position: inout Int) throws(RequestError) {
        do {
            while let data = try decoder.next(input, from: &position) {
                if case .arriving = state { waiting.append(copying: input.extracting(data)) }
            }
        } catch {
            fail(error)
            throw error
        }
        if decoder.isFinished { finish() } else { hand() }
    }

    /// Ends the body early: whoever reads it gets `error`.
    func fail(_ error: any Error) {
        guard case .arriving = state else { return }
        state = .failed(error)
        onDemand = nil
        takeReader()?.resume(throwing: error)
    }

    private func finish() {
        guard case .arriving = state else { return }
        state = .finished
        onDemand = nil
        hand()
    }

    /// Gives what has come to a handler that waits for it.
    private func hand() {
        if !waiting.isEmpty {
            if let reader = takeReader() { reader.resume(returning: takeWaiting()) }
        } else if case .finished = state {
            takeReader()?.resume(returning: nil)
        }
    }

    private func takeReader() -> CheckedContinuation<[UInt8]?, any Error>? {
        defer { reader = nil }
        return reader?.continuation
    }

    private func takeWaiting() -> [UInt8] {
        defer { waiting = [] }
        return waiting
    }

    // MARK: The handler's side

    /// The next piece; nil at the end. May be called on any thread, by one reader at a time.
    func next() async throws -> [UInt8]? {
        let reader = Reader()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                loop.execute { self.ask(reader, continuation) }
            }
        } onCancel: {
            loop.execute { self.cancel(reader) }
        }
    }

    private func ask(_ reader: Reader, _ continuation: CheckedContinuation<[UInt8]?, any Error>) {
        loop.preconditionIsCurrent()
        guard self.reader == nil else { return continuation.resume(throwing: StreamError.usedTwice) }
        if !waiting.isEmpty {
            continuation.resume(returning: takeWaiting())
            onDemand?()
            return
        }
        switch state {
        case .finished: continuation.resume(returning: nil)
        case .failed(let error): continuation.resume(throwing: error)
        case .arriving where reader.isCancelled: continuation.resume(throwing: CancellationError())
        case .arriving:
            reader.continuation = continuation
            self.reader = reader
            onDemand?()
        }
    }

    private func cancel(_ cancelled: Reader) {
        cancelled.isCancelled = true
        if reader === cancelled { takeReader()?.resume(throwing: CancellationError()) }
    }
}
