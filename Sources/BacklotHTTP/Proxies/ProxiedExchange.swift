package import HTTPTypes
internal import Synchronization

/// A request that went through a reverse proxy, and its outcome.
///
/// Bodies have the form that they have on the wire, including content codings, but without framing.
package struct ProxiedExchange: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The path and the query below the backend's base path, percent-encoded as sent by the client.
    package var target: String
    private var sentHeaders: MessageFields
    /// The approximate number of bytes of both messages' header fields.
    package var headSize: Int { sentHeaders.size + passedHeaders.size }
    /// The header fields that the client sent.
    package var requestHeaders: HTTPFields {
        get { sentHeaders.fields }
        set { sentHeaders = .made(newValue) }
    }
    /// The body sent by the client; nil if it, together with the other kept bodies, exceeds the limit, or if it wasn't read
    /// completely.
    package var requestBody: [UInt8]?
    /// The status that the client got: the backend's, or the proxy's if the backend sent none.
    package var status: HTTPResponse.Status
    /// The header fields that the client got. Without the fields that every sender writes itself (`Content-Length` and those
    /// about one connection), and without the proxy's `Via`.
    package var responseHeaders: HTTPFields {
        get { passedHeaders.fields }
        set { passedHeaders = .made(newValue) }
    }
    /// The same fields, unchanged.
    var passedHeaders: MessageFields
    /// The body that the client got; nil if it, together with the other kept bodies, exceeds the limit, or if it didn't arrive
    /// completely.
    package var responseBody: [UInt8]?
    /// The ends of the pieces of a stream of events, with their times since `began`.
    package var arrivals: [(end: Int, time: Duration)] = []
    /// The events of a WebSocket, with their times since `began`; nil for other responses.
    package var messages: [ProxiedMessage]?
    /// The time when the proxy began with the exchange.
    package var began: ContinuousClock.Instant
    /// The time from then to the end of the response's body.
    package var duration: Duration
    /// The reason why the backend's response is missing or incomplete; nil for a complete one.
    package var failure: ClientConnectionError?

    package init(
        method: HTTPRequest.Method,
        target: String,
        requestHeaders: HTTPFields,
        requestBody: [UInt8]?,
        status: HTTPResponse.Status,
        responseHeaders: HTTPFields,
        responseBody: [UInt8]?,
        began: ContinuousClock.Instant,
        duration: Duration,
        failure: ClientConnectionError? = nil
    ) {
        self.method = method
        self.target = target
        sentHeaders = .made(requestHeaders)
        self.requestBody = requestBody
        self.status = status
        passedHeaders = .made(responseHeaders)
        self.responseBody = responseBody
        self.began = began
        self.duration = duration
        self.failure = failure
    }

    /// Creates the exchange for a request that doesn't have a response yet.
    init(_ request: ProxyRequest) {
        method = request.method
        target = request.target
        sentHeaders = .sent(request.headers)
        status = .badGateway
        passedHeaders = .made([:])
        began = .now
        duration = .zero
    }
}

/// An event of a WebSocket that went through a reverse proxy.
package struct ProxiedMessage: Sendable, Equatable {
    /// The kinds of events.
    package enum Event: Sendable, Equatable {
        case message(WebSocketMessage)
        /// A close frame; nil for the end of the connection without one.
        case end(WebSocketClose?)
    }

    /// Whether the client sent it, rather than the backend.
    package let isClients: Bool
    package let event: Event
    package let time: Duration

    package init(isClients: Bool, _ event: Event, at time: Duration) {
        (self.isClients, self.event, self.time) = (isClients, event, time)
    }
}

/// The header fields of a message. `HTTPFields` are made from the sent bytes only on demand.
enum MessageFields {
    case made(HTTPFields)
    case sent(RequestHeaders)
    case passed(FieldList)

    /// The media type, in lower case.
    var type: String? {
        if case .passed(let list) = self {
            list["content-type"]?.lowercased()
        } else {
            fields[.contentType]?.lowercased()
        }
    }

