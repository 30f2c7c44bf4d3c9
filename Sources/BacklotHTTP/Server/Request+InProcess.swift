public import HTTPTypes

extension Request {
    /// A request that comes over no connection, to call a handler in process.
    ///
    /// It goes through the same parser as one from a socket. A `Host` is added where `headers` has none.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - target: the path, percent-encoded, and the query, for example `/hotels?page=2`.
    ///   - headers: the header fields. The body's length is added by itself.
    ///   - body: the body.
    /// - Throws: `RequestError` when no client could send such a request.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) throws(RequestError) {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.name.canonicalName == "host" }) { text += "Host: localhost\r\n" }
        for field in headers { text += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty, headers[.contentLength] == nil { text += "Content-Length: \(body.count)\r\n" }
        text += "\r\n"
        var parser = HeadParser(limits: ServerConfiguration.Limits())
        guard let head = try parser.parse(text.utf8.span), head.length == text.utf8.count else {
            throw .malformed("the request ends early")
        }
        guard let address = SocketAddress(host: "127.0.0.1", port: 0) else { throw .incomplete }
        self.init(head: head, body: RequestBody(body), remoteAddress: address)
    }
}
