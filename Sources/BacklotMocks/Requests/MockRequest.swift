public import BacklotHTTP
public import BacklotJSON
public import HTTPTypes

/// A request with its body, as patterns and templates see it. It stays what it is when the request has been answered.
public struct MockRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path below what the mocks are mounted at, percent-encoded as it was sent; it begins with a slash.
    public let path: String
    /// What follows the question mark, percent-encoded as it was sent; nil where there is none.
    public let query: String?
    /// The header fields, in the order they were sent.
    public let headers: RequestHeaders
    /// The body.
    public private(set) var body: [UInt8]
    /// The values of the path's parameters by their names, percent-decoded.
    public var pathParameters: [String: String] = [:]
    /// When it was there, body included.
    public let received = ContinuousClock.now
    private var parsedBody: ParsedBody?

    /// A request.
    ///
    /// - Parameters:
    ///   - request: where all but the body is from.
    ///   - body: the body, all of it.
    ///   - prefix: what the mocks are mounted at, without a slash at its end; empty for `/`.
    public init(_ request: Request, body: [UInt8], below prefix: String = "") {
        method = request.method
        let path = request.path
        if prefix.isEmpty {
            self.path = path
        } else {
            let own = path.utf8.dropFirst(prefix.utf8.count)
            self.path = own.isEmpty ? "/" : String(Substring(own))
        }
        query = request.query
        headers = request.headers
        self.body = body
        parsedBody = body.isEmpty ? nil : ParsedBody()
    }

    /// A request that came over no connection.
    ///
    /// - Throws: `RequestError` when no client could send it.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) throws(RequestError) {
        self.init(try Request(method, target, headers: headers, body: body), body: body)
    }

    /// The same request to be kept for long: what was parsed is forgotten, and unless it is kept the body too.
    func forKeeping(body keepsBody: Bool) -> MockRequest {
        var copy = self
        if !keepsBody { copy.body = [] }
        copy.parsedBody = copy.body.isEmpty ? nil : ParsedBody()
        return copy
    }

    /// The path and the query, as they were sent.
    public var url: String { query.map { "\(path)?\($0)" } ?? path }

    /// Method and URL, for messages.
    var title: String { "\(method) \(url.shown)" }

    /// The body as a JSON value; nil when it is none. It is parsed once.
    public var json: JSONValue? { parsedBody?.value(of: body) }

    /// The body as text; what is not UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The client's variables: the members of a body that is a JSON object.
    public var variables: JSONObject { json?.object ?? JSONObject() }
}

/// The body as JSON, once somebody has asked.
private final class ParsedBody: Sendable {
    private let parsed = Locked<JSONValue??>(nil)

    func value(of body: [UInt8]) -> JSONValue? {
        parsed.withLock { parsed in
            if let parsed { return parsed }
            let value = try? JSONValue(parsing: body)
            parsed = .some(value)
            return value
        }
    }
}
