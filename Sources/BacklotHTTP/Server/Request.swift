public import HTTPTypes

/// A request as a handler sees it. Its texts are made from the bytes of the head when they are asked for.
public struct Request: Sendable {
    let head: RequestHead
    /// The method, case-sensitive (RFC 9110, section 9).
    public let method: HTTPRequest.Method
    /// The body: read it as a sequence of pieces, or `collect` it.
    public var body: RequestBody
    /// The address at the other end of the connection: the client's, or its nearest proxy's.
    public let remoteAddress: SocketAddress
    /// Values that middleware and routers attach on the way to the handler.
    public var attributes = RequestAttributes()

    init(head: RequestHead, body: RequestBody, remoteAddress: SocketAddress) {
        self.head = head
        self.method = Self.method(of: head)
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The target as it was sent, for example `/hotels?page=2` (RFC 9112, section 3.2).
    public var target: String { head.string(head.line.target) }

    /// The path, percent-encoded as it was sent. `*` for an OPTIONS request about the whole server.
    public var path: String { head.string(head.line.path) }

    /// Calls `body` with the bytes of the path, for those who need no text of it.
    package func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let bytes = head.bytes
        return body(bytes.span.extracting(head.line.path))
    }

    /// What follows the target's question mark, percent-encoded as it was sent; nil where there is none.
    public var query: String? { head.line.query.map(head.string) }

    /// The header fields.
    public var headers: RequestHeaders { RequestHeaders(head: head) }

    private static func method(of head: RequestHead) -> HTTPRequest.Method {
        if head.isMethod("GET") { return .get }
        if head.isMethod("POST") { return .post }
        if head.isMethod("HEAD") { return .head }
        // Only tokens get through the parser, and any token is a method.
        return HTTPRequest.Method(head.string(head.line.method)) ?? .get
    }
}
