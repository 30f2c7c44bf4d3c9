package import HTTPTypes
internal import Synchronization

/// A request that went through a reverse proxy, and what came of it.
///
/// Bodies are as they went over the wire, content codings included, free of the framing.
package struct ProxiedExchange: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The path and the query below the backend's base path, percent-encoded as the client sent them.
    package var target: String
    private var sentHeaders: MessageFields
    /// About how many bytes the header fields of both have.
    package var headSize: Int { sentHeaders.size + passedHeaders.size }
    /// The header fields that the client sent.
    package var requestHeaders: HTTPFields {
        get { sentHeaders.fields }
        set { sentHeaders = .made(newValue) }
    }
    /// The body that the client sent; nil where it, with the others that are kept at the time, is larger than is kept, or
    /// not all of it was read.
    package var requestBody: [UInt8]?
    /// The status that the client got: the backend's, or the proxy's where the backend gave none.
    package var status: HTTPResponse.Status
    /// The header fields that the client got, those left out that every sender writes itself (`Content-Length` and what is
    /// about one connection), and the proxy's `Via`.
    package var responseHeaders: HTTPFields {
        get { passedHeaders.fields }
        set { passedHeaders = .made(newValue) }
    }
    /// The same as they were sent.
    var passedHeaders: MessageFields
    /// The body that the client got; nil where it, with the others that are kept at the time, is larger than is kept, or
    /// not all of it came.
    package var responseBody: [UInt8]?
    /// When the proxy began with it.
    package var began: ContinuousClock.Instant
    /// From then to the end of the answer's body.
    package var duration: Duration
    /// Why the backend's answer isn't there, or not whole; nil where it is.
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

    /// A request that has no answer yet.
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

/// The header fields of a message, made of the bytes that were sent when they are asked for.
enum MessageFields {
    case made(HTTPFields)
    case sent(RequestHeaders)
    case passed(FieldList)

    /// About how many bytes they have.
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

/// What becomes of one exchange through a proxy, until its observer is told.
final class Observation: Sendable {
    /// A body as far as it has come.
    private struct Body {
        var pieces: [[UInt8]] = []
        var count = 0
        var isWhole = false
        /// It is larger than is kept.
        var isDropped = false

        var bytes: [UInt8]? { isWhole && !isDropped ? gathered : nil }

        /// What has come.
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
    }

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
        // An answer that nobody sent, as when the client had gone.
        ends(.cancelled)
    }

    /// Whether a body is kept, by its length where that is known.
    func wants(_ length: Int?) -> Bool { length.map { $0 <= limit } ?? true }

    /// A piece of the request's body has gone by; nil for its end.
    func requestPiece(_ piece: [UInt8]?) {
        state.withLock { add(piece, to: &$0.request) }
    }

    /// A piece of the answer's body has gone by.
    func responsePiece(_ piece: [UInt8]) {
        state.withLock { add(piece, to: &$0.response) }
    }

    private func add(_ piece: [UInt8]?, to body: inout Body) {
        guard let piece else { return body.isWhole = true }
        guard !body.isDropped else { return }
        if body.count + piece.count <= limit, budget.takeIfFree(piece.count) {
            body.count += piece.count
            body.pieces.append(piece)
        } else {
            budget.take(-body.count)
            body = Body(isDropped: true)
        }
    }

    /// The request's body is not kept.
    func dropsRequest() {
        state.withLock { $0.request.isDropped = true }
    }

    /// The answer's body is not kept.
    func dropsResponse() {
        state.withLock { $0.response.isDropped = true }
    }

    /// The head of the answer is there.
    func begins(_ status: HTTPResponse.Status, _ headers: MessageFields) {
        state.withLock { ($0.exchange.status, $0.exchange.passedHeaders) = (status, headers) }
    }

    /// The answer is whole, and all of its body was there at once.
    func ends(body: [UInt8]) {
        tell(nil, response: body)
    }

    /// The answer is one of the proxy's own.
    func ends(_ response: Response, _ failure: ClientConnectionError? = nil) {
        begins(response.status, .made(response.headers))
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        tell(failure, response: body)
    }

    /// The answer's body is over.
    func ends(_ failure: ClientConnectionError?) {
        tell(failure, response: nil)
    }

    private func tell(_ failure: ClientConnectionError?, response: [UInt8]?) {
        let ended = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.response.isWhole = failure == nil
            defer { (state.request.pieces, state.response.pieces) = ([], []) }
            return state
        }
        guard let ended else { return }
        var exchange = ended.exchange
        exchange.requestBody = ended.request.bytes
        if case .stream(let stream) = request.body, failure == nil, !ended.request.isDropped, !ended.request.isWhole {
            // The end may come later than the last byte, and later than the answer. A backend that answers before it has got the
            // body, as when it refuses an upload, doesn't answer the body.
            exchange.requestBody = stream.declaredLength == ended.request.count ? ended.request.gathered : []
        }
        if case .bytes(let bytes) = request.body { exchange.requestBody = bytes.count <= limit ? bytes : nil }
        exchange.responseBody = response.map { $0.count <= limit ? $0 : nil } ?? ended.response.bytes
        exchange.duration = exchange.began.duration(to: .now)
        exchange.failure = failure
        observe(exchange)
        budget.take(-ended.request.count - ended.response.count)
    }
}
