internal import HTTPTypes

/// One version of HTTP, spoken by a client on one connection, one exchange at a time. It does no I/O.
protocol HTTPClientCodec: AnyObject {
    /// The version in the form of `Via`.
    var version: StaticString { get }
    /// The status and the header fields of the response; nil while they are incomplete.
    var response: (status: HTTPResponse.Status, fields: FieldList)? { get }
    /// Whether received bytes belong to the response.
    var hasBegun: Bool { get }
    /// Whether the server has asked for the request's body.
    var isContinued: Bool { get }
    /// Whether the response is complete.
    var isFinished: Bool { get }
    /// The number of received bytes of the response's body.
    var bodyCount: Int { get }
    /// Whether `takeOutput` has returned the whole request.
    var isRequestSent: Bool { get }
    /// The number of bytes of the request's body that wait for the server, besides those already returned.
    var unsent: Int { get }
    /// Whether another exchange may begin after this one.
    var isReusable: Bool { get }
    /// Whether the server has said that it hasn't processed the request, and never will.
    var isRefused: Bool { get }

    /// Begins an exchange with the head of a request. Its body follows.
    func begin(_ request: OutgoingRequest) throws(ClientConnectionError)

    /// Adds bytes of the request's body.
    func send(_ body: [UInt8])

    /// Ends the request's body.
    func endBody()

    /// Reads bytes of the response.
    func receive(_ bytes: Span<UInt8>) throws(ClientConnectionError)

    /// The connection has ended.
    func end() throws(ClientConnectionError)

    /// Removes and returns the received bytes of the response's body.
    func takeBody() -> [UInt8]

    /// A reader has accepted `count` bytes of the body.
    func consumed(_ count: Int)

    /// The bytes to send next; empty if nothing is ready.
    func takeOutput() -> [UInt8]
}

/// HTTP/1.1 (RFC 9112).
final class HTTP1Client: HTTPClientCodec {
    private let bounds: ClientBounds
    private var parser: ResponseParser
    private var output: [UInt8] = []
    private var isChunked = false
    private var isEnded = false

    init(bounds: ClientBounds) {
        self.bounds = bounds
        parser = ResponseParser(bounds: bounds, isHead: false)
    }

    var version: StaticString { "1.1" }
    var response: (status: HTTPResponse.Status, fields: FieldList)? { parser.response }
    var hasBegun: Bool { true }
    var isContinued: Bool { parser.isContinued }
    var isFinished: Bool { parser.isFinished }
    var bodyCount: Int { parser.bodyCount }
    var isRequestSent: Bool { isEnded && output.isEmpty }
    var unsent: Int { output.count }
    var isReusable: Bool { parser.isPersistent }
    var isRefused: Bool { false }

    func begin(_ request: OutgoingRequest) {
        parser = ResponseParser(
            bounds: bounds,
            isHead: request.method == .head,
            accepting: request.opensWebSocket
                ? WebSocketHandshake.accept(request.headers["sec-websocket-key"] ?? "") : nil
        )
        isEnded = false
        isChunked = request.length == nil && !request.opensWebSocket
        var bytes = output
        output = []
        request.writeHead(into: &bytes)
        output = bytes
    }

    func send(_ body: [UInt8]) {
        // An empty chunk would be the last.
        guard !body.isEmpty else { return }
        if isChunked { ResponseEncoder.writeChunk(body, into: &output) } else { output += body }
    }

    func endBody() {
        if isChunked { ResponseEncoder.writeEnd(.chunked, into: &output) }
        isEnded = true
    }

    func receive(_ bytes: Span<UInt8>) throws(ClientConnectionError) { try parser.feed(bytes) }

    func end() throws(ClientConnectionError) { try parser.end() }

    func takeBody() -> [UInt8] { parser.takeBody() }

    func consumed(_ count: Int) {}

    func takeOutput() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&output, &taken)
        return taken
    }
}
