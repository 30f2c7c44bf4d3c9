internal import HTTPTypes

/// A request and its answer, in the form of one version of HTTP, on a connection of their own. It does no I/O.
protocol OutgoingExchange {
    /// The status and the header fields of the answer; nil while they aren't whole.
    var response: (status: HTTPResponse.Status, headers: HTTPFields)? { get }
    /// Whether bytes that were received belong to the answer.
    var hasBegun: Bool { get }
    /// The body of the answer, as far as it has come.
    var body: [UInt8] { get }
    /// Whether the request's body waits for a 100.
    var isBodyHeld: Bool { get }

    /// Takes in bytes of the answer.
    mutating func receive(_ bytes: Span<UInt8>) throws(ClientFault) -> ResponseParser.Progress

    /// Reads on in what is there already, after a 100.
    mutating func resume() throws(ClientFault) -> ResponseParser.Progress

    /// The connection has ended.
    mutating func end() throws(ClientFault)

    /// Lets the body go that was held back.
    mutating func releaseBody()

    /// The bytes to send next; empty while there are none.
    mutating func takeOutput() -> [UInt8]
}

/// An exchange over HTTP/1.1 (RFC 9112).
struct HTTP1Exchange: OutgoingExchange {
    private var parser: ResponseParser
    private var output: [UInt8]
    private var heldBody: [UInt8]?

    init(_ request: OutgoingRequest, bounds: ClientBounds) {
        parser = ResponseParser(bounds: bounds, isHead: request.method == .head)
        let holdsBody = request.waitsForContinue && !request.body.isEmpty
        output = holdsBody ? request.head : request.head + request.body
        heldBody = holdsBody ? request.body : nil
    }

    var response: (status: HTTPResponse.Status, headers: HTTPFields)? { parser.response }
    var hasBegun: Bool { true }
    var body: [UInt8] { parser.body }
    var isBodyHeld: Bool { heldBody != nil }

    mutating func receive(_ bytes: Span<UInt8>) throws(ClientFault) -> ResponseParser.Progress {
        try parser.feed(bytes)
    }

    mutating func resume() throws(ClientFault) -> ResponseParser.Progress { try parser.resume() }

    mutating func end() throws(ClientFault) { try parser.end() }

    mutating func releaseBody() {
        output += heldBody ?? []
        heldBody = nil
    }

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}
