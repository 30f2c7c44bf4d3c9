/// The cookies of a client: taken from answers, sent along with requests (RFC 6265, section 5).
///
/// It is bounded: at most 300 cookies of at most 4096 bytes each; when there are more, the oldest go.
public struct CookieJar: Sendable, Equatable {
    private static let maximumCount = 300
    /// The longest value of a `Set-Cookie` field that is taken.
    static let maximumBytes = 4096

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
            guard let setting = SetCookie(field), let cookie = Self.cookie(setting, from: url, now: now) else {
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
            case (nil, false): cookies.append(cookie)
            }
        }
        if cookies.count > Self.maximumCount { cookies.removeFirst(cookies.count - Self.maximumCount) }
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

    /// The value of the cookie that goes to `url` under a name; nil where there is none.
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
    static func cookie(_ setting: SetCookie, from url: HTTPURL, now: Double) -> Cookie? {
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
