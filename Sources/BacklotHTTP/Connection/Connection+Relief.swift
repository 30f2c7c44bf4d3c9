/// How a connection gives up memory, or closes, when the server runs out of room.
extension Connection {
    /// The party that the connection waits for.
    enum Standing: Equatable {
        /// None: no request is in hand.
        case idle
        /// Its client.
        case slow
        /// A handler.
        case busy
    }

    var standing: Standing {
        switch phase {
        case .opening: tls == nil ? .idle : .slow
        case .head: isInHead || hasOutput ? .slow : .idle
        case .exchange: hasOutput || isClientAwaited ? .slow : .busy
        case .discarding, .lingering: .slow
        case .http2: http2?.standing ?? .idle
        }
    }

    /// When the client last made progress, in milliseconds of the loop's clock: of several requests, the one that waits
    /// for longest.
    var lastAdvance: Int64 {
        if isInHead, let partial { return partial.began }
        return http2?.lastAdvance ?? lastProgress
    }

    /// How much of the budget the connection holds while it waits for its client, in bytes. A body that a handler works on
    /// isn't counted: cutting the client would not free it.
    var held: Int {
        if let http2 { return http2.heldInAll }
        guard standing == .slow else { return 0 }
        return (incoming?.body.hold?.bytes ?? 0) + (outputMeter?.hold.bytes ?? 0)
    }

    /// Gives up requests whose client makes no progress, the oldest first, until about `bytes` bytes are free.
    ///
    /// - Parameter before: a time of the loop's clock, in milliseconds. Requests that made progress after it are
    ///   spared.
    func relinquish(_ bytes: Int, before: Int64) {
        if let http2 { return http2.relinquish(bytes, before: before) }
        guard standing == .slow, lastAdvance <= before else { return }
        if hasOutput { return abort() }
        // The handler gets an error, and answers with it: the client learns why.
        isPersistent = false
        incoming?.fail(RequestError.overloaded)
    }
}

extension HTTP2Connection {
    /// The party that the connection waits for: a handler, if any is at work.
    var standing: Connection.Standing {
        if streams.isEmpty { return .idle }
        return streams.allSatisfy { $0.held > 0 } ? .slow : .busy
    }

    /// When the client last made progress with the request that waits for it longest. Requests that a handler works on say
    /// nothing about the client.
    var lastAdvance: Int64 { streams.lazy.filter { $0.held > 0 }.map(\.lastProgress).min() ?? lastActive }

    /// How much of the budget the streams that wait for the client hold, with their bodies, in bytes.
    var heldInAll: Int { streams.reduce(0) { $0 + $1.heldInAll } }

    /// How many requests every connection may always have.
    private static let freeStreams = 8

    /// Whether no further stream may begin: when memory or room for requests in flight is short, each connection has
    /// only a few streams that use it.
    var isOverdrawn: Bool {
        held > Self.freeStreams * HTTP2Stream.cost && server.buffers.isPressed
            || handlers > Self.freeStreams && server.isBusy
    }

    /// Resets streams that wait for the client, the oldest first.
    func relinquish(_ bytes: Int, before: Int64) {
        // If the client takes nothing at all, the library can't write a reset, and so doesn't free the stream.
        if connection.hasOutput, connection.lastProgress <= before { return connection.abort() }
        let stalled = streams.filter { $0.lastProgress <= before && $0.held > 0 }
        var freed = 0
        for stream in stalled.sorted(by: { $0.lastProgress < $1.lastProgress }) where freed < bytes {
            freed += stream.heldInAll
            stream.reset(.enhanceYourCalm)
        }
    }
}

extension HTTP2Stream {
    /// How much of the budget the stream holds while it waits for the client, with its body, in bytes.
    var heldInAll: Int { held > 0 ? held + (incoming?.hold?.bytes ?? 0) : 0 }
}
