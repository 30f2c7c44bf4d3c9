internal import HTTPTypes
internal import ServiceLifecycle

/// A WebSocket that a client has opened (RFC 6455): messages both ways until one side closes it.
///
/// `send` and `close` may be called from any task, also from several at a time; `messages` is read by one at a time.
public final class WebSocket: Sendable {
    private struct State {
        var machine: WebSocketMachine
        /// Messages that the program hasn't taken yet.
        var inbox: [WebSocketMessage] = []
        var waiting = 0
        /// The program, while it waits for a message.
        var reader: CheckedContinuation<WebSocketMessage?, any Error>?
        /// The task that receives, while it waits until the program has taken messages.
        var receiver: CheckedContinuation<Void, Never>?
        /// The error that the program has thrown.
        var failure: (any Error)?
    }

    /// The bytes of messages that may wait for the program, and their number.
    private static let (inboxBytes, inboxCount) = (64 * 1024, 64)

    /// The subprotocol that both sides speak; nil without one.
    public let subprotocol: String?
    private let compression: WebSocketCompression?
    private let body: RequestBody
    private let line: BodyLine
    private let state: Locked<State>

    init(
        _ body: RequestBody,
        _ writer: BodyWriter,
        _ options: WebSocketOptions,
        subprotocol: String?,
        compression: WebSocketCompression?
    ) {
        (self.body, self.subprotocol, self.compression, line) = (body, subprotocol, compression, BodyLine(writer))
        state = Locked(State(machine: WebSocketMachine(options: options, compression: compression, at: .now)))
    }

    /// The messages of the client: they end when one side closes the WebSocket.
    ///
    /// The server reads from the client only as fast as the program takes them. Iterating throws `CancellationError` when the task is cancelled.
    public var messages: Messages { Messages(socket: self) }

    /// The close code and reason, from the client or this side; nil while the WebSocket is open.
    public var end: WebSocketClose? { state.withLock { $0.machine.close } }

    /// Sends a message, and returns when there is room for more: a client that doesn't read keeps `send` waiting, and is cut off
    /// after `ServerConfiguration.Timeouts.write`.
    ///
    /// - Throws: `WebSocketError.closed` when the WebSocket has ended; `StreamError` when the client has gone.
    public func send(_ message: WebSocketMessage) async throws {
        var (payload, isCompressed) = (message.bytes, false)
        if let compression, payload.count >= WebSocketCompression.least {
            let original = payload
            let smaller =
                original.count <= Turn.length
                ? compression.deflate(original) : try await Blocking.run { compression.deflate(original) }
            if let smaller { (payload, isCompressed) = (smaller, true) }
        }
        try await line.inTurn { writer in
            let frame = try state.withLock { state in
                guard state.machine.phase == .open else { throw WebSocketError.closed(state.machine.close) }
                return state.machine.encode(payload, isText: message.text != nil, isCompressed: isCompressed)
            }
            try await writer.write(frame)
        }
    }

    /// Sends nothing for some time: no message, no ping, and no response to frames of the client.
    package func stall(for time: Duration) async throws {
        try await line.inTurn { _ in try await Task.sleep(for: time) }
    }

    /// Sends a text; otherwise as `send(_:)` for messages.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Ends the WebSocket: `messages` ends, and the client has `closeTimeout` to agree. Does nothing when it has ended already.
    ///
    /// - Parameters:
    ///   - code: the code. One that may not be sent (`WebSocketClose.Code.isSendable`) becomes 1011.
    ///   - reason: at most 123 bytes in UTF-8; what is longer is cut.
    public func close(_ code: WebSocketClose.Code = .normal, reason: String = "") async {
        let frame = state.withLock { state in
            defer {
                state.reader.take()?.resume(returning: nil)
                // Later messages are dropped, so the client's close frame need not wait for the program.
                state.receiver.take()?.resume()
            }
            return state.machine.end(WebSocketClose(code.isSendable ? code : .internalError, reason), at: .now)
        }
        if let frame { try? await line.inTurn { try await $0.write(frame) } }
    }

    /// Ends the WebSocket without a close frame, as a connection that breaks does: the client gets 1006.
    package func cut(_ fault: ConnectionFault = .emptyResponse) {
        state.withLock { state in
            state.failure = BrokenStream(fault)
            state.machine.inputEnded(at: .now)
            state.reader.take()?.resume(returning: nil)
        }
    }

    // MARK: The connection's side

    private enum Part { case program, receiver, timer }

