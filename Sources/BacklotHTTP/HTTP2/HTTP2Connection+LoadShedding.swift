/// Load shedding: a connection of HTTP/2 gives up memory when the buffer budget is short.
extension HTTP2Connection {
    /// The party that the connection waits for: a handler, if any is working. Without a stream, the last responses may wait for the client.
    var waitsFor: LoadShedding.Party {
        if streams.isEmpty { return connection.output == nil ? .nobody : .client }
        return streams.allSatisfy { $0.held > 0 } ? .client : .handler
    }

    /// The time when the client last made progress with the request that has waited longest for it, or with the output. Requests that a
    /// handler works on don't count.
    var lastAdvance: Int64 {
        let stalled = streams.lazy.filter { $0.held > 0 }.map(\.lastProgress).min()
        return [stalled, state.input.blockBegan, connection.output?.meter?.lastTaken].compactMap(\.self).min()
            ?? state.ending.lastActive
    }

    /// The bytes of the budget that are held for the client: by the streams that wait for it, with their bodies, and by an unfinished
    /// header list. Bytes that have gone from the streams to the connection's output count there.
    var heldInAll: Int { streams.reduce(state.input.blockSize) { $0 + $1.heldInAll } }

    /// The number of requests that a connection may always have.
    private static let freeStreams = 8

    /// Whether new streams are refused: when memory or room for requests in flight is short, each connection may have only a few streams
    /// that use it.
    var isOverdrawn: Bool {
        server.buffers.isPressed && heldInAll > Self.freeStreams * HTTP2Stream.cost
            || handlers > Self.freeStreams && server.isBusy && server.isHeavy(remoteAddress)
    }

    /// Resets streams that wait for the client, the oldest first.
    func relinquish(_ bytes: Int, before: Int64) {
        // If the client accepts no bytes at all, the library can't write a reset, and so doesn't free the stream.
        if let meter = connection.output?.meter, meter.lastTaken <= before { return connection.abort() }
        // The server can't read other frames before the header list has ended.
        if state.input.blockSize > 0, let began = state.input.blockBegan, began <= before {
            return terminate(.enhanceYourCalm)
        }
        let stalled = streams.filter { $0.lastProgress <= before && $0.held > 0 }
        var freed = 0
        for stream in stalled.sorted(by: { $0.lastProgress < $1.lastProgress }) where freed < bytes {
            freed += stream.heldInAll
            stream.reset(.enhanceYourCalm)
        }
    }
}

extension HTTP2Stream {
    /// The bytes of the budget that the stream and its body hold while the stream waits for the client.
    var heldInAll: Int { held > 0 ? held + (incoming?.hold?.bytes ?? 0) + (file?.held ?? 0) : 0 }
}
