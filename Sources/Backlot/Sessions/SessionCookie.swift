internal import BacklotHTTP
internal import HTTPTypes

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
        let expiry = "Max-Age=\(age); Expires=\(HTTPDate(secondsSince1970: expires))"
        let protection = "HttpOnly; SameSite=\(sameSite.rawValue)\(isSecure ? "; Secure" : "")"
        return "\(Self.name)=\(value); Path=\(path); \(expiry); \(protection)"
    }

    /// Adds the cookie to an answer, which nothing on the way may keep then (RFC 9111, section 7.3).
    func add(to response: inout Response) {
        response.headers.append(HTTPField(name: .setCookie, value: text))
        response.headers[.cacheControl] = "no-store"
    }

    /// Whether a path can stand in the cookie: visible ASCII without a semicolon, and whole segments.
    static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.hasSuffix("/")
            && path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") }
    }
}

/// Reads `Cookie` header fields (RFC 6265, section 5.4), as tolerantly as they come: pairs are split at semicolons, blanks
/// around names and values and quotes around values don't count, and anything but a pair is skipped.
enum CookieHeader {
    /// The ids in the cookies named `session`, in the order they were sent, each once; at most as many as are looked up.
    ///
    /// Values that no id looks like are not counted: another app on the host may have a cookie of that name.
    static func sessionIDs(in headers: RequestHeaders) -> [SessionID] {
        var ids: [SessionID] = []
        for header in headers[values: .cookie] {
            for value in values(named: SessionCookie.name, in: header) {
                guard let id = SessionID(value), !ids.contains(where: { $0.text == id.text }) else { continue }
                ids.append(id)
                if ids.count == SessionChoice.maximum { return ids }
            }
        }
        return ids
    }

    /// The values of all cookies with that name, which is case-sensitive.
    static func values(named name: String, in header: String) -> [Substring] {
        header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            guard trimmed(pair[..<equals]).elementsEqual(name.utf8) else { return nil }
            return Substring(unquoted(trimmed(pair[pair.index(after: equals)...])))
        }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, isBlank(first) { text.removeFirst() }
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }

    private static func unquoted(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text.first == quote, text.last == quote else { return text }
        return text.dropFirst().dropLast()
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension Request {
    /// The values of the cookies with a name.
    package func cookies(named name: String) -> [String] {
        headers[values: .cookie].flatMap { CookieHeader.values(named: name, in: $0) }.map(String.init)
    }
}
