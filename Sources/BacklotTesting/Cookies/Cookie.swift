/// A cookie as a client keeps it (RFC 6265, section 5.3).
public struct Cookie: Sendable, Equatable {
    /// The name; case counts.
    public let name: String
    /// The value.
    public let value: String
    /// The host that it goes to, and where the server said so, the hosts below it.
    public let domain: String
    /// Whether it goes to that host alone.
    public let isHostOnly: Bool
    /// The path that it goes to, and the paths below it.
    public let path: String
    /// When it ends, in seconds since 1970; nil for one that ends with the app.
    public let expiry: Double?
    /// Whether it goes over https alone.
    public let isSecure: Bool
    /// Whether it is kept from scripts, of which mobile clients have none.
    public let isHTTPOnly: Bool

    /// Whether it is there again after the app was ended and started.
    public var isPersistent: Bool { expiry != nil }

    /// Whether it goes along with a request for `url`, its end aside (RFC 6265, section 5.4).
    public func isFor(_ url: HTTPURL) -> Bool {
        let matchesHost = isHostOnly ? url.host == domain : Self.isHost(url.host, in: domain)
        return matchesHost && Self.isPath(url.path, below: path) && (!isSecure || url.scheme == .https)
    }

    /// RFC 6265, section 5.1.3.
    static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        return !isAddress && host.hasSuffix("." + domain)
    }

    /// RFC 6265, section 5.1.4.
    static func isPath(_ path: String, below cookiePath: String) -> Bool {
        if path == cookiePath { return true }
        return path.hasPrefix(cookiePath)
            && (cookiePath.hasSuffix("/") || path.dropFirst(cookiePath.count).first == "/")
    }
}
