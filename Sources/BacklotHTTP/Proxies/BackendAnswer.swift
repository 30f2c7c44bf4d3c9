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
    func fields(of headers: FieldList) -> FieldList {
        let source = headers.bytes
        let bytes = source.span
        guard (0..<headers.count).contains(where: { Self.changes(bytes.extracting(headers[$0].name)) }) else {
            return headers
        }
        let named = headers["connection"]?.split(separator: ",").map { $0.trimmed.lowercased() } ?? []
        var kept = FieldList()
        kept.reserve(fields: headers.count + 1, bytes: source.count + 32)
        for index in 0..<headers.count {
            let (name, value) = (bytes.extracting(headers[index].name), headers[index].value)
            let all = 0..<name.count
            if ProxyFields.isAboutConnection(name) || ProxyFields.isAboutAddress(name) { continue }
            if !named.isEmpty, named.contains(name.string(all).lowercased()) { continue }
            if name.equals(all, ignoringCase: "location") || name.equals(all, ignoringCase: "content-location") {
                kept.append(checking: location(bytes.string(value)).utf8.span, named: name)
            } else if name.equals(all, ignoringCase: "set-cookie") {
                kept.append(checking: cookie(bytes.string(value)).utf8.span, named: name)
            } else {
                kept.append(name, bytes.extracting(value))
            }
        }
        return kept
    }

    /// Whether a field may differ. The server leaves out the backend's `Content-Length` by itself.
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
