/// The source of a request body's bytes: a connection, or one stream of a connection.
protocol BodySource: AnyObject {
    /// A handler has asked for more: it has received `taken` bytes, or waits for some if that is 0.
    func bodyWanted(taken: Int)
    /// A handler has begun or ceased to wait for the client.
    func waitChanged()
}

/// A request's body between its source and a handler, without any framing.
///
/// Lives on the connection's loop. A handler may ask for pieces from anywhere: its call hops to the loop.
final class IncomingBody: @unchecked Sendable {
    private enum State {
        case arriving
        case finished
        case failed(any Error)
    }

    /// A handler's request for the next piece.
    private final class Reader: @unchecked Sendable {
        var continuation: CheckedContinuation<[UInt8]?, any Error>?
        /// The most bytes of the whole body, if all of it is requested at once; nil if any piece will do.
        let limit: Int?
        /// Whether it was cancelled, perhaps before the call has reached the loop.
        var isCancelled = false

        init(limit: Int?) {
            self.limit = limit
        }
    }

    /// The number of bytes that may wait for the handler.
    private static let highWater = 64 * 1024

    let declaredLength: Int?
    private let loop: EventLoop
    private var state = State.arriving
    private var waiting: [UInt8] = []
    private var hasBegun = false
    /// The number of waiting bytes that the source already counts as taken, because they are being collected.
    private var collected = 0
    private var reader: Reader?
    /// The share of the memory budget for the body's bytes, including those that a handler has collected. nil if nobody counts
    /// them.
    let hold: BufferShare?
    /// Notified when a handler takes or wants bytes; nil once it need not know any more.
    private var source: (any BodySource)?

    init(declaredLength: Int?, loop: EventLoop, source: any BodySource, server: ServerContext?) {
        self.declaredLength = declaredLength
        hold = server.map(BufferShare.init)
        self.loop = loop
        self.source = source
    }

    // MARK: The source's side

    /// The number of bytes that wait for a handler, without those that are being collected.
    var waitingCount: Int { waiting.count - collected }
    /// Whether the source should wait until the handler has caught up.
    var isFull: Bool { waitingCount >= Self.highWater }
    /// Whether more bytes will come.
    var isArriving: Bool {
        if case .arriving = state { true } else { false }
    }
    /// Whether a handler waits for bytes.
    var isAwaited: Bool { reader != nil }

    /// Adds bytes. What comes after `finish` or `fail` is dropped.
    func append(_ bytes: Span<UInt8>) {
        guard case .arriving = state else { return }
        // Many handlers collect the whole body. The first piece comes before they ask.
        if reader?.limit != nil || !hasBegun { waiting.reserve(more: bytes.count, of: declaredLength) }
        hasBegun = true
        waiting.append(copying: bytes)
        hold?.add(bytes.count)
    }

    /// Adds bytes as `append` for spans does; without a copy where none are waiting.
    func append(_ bytes: [UInt8]) {
        guard case .arriving = state, waiting.isEmpty, reader?.limit == nil else { return append(bytes.span) }
        waiting = bytes
        hold?.add(bytes.count)
    }

    /// Passes the received bytes to a handler that waits for them.
    func deliver() {
        if let limit = reader?.limit { return collect(upTo: limit) }
        if !waiting.isEmpty {
            guard let reader = takeReader() else { return }
            give(takePiece, to: reader)
        } else if case .finished = state {
            takeReader()?.resume(returning: nil)
        }
    }

    /// Continues to collect the whole body.
    private func collect(upTo limit: Int) {
        if waiting.count > limit {
            takeReader()?.resume(throwing: RequestError.bodyTooLarge(limit: limit))
        } else if case .finished = state {
            if let reader = takeReader() { give(takeAll, to: reader) }
        } else if hold?.isOverdrawn ?? false {
            fail(RequestError.overloaded)
        } else if waitingCount > 0 {
            let taken = waitingCount
            collected = waiting.count
            source?.bodyWanted(taken: taken)
        }
    }

