internal import Backlot
import BacklotClients

/// The rules for a backend's cookies: a client must be able to send them back, even after a restart.
///
/// Source: RFC 6265, sections 4.1 and 5.3.
struct CookieRule {
    /// The app's base URL.
    let base: HTTPURL

    /// The findings in the value of one `Set-Cookie` field.
    ///
    /// - Parameters:
    ///   - field: the value of the field.
    ///   - url: the requested URL.
    ///   - page: the path of the page or rpc, below the base URL.
    ///   - now: the time, in seconds since 1970.
    func findings(_ field: String, from url: HTTPURL, page: String, now: Double) -> [Finding] {
        var findings: [Finding] = []
        func add(_ severity: Finding.Severity, _ rule: String, _ message: String, _ fix: String) {
            let path = FindingPath(page: page)
            findings.append(Finding(severity, rule: rule, path: path, message: message, fix: fix))
        }
        guard field.utf8.count <= CookieJar.maximumBytes else {
            add(
                .error,
                "cookie-too-long",
                "A Set-Cookie has \(field.utf8.count) bytes, and clients keep no more than \(CookieJar.maximumBytes).",
                "Keep the data on the server, under a short random id."
            )
            return findings
        }
        guard let setting = SetCookie(parsing: field) else {
            let message = "Clients ignore the Set-Cookie \(field.cut(to: 60).inQuotes): it names no cookie."
            add(.error, "cookie-malformed", message, "Write name=value before the first semicolon.")
            return findings
        }
        let name = setting.name.cut(to: 40).inQuotes
        guard let cookie = CookieJar.cookie(setting, from: url, now: now) else {
            let domain = (setting.domain ?? "").cut(to: 60).inQuotes
            let message = "Clients refuse the cookie \(name): its Domain \(domain) is not that of \(url.host)."
            add(.error, "cookie-domain", message, "Leave Domain out.")
            return findings
        }
        if let expiry = cookie.expiry, expiry <= now { return [] }  // it removes the cookie
        // A redirect may lead to another server, and its cookies aren't for the app.
        guard cookie.isHostOnly ? cookie.domain == base.host : Cookie.isHost(base.host, in: cookie.domain) else {
            return []
        }
        if cookie.isSecure, base.scheme == .http {
            let message = "The cookie \(name) is Secure, so clients don't send it back over http."
            add(
                .error,
                "cookie-secure-over-http",
                message,
                "Serve the app over https, or leave out Secure."
            )
        }
        if !Cookie.isPath(base.path, below: cookie.path) {
            let path = cookie.path.cut(to: 60).inQuotes
            let message =
                "The cookie \(name) goes to \(path) and below, and not to the whole app at \(base.path.inQuotes)."
            add(.error, "cookie-path", message, "Set it with Path=\(base.path).")
        }
        guard setting.maxAge == nil else { return findings }
        if let text = setting.expiresText {
            guard !CookieDate.isRFC1123(text) else { return findings }
            add(
                .warning,
                "cookie-date",
                "The Expires of the cookie \(name) is \(text.cut(to: 60).inQuotes), which clients may not be able to "
                    + "read, and then they forget it when they restart.",
                "Write it as in Sun, 06 Nov 1994 08:49:37 GMT, or set Max-Age instead."
            )
        } else {
            let message = "The cookie \(name) has neither Max-Age nor Expires, so clients forget it when they restart."
            let fix = "Set it with Max-Age, such as Max-Age=2592000 for 30 days."
            add(.warning, "cookie-lost-at-restart", message, fix)
        }
        return findings
    }
}

extension CookieDate {
    /// Whether a text is a date in the format of RFC 1123: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func isRFC1123(_ text: String) -> Bool {
        let shape = "Aaa, 00 Aaa 0000 00:00:00 GMT"
        guard text.utf8.count == shape.utf8.count, read(text) != nil else { return false }
        return zip(text.utf8, shape.utf8).enumerated().allSatisfy { index, pair in
            let (byte, expected) = pair
            switch expected {
            case UInt8(ascii: "0"): return (0x30...0x39).contains(byte)
            case UInt8(ascii: "A") where index < 26: return (0x41...0x5A).contains(byte)
            case UInt8(ascii: "a"): return (0x61...0x7A).contains(byte)
            default: return byte == expected
            }
        }
    }
}

/// A transport that also records the cookies in responses, including redirects, and counts the requests.
final class CookieWatch: ClientTransport {
    private struct State {
        var settings: [(field: String, url: HTTPURL)] = []
        var requests = 0
    }

    private let transport: any ClientTransport
    private let state = Locked(State())

    init(_ transport: any ClientTransport) {
        self.transport = transport
    }

    /// The number of requests sent.
    var requests: Int { state.withLock { $0.requests } }

    /// Returns the cookies set since the last call, with the requested URLs.
    func takeSettings() -> [(field: String, url: HTTPURL)] {
        state.withLock { state in
            defer { state.settings = [] }
            return state.settings
        }
    }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        state.withLock { $0.requests += 1 }
        let response = try await transport.response(to: request, limits: limits)
        let fields = response.headers[values: .setCookie]
        state.withLock { $0.settings += fields.map { ($0, request.url) } }
        return response
    }
}
