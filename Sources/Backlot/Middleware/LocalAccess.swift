public import Logging

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The rule for clients that may use private parts, such as a mock server's administration.
///
/// With a token, only clients that send it as `Authorization: Bearer TOKEN` (RFC 6750, section 2.1) are admitted, from anywhere.
///
/// Without a token, only programs on this machine are admitted. The server must listen on a loopback address and trust no proxy.
/// The request must carry no sign of a proxy (`Via`, `Forwarded`, `X-Forwarded-…`, `X-Real-IP`, or HTTP/1.0).
///
/// Its `Host` must be localhost, 127.0.0.1 or [::1]. That also stops pages in a browser with a name that resolves to this machine
/// (DNS rebinding). `Origin` and `Sec-Fetch-Site` reveal pages of other origins, which are refused: a browser would send their
/// forms here.
///
/// A field of a proxy shows that strangers may reach this server, unless a page's script may have set it. Then nobody is admitted
/// without a token for ten minutes, and the log says so. A proxy that speaks HTTP/1.1, sends a `Host` of this machine and adds no
/// field looks like a local program. Behind a proxy, use a token or a port that the proxy doesn't serve.
///
/// Everybody else gets 404, as for an unknown path. Copies of a value share their findings.
///
/// ```swift
/// router.metrics(metrics, LocalAccess(host: "127.0.0.1", token: "a long secret"))
/// ```
public struct LocalAccess: Sendable {
    /// Admits nobody.
    public static let nobody = LocalAccess(host: "0.0.0.0")

    private let token: SessionHash?
    /// The value of preview's cookie in a browser that has shown the token. It doesn't reveal the token, and isn't accepted in its
    /// place. nil without a token.
    package let previewCookie: String?
    /// Whether the server listens on an address of this machine alone.
    package let isOnLoopback: Bool
    private let isLocalOnly: Bool
    private let judge = Locked(LocalityCheck())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger

    /// The rule for a server.
    ///
    /// - Parameters:
    ///   - host: the server's address, such as `127.0.0.1` or `localhost`.
    ///   - trustsProxies: whether the server trusts a proxy.
    ///   - token: the token that admits clients from anywhere; nil for local access only. It must not be empty.
    ///   - logger: logs that a proxy was found, so that nobody is admitted without a token for a while.
    public init(
        host: String,
        trustsProxies: Bool = false,
        token: String? = nil,
        logger: Logger = Logger(label: "backlot.access")
    ) {
        self.init(host: host, trustsProxies: trustsProxies, token: token, logger: logger) { .now }
    }

    /// - Parameter now: the clock that measures the ten minutes.
    init(
        host: String,
        trustsProxies: Bool = false,
        token: String? = nil,
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        precondition(token != "", "an empty token would let everybody in")
        self.token = token.map { SessionHash(hashing: $0) }
        previewCookie = token.map { SessionHash(hashing: "backlot preview cookie \($0)").description }
        isOnLoopback = Self.isLoopback(host)
        isLocalOnly = !trustsProxies && isOnLoopback
        self.now = now
        self.logger = logger
    }

    /// Whether the rule can admit any client.
    public var isPossible: Bool { token != nil || isLocalOnly }

    /// Whether a request may pass.
    public func admits(_ request: Request) -> Bool {
        if let token { return request.bearerToken.map { SessionHash(hashing: $0) == token } ?? false }
        guard isLocalOnly else { return false }
        watch(request)
        return judge.withLock { $0.admits(request, at: now()) }
    }

    /// Whether a request may give commands.
    ///
    /// Without a token, a request of a page must show the secret of preview: the page may be any that this server serves, such as
    /// one of a recorded backend.
    package func admitsCommand(_ request: Request) -> Bool {
        admits(request) && (needsToken || !request.isOfPage || PreviewToken.isIn(request))
    }

    /// Whether a request may use preview: it may pass, or its browser has shown the token once.
    package func admitsPreview(_ request: Request) -> Bool {
        if admits(request) { return true }
        guard let previewCookie else { return false }
        return request.cookies(named: PreviewToken.cookie).contains {
            SessionHash(hashing: $0) == SessionHash(hashing: previewCookie)
        }
    }

    /// Looks for signs of a proxy in a request to any path.
    ///
    /// Middleware that sees every request calls this: most requests through a proxy aren't for the administration.
    package func watch(_ request: Request) {
        guard token == nil, isLocalOnly, let field = request.proxyField, !request.mayHaveFieldsOfScript else { return }
        guard judge.withLock({ $0.noteProxy(at: now()) }) else { return }
        logger.warning(
            """
            administration without a token is closed for ten minutes: a request came through a proxy, as its field \
            \(field.prefix(40)) says; behind a proxy give it a token or a separate port (--admin-token or --admin-port)
            """
        )
    }

    /// Whether the value of an `Authorization` field holds the token.
    package func isToken(inField value: String) -> Bool {
        let parts = value.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" && isToken(String(parts[1].trimmed))
    }

    /// The error for a request that isn't admitted; nil for an admitted one.
    ///
    /// It is the router's error for an unknown path.
    public func refusal(of request: Request) -> StatusError? {
        admits(request) ? nil : .nothingResponds(at: request.path)
    }

    /// Whether only a token admits clients.
    package var needsToken: Bool { token != nil }

    /// Whether a text is the token.
    package func isToken(_ text: String) -> Bool { token == SessionHash(hashing: text) }

