/// Sends events to one client, from any number of tasks.
public struct EventWriter: Sendable {
    fileprivate let line: BodyLine

    /// Sends an event, and returns once there is room for more. A client that doesn't read keeps `send` waiting; after
    /// `ServerConfiguration.Timeouts.write` the server cuts it off. Don't queue events for it without a limit.
    ///
    /// - Throws: `EventError` for an event that can't be written; `StreamError` if the client has disconnected.
    public func send(_ event: ServerSentEvent) async throws {
        try await line.write(try event.text())
    }

    /// Sends an event without the empty line at its end, so that clients wait for the rest.
    package func sendBeginning(of event: ServerSentEvent) async throws {
        try await line.write(String(try event.text().dropLast()))
    }

    /// Sends nothing for some time, not even a heartbeat.
    package func stall(for time: Duration) async throws {
        try await line.inTurn { _ in try await Task.sleep(for: time) }
    }

    /// Sends an event with a text, like `send(_:)` for events.
    public func send(_ data: String, type: String? = nil, id: String? = nil) async throws {
        try await send(ServerSentEvent(data, type: type, id: id))
    }
}

extension Response {
    /// A stream of events (WHATWG HTML, section 9.2). It lasts until the function returns, the client disconnects or the server
    /// stops.
    ///
    /// ```swift
    /// router.get("/prices") { request in
    ///     .events { events in
    ///         for await price in prices() {
    ///             try await events.send(ServerSentEvent(json: price, type: "price", id: price.id))
    ///         }
    ///     }
    /// }
    /// ```
    /// The function's task is cancelled when the client disconnects or the server begins to stop. Then the stream ends cleanly, and
    /// the client reconnects, perhaps to another server.
    ///
    /// - Parameters:
    ///   - heartbeat: the time of silence before an empty comment is sent; nil for never. It shows whether the client is still
    ///     there, and keeps proxies from closing the connection.
    ///   - retry: the time that clients wait before they reconnect; nil leaves that to them.
    ///   - produce: sends the events.
    public static func events(
        heartbeat: Duration? = .seconds(15),
        retry: Duration? = nil,
        _ produce: @escaping @Sendable (EventWriter) async throws -> Void
    ) -> Response {
        precondition(heartbeat.map { $0 > .zero } ?? true, "the heartbeat must be more than zero")
        // no-transform: no proxy, and no compression, may hold events back to send more at once.
        var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store, no-transform"]
        if let buffering = HTTPField.Name("X-Accel-Buffering") { fields[buffering] = "no" }
        return Response(
            headers: fields,
            body: .stream { writer in
                let line = BodyLine(writer)
                try await UntilShutdown.run {
                    if let retry { try await line.write("retry: \(max(0, Int(retry / .milliseconds(1))))\n\n") }
                    try await line.whileBeating(heartbeat) { try await produce(EventWriter(line: line)) }
                }
            }
        )
    }

    /// A stream of the events of a sequence, like `events` for a function.
    public static func events<Events: AsyncSequence & Sendable>(
        _ events: Events,
        heartbeat: Duration? = .seconds(15),
        retry: Duration? = nil
    ) -> Response where Events.Element == ServerSentEvent {
        self.events(heartbeat: heartbeat, retry: retry) { writer in
            for try await event in events { try await writer.send(event) }
        }
    }
}

extension BodyLine {
    fileprivate func write(_ text: String) async throws { try await inTurn { try await $0.write(text) } }

    /// Runs a function, and sends a comment after each `beat` of silence meanwhile.
    ///
    /// - Throws: what the function throws; `StreamError` when a comment finds that the client has gone.
    fileprivate func whileBeating(
        _ beat: Duration?,
        _ function: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let beat else { return try await function() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await function() }
            group.addTask {
                while true {
                    let due = self.lastWrite + beat
                    if due > .now {
                        try await Task.sleep(until: due, clock: .continuous)
                    } else {
                        // An empty line after it would complete an event of `sendBeginning`.
                        try await self.write(":\n")
                    }
                }
            }
            defer { group.cancelAll() }
            // The comments never end by themselves.
            try await group.next()
        }
    }
}
