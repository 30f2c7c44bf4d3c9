/// How a connection gives up memory, or closes, when the server runs out of room.
extension Connection {
    /// The party that the connection waits for.
    var waitsFor: LoadShedding.Party {
        switch phase {
        case .opening: tls == nil ? .nobody : .client
        case .head: isInHead || hasOutput ? .client : .nobody
        case .exchange: hasOutput || isClientAwaited ? .client : .handler
        case .discarding, .lingering: .client
        case .http2: http2?.waitsFor ?? .nobody
        }
    }

    /// When the client last made progress, in milliseconds of the loop's clock: of several requests, the one that waits
    /// for longest.
    var lastAdvance: Int64 {
        if isInHead, let partial { return partial.began }
        return http2?.lastAdvance ?? lastProgress
    }

    /// How much of the budget the connection holds that can be freed, in bytes: while it waits for its client, and what has
    /// come behind a request that a handler works on. A body that a handler works on isn't counted: cutting the client would
    /// not free it.
    var held: Int {
        if let http2 { return http2.heldInAll }
        let behind = partial?.hold.bytes ?? 0
        guard waitsFor == .client else { return behind }
        return behind + (incoming?.body.hold?.bytes ?? 0) + (outputMeter?.hold.bytes ?? 0) + (file?.held ?? 0)
    }

    /// Gives up requests whose client makes no progress, the oldest first, until about `bytes` bytes are free.
    ///
    /// - Parameter before: a time of the loop's clock, in milliseconds. Requests that made progress after it are
    ///   spared.
    func relinquish(_ bytes: Int, before: Int64) {
        if let http2 { return http2.relinquish(bytes, before: before) }
        guard lastAdvance <= before else { return }
        switch phase {
        case .head where isInHead && !hasOutput: return refuse(.overloaded, isHead: partial?.isHead ?? false)
        // The client must send again what it has sent behind the request in hand (RFC 9112, section 9.3.2).
        case .exchange where waitsFor == .handler:
            isPersistent = false
            partial = nil
            return
        default: guard waitsFor == .client else { return }
        }
        if hasOutput { return abort() }
        // The handler gets an error, and answers with it: the client learns why.
        isPersistent = false
        incoming?.fail(RequestError.overloaded)
    }
}

extension HTTP2Connection {
    /// The party that the connection waits for: a handler, if any is at work.
    var waitsFor: LoadShedding.Party {
        if streams.isEmpty { return .nobody }
        return streams.allSatisfy { $0.held > 0 } ? .client : .handler
    }

    /// When the client last made progress with the request that waits for it longest. Requests that a handler works on say
    /// nothing about the client.
    var lastAdvance: Int64 {
        let stalled = streams.lazy.filter { $0.held > 0 }.map(\.lastProgress).min()
        return [stalled, blockBegan].compactMap(\.self).min() ?? lastActive
    }

    /// How much of the budget is held for the client, in bytes: by the streams that wait for it, with their bodies, and by a
    /// header list that hasn't ended.
    var heldInAll: Int { streams.reduce(blockSize) { $0 + $1.heldInAll } }

    /// How many requests every connection may always have.
    private static let freeStreams = 8

    /// Whether no further stream may begin: when memory or room for requests in flight is short, each connection has
    /// only a few streams that use it.
    var isOverdrawn: Bool {
        server.buffers.isPressed && heldInAll > Self.freeStreams * HTTP2Stream.cost
            || handlers > Self.freeStreams && server.isBusy && server.isHeavy(remoteAddress)
    }

    /// Resets streams that wait for the client, the oldest first.
    func relinquish(_ bytes: Int, before: Int64) {
        // If the client takes nothing at all, the library can't write a reset, and so doesn't free the stream.
        if connection.hasOutput, connection.lastProgress <= before { return connection.abort() }
        // Nothing can be read before the list has ended.
        if blockSize > 0, let blockBegan, blockBegan <= before { return terminate(.enhanceYourCalm) }
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
    var heldInAll: Int { held > 0 ? held + (incoming?.hold?.bytes ?? 0) + (file?.held ?? 0) : 0 }
}
