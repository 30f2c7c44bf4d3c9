/// The parts of a connection that an idle one doesn't have. Confined to its loop.
final class Activity {
    /// The steps before the first request, until they have ended.
    var start: ConnectionStart?
    /// The machine's state of an arriving body.
    var body: HTTP1Machine.Body?
    /// The body of the current request, while it may still be arriving.
    var incoming: IncomingBody?
    /// The body of the response, while a handler writes it.
    var outgoing: OutgoingBody?
    /// The handler, once it has suspended.
    var task: Task<Void, Never>?
    var counts = RequestCounts()

    var isOver: Bool { start == nil && body == nil && incoming == nil && outgoing == nil && task == nil }
    /// Whether the handler waits for the client: for the request's body, or for room for the response's.
    var isClientAwaited: Bool { incoming?.isAwaited ?? false || outgoing?.isWaiting ?? false }

    /// Ends the request's body early: its reader gets `error`.
    func endBody(_ error: any Error) {
        incoming?.fail(error)
        incoming = nil
    }

    /// Cancels the handler of a closed connection. Its task may run on.
    func cancel() {
        incoming?.fail(RequestError.incomplete)
        outgoing?.end(.connectionClosed)
        task?.cancel()
        (body, incoming, outgoing) = (nil, nil, nil)
    }
}

/// An incomplete message: the bytes so far, and the progress of parsing them.
final class PartialMessage {
    var bytes: [UInt8] { didSet { hold.set(bytes.capacity) } }
    var parser: HeadParser
    /// The share of the server's budget for the bytes.
    let hold: BufferShare

    init(_ bytes: Span<UInt8>, _ parser: HeadParser, _ server: ServerContext) {
        self.bytes = Array(copying: bytes)
        self.parser = parser
        hold = BufferShare(server)
        hold.set(self.bytes.capacity)
    }
}
