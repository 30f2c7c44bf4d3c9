/// The destination of a streamed response's bytes: a connection, or one stream of a connection. It lives on a loop.
protocol BodyOutlet: AnyObject {
    var loop: EventLoop { get }
    /// Whether the outlet accepts more bytes now. If false, the client must accept the waiting bytes first.
    var hasRoom: Bool { get }

    /// Accepts a piece of the body, and sends it together with others from the same round of the loop.
    ///
    /// - Parameter isLast: whether the piece completes the body.
    func send(_ bytes: [UInt8], of body: OutgoingBody, isLast: Bool)
    /// Called when the task that writes the body begins or stops waiting for the client.
    func waitChanged()
}

/// The body of a streamed response, from its handler to its outlet.
///
/// Lives on the outlet's loop. A handler may write from anywhere, and the bytes hop to the loop. A producer that always has more
/// to write is suspended after its turn, so that the loop's other connections get theirs.
final class OutgoingBody: BodySink, @unchecked Sendable {
    private let outlet: any BodyOutlet
    let framing: ResponseFraming
    private let promised: Int?
    private var written = 0
    private var turn = Turn()
    private var failure: StreamError?
    /// A piece that couldn't be written yet, and the task that waits for the write.
    private var waiting: (bytes: [UInt8], continuation: CheckedContinuation<Void, any Error>)?
    /// Whether the loop will call back when it is the body's turn.
    private var isQueued = false
    /// The chunk that the outlet sends at the end of the loop's round. Pieces that are sent together share one chunk head.
    var chunk: [UInt8] = []

    init(outlet: any BodyOutlet, framing: ResponseFraming, promised: Int?) {
        self.outlet = outlet
        self.framing = framing
        self.promised = promised
    }

    /// Whether a task waits until the client has caught up.
    var isWaiting: Bool { waiting != nil && !isQueued }

    // MARK: The handler's side

    func write(_ bytes: [UInt8]) async throws {
        if outlet.loop.isCurrent, try writeNow(bytes) { return }
        try await withCheckedThrowingContinuation { continuation in
            outlet.loop.execute { self.write(bytes, continuation) }
        }
    }

    /// Writes a piece. Must be called on the loop.
    ///
    /// - Returns: false if the piece wasn't written, because the client must catch up first, or because it is the turn of other
    ///   producers.
    private func writeNow(_ bytes: [UInt8]) throws(StreamError) -> Bool {
        if let failure { throw failure }
        let loop = outlet.loop
        guard outlet.hasRoom, turn.hasRoom(in: loop.round, at: LoopClock.nanoseconds) else { return false }
        if let promised, written + bytes.count > promised { throw .lengthMismatch(promised: promised) }
        written += bytes.count
        turn.count(bytes.count)
        if !chunk.isEmpty {
            // The outlet has already scheduled the chunk.
            chunk.append(contentsOf: bytes)
        } else if !bytes.isEmpty {
            outlet.send(bytes, of: self, isLast: written == promised)
        }
        return true
    }

    private func write(_ bytes: [UInt8], _ continuation: CheckedContinuation<Void, any Error>) {
        guard waiting == nil else { return continuation.resume(throwing: StreamError.usedTwice) }
        do {
            if try writeNow(bytes) {
                continuation.resume()
            } else {
                waiting = (bytes, continuation)
                if outlet.hasRoom { waitForTurn() } else { outlet.waitChanged() }
            }
        } catch {
            continuation.resume(throwing: error)
        }
    }

    private func waitForTurn() {
        guard !isQueued else { return }
        isQueued = true
        outlet.loop.inTurn { [self] in
            isQueued = false
            guard let (bytes, continuation) = waiting else { return }
            waiting = nil
            write(bytes, continuation)
        }
    }

    // MARK: The outlet's side

    /// Removes and returns the collected chunk; nil without one.
    func takeChunk() -> [UInt8]? {
        guard !chunk.isEmpty else { return nil }
        defer { chunk = [] }
        return chunk
    }

    /// Called when the client has caught up.
    func roomMade() {
        guard isWaiting else { return }
        waitForTurn()
        outlet.waitChanged()
    }

    /// Ends the body: writing throws `error` from now on.
    func end(_ error: StreamError) {
        guard failure == nil else { return }
        failure = error
        guard let (_, continuation) = waiting else { return }
        waiting = nil
        outlet.waitChanged()
        continuation.resume(throwing: error)
    }

    /// Checks that the number of written bytes matches the promise.
    func checkLength() throws(StreamError) {
        if let promised, promised != written { throw .lengthMismatch(promised: promised) }
    }
}
