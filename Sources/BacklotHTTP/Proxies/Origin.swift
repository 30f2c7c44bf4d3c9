/// A server that gets requests, and the base path that precedes each request's path.
package struct Origin: Sendable, Equatable {
    /// Whether requests go over TLS.
    package var isSecure: Bool
    /// The host's name or address; an IPv6 address without brackets.
    package var host: String
    /// The port; the scheme's usual one if the URL didn't name it.
    package var port: UInt16
    /// The prefix of each request's path; empty, or without a slash at its end.
    package var basePath: String

    /// - Parameter url: for example `http://127.0.0.1:9000/v1` or `https://example.com`. The result is nil for any other text, such
    ///   as a URL with a query or a password.
    package init?(_ url: String) {
        // The text may come from a mock's template, and contain any character.
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let scheme = url.prefix(8).lowercased()
        isSecure = scheme == "https://"
        guard isSecure || scheme.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(isSecure ? 8 : 7)
        let usualPort = Self.usualPort(isSecure)
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        guard !authority.isEmpty, !authority.contains(where: { "@?#".contains($0) }),
            !path.contains(where: { $0 == "?" || $0 == "#" })
        else { return nil }
        basePath = path
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.first == ":", let port = after.isEmpty ? usualPort : UInt16(after.dropFirst())
            else { return nil }
            self.port = port
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, !parts[0].isEmpty, let port = parts.count == 2 ? UInt16(parts[1]) : usualPort else {
                return nil
            }
            host = String(parts[0])
            self.port = port
        }
    }

    /// The value of the header field `Host`.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.usualPort(isSecure) ? name : "\(name):\(port)"
    }

    private static func usualPort(_ isSecure: Bool) -> UInt16 { isSecure ? 443 : 80 }
}

extension Origin: CustomStringConvertible {
    /// The URL without its path.
    package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }
}
