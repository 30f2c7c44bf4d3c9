public import Backlot

/// A request with its body, for patterns and templates. It stays valid after the response.
public struct MockRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path below the path that the mocks are mounted at, percent-encoded; it begins with a slash.
    public let path: String
    /// The path's segments, decoded: an encoded slash isn't a separator.
    public let pathSegments: [String]
    /// The query after the question mark, percent-encoded; nil without a question mark.
    public let rawQuery: String?
    /// The path and the query as sent, which WireMock compares with `url` and `urlPattern`; nil if `url` is the same.
    let sentURL: String?
    /// The header fields, in the order they were sent.
    public let headers: RequestHeaders
    /// The body.
    public private(set) var body: [UInt8]
    /// The address at the other end of the connection: the client's, or its nearest proxy's.
    public let remoteAddress: SocketAddress
    /// The client's address, according to the proxies that the server trusts.
    public let clientAddress: SocketAddress
    /// Whether the sender's fields about its client are believed.
    package let believesClientFields: Bool
    /// `https` for a request over TLS, or if a trusted proxy says so; otherwise `http`.
    package let scheme: String
    /// Whether it opens a WebSocket.
    let opensWebSocket: Bool
    /// The time at which it was complete, with its body.
    public var received: ContinuousClock.Instant { Self.start + sinceStart }
    // An instant's size is known only at run time, which would make each copy of a request slow.
    private let sinceStart = start.duration(to: .now)
    private static let start = ContinuousClock.now
    private var parsedBody: ParsedBody?

    /// A request.
    ///
    /// - Parameters:
    ///   - request: the source of everything except the body.
    ///   - body: the body, all of it.
    ///   - prefix: the path that the mocks are mounted at, without a slash at its end; empty for `/`.
    public init(_ request: Request, body: [UInt8], below prefix: String = "") {
        method = request.method
        path = Self.own(request.path, below: prefix)
        sentURL = request.sentTarget.map { Self.own($0, below: prefix) }
        pathSegments = request.mockSegments(below: prefix)
        rawQuery = request.rawQuery
        headers = request.headers
        remoteAddress = request.remoteAddress
        clientAddress = request.clientAddress
        believesClientFields = request.believesClientFields
        scheme = request.scheme
        opensWebSocket = request.opensWebSocket
        self.body = body
        parsedBody = body.isEmpty ? nil : ParsedBody()
    }

    private static func own(_ target: String, below prefix: String) -> String {
        guard !prefix.isEmpty else { return target }
        let own = target.utf8.dropFirst(prefix.utf8.count)
        return (own.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(own))
    }

    /// A request without a connection.
    ///
    /// - Throws: `RequestError` for a request that no client could send.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) throws(RequestError) {
        self.init(try Request(method, target, headers: headers, body: body), body: body)
    }

    /// A copy for keeping: without parsed values, and without the body unless requested.
    func forKeeping(body keepsBody: Bool) -> MockRequest {
        var copy = self
        if !keepsBody { copy.body = [] }
        copy.parsedBody = copy.body.isEmpty ? nil : ParsedBody()
        return copy
    }

    /// The path and the query, percent-encoded.
    public var url: String { rawQuery.map { "\(path)?\($0)" } ?? path }

    /// The host that the client named, without its port; empty without one.
    var host: String {
        let authority = headerValues("Host").first ?? ""
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }

    /// The port that the client named, or the scheme's.
    var port: Int {
        let authority = headerValues("Host").first ?? ""
        let rest = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...]
        if rest.contains(":"), let port = rest.split(separator: ":").last.flatMap({ Int($0) }) { return port }
        return scheme == "https" ? 443 : 80
    }

    /// Method and URL, for messages.
    var title: String { "\(method) \(url.shown)" }

    /// The body as a JSON value; nil for other bodies. It is parsed once.
    public var json: JSONValue? { parsedBody?.value(of: body) }

    /// The body as text; bytes that aren't UTF-8, and too many combining marks, become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self).withFewMarks }

    /// The client's variables: the members of a body that is a JSON object.
    public var variables: JSONObject { json?.object ?? JSONObject() }

    /// The error in the variables that a client has posted; nil if they are valid, or if it has posted none.
    var variablesError: StatusError? {
        guard method == .post, !body.isEmpty, json?.object == nil else { return nil }
        do throws(JSONParseError) {
            _ = try JSONValue(parsing: body)
        } catch {
            return StatusError(.badRequest, "the body is not JSON: \(error)")
        }
        return StatusError(.badRequest, "the body is not a JSON object: variables are sent as {\"name\": value}")
    }
}

extension MockRequest {
    /// The query's parameters, in their order, decoded: `+` is a blank.
    public var queryParameters: [NamedValue] {
        rawQuery.map { NamedValue.decoded($0) } ?? []
    }

    /// The first value of a query's parameter, decoded; nil if it is missing. It is cheaper than ``queryParameters``.
    public func queryValue(_ name: String) -> String? {
        rawQuery.flatMap { NamedValue.first(name, in: $0) }
    }

    /// The cookies, in their order. Quotes around a value don't count, as in WireMock.
    public var cookies: [NamedValue] {
        headers[values: .cookie].flatMap { CookieHeader.pairs(in: $0) }.map {
            NamedValue(name: $0.name, value: CookieHeader.unquoted($0.value))
        }
    }

    /// The values of the header fields of a name, in any case.
    public func headerValues(_ name: String) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }
}

/// The body as JSON, parsed at the first use.
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
