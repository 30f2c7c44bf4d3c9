/// What becomes of a connection when there is no room for all of them.
extension Connection {
    /// Whom the connection waits for.
    enum Standing: Equatable {
        /// Nobody: no request is in hand.
        case idle
        /// Its client.
        case slow
        /// A handler.
        case busy
    }

    var standing: Standing {
        switch phase {
        case .head: isInHead || hasOutput ? .slow : .idle
        case .exchange: hasOutput || isClientAwaited ? .slow : .busy
        case .discarding, .lingering: .slow
        case .http2: http2?.standing ?? .idle
        }
    }

    /// When the client last made progress, in milliseconds of the loop's clock: of several requests, the one that waits for
    /// longest.
    var lastAdvance: Int64 {
        if isInHead, let partial { return partial.began }
        return http2?.lastAdvance ?? lastProgress
    }

    /// What the connection holds of the budget, in bytes.
    var held: Int {
        if let http2 { return http2.heldInAll }
        return (incoming?.body.hold.bytes ?? 0) + (outputMeter?.hold.bytes ?? 0)
    }

    /// Gives up what the client makes no progress with, until about so many bytes are free: the oldest first.
    ///
    /// - Parameter before: in milliseconds of the loop's clock: who made progress after it is spared.
    func relinquish(_ bytes: Int, before: Int64) {
        if let http2 { return http2.relinquish(bytes, before: before) }
        guard lastAdvance <= before else { return }
        if hasOutput { return abort() }
        // The handler gets an error, and answers with it: the client learns why.
        isPersistent = false
        incoming?.fail(RequestError.overloaded)
    }
}

extension HTTP2Connection {
    /// Whom the connection waits for: one that has a handler at work waits for that.
    var standing: Connection.Standing {
        if streams.isEmpty { return .idle }
        return streams.allSatisfy { $0.held > 0 } ? .slow : .busy
    }

    var lastAdvance: Int64 { streams.lazy.map(\.lastProgress).min() ?? lastActive }

    /// What the connection and the bodies of its streams hold of the budget, in bytes.
    var heldInAll: Int { streams.reduce(held) { $0 + ($1.incoming?.hold.bytes ?? 0) } }

    /// How many requests every connection may have, whatever others have.
    private static let freeStreams = 8

    /// Whether no further stream may begin: when memory, or room for requests in flight, is short, nobody has more than a few
    /// that take it.
    var isOverdrawn: Bool {
        held > Self.freeStreams * HTTP2Stream.cost && server.buffers.isPressed
            || handlers > Self.freeStreams && server.isBusy
    }

    /// Resets streams that wait for the client, the oldest first.
    func relinquish(_ bytes: Int, before: Int64) {
        // Of a client that takes nothing at all, not even resets would make the library free a stream.
        if connection.hasOutput, connection.lastProgress <= before { return connection.abort() }
        let stalled = streams.filter { $0.lastProgress <= before && ($0.held > 0 || $0.incoming?.hold.bytes ?? 0 > 0) }
        var freed = 0
        for stream in stalled.sorted(by: { $0.lastProgress < $1.lastProgress }) where freed < bytes {
            freed += stream.held + (stream.incoming?.hold.bytes ?? 0)
            stream.reset(.enhanceYourCalm)
        }
    }
}
