internal import BacklotJSON
public import HTTPTypes

/// A request in the form that handlers get. Its texts are created from the bytes of the head on demand.
///
/// ```swift
/// router.get("/rooms/{room}") { request in
///     "\(request.parameters["room"] ?? "") for \(request.headers[.userAgent] ?? "somebody")"
/// }
/// ```
public struct Request: Sendable {
    let head: RequestHead
    /// The method, case-sensitive (RFC 9110, section 9).
    public package(set) var method: HTTPRequest.Method
    /// The body: read it as a sequence of pieces, or `collect` it.
    public var body: RequestBody
    /// The address at the other end of the connection: the client's, or its nearest proxy's.
    public let remoteAddress: SocketAddress
    /// The properties that client and server agreed on over TLS; nil in clear text.
    public let tls: TLSDetails?
    /// The proxies that the server trusts (`ServerConfiguration.trustedProxies`).
    let trustedProxies: [AddressRange]
    /// Values that middleware and routers attach on the way to the handler.
    public var attributes = RequestAttributes()

    init(
        head: RequestHead,
        body: RequestBody,
        remoteAddress: SocketAddress,
        tls: TLSDetails? = nil,
        trustedProxies: [AddressRange] = []
    ) {
        self.head = head
        self.tls = tls
        self.trustedProxies = trustedProxies
        self.method = Self.method(of: head)
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The target, for example `/hotels?page=2` (RFC 9112, section 3.2). Bytes that a client should have percent-encoded, such as the
    /// brackets of `?page[size]=2`, are percent-encoded here, in the path and in the query.
    public var target: String { head.string(head.line.target) }

    /// The path, percent-encoded. `*` for an OPTIONS request about the whole server.
    public var path: String { head.string(head.line.path) }

    /// The path and the query as sent, for backends and for matchers that compare the sent bytes; nil if nothing in them had to be
    /// percent-encoded.
    package var sentTarget: String? {
        guard let sent = head.line.sent else { return nil }
        let bytes = head.bytes
        let text = String(decoding: bytes[sent], as: UTF8.self)
        return text.hasTooManyMarks ? nil : text.hasPrefix("?") ? "/\(text)" : text
    }

    /// Calls `body` with the bytes of the path, for callers that don't need its text.
    @inlinable package func withPath<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let bytes = headBytes
        return body(bytes.span.extracting(pathRange))
    }

    /// The length of the path, in bytes.
    package var pathCount: Int { head.line.path.count }

    /// Whether the path, as sent, begins with a text. It doesn't create a string of the path.
    package func hasPath(beginningWith text: String) -> Bool {
        let bytes = head.bytes
        let path = head.line.path
        let start = text.utf8.span
        return path.count >= start.count
            && bytes.span.equals(path.lowerBound..<(path.lowerBound + start.count), start)
    }

    @usableFromInline var headBytes: [UInt8] { head.bytes }
    @usableFromInline var pathRange: Range<Int> { head.line.path }

    /// Whether the request has a field with a name and a text in its value. Cheap enough for every request, because it creates no
    /// strings.
    ///
    /// - Parameters:
    ///   - name: the field's name, in lower case.
    ///   - text: ASCII text that the value must contain, in the same letter case; empty matches any value.
    package func hasField(_ name: StaticString, containing text: StaticString = "") -> Bool {
        guard head.fields.mayHave(name) else { return false }
        let bytes = head.bytes
        let span = bytes.span
        return head.firstField { span.equals($0.name, ignoringCase: name) && span.holds(text, in: $0.value) } != nil
    }

    /// Whether the name of some header field begins with a text, which must be in lower case.
    package func hasField(beginningWith start: StaticString) -> Bool {
        guard unsafe head.fields.mayHaveName(beginningWith: start.utf8Start[0]) else { return false }
        let bytes = head.bytes
        let span = bytes.span
        let count = start.utf8CodeUnitCount
        return head.firstField {
            $0.name.count >= count && span.equals($0.name.prefix(count), ignoringCase: start)
        } != nil
    }

    /// The client's certificate, issued by a trusted authority; nil if the client didn't send one (see
    /// `TLSConfiguration.clientCertificates`).
    public var peerCertificate: PeerCertificate? { tls?.peerCertificate }

    /// The part after the target's question mark, percent-encoded; nil without one.
    public var rawQuery: String? { head.line.query.map(head.string) }

    /// The header fields.
    public var headers: RequestHeaders { RequestHeaders(head: head) }

    private static func method(of head: RequestHead) -> HTTPRequest.Method {
        if head.isMethod("GET") { return .get }
        if head.isMethod("POST") { return .post }
        if head.isMethod("HEAD") { return .head }
        // The parser only accepts tokens, and any token is a method.
        return HTTPRequest.Method(head.string(head.line.method)) ?? .get
    }
}