    /// Runs a function with the WebSocket to the end of both.
    func run(_ program: @escaping @Sendable (WebSocket) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                do {
                    try await program(self)
                    await self.close()
                } catch {
                    if self.end == nil { self.state.withLock { $0.failure = error } }
                    await self.close(.internalError, reason: "the server has failed")
                }
                return .program
            }
            group.addTask {
                await self.receive()
                return .receiver
            }
            group.addTask {
                try await self.keepTime()
                return .timer
            }
            group.addTask {
                try await gracefulShutdown()
                await self.close(.goingAway, reason: "the server stops")
                return .timer
            }
            defer {
                group.cancelAll()
                state.withLock { state in
                    state.machine.inputEnded(at: .now)
                    state.receiver.take()?.resume()
                }
            }
            var running: Set<Part> = [.program, .receiver]
            while !running.isEmpty, let part = try await group.next() {
                running.remove(part)
                // A task that still runs has used up the time after the end.
                if state.withLock({ $0.machine.isOver(at: .now) }) { return }
                if let broken = state.withLock(\.failure) as? BrokenStream { throw broken }
                // The deadline has changed.
                group.addTask {
                    try await self.keepTime()
                    return .timer
                }
            }
        }
        if let failure = state.withLock(\.failure) { throw failure }
    }

    /// Receives until one side has closed the WebSocket.
    private func receive() async {
        var pieces = body.makeAsyncIterator()
        while state.withLock({ $0.machine.phase != .closed }) {
            do {
                guard let piece = try await pieces.next() else { break }
                try await receive(piece)
            } catch {
                if case RequestError.overloaded = error {
                    await close(.tryAgainLater, reason: "the server has too little memory")
                }
                break
            }
        }
        state.withLock { state in
            state.machine.inputEnded(at: .now)
            if state.inbox.isEmpty { state.reader.take()?.resume(returning: nil) }
        }
    }

    private func receive(_ piece: [UInt8]) async throws {
        var position = 0
        while true {
            let action = state.withLock { state in
                let before = state.machine.held
                defer { body.hold?.add(state.machine.held - before) }
                return state.machine.next(piece.span, from: &position, at: .now)
            }
            if body.hold?.isOverdrawn ?? false { throw RequestError.overloaded }
            switch action {
            case nil: return
            case .send(let bytes): try await line.inTurn { try await $0.write(bytes) }
            case .message(let message): await deliver(message)
            }
        }
    }

    private func deliver(_ message: WebSocketMessage) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if let reader = state.reader.take() {
                    reader.resume(returning: message)
                    return true
                }
                state.inbox.append(message)
                state.waiting += message.count
                body.hold?.add(message.count)
                guard state.waiting > Self.inboxBytes || state.inbox.count >= Self.inboxCount else { return true }
                state.receiver = continuation
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    fileprivate func next() async throws -> WebSocketMessage? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { take(&$0, continuation) }
            }
        } onCancel: {
            state.withLock { $0.reader.take()?.resume(throwing: CancellationError()) }
        }
    }

    private func take(_ state: inout State, _ continuation: CheckedContinuation<WebSocketMessage?, any Error>) {
        guard state.reader == nil else { return continuation.resume(throwing: StreamError.usedTwice) }
        guard !state.inbox.isEmpty else {
            if state.machine.phase != .open { return continuation.resume(returning: nil) }
            if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
            state.reader = continuation
            return
        }
        let message = state.inbox.removeFirst()
        state.waiting -= message.count
        body.hold?.add(-message.count)
        continuation.resume(returning: message)
        if state.inbox.isEmpty, let receiver = state.receiver.take() {
            state.machine.resumed(at: .now)
            receiver.resume()
        }
    }

    /// Sends pings, and returns when the time after the end is over.
    private func keepTime() async throws {
        while true {
            let (deadline, interval, isHeld) = state.withLock {
                ($0.machine.deadline, $0.machine.options.pingInterval, $0.receiver != nil)
            }
            // The deadline may be that of a pong. If the pong comes early, the next ping is due before that deadline.
            try await Task.sleep(until: min(deadline, .now + interval), clock: .continuous)
            let action = state.withLock { state -> WebSocketMachine.Action? in
                // The program keeps the client waiting.
                if isHeld || state.receiver != nil { state.machine.resumed(at: .now) }
                if state.machine.isOver(at: .now) { return nil }
                return state.machine.timedOut(at: .now)
            }
            if case .send(let bytes) = action { try await line.inTurn { try await $0.write(bytes) } }
            if state.withLock({ $0.machine.isOver(at: .now) }) { return }
        }
    }

    /// The messages of a WebSocket.
    public struct Messages: AsyncSequence, AsyncIteratorProtocol, Sendable {
        fileprivate let socket: WebSocket

        /// The next message; nil at the end.
        public func next() async throws -> WebSocketMessage? { try await socket.next() }

        /// Starts to read.
        public func makeAsyncIterator() -> Messages { self }
    }
}

/// A message that can't be sent.
public enum WebSocketError: Error, Equatable, CustomStringConvertible {
    /// The WebSocket has ended.
    case closed(WebSocketClose?)

    /// The problem in words.
    public var description: String {
        switch self {
        case .closed(let close): "the WebSocket has ended: \(close.map { "\($0.code.rawValue) \($0.reason)" } ?? "")"
        }
    }
}

extension Response {
    /// A WebSocket with the client, until the function returns, the client closes it, or the server stops: then it gets 1001.
    ///
    /// A request for anything else gets 426, and a page of another origin 403. The function's task is cancelled when the client
    /// disconnects, or `closeTimeout` after the end of the WebSocket.
    ///
    /// - Parameters:
    ///   - request: the client's request.
    ///   - options: limits, subprotocols and origins.
    ///   - program: reads and sends messages. When it throws, the client gets 1011.
    public static func webSocket(
        _ request: Request,
        options: WebSocketOptions = WebSocketOptions(),
        _ program: @escaping @Sendable (WebSocket) async throws -> Void
    ) throws -> Response {
        let (fields, subprotocol, compression) = try WebSocketHandshake.accept(request, options)
        guard let body = request.body.upgraded else { throw WebSocketHandshake.Refusal.notAsked }
        return Response(
            status: .switchingProtocols,
            headers: fields,
            body: .stream { writer in
                let socket = WebSocket(body, writer, options, subprotocol: subprotocol, compression: compression)
                try await socket.run(program)
            }
        )
    }
}
