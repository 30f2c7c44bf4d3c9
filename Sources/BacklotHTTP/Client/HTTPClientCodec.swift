internal import HTTPTypes

/// One version of HTTP as a client speaks it on one connection, one exchange at a time. It does no I/O.
protocol HTTPClientCodec: AnyObject {
    /// The version, as `Via` names it.
    var version: StaticString { get }
    /// The status and the header fields of the answer; nil while they aren't whole.
    var response: (status: HTTPResponse.Status, fields: FieldList)? { get }
    /// Whether bytes that were received belong to the answer.
    var hasBegun: Bool { get }
    /// Whether the server has asked for the request's body.
    var isContinued: Bool { get }
    /// Whether the answer is whole.
    var isFinished: Bool { get }
    /// How many bytes of the answer's body have come.
    var bodyCount: Int { get }
    /// Whether all of the request has been handed out by `takeOutput`.
    var isRequestSent: Bool { get }
    /// How many bytes of the request's body wait for the server to take them, beside those that were handed out.
    var unsent: Int { get }
    /// Whether another exchange may begin, once this one is over.
    var isReusable: Bool { get }
    /// Whether the server has said that it hasn't looked at the request, and never will.
    var isRefused: Bool { get }

    /// Begins an exchange with the head of a request. Its body follows.
    func begin(_ request: OutgoingRequest) throws(ClientConnectionError)

    /// Adds bytes of the request's body.
    func send(_ body: [UInt8])

    /// The request is whole.
    func endBody()

    /// Takes in bytes of the answer.
    func receive(_ bytes: Span<UInt8>) throws(ClientConnectionError)

    /// The connection has ended.
    func end() throws(ClientConnectionError)

    /// Takes out what has come of the answer's body.
    func takeBody() -> [UInt8]

    /// So many bytes of the body have found a reader.
    func consumed(_ count: Int)

    /// The bytes to send next; empty while there are none.
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
        parser = ResponseParser(bounds: bounds, isHead: request.method == .head)
        isEnded = false
        isChunked = request.length == nil
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
