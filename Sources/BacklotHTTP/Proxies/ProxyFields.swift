package import HTTPTypes

/// Which header fields a proxy passes on (RFC 9110, section 7.6.1).
package enum ProxyFields {
    /// Whether a field is one that proxies don't pass on, but write themselves.
    package static func isOwn(_ name: HTTPField.Name) -> Bool { isAboutConnection(name.canonicalName.utf8.span) }

    /// Whether a field is about one connection, or is one that each sender of a message writes itself.
    ///
    /// `TE` and `Trailer` are among them: trailers are not passed on, and so not asked for.
    static func isAboutConnection(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 2: name.equals(all, ignoringCase: "te")
        case 4: name.equals(all, ignoringCase: "host")
        case 6: name.equals(all, ignoringCase: "expect")
        case 7: name.equals(all, ignoringCase: "upgrade") || name.equals(all, ignoringCase: "trailer")
        case 10: name.equals(all, ignoringCase: "connection") || name.equals(all, ignoringCase: "keep-alive")
        case 14: name.equals(all, ignoringCase: "content-length") || name.equals(all, ignoringCase: "http2-settings")
        case 16: name.equals(all, ignoringCase: "proxy-connection")
        case 17: name.equals(all, ignoringCase: "transfer-encoding")
        default: false
        }
    }

    /// Whether a field says who is behind the sender.
    package static func isClaim(_ name: HTTPField.Name) -> Bool { isClaim(name.canonicalName.utf8.span) }

    /// Whether a field says who is behind the sender.
    static func isClaim(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 9: name.equals(all, ignoringCase: "forwarded") || name.equals(all, ignoringCase: "x-real-ip")
        case 12...: name.equals(0..<12, ignoringCase: "x-forwarded-")
        default: false
        }
    }

    /// Whether a field of an answer is about the backend's own address: clients that believed it would go round the proxy, or
    /// ask for it over TLS (RFC 7838; RFC 6797).
    static func isAboutAddress(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 7: name.equals(all, ignoringCase: "alt-svc")
        case 25: name.equals(all, ignoringCase: "strict-transport-security")
        default: false
        }
    }
}

extension FieldList {
    /// The fields of a request that are passed on, in their order: not those that `Connection` names, and several `Cookie`
    /// fields as one (RFC 9113, section 8.2.3).
    init(passing head: RequestHead, maxForwards: Int?) {
        self.init()
        let source = head.bytes
        let bytes = source.span
        reserve(fields: head.fields.count + 2, bytes: head.length + 160)
        var named: [Range<Int>] = []
        var cookies = 0
        for field in head.fields {
            switch field.name.count {
            case 6 where bytes.equals(field.name, ignoringCase: "cookie"): cookies += 1
            case 10 where bytes.equals(field.name, ignoringCase: "connection"):
                forEachListElement(of: field.value, in: bytes) { named.append($0) }
            default: break
            }
        }
        var hasCookies = false
        for field in head.fields {
            let name = bytes.extracting(field.name)
            if ProxyFields.isAboutConnection(name) { continue }
            if !named.isEmpty, named.contains(where: { bytes.equals($0, ignoringCaseOf: field.name) }) { continue }
            if cookies > 1, bytes.equals(field.name, ignoringCase: "cookie") {
                if !hasCookies { append("Cookie", RequestHeaders(head: head)[.cookie] ?? "") }
                hasCookies = true
            } else if let maxForwards, bytes.equals(field.name, ignoringCase: "max-forwards") {
                append("Max-Forwards", "\(maxForwards - 1)")
            } else {
                append(name, bytes.extracting(field.value))
            }
        }
    }

    /// Says who has sent the request. What the client says of others is dropped, unless it is a proxy that is believed.
    mutating func appendHop(_ client: ProxyClient) {
        if !client.isBelieved { removeClaims() }
        append("Forwarded", client.writeElement)
    }

    private mutating func removeClaims() {
        let source = bytes
        let span = source.span
        guard (0..<count).contains(where: { ProxyFields.isClaim(span.extracting(self[$0].name)) }) else { return }
        var kept = FieldList()
        for index in 0..<count {
            let (name, value) = self[index]
            if ProxyFields.isClaim(span.extracting(name)) { continue }
            kept.append(span.extracting(name), span.extracting(value))
        }
        self = kept
    }
}

extension Span where Element == UInt8 {
    /// Whether two ranges hold the same letters, whatever their case.
    func equals(_ range: Range<Int>, ignoringCaseOf other: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for offset in 0..<range.count
        where ASCII.lowercased(self[range.lowerBound + offset]) != ASCII.lowercased(self[other.lowerBound + offset]) {
            return false
        }
        return true
    }
}
