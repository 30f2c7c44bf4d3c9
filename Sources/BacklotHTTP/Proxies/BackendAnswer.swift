internal import HTTPTypes

/// What a proxy makes of the header fields of a backend's answer.
struct BackendAnswer {
    let origin: Origin
    /// Whether the client's connection is encrypted.
    let isSecure: Bool

    /// The fields that the client gets, `Via` left out.
    ///
    /// What is about the connection to the backend stays behind, with what would lead clients round the proxy: `Alt-Svc` and
    /// `Strict-Transport-Security`. URLs of the backend in `Location` and `Content-Location` become paths, and cookies are made
    /// ones of the proxy's host.
    func fields(of headers: HTTPFields) -> HTTPFields {
        var named: [String] = []
        if let options = headers[.connection] {
            named = options.split(separator: ",").map { $0.trimmed.lowercased() }
        }
        guard headers.contains(where: Self.changes) else { return headers }
        var kept = HTTPFields()
        kept.reserveCapacity(headers.count + 1)
        for field in headers {
            let name = field.name.canonicalName
            let bytes = name.utf8.span
            if ProxyFields.isAboutConnection(bytes) || ProxyFields.isAboutAddress(bytes) { continue }
            if !named.isEmpty, named.contains(name) { continue }
            switch name.utf8.count {
            case 8 where name == "location", 16 where name == "content-location":
                kept.append(HTTPField(name: field.name, value: location(field.value)))
            case 10 where name == "set-cookie":
                kept.append(HTTPField(name: field.name, value: cookie(field.value)))
            default: kept.append(field)
            }
        }
        return kept
    }

    /// Whether a field may differ. The server leaves out the backend's `Content-Length` by itself.
    private static func changes(_ field: HTTPField) -> Bool {
        let name = field.name.canonicalName
        return switch name.utf8.count {
        case 8: name == "location"
        case 10: name == "set-cookie" || name == "connection" || name == "keep-alive"
        case 14: name != "content-length" && ProxyFields.isAboutConnection(name.utf8.span)
        case 16: name == "content-location" || name == "proxy-connection"
        default: ProxyFields.isAboutConnection(name.utf8.span) || ProxyFields.isAboutAddress(name.utf8.span)
        }
    }

    /// A URL of the backend as a path of the proxy; any other as it is, so that a redirect to another host stays one.
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
        // A path that begins with two slashes would be another host's URL.
        return own.hasPrefix("//") ? "/." + own : own.hasPrefix("/") ? own : "/" + own
    }

    /// A path without the backend's base path, where it has that.
    private func below(_ path: Substring) -> String {
        let base = origin.basePath
        guard !base.isEmpty, path.hasPrefix(base) else { return String(path) }
        let rest = path.dropFirst(base.count)
        return rest.isEmpty || "/?#".contains(rest[rest.startIndex]) ? String(rest) : String(path)
    }

    /// A cookie of the proxy's host: without the backend's `Domain` and base path. A client in clear text takes no cookie that
    /// is `Secure`, nor one with `SameSite=None`, which must be `Secure`: it gets the cookie without them. One whose name begins with
    /// `__Secure-` or `__Host-` it never takes.
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

    /// Whether a domain is the backend's host, or one above it.
    private func isOwn(domain: Substring) -> Bool {
        let domain = (domain.hasPrefix(".") ? domain.dropFirst() : domain).lowercased()
        let host = origin.host.lowercased()
        return host == domain || host.hasSuffix("." + domain)
    }
}
