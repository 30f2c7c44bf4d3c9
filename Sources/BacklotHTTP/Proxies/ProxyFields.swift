package import HTTPTypes

/// The header fields that a proxy passes on (RFC 9110, section 7.6.1).
///
/// Many backends get fields as variables, in the way of CGI: `X-Real-IP` and `X_Real_IP` both become `HTTP_X_REAL_IP` (RFC 3875,
/// section 4.1.18), and some read other marks as hyphens too. So each name counts as the name that such a backend sees. A name
/// with marks other than hyphens is dropped only if it imitates a field that proxies remove or write: `api_key` is passed on.
package enum ProxyFields {
    /// Whether a field of a request is one that proxies don't pass on.
    package static func isHeldBack(_ name: HTTPField.Name) -> Bool { isHeldBack(name.canonicalName.utf8.span) }

    /// Whether a field of a request is one that proxies don't pass on: a field about the connection, or `Proxy`. Behind CGI, that
    /// one becomes HTTP_PROXY, and programs would send their own requests through the proxy that it names (CVE-2016-5385).
    static func isHeldBack(_ name: Span<UInt8>) -> Bool {
        isAboutConnection(name) || name.count == 5 && name.isRead(as: "proxy")
    }

    /// Whether a field is about one connection, or is one that each sender of a message writes itself.
    ///
    /// `TE` and `Trailer` are among them: the proxy doesn't pass on trailers, and so doesn't request them.
    static func isAboutConnection(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 2: name.equals(all, ignoringCase: "te")
        case 4: name.equals(all, ignoringCase: "host")
        case 6: name.equals(all, ignoringCase: "expect")
        case 7: name.equals(all, ignoringCase: "upgrade") || name.equals(all, ignoringCase: "trailer")
        case 10: name.equals(all, ignoringCase: "connection") || name.isRead(as: "keep-alive")
        case 14: name.isRead(as: "content-length") || name.isRead(as: "http2-settings")
        case 16: name.isRead(as: "proxy-connection")
        case 17: name.isRead(as: "transfer-encoding")
        default: false
        }
    }

    /// Whether a field names the client behind the sender, but the sender isn't trusted.
    ///
    /// - Parameter isBelieved: whether the sender is a trusted proxy. Even then, a claim that isn't written in the way of proxies
    ///   doesn't count: a client has sent it, and the proxy has passed it on.
    package static func isFalseClaim(_ name: HTTPField.Name, isBelieved: Bool) -> Bool {
        isFalseClaim(name.canonicalName.utf8.span, isBelieved: isBelieved)
    }

    /// Whether a field names the client behind the sender, but the sender isn't trusted.
    static func isFalseClaim(_ name: Span<UInt8>, isBelieved: Bool) -> Bool {
        let isClaim =
            switch name.count {
            case 9: name.equals(0..<9, ignoringCase: "forwarded") || name.isRead(as: "x-real-ip")
            case 12...: name.extracting(0..<12).isRead(as: "x-forwarded-")
            default: false
            }
        return isClaim && !(isBelieved && name.hasNoMarkButHyphens)
    }

    /// A name in the form seen by backends that get fields as variables: two names are equal if such a backend can't tell them
    /// apart.
    package static func variable(of name: String) -> String {
        String(decoding: name.utf8.map { Span<UInt8>.variableByte($0) }, as: UTF8.self)
    }

    /// Whether a field of a response is about the backend's own address: clients that believed it would bypass the proxy, or
    /// access it over TLS (RFC 7838; RFC 6797).
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
    /// The fields of a request that are passed on, in their order: without those named by `Connection`, and with several `Cookie`
    /// fields joined into one (RFC 9113, section 8.2.3).
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
            if ProxyFields.isHeldBack(name) { continue }
            if !named.isEmpty, named.contains(where: { bytes.equals($0, ignoringCaseOf: name) }) { continue }
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

    /// Drops the client's claims about others, unless it is a trusted proxy.
    mutating func removeFalseClaims(isBelieved: Bool) {
        let source = bytes
        let span = source.span
        let hasFalse = (0..<count).contains { index in
            ProxyFields.isFalseClaim(span.extracting(self[index].name), isBelieved: isBelieved)
        }
        guard hasFalse else { return }
        self = mapped { name, value, kept in
            if !ProxyFields.isFalseClaim(name, isBelieved: isBelieved) { kept.append(name, value) }
        }
    }
}

extension Span where Element == UInt8 {
    /// A byte of a name in the form of a variable: letters in lower case, and a hyphen for any byte that isn't a letter or digit.
    fileprivate static func variableByte(_ byte: UInt8) -> UInt8 {
        let lower = ASCII.lowercased(byte)
        return ASCII.isDigit(byte) || lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") ? lower : hyphen
    }

    /// Whether backends that get fields as variables can't tell a name from `text`, which is in lower case.
    fileprivate func isRead(as text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count where unsafe Self.variableByte(self[index]) != text.utf8Start[index] { return false }
        return true
    }

