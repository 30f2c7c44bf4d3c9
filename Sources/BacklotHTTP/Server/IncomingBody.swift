/// Where the bytes of a request's body come from: a connection, or one stream of a connection.
protocol BodySource: AnyObject {
    /// A handler has asked for more: it has got `taken` bytes, or waits for some when there were none.
    func bodyWanted(taken: Int)
}

/// A request's body on its way from its source to a handler, free of any framing.
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

    let declaredLength: Int?
    private let loop: EventLoop
    private var state = State.arriving
    private var waiting: [UInt8] = []
    private var reader: Reader?
    /// Told when a handler takes or wants bytes; nil once it need not know any more.
    private var source: (any BodySource)?

    init(declaredLength: Int?, loop: EventLoop, source: any BodySource) {
        self.declaredLength = declaredLength
        self.loop = loop
        self.source = source
    }

    // MARK: The source's side

    /// How many bytes wait for the handler.
    var waitingCount: Int { waiting.count }
    /// Whether a handler waits for bytes.
    var isAwaited: Bool { reader != nil }

    /// Adds bytes. What comes after `finish` or `fail` is dropped.
    func append(_ bytes: Span<UInt8>) {
        if case .arriving = state { waiting.append(copying: bytes) }
    }

    /// Gives what has come to a handler that waits for it.
    func deliver() {
        if !waiting.isEmpty {
            guard let reader = takeReader() else { return }
            let bytes = takeWaiting()
            reader.resume(returning: bytes)
            source?.bodyWanted(taken: bytes.count)
        } else if case .finished = state {
            takeReader()?.resume(returning: nil)
        }
    }

    /// Ends the body after what has come.
    func finish() {
        guard case .arriving = state else { return }
        state = .finished
        deliver()
    }

    /// Ends the body early: whoever reads it gets `error`.
    func fail(_ error: any Error) {
        source = nil
        guard case .arriving = state else { return }
        state = .failed(error)
        takeReader()?.resume(throwing: error)
    }

    /// Lets the source go: what a handler still takes is no concern of it.
    func detach() {
        source = nil
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
            let bytes = takeWaiting()
            continuation.resume(returning: bytes)
            source?.bodyWanted(taken: bytes.count)
            return
        }
        switch state {
        case .finished: continuation.resume(returning: nil)
        case .failed(let error): continuation.resume(throwing: error)
        case .arriving where reader.isCancelled: continuation.resume(throwing: CancellationError())
        case .arriving:
            reader.continuation = continuation
            self.reader = reader
            source?.bodyWanted(taken: 0)
        }
    }

    private func cancel(_ cancelled: Reader) {
        cancelled.isCancelled = true
        if reader === cancelled { takeReader()?.resume(throwing: CancellationError()) }
    }
}
