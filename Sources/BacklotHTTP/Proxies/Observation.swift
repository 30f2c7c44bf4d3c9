internal import HTTPTypes
internal import Synchronization

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
        var status = HTTPResponse.Status.badGateway
        var headers = MessageFields.made([:])
        var isOver = false
    }

    private let request: ProxyRequest
    private let limit: Int
    private let budget: BufferBudget
    private let observe: @Sendable (ProxiedExchange) -> Void
    private let began = ContinuousClock.now
    private let state = Locked(State())

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
        state.withLock { state in (state.status, state.headers) = (status, headers) }
    }

    /// The answer is whole, and all of its body was there at once.
    func ends(body: [UInt8]) {
        tell(nil, response: body)
    }

    /// The answer is one of the proxy's own.
    func ends(_ response: Response, _ failure: ClientFault? = nil) {
        begins(response.status, .made(response.headers))
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        tell(failure, response: body)
    }

    /// The answer's body is over.
    func ends(_ failure: ClientFault?) {
        tell(failure, response: nil)
    }

    private func tell(_ failure: ClientFault?, response: [UInt8]?) {
        let ended = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.response.isWhole = failure == nil
            defer { (state.request.pieces, state.response.pieces) = ([], []) }
            return state
        }
        guard let ended else { return }
        var requestBody = ended.request.bytes
        if case .stream(let stream) = request.body, failure == nil, !ended.request.isDropped, !ended.request.isWhole {
            // The end may come later than the last byte, and later than the answer. A backend that answers before it has got the
            // body, as when it refuses an upload, doesn't answer the body.
            requestBody = stream.declaredLength == ended.request.count ? ended.request.gathered : []
        }
        if case .bytes(let bytes) = request.body { requestBody = bytes.count <= limit ? bytes : nil }
        observe(
            ProxiedExchange(
                method: request.method,
                target: request.target,
                sent: .sent(request.headers),
                requestBody: requestBody,
                status: ended.status,
                answered: ended.headers,
                responseBody: response.map { $0.count <= limit ? $0 : nil } ?? ended.response.bytes,
                began: began,
                duration: began.duration(to: .now),
                failure: failure
            )
        )
        budget.take(-ended.request.count - ended.response.count)
    }
}
