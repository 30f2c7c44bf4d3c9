internal import Logging

/// What all sessions of an app have in common. A class, so that a request takes none of it apart.
final class SessionPlace: Sendable {
    /// Tells the app's sessions from those of other apps in the same store.
    let mount: String
    let store: any SessionStore
    let configuration: SessionConfiguration
    let times: SessionTimes
    let logger: Logger

    /// The time, in seconds since 1970.
    var now: Int { configuration.clock.secondsSince1970 }

    init(mount: String, store: any SessionStore, configuration: SessionConfiguration, logger: Logger) {
        self.mount = mount
        self.store = store
        self.configuration = configuration
        times = SessionTimes(configuration)
        self.logger = logger
    }
}

/// The cookie that tells a client its session's id, or to forget it (RFC 6265, section 4.1).
extension SessionPlace {
    /// The name that clients of the protocols look for.
    static let cookieName = "session"

    /// The cookie. `Max-Age` counts where it is known; `Expires` is for older clients.
    ///
    /// - Parameters:
    ///   - id: the session's id; nil to forget it.
    ///   - expiresAt: when the id ends, in seconds since 1970.
    func cookie(_ id: SessionID?, expiresAt: Int = 0, isSecure: Bool) -> SetCookie {
        var cookie = SetCookie(unchecked: Self.cookieName, id?.text ?? "")
        cookie.path = mount
        cookie.maxAge = id == nil ? .zero : .seconds(max(0, expiresAt - now))
        cookie.expires = HTTPDate(secondsSince1970: expiresAt)
        cookie.sameSite = configuration.sameSite
        cookie.isHTTPOnly = true
        cookie.isSecure = isSecure
        return cookie
    }
}

extension Response {
    /// Sets a session's cookie. Nothing on the way may keep the answer then (RFC 9111, section 7.3).
    mutating func setSession(_ cookie: SetCookie) {
        setCookie(cookie)
        headers[.cacheControl] = "no-store"
    }
}
