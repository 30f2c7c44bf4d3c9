extension Request {
    /// Whether the request came over HTTP/1.0: today's clients don't speak it, and proxies do whose owners say nothing else.
    package var isHTTP10: Bool { head.line.isHTTP10 }

    /// The name of the first field that only proxies add, as it was sent; nil where there is none.
    ///
    /// These are `Via` and `Forwarded` (RFC 9110, section 7.6.3; RFC 7239), `X-Real-IP`, and whatever begins with
    /// `X-Forwarded-`. It is cheap enough to be asked of each request.
    package var proxyField: String? {
        let bytes = head.bytes
        let span = bytes.span
        for field in head.fields where span.isProxyField(field.name) { return head.string(field.name) }
        return nil
    }
}

extension Span where Element == UInt8 {
    fileprivate func isProxyField(_ name: Range<Int>) -> Bool {
        switch name.count {
        case 3: equals(name, ignoringCase: "via")
        case 9: equals(name, ignoringCase: "forwarded") || equals(name, ignoringCase: "x-real-ip")
        case 12...: equals(name.lowerBound..<(name.lowerBound + 12), ignoringCase: "x-forwarded-")
        default: false
        }
    }
}
