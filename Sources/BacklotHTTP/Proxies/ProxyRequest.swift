package import HTTPTypes

/// A request in a reverse proxy: the parts that it passes on, and the client.
package struct ProxyRequest: Sendable {
    /// The method.
    package let method: HTTPRequest.Method
    /// The path and the query below the backend's base path, percent-encoded.
    package let target: String
    /// The same with the bytes that the client has sent, which the backend gets.
    let sentTarget: String
    /// The header fields, as sent.
    package let headers: RequestHeaders
    /// The fields that are passed on.
    var fields: FieldList
    /// The body, content codings included.
    var body: OutgoingRequest.Body
    /// Whether the client waits for a 100 before it sends the body.
    let expectsContinue: Bool
    /// `https` or `http`, depending on the client's connection.
    let scheme: String
    /// The number of times that the request may still be passed on (RFC 9110, section 7.6.2); nil without a limit.
    let maxForwards: Int?
    /// Whether the request opens a WebSocket.
    private(set) var opensWebSocket = false

    /// Creates a proxy request from a request of the server.
    ///
    /// The request's absolute URL becomes a path, because the backend is the requested host.
    package init(_ request: Request) {
        let encoded = request.body.encoded
        let head = encoded?.head ?? request.head
        let body = (encoded?.body ?? request.body).limited(to: .max)
        let headers = RequestHeaders(head: head)
        method = request.method
        self.headers = headers
        target = request.rawQuery.map { "\(request.path)?\($0)" } ?? request.path
        sentTarget = request.sentTarget ?? target
        scheme = request.scheme
        expectsContinue = head.expectsContinue
        self.body = body.bytes.map { .bytes($0) } ?? .stream(body)
        maxForwards = Self.maxForwards(method, headers)
        fields = FieldList(passing: head, maxForwards: maxForwards)
        fields.removeFalseClaims(isBelieved: request.believesClientFields)
        fields.appendForwarded(for: request.remoteAddress, host: head.host.map { head.string($0) }, scheme)
        passWebSocket(of: request)
    }

    /// Lets the request open a WebSocket if its original does.
    package mutating func passWebSocket(of request: Request) {
        guard WebSocketHandshake.isAsked(request), let messages = request.body.upgraded else { return }
        (opensWebSocket, body) = (true, .stream(messages))
        // Most clients of HTTP/2 send no key (RFC 8441, section 5).
        if headers.isHTTP2, !fields.contains("sec-websocket-key") {
            fields.append("Sec-WebSocket-Key", WebSocketHandshake.key())
        }
    }

    /// Creates a request with changed fields.
    ///
    /// - Parameters:
    ///   - target: the path and the query below the backend's base path, percent-encoded.
    ///   - headers: the fields, as sent.
    ///   - fields: the fields to pass on. Those about one connection are left out. Claims of the client about others should be
    ///     among them only if the client is trusted (`ProxyFields.isFalseClaim`).
    ///   - body: the complete body.
    ///   - address: the client's address.
    ///   - scheme: `https` or `http`, depending on the client's connection.
    package init(
        method: HTTPRequest.Method,
        target: String,
        headers: RequestHeaders,
        fields: HTTPFields,
        body: [UInt8],
        address: SocketAddress,
        scheme: String
    ) {
        self.method = method
        (self.target, sentTarget) = (target, target)
        self.headers = headers
        self.scheme = scheme
        self.body = .bytes(body)
        expectsContinue = false
        maxForwards = Self.maxForwards(method, headers)
        let named = fields[values: .connection].flatMap { $0.split(separator: ",") }.map { $0.trimmed.lowercased() }
        self.fields = FieldList()
        for field in fields where !named.contains(field.name.canonicalName) {
            if ProxyFields.isHeldBack(field.name) { continue }
            guard let maxForwards, field.name == HTTPField.Name.maxForwards else {
                self.fields.append(field)
                continue
            }
            self.fields.append(HTTPField(name: field.name, value: "\(maxForwards - 1)"))
        }
        self.fields.appendForwarded(for: address, host: HTTPField.Name.host.flatMap { headers[$0] }, scheme)
    }

    /// Changes the values of a field for the backend. If `change` returns nil for a field, it is left out.
    ///
    /// - Parameter name: the field's name, in lower case.
    package mutating func changeFields(named name: StaticString, _ change: (String) -> String?) {
        guard fields.contains(name) else { return }
        fields = fields.mapped { field, value, kept in
            let text = value.string(0..<value.count)
            let changed = field.equals(0..<field.count, ignoringCase: name) ? change(text) : text
            guard let changed else { return }
            if changed == text { kept.append(field, value) } else { kept.append(field, changed.utf8.span) }
        }
    }

    private static func maxForwards(_ method: HTTPRequest.Method, _ headers: RequestHeaders) -> Int? {
        guard method == .options || method == .trace else { return nil }
        return HTTPField.Name.maxForwards.flatMap { headers[$0] }.flatMap { text in
            text.utf8.allSatisfy(ASCII.isDigit) ? Int(text) : nil
        }
    }
}

extension RequestHead {
    /// The range of the value of `Host`.
    fileprivate var host: Range<Int>? {
        let bytes = bytes
        return fields.first { bytes.span.equals($0.name, ignoringCase: "host") }?.value
    }
}

extension HTTPField.Name {
    fileprivate static let host = HTTPField.Name("Host")
    fileprivate static let maxForwards = HTTPField.Name("Max-Forwards")
}

extension FieldList {
    /// Adds the sender of a request to this proxy: `Forwarded: for=192.0.2.7;host="phone.test:8080";proto=http` (RFC 7239).
    fileprivate mutating func appendForwarded(for address: SocketAddress, host: String?, _ scheme: String) {
        let ip = address.host
        let room = ip.utf8.count + (host?.utf8.count ?? 0) + scheme.utf8.count + 32
        append("Forwarded") { bytes in
            ByteCursor.append(to: &bytes, room: room) { element in
                // RFC 7239, section 6: an IPv6 address in brackets and quotes.
                element.put(address.family == .ipv6 ? "for=\"[" : "for=")
                element.put(ip.utf8.span)
                if address.family == .ipv6 { element.put("]\"") }
                if let host {
                    let name = host.utf8.span
                    let isToken = name.endOfRun(of: .token, from: 0, to: name.count) == name.count
                    element.put(isToken ? ";host=" : ";host=\"")
                    element.put(name)
                    if !isToken { element.put(UInt8(ascii: "\"")) }
                }
                element.put(";proto=")
                element.put(scheme.utf8.span)
            }
        }
    }
}
