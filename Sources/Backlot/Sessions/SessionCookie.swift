/// The cookie that tells a client its session's id, or to forget it (RFC 6265, section 4.1).
struct SessionCookie: Sendable {
    enum Content: Sendable {
        /// An id that ends at `expiresAt`, in seconds since 1970.
        case id(SessionID, expiresAt: Int, now: Int)
        case nothing
    }

    /// What clients of the protocols look for.
    static let name = "session"

    let content: Content
    let path: String
    let sameSite: SessionConfiguration.SameSite
    let isSecure: Bool

    /// The value of the `Set-Cookie` field. `Max-Age` counts where it is known; `Expires` is for older clients.
    var text: String {
        let (value, age, expires) =
            switch content {
            case .id(let id, let expiresAt, let now): (id.text, max(0, expiresAt - now), expiresAt)
            case .nothing: ("", 0, 0)
            }
        let cookie = SetCookie(
            unchecked: Self.name,
            value,
            path: path,
            maxAge: .seconds(age),
            expires: HTTPDate(secondsSince1970: expires),
            sameSite: sameSite,
            isHTTPOnly: true,
            isSecure: isSecure
        )
        return cookie.description
    }

    /// Adds the cookie to an answer, which nothing on the way may keep then (RFC 9111, section 7.3).
    func add(to response: inout Response) {
        response.headers.append(HTTPField(name: .setCookie, value: text))
        response.headers[.cacheControl] = "no-store"
    }

    /// Whether a path can stand in the cookie, and has whole segments.
    static func isPath(_ path: String) -> Bool { path.hasSuffix("/") && SetCookie.isPath(path) }
}
