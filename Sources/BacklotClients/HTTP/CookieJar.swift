package import Backlot

/// The cookies of a client, which come from responses and are sent with requests (RFC 6265, section 5).
///
/// It is bounded: at most 300 cookies of at most 4096 bytes each. When it is full, it drops the oldest.
public struct CookieJar: Sendable, Equatable {
    private static let maximumCount = 300
    /// The maximum size of an accepted `Set-Cookie` field, in bytes.
    package static let maximumBytes = 4096

    /// The cookies, the oldest first. Some may have expired.
    public private(set) var cookies: [Cookie] = []

    /// Creates an empty jar.
    public init() {}

    /// Stores the cookies of a response's `Set-Cookie` fields (section 5.3).
    ///
    /// - Parameters:
    ///   - fields: the values of the fields, in order.
    ///   - url: the requested URL.
    ///   - now: the time, in seconds since 1970.
    public mutating func take(_ fields: [String], from url: HTTPURL, now: Double) {
        for field in fields where field.utf8.count <= Self.maximumBytes {
            guard let setting = SetCookie(parsing: field), let cookie = Self.cookie(setting, from: url, now: now) else {
                continue
            }
            if let expiry = cookie.expiry, expiry <= now {
                cookies.removeAll { $0.isSame(as: cookie) }
            } else {
                store(cookie)
            }
        }
    }

    /// Takes in what a request has changed, and keeps what other requests have changed during it.
    ///
    /// - Parameters:
    ///   - old: the cookies before the request.
    ///   - new: the cookies after it.
    package mutating func take(changesFrom old: CookieJar, to new: CookieJar) {
        for cookie in old.cookies where !new.cookies.contains(where: { $0.isSame(as: cookie) }) {
            cookies.removeAll { $0.isSame(as: cookie) }
        }
        for cookie in new.cookies where !old.cookies.contains(cookie) { store(cookie) }
    }

    private mutating func store(_ cookie: Cookie) {
        if let index = cookies.firstIndex(where: { $0.isSame(as: cookie) }) {
            cookies[index] = cookie
            return
        }
        cookies.append(cookie)
        if cookies.count > Self.maximumCount { cookies.removeFirst() }
    }

    /// Drops the oldest cookies beyond a number and beyond a total size of names and values, in bytes.
    ///
    /// - Returns: the number of dropped cookies.
    package mutating func keep(_ most: Int, bytes: Int) -> Int {
        var room = bytes
        var kept = 0
        for cookie in cookies.reversed() {
            room -= cookie.name.utf8.count + cookie.value.utf8.count
            guard kept < most, room >= 0 else { break }
            kept += 1
        }
        let dropped = cookies.count - kept
        if dropped > 0 { cookies.removeFirst(dropped) }
        return dropped
    }

    /// The value of a request's `Cookie` field (section 5.4); nil if no cookie matches.
    public func header(for url: HTTPURL, now: Double) -> String? {
        guard !cookies.isEmpty else { return nil }
        let sent = cookies.enumerated()
            .filter { $0.element.isFor(url) && $0.element.expiry ?? .infinity > now }
            // Longer paths come first; for equal lengths, the older cookie.
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
        return sent.isEmpty ? nil : sent.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    /// The value of the cookie with this name that would be sent to `url`; nil without such a cookie.
    public func value(of name: String, for url: HTTPURL) -> String? {
        cookies.last { $0.name == name && $0.isFor(url) }?.value
    }

    /// Removes the cookies with this name that would be sent to `url`.
    public mutating func remove(_ name: String, for url: HTTPURL) {
        cookies.removeAll { $0.name == name && $0.isFor(url) }
    }

    /// Removes the cookies that end with the app: those without `Max-Age` and `Expires`.
    public mutating func removeSessionCookies() {
        cookies.removeAll { !$0.isPersistent }
    }

    /// The cookie that a field sets; nil if a client rejects it.
    package static func cookie(_ setting: SetCookie, from url: HTTPURL, now: Double) -> Cookie? {
        if let domain = setting.domain {
            // A server may set cookies for its own domain and for parent domains, but not for a whole top-level domain.
            guard Cookie.isHost(url.host, in: domain), domain.contains(".") || domain == url.host else { return nil }
        }
        return Cookie(
            name: setting.name,
            value: setting.value,
            domain: setting.domain ?? url.host,
            isHostOnly: setting.domain == nil,
            path: setting.path ?? defaultPath(of: url),
            expiry: setting.expiry(now: now),
            isSecure: setting.isSecure,
            isHTTPOnly: setting.isHTTPOnly
        )
    }

    /// The default path (section 5.1.4).
    private static func defaultPath(of url: HTTPURL) -> String {
        let folder = url.path[..<(url.path.lastIndex(of: "/") ?? url.path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }
}

/// A cookie as a client stores it (RFC 6265, section 5.3).
public struct Cookie: Sendable, Equatable {
    /// The name, which is case-sensitive.
    public let name: String
    /// The value.
    public let value: String
    /// The host of the cookie. Unless `isHostOnly` is true, the hosts below it get the cookie too.
    public let domain: String
    /// Whether only this host gets the cookie.
    public let isHostOnly: Bool
    /// The path of the cookie, which includes the paths below it.
    public let path: String
    /// The expiry in seconds since 1970; nil if the cookie ends with the app.
    public let expiry: Double?
    /// Whether the cookie is only sent over https.
    public let isSecure: Bool
    /// Whether scripts can't read the cookie. Mobile clients have no scripts.
    public let isHTTPOnly: Bool

    /// Whether the cookie survives a restart of the app.
    public var isPersistent: Bool { expiry != nil }

    /// Whether a client keeps only one of both: the later one replaces the other (RFC 6265, section 5.3).
    func isSame(as other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

    /// Whether the cookie belongs in a request for `url`, apart from its expiry (RFC 6265, section 5.4).
    public func isFor(_ url: HTTPURL) -> Bool {
        let matchesHost = isHostOnly ? url.host == domain : Self.isHost(url.host, in: domain)
        return matchesHost && Self.isPath(url.path, below: path) && (!isSecure || url.scheme == .https)
    }

    /// Whether a host matches a cookie's domain (RFC 6265, section 5.1.3).
    package static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        return !isAddress && host.hasSuffix("." + domain)
    }

    /// Whether a path matches a cookie's path (RFC 6265, section 5.1.4).
    package static func isPath(_ path: String, below cookiePath: String) -> Bool {
        if path == cookiePath { return true }
        return path.hasPrefix(cookiePath)
            && (cookiePath.hasSuffix("/") || path.dropFirst(cookiePath.count).first == "/")
    }
}