    /// Their approximate number of bytes.
    var size: Int {
        switch self {
        case .made(let fields): fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        case .sent(let headers): headers.size
        case .passed(let list): list.bytes.count
        }
    }

    var fields: HTTPFields {
        switch self {
        case .made(let fields): return fields
        case .sent(let headers): return HTTPFields(headers)
        case .passed(let list):
            var fields = HTTPFields(list)
            fields[.contentLength] = nil
            return fields
        }
    }
}

extension HTTPFields {
    /// The fields of a request.
    init(_ headers: RequestHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

/// The record of one exchange through a proxy, until its observer gets it.
final class Observation: Sendable {
    /// The received part of a body.
    private struct Body {
        var pieces: [[UInt8]] = []
        var count = 0
        var isWhole = false
        /// Whether it exceeds the limit for kept bodies.
        var isDropped = false

        var bytes: [UInt8]? { isWhole && !isDropped ? gathered : nil }

        /// The received bytes.
        var gathered: [UInt8] {
            if pieces.count == 1 { return pieces[0] }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            for piece in pieces { bytes += piece }
            return bytes
        }
    }

    private struct State {
        var request = Body()
        var response = Body()
        var exchange: ProxiedExchange
        var isOver = false
        /// Whether the response is a stream of events or a WebSocket, which may have no other end than that its client leaves.
        var isEvents = false
        /// The readers of a WebSocket's frames.
        var webSocket: (client: WebSocketMachine, backend: WebSocketMachine)?

        mutating func add(_ event: ProxiedMessage.Event, isClients: Bool) {
            let time = exchange.began.duration(to: .now)
            exchange.messages?.append(ProxiedMessage(isClients: isClients, event, at: time))
        }
    }

    /// The most arrivals, and messages of a WebSocket, that are kept.
    private static let mostArrivals = 10_000
    /// The longest message of a WebSocket that is kept, in bytes.
    private static let messageLimit = 1024 * 1024

    private let request: ProxyRequest
    private let limit: Int
    private let budget: BufferBudget
    private let observe: @Sendable (ProxiedExchange) -> Void
    private let state: Locked<State>

    init(
        _ request: ProxyRequest,
        limit: Int,
        _ budget: BufferBudget,
        _ observe: @escaping @Sendable (ProxiedExchange) -> Void
    ) {
        self.request = request
        self.limit = limit
        self.budget = budget
        self.observe = observe
        state = Locked(State(exchange: ProxiedExchange(request)))
    }

    deinit {
        // A response that was never sent, for example because the client had gone.
        ends(.cancelled)
    }

    /// Whether to keep a body, judging by its length if known.
    func wants(_ length: Int?) -> Bool { length.map { $0 <= limit } ?? true }

    /// Records a piece of the request's body; nil marks its end.
    func requestPiece(_ piece: [UInt8]?) {
        state.withLock { state in
            if state.webSocket != nil {
                if let piece { read(piece, isClients: true, &state) } else { state.request.isWhole = true }
            } else {
                add(piece, to: &state.request)
            }
        }
    }

    /// Reads one side's frames, and keeps the messages among them.
    private func read(_ piece: [UInt8], isClients: Bool, _ state: inout State) {
        guard (isClients ? state.webSocket?.client : state.webSocket?.backend)?.phase == .open else { return }
        var position = 0
        let now = state.exchange.began
        while let action = isClients
            ? state.webSocket?.client.next(piece.span, from: &position, at: now)
            : state.webSocket?.backend.next(piece.span, from: &position, at: now)
        {
            guard case .message(let message) = action, !state.response.isDropped else { continue }
            if state.exchange.messages?.count ?? 0 < Self.mostArrivals, state.response.count + message.count <= limit,
                budget.takeIfFree(message.count)
            {
                state.response.count += message.count
                state.add(.message(message), isClients: isClients)
            } else {
                dropMessages(&state)
            }
        }
        guard let machine = isClients ? state.webSocket?.client : state.webSocket?.backend else { return }
        if machine.hasFailed {
            dropMessages(&state)
        } else if let close = machine.close {
            state.add(.end(close), isClients: isClients)
        }
    }

    private func dropMessages(_ state: inout State) {
        drop(&state.response)
        state.exchange.messages = []
    }

    /// Records a piece of the response's body.
    func responsePiece(_ piece: [UInt8]) {
        state.withLock { state in
            if state.webSocket != nil { return read(piece, isClients: false, &state) }
            add(piece, to: &state.response)
            guard state.isEvents, state.exchange.arrivals.count < Self.mostArrivals else { return }
            state.exchange.arrivals.append((state.response.count, state.exchange.began.duration(to: .now)))
        }
    }

    private func add(_ piece: [UInt8]?, to body: inout Body) {
        guard let piece else { return body.isWhole = true }
        guard !body.isDropped else { return }
        if body.count + piece.count <= limit, budget.takeIfFree(piece.count) {
            body.count += piece.count
            body.pieces.append(piece)
        } else {
            drop(&body)
        }
    }

    private func drop(_ body: inout Body) {
        budget.take(-body.count)
        body = Body(isDropped: true)
    }

    /// Drops the request's body.
    func dropsRequest() {
        state.withLock { $0.request.isDropped = true }
    }

    /// Drops the response's body.
    func dropsResponse() {
        state.withLock { $0.response.isDropped = true }
    }

    /// Records the head of the response.
    func begins(_ status: HTTPResponse.Status, _ headers: MessageFields) {
        state.withLock { state in
            (state.exchange.status, state.exchange.passedHeaders) = (status, headers)
            state.isEvents = status.code == 101 || headers.type?.hasPrefix("text/event-stream") ?? false
            guard status.code == 101 else { return }
            var options = WebSocketOptions()
            options.messageLimit = min(limit, Self.messageLimit)
            let now = state.exchange.began
            state.exchange.messages = []
            state.webSocket = (
                WebSocketMachine(.server, options: options, at: now),
                WebSocketMachine(.client, options: options, at: now)
            )
        }
    }

    /// Ends with a complete response and its whole body.
    func ends(body: [UInt8]) {
        tell(nil, response: body)
    }

    /// Ends with a response of the proxy itself.
    func ends(_ response: Response, _ failure: ClientConnectionError? = nil) {
        begins(response.status, .made(response.headers))
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        tell(failure, response: body)
    }

    /// Ends with the end of the response's body.
    func ends(_ failure: ClientConnectionError?) {
        tell(failure, response: nil)
    }

    private func tell(_ failure: ClientConnectionError?, response: [UInt8]?) {
        let ended = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.response.isWhole = failure == nil || failure == .cancelled && state.isEvents
            if state.webSocket != nil {
                let isClients = state.request.isWhole || failure == .cancelled
                (state.request.isWhole, state.response.isWhole) = (true, true)
                state.add(.end(nil), isClients: isClients)
            }
            defer { (state.request.pieces, state.response.pieces) = ([], []) }
            return state
        }
        guard let ended else { return }
        var exchange = ended.exchange
        exchange.requestBody = ended.request.bytes
        if case .stream(let stream) = request.body, failure == nil, !ended.request.isDropped, !ended.request.isWhole {
            // The end may come later than the last byte, and later than the response. If a backend responds before it has
            // received the body, for example because it refuses an upload, the response doesn't depend on the body.
            exchange.requestBody = stream.declaredLength == ended.request.count ? ended.request.gathered : []
        }
        if case .bytes(let bytes) = request.body { exchange.requestBody = bytes.count <= limit ? bytes : nil }
        exchange.responseBody = response.map { $0.count <= limit ? $0 : nil } ?? ended.response.bytes
        exchange.duration = exchange.began.duration(to: .now)
        let isUsualEnd = ended.webSocket != nil || ended.isEvents && failure == .cancelled
        exchange.failure = isUsualEnd ? nil : failure
        observe(exchange)
        budget.take(-ended.request.count - ended.response.count)
    }
}