    /// Whether a host is a loopback address.
    package static func isLoopback(_ host: String) -> Bool {
        guard let octets = SocketAddress(host: host, port: 0)?.octets else { return false }
        if octets.count == 4 { return octets[0] == 127 }
        // ::1, and ::ffff:127.0.0.0/104 (RFC 4291, sections 2.5.3 and 2.5.5.2).
        if octets.prefix(15).allSatisfy({ $0 == 0 }) { return octets[15] == 1 }
        return octets.prefix(10).allSatisfy { $0 == 0 } && octets[10] == 0xFF && octets[11] == 0xFF && octets[12] == 127
    }
}

extension LocalAccess: Middleware {
    /// Passes admitted requests on.
    ///
    /// - Throws: `StatusError` with 404 for other requests; the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        if let refusal = refusal(of: request) { throw refusal }
        return try next.respond(to: request)
    }
}

/// Decides whether a request comes from a program on this machine, by its fields and by signs of a proxy in earlier requests.
///
/// A value without I/O; callers pass the time. A reverse proxy on this machine connects from a loopback address too, and may send a
/// `Host` of this machine: only its other fields reveal it.
struct LocalityCheck {
    /// After a request that came through a proxy, no request counts as local for this long.
    static let closure = Duration.seconds(600)

    private var closedUntil: ContinuousClock.Instant?

    /// Notes that a request came through a proxy. Until the closure ends, further requests may come through it without a sign.
    ///
    /// - Returns: whether the closure is new.
    mutating func noteProxy(at now: ContinuousClock.Instant) -> Bool {
        defer { closedUntil = now + Self.closure }
        return !isClosed(at: now)
    }

    /// Whether a request counts as local.
    func admits(_ request: Request, at now: ContinuousClock.Instant) -> Bool {
        !isClosed(at: now) && Self.looksLocal(request)
    }

    private func isClosed(at now: ContinuousClock.Instant) -> Bool { closedUntil.map { now < $0 } ?? false }

    private static func looksLocal(_ request: Request) -> Bool {
        // By default, nginx uses HTTP/1.0, sends the Host of its proxy_pass and doesn't name its client.
        guard !request.isHTTP10, request.proxyField == nil else { return false }
        // Only proxies receive a URL as the target.
        guard request.target.hasPrefix("/") else { return false }
        var hosts: [String] = []
        var origins: [String] = []
        for (name, value) in request.headers {
            switch name.lowercased() {
            case "host": hosts.append(value)
            case "origin": origins.append(value)
            // Fetch Metadata, section 2.3: `cross-site` and `same-site` are pages of other origins.
            case "sec-fetch-site": guard value == "same-origin" || value == "none" else { return false }
            default: break
            }
        }
        guard hosts.count == 1, isLocalName(hosts[0]) else { return false }
        return origins.allSatisfy { $0 == "\(request.scheme)://\(hosts[0])" }
    }

    /// Whether a Host is one of this machine's names, with or without a port.
    fileprivate static func isLocalName(_ host: String) -> Bool {
        let host = host.lowercased()
        for name in ["localhost", "127.0.0.1", "[::1]"] where host.hasPrefix(name) {
            let port = host.dropFirst(name.count)
            if port.isEmpty { return true }
            return port.first == ":" && port.utf8.count <= 6
                && port.utf8.dropFirst().allSatisfy(\.isDigit)
        }
        return false
    }
}

extension Request {
    /// Whether a page made the request by a script, a form or a link, according to the browser (Fetch Metadata, section 2.3).
    fileprivate var isOfPage: Bool {
        headers.contains(.origin)
            || HTTPField.Name.secFetchSite.map { headers[values: $0].contains { $0 != "none" } } ?? false
    }

    /// Whether a script of a page may have chosen fields such as `X-Forwarded-For`.
    ///
    /// With the requests of scripts, browsers send at least one of three fields. A script can't choose the fields of a navigation
    /// (Fetch Metadata, section 2.2), nor `Via` (Fetch, section 2.2.2).
    fileprivate var mayHaveFieldsOfScript: Bool {
        if HTTPField.Name.secFetchMode.flatMap({ headers[$0] }) == "navigate" || headers.contains(.via) { return false }
        return headers.contains(.origin) || headers.contains(.acceptLanguage)
            || HTTPField.Name.secFetchSite.map { headers.contains($0) } ?? false
    }

    /// Whether the `Host` is one of this machine's names: browsers trust it like https (Secure Contexts, section 3.1).
    package var hasLocalHost: Bool {
        HTTPField.Name("Host").flatMap { headers[$0] }.map { LocalityCheck.isLocalName($0) } ?? false
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")
    fileprivate static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")
}

/// The secret that preview's shell sends with each of its calls, and with commands at `/__admin`. Pages of an app don't know it: it
/// is only in the shell, and scripts of pages can't read that.
///
/// It stays the same until the machine restarts, so that a shell continues to work after a restart of the server. It is derived
/// from the random boot id, which programs on the machine can read and web pages can't.
package enum PreviewToken {
    /// The field that carries it.
    package static let field = "Backlot-Preview"
    /// The cookie of a browser that has shown the token for administration.
    package static let cookie = "backlot-preview"
    private static let name = HTTPField.Name(field)

    /// The secret: 48 hexadecimal digits.
    package static let text = String(SessionHash(hashing: "backlot preview \(bootID ?? random)").description.prefix(48))
    private static let hash = SessionHash(hashing: text)

    /// Whether a request carries it.
    package static func isIn(_ request: Request) -> Bool {
        guard let name, let sent = request.headers[name] else { return false }
        return SessionHash(hashing: sent) == hash
    }

    /// random(4), "boot_id".
    private static var bootID: String? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id")) else { return nil }
        let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
        return text.count < 16 ? nil : text
    }

    private static var random: String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: " ")
    }
}
