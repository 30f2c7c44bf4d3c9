package import Backlot

/// The cookies of a client: taken from answers, sent along with requests (RFC 6265, section 5).
///
/// It is bounded: at most 300 cookies of at most 4096 bytes each; when there are more, the oldest go.
public struct CookieJar: Sendable, Equatable {
    private static let maximumCount = 300
    /// The longest value of a `Set-Cookie` field that is taken.
    package static let maximumBytes = 4096

    /// The cookies, those set first come first. Some may have ended.
    public private(set) var cookies: [Cookie] = []

    /// An empty jar.
    public init() {}

    /// Takes in what the `Set-Cookie` fields of an answer say (section 5.3).
    ///
    /// - Parameters:
    ///   - fields: the values of the fields, in their order.
    ///   - url: what was asked for.
    ///   - now: the time, in seconds since 1970.
    public mutating func take(_ fields: [String], from url: HTTPURL, now: Double) {
        for field in fields where field.utf8.count <= Self.maximumBytes {
            guard let setting = SetCookie(parsing: field), let cookie = Self.cookie(setting, from: url, now: now) else {
                continue
            }
            let index = cookies.firstIndex {
                $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
            }
            let hasEnded = cookie.expiry.map { $0 <= now } ?? false
            switch (index, hasEnded) {
            case (let index?, true): cookies.remove(at: index)
            case (let index?, false): cookies[index] = cookie
            case (nil, true): break
            case (nil, false):
                cookies.append(cookie)
                if cookies.count > Self.maximumCount { cookies.removeFirst() }
            }
        }
    }

    /// Drops the oldest cookies beyond a number, and beyond so many bytes of names and values.
    ///
    /// - Returns: how many were dropped.
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

    /// The value of the `Cookie` field of a request (section 5.4); nil where no cookie belongs to it.
    public func header(for url: HTTPURL, now: Double) -> String? {
        guard !cookies.isEmpty else { return nil }
        let sent = cookies.enumerated()
            .filter { $0.element.isFor(url) && $0.element.expiry ?? .infinity > now }
            // Those of longer paths first, and of two such the older one.
            .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
        return sent.isEmpty ? nil : sent.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    /// The value of the cookie that goes to `url` under a name; nil without such a cookie.
    public func value(of name: String, for url: HTTPURL) -> String? {
        cookies.last { $0.name == name && $0.isFor(url) }?.value
    }

    /// Removes the cookies of a name that go to `url`.
    public mutating func remove(_ name: String, for url: HTTPURL) {
        cookies.removeAll { $0.name == name && $0.isFor(url) }
    }

    /// Removes what ends with the app: the cookies that have neither `Max-Age` nor `Expires`.
    public mutating func removeSessionCookies() {
        cookies.removeAll { !$0.isPersistent }
    }

    /// The cookie that a field sets; nil for one that a client refuses.
    package static func cookie(_ setting: SetCookie, from url: HTTPURL, now: Double) -> Cookie? {
        if let domain = setting.domain {
            // A server sets cookies for itself and for what is above it, but not for a whole top-level domain.
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

    /// Section 5.1.4.
    private static func defaultPath(of url: HTTPURL) -> String {
        let folder = url.path[..<(url.path.lastIndex(of: "/") ?? url.path.startIndex)]
        return folder.isEmpty ? "/" : String(folder)
    }
}

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
    package static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        return !isAddress && host.hasSuffix("." + domain)
    }

    /// RFC 6265, section 5.1.4.
    package static func isPath(_ path: String, below cookiePath: String) -> Bool {
        if path == cookiePath { return true }
        return path.hasPrefix(cookiePath)
            && (cookiePath.hasSuffix("/") || path.dropFirst(cookiePath.count).first == "/")
    }
}
