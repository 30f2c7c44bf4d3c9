extension Routes {
    /// Adds a WebSocket (RFC 6455): what GET of a path opens.
    ///
    /// ```swift
    /// router.webSocket("/echo") { request, socket in
    ///     for try await message in socket.messages { try await socket.send(message) }
    /// }
    /// ```
    /// The WebSocket ends when the function returns, the client closes it or the server stops. A page of another origin is refused
    /// unless `options` names it.
    ///
    /// - Parameters:
    ///   - path: as for `get`.
    ///   - options: limits, subprotocols and origins.
    ///   - program: reads and sends messages. When the client disconnects, its task is cancelled. When it throws, the client gets 1011.
    public func webSocket(
        _ path: String,
        options: WebSocketOptions = WebSocketOptions(),
        file: String = #fileID,
        line: Int = #line,
        _ program: @escaping @Sendable (Request, WebSocket) async throws -> Void
    ) {
        get(path, file: file, line: line) { request in
            try .webSocket(request, options: options) { socket in try await program(request, socket) }
        }
    }
}