extension Span where Element == UInt8 {
    /// Whether a range contains a text.
    func holds(_ text: StaticString, in range: Range<Int>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count > 0 else { return true }
        guard range.count >= count else { return false }
        return (range.lowerBound...(range.upperBound - count)).contains { equals($0..<($0 + count), text) }
    }
}

/// The key of a value that can be attached to a request. The conforming type identifies the value.
///
/// ```swift
/// enum CurrentUser: RequestAttribute { typealias Value = User }
///
/// router.get("/me") { request in try request[CurrentUser.self].name }
/// ```
public protocol RequestAttribute {
    /// The type of the value.
    associatedtype Value: Sendable
}

/// Values that middlewares attach to a request, each under its key type. Without values, they cost nothing.
public struct RequestAttributes: Sendable {
    /// The value attached last. A list, since most requests have one or two values: each takes a single piece of memory.
    @usableFromInline var last: Entry?

    init() {}

    /// Whether no value is attached: cheaper than looking one up.
    package var isEmpty: Bool { last == nil }

    /// The value under a key; nil if it isn't attached.
    @inlinable public subscript<Key: RequestAttribute>(key: Key.Type) -> Key.Value? {
        get {
            let identifier = ObjectIdentifier(key)
            var entry = last
            while let current = entry {
                guard current.key == identifier else {
                    entry = current.next
                    continue
                }
                // The key determines the class.
                return unsafe unsafeDowncast(current, to: ValueEntry<Key.Value>.self).value
            }
            return nil
        }
        set {
            let identifier = ObjectIdentifier(key)
            last = last?.without(identifier)
            if let newValue { last = ValueEntry(key: identifier, value: newValue, next: last) }
        }
    }

    /// A value with its key, and the earlier values.
    @usableFromInline class Entry: @unchecked Sendable {
        @usableFromInline let key: ObjectIdentifier
        @usableFromInline let next: Entry?

        @inlinable init(key: ObjectIdentifier, next: Entry?) {
            self.key = key
            self.next = next
        }

        /// The list without the entry of a key.
        @usableFromInline final func without(_ key: ObjectIdentifier) -> Entry? {
            if self.key == key { return next }
            guard let next else { return self }
            let rest = next.without(key)
            return rest === next ? self : with(next: rest)
        }

        /// The same value before other entries.
        func with(next: Entry?) -> Entry { self }
    }

    /// An entry with its value.
    @usableFromInline final class ValueEntry<Value: Sendable>: Entry, @unchecked Sendable {
        @usableFromInline let value: Value

        @inlinable init(key: ObjectIdentifier, value: Value, next: Entry?) {
            self.value = value
            super.init(key: key, next: next)
        }

        override func with(next: Entry?) -> Entry { ValueEntry(key: key, value: value, next: next) }
    }
}

extension Request {
    /// Creates a request without a connection, for calling a handler in process.
    ///
    /// It goes through the same parser as a request from a socket. A `Host` is added unless `headers` has one.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - target: the path, percent-encoded, and the query, for example `/hotels?page=2`.
    ///   - headers: the header fields. The body's length is added automatically.
    ///   - body: the body.
    /// - Throws: `RequestError` for a request that no client could send.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) throws(RequestError) {
        var fields = headers.map { (name: $0.name.rawName, value: $0.value) }
        let names = headers.map(\.name.canonicalName)
        if !names.contains("host") { fields.insert((name: "Host", value: "localhost"), at: 0) }
        if !body.isEmpty, headers[.contentLength] == nil {
            fields.append((name: "Content-Length", value: "\(body.count)"))
        }
        let head = try RequestHead.made(method.rawValue, target, fields, limits: ServerConfiguration.Limits())
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { throw .incomplete }
        self.init(head: head, body: RequestBody(body), remoteAddress: address)
    }
}

extension RequestHead {
    /// Creates a head that didn't come over a connection of this server. It goes through the same parser as one from a socket.
    static func made(
        _ method: String,
        _ target: String,
        _ fields: some Sequence<(name: String, value: String)>,
        limits: ServerConfiguration.Limits
    ) throws(RequestError) -> RequestHead {
        var text: [UInt8] = []
        text.reserveCapacity(1024)
        for part in [method, " ", target, " HTTP/1.1\r\n"] { text += part.utf8 }
        for (name, value) in fields { for part in [name, ": ", value, "\r\n"] { text += part.utf8 } }
        text += "\r\n".utf8
        var parser = HeadParser(limits: limits)
        guard let head = try parser.parse(text.span), head.length == text.count else {
            throw .malformed("the request's head ends early")
        }
        return head
    }
}