    /// Ends the body after the bytes received so far.
    func finish() {
        guard case .arriving = state else { return }
        state = .finished
        deliver()
    }

    /// Ends the body early: its reader gets `error`.
    func fail(_ error: any Error) {
        defer { source = nil }
        guard case .arriving = state else { return }
        state = .failed(error)
        // The bytes collected so far are no longer needed.
        if reader?.limit != nil { _ = takePiece() }
        takeReader()?.resume(throwing: error)
    }

    /// Releases the source: it need not know what a handler takes from now on.
    func detach() {
        source = nil
    }

    private func takeReader() -> CheckedContinuation<[UInt8]?, any Error>? {
        guard let reader else { return nil }
        self.reader = nil
        source?.waitChanged()
        return reader.continuation
    }

    /// The waiting bytes. They count as used when the handler asks for the next piece.
    private func takePiece() -> [UInt8] {
        hold?.add(-waiting.count)
        return takeAll()
    }

    /// The waiting bytes. They count in the budget as long as the body lives.
    private func takeAll() -> [UInt8] {
        defer { (waiting, collected) = ([], 0) }
        return waiting
    }

    /// Passes the waiting bytes to a handler, and makes room for others with the source.
    private func give(_ take: () -> [UInt8], to reader: CheckedContinuation<[UInt8]?, any Error>) {
        let news = waitingCount
        reader.resume(returning: take())
        if news > 0 { source?.bodyWanted(taken: news) }
    }

    // MARK: The handler's side

    /// The next piece; nil at the end. May be called on any thread, by one reader at a time.
    func next() async throws -> [UInt8]? {
        try await read(Reader(limit: nil))
    }

    /// Collects the rest of the body. May be called on any thread, by one reader at a time.
    ///
    /// - Parameter limit: the most bytes; if there are more, it throws `RequestError.bodyTooLarge`.
    func collect(upTo limit: Int) async throws -> [UInt8] {
        try await read(Reader(limit: limit)) ?? []
    }

    private func read(_ reader: Reader) async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
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
        if reader.limit == nil, !waiting.isEmpty { return give(takePiece, to: continuation) }
        switch state {
        case .finished where reader.limit.map({ waiting.count <= $0 }) ?? true:
            if waiting.isEmpty { continuation.resume(returning: nil) } else { give(takeAll, to: continuation) }
        case .finished: continuation.resume(throwing: RequestError.bodyTooLarge(limit: reader.limit ?? 0))
        case .failed(let error): continuation.resume(throwing: error)
        case .arriving where reader.isCancelled: continuation.resume(throwing: CancellationError())
        case .arriving:
            reader.continuation = continuation
            self.reader = reader
            source?.waitChanged()
            if let limit = reader.limit, waitingCount > 0 {
                collect(upTo: limit)
            } else {
                source?.bodyWanted(taken: 0)
            }
        }
    }

    private func cancel(_ cancelled: Reader) {
        cancelled.isCancelled = true
        if reader === cancelled { takeReader()?.resume(throwing: CancellationError()) }
    }
}

extension [UInt8] {
    /// Makes room for more bytes of a body that is gathered, seldom twice: growing would copy it again, and leave holes in the heap.
    ///
    /// The C library maps large blocks on their own (`SystemAllocator`): the room that no byte has come to takes no memory, and all of
    /// it goes back to the system with the body.
    ///
    /// - Parameters:
    ///   - count: the bytes to be added.
    ///   - length: the length of the whole body; nil where the client hasn't said it.
    mutating func reserve(more count: Int, of length: Int?) {
        let next = self.count + count
        guard next > capacity, length != nil || next > 16 * 1024 else { return }
        let room = Swift.max(next, Swift.min(length ?? .max, Swift.max(1 << 20, 4 * next)))
        reserveCapacity(room > 64 * 1024 ? Swift.max(room, SystemAllocator.mappedSize) : room)
    }
}