    /// Whether a name consists of letters, digits and hyphens.
    fileprivate var hasNoMarkButHyphens: Bool {
        for index in 0..<count where self[index] != Self.hyphen && Self.variableByte(self[index]) == Self.hyphen {
            return false
        }
        return true
    }

    private static var hyphen: UInt8 { UInt8(ascii: "-") }
}

/// Translates the header fields of a backend's response for the client.
struct BackendResponse {
    let origin: Origin
    /// Whether the client's connection is encrypted.
    let isSecure: Bool

    /// The fields that the client gets, without `Via`.
    ///
    /// Fields about the connection to the backend are dropped, and so are those that would lead clients past the proxy: `Alt-Svc`
    /// and `Strict-Transport-Security`. URLs of the backend in `Location` and `Content-Location` become paths, and cookies become
    /// the proxy's.
    func fields(of headers: FieldList) -> FieldList {
        let source = headers.bytes
        let bytes = source.span
        guard (0..<headers.count).contains(where: { Self.changes(bytes.extracting(headers[$0].name)) }) else {
            return headers
        }
        let named = Set(headers["connection"]?.split(separator: ",").map { $0.trimmed.lowercased() } ?? [])
        return headers.mapped { name, value, kept in
            let all = 0..<name.count
            if ProxyFields.isAboutConnection(name) || ProxyFields.isAboutAddress(name) { return }
            if !named.isEmpty, named.contains(name.string(all).lowercased()) { return }
            if name.equals(all, ignoringCase: "location") || name.equals(all, ignoringCase: "content-location") {
                kept.append(checking: location(value.string(0..<value.count)).utf8.span, named: name)
            } else if name.equals(all, ignoringCase: "set-cookie") {
                kept.append(checking: cookie(value.string(0..<value.count)).utf8.span, named: name)
            } else {
                kept.append(name, value)
            }
        }
    }

    /// Whether a field may change. The server itself leaves out the backend's `Content-Length`.
    private static func changes(_ name: Span<UInt8>) -> Bool {
        let all = 0..<name.count
        return switch name.count {
        case 8: name.equals(all, ignoringCase: "location")
        case 10: name.equals(all, ignoringCase: "set-cookie") || ProxyFields.isAboutConnection(name)
        case 14: !name.equals(all, ignoringCase: "content-length") && ProxyFields.isAboutConnection(name)
        case 16: name.equals(all, ignoringCase: "content-location") || ProxyFields.isAboutConnection(name)
        default: ProxyFields.isAboutConnection(name) || ProxyFields.isAboutAddress(name)
        }
    }

    /// A URL of the backend as a path of the proxy. Other URLs stay unchanged, so that a redirect to another host still leads
    /// there.
    func location(_ text: String) -> String {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let path: Substring
        if let url = Origin(String(text[..<end])) {
            guard url.isSecure == origin.isSecure, url.port == origin.port,
                url.host.lowercased() == origin.host.lowercased()
            else { return text }
            let authority = text.dropFirst(url.isSecure ? 8 : 7)
            path = authority[(authority.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? authority.endIndex)...]
        } else {
            path = text[...]
            guard path.hasPrefix("/"), !path.hasPrefix("//") else { return text }
        }
        let own = below(path)
        // A path that begins with two slashes would be another host's URL; browsers read a backslash as one.
        return own.hasPrefix("//") || own.hasPrefix("/\\") ? "/." + own : own.hasPrefix("/") ? own : "/" + own
    }

    /// A path without the backend's base path, if it begins with it.
    private func below(_ path: Substring) -> String {
        let base = origin.basePath
        guard !base.isEmpty, path.hasPrefix(base) else { return String(path) }
        let rest = path.dropFirst(base.count)
        return rest.isEmpty || "/?#".contains(rest[rest.startIndex]) ? String(rest) : String(path)
    }

    /// The cookie for the proxy's host: without the backend's `Domain` and base path. A client in clear text refuses cookies with
    /// `Secure`, and those with `SameSite=None`, which requires `Secure`: it gets them without these attributes. It always
    /// refuses names that begin with `__Secure-` or `__Host-`.
    func cookie(_ text: String) -> String {
        var kept: [Substring] = []
        for (index, part) in text.split(separator: ";", omittingEmptySubsequences: false).enumerated() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count == 2 ? halves[1].trimmed : ""
            switch index == 0 ? "" : halves[0].trimmed.lowercased() {
            case "domain" where isOwn(domain: value): continue
            case "secure" where !isSecure, "partitioned" where !isSecure: continue
            case "samesite" where !isSecure && value.lowercased() == "none": continue
            case "path" where !origin.basePath.isEmpty:
                let path = below(value)
                kept.append(" Path=\(path.isEmpty ? "/" : path)")
            default: kept.append(part)
            }
        }
        return kept.joined(separator: ";")
    }

    /// Whether a domain is the backend's host or one above it.
    private func isOwn(domain: Substring) -> Bool {
        let domain = (domain.hasPrefix(".") ? domain.dropFirst() : domain).lowercased()
        let host = origin.host.lowercased()
        return host == domain || host.hasSuffix("." + domain)
    }
}
