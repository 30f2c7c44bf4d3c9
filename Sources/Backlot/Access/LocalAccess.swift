public import BacklotHTTP
internal import HTTPTypes

/// Who may use what is not for the public, such as a mock server's administration.
///
/// With a token: whoever sends it, from anywhere, as `Authorization: Bearer TOKEN` (RFC 6750, section 2.1), and nobody else.
///
/// Without one: programs of this machine. The server must listen on a loopback address and trust no proxy; the request must
/// carry no sign of a proxy (`Forwarded`, `X-Forwarded-…`), and its `Host` must be localhost, 127.0.0.1 or [::1], which also
/// stops pages of a browser that have let their name resolve to this machine (DNS rebinding). Pages of another origin are
/// refused by their `Origin`: a browser would send their forms here.
///
/// Anybody else is answered as if nothing were there: 404.
public struct LocalAccess: Sendable {
    /// Lets nobody in.
    public static let nobody = LocalAccess(host: "0.0.0.0")

    private let token: SessionHash?
    private let isLocalOnly: Bool

    /// The rule for a server.
    ///
    /// - Parameters:
    ///   - host: what the server listens on, such as `127.0.0.1` or `localhost`.
    ///   - trustsProxies: whether the server believes any proxy.
    ///   - token: what lets in from anywhere; nil for local access only. It must not be empty.
    public init(host: String, trustsProxies: Bool = false, token: String? = nil) {
        precondition(token != "", "an empty token would let everybody in")
        self.token = token.map { SessionHash(hashing: $0) }
        isLocalOnly = !trustsProxies && Self.isLoopback(host)
    }

    /// Whether anybody can be let in at all.
    public var isPossible: Bool { token != nil || isLocalOnly }

    /// Whether a request may pass.
    public func admits(_ request: Request) -> Bool {
        if let token { return Self.bearer(in: request).map { SessionHash(hashing: $0) == token } ?? false }
        return isLocalOnly && Self.isLocal(request)
    }

    /// What keeps a request out; nil when it may pass.
    ///
    /// It is what the router says of a path where nothing is.
    public func refusal(of request: Request) -> StatusError? {
        admits(request) ? nil : StatusError(.notFound, "nothing answers at \(request.path)")
    }

    /// Whether a token lets in, and nothing else.
    package var needsToken: Bool { token != nil }

    /// Whether a text is the token.
    package func isToken(_ text: String) -> Bool { token == SessionHash(hashing: text) }

    private static func isLoopback(_ host: String) -> Bool {
        guard let octets = SocketAddress(host: host, port: 0)?.octets else { return false }
        if octets.count == 4 { return octets[0] == 127 }
        // ::1, and ::ffff:127.0.0.0/104 (RFC 4291, sections 2.5.3 and 2.5.5.2).
        if octets.prefix(15).allSatisfy({ $0 == 0 }) { return octets[15] == 1 }
        return octets.prefix(10).allSatisfy { $0 == 0 } && octets[10] == 0xFF && octets[11] == 0xFF && octets[12] == 127
    }

    private static func isLocal(_ request: Request) -> Bool {
        // A URL as the target is what a proxy gets.
        guard request.target.hasPrefix("/") else { return false }
        var hosts: [String] = []
        var origins: [String] = []
        for (name, value) in request.headers {
            switch name.lowercased() {
            case "host": hosts.append(value)
            case "origin": origins.append(value)
            case "forwarded": return false
            case let name where name.hasPrefix("x-forwarded-"): return false
            default: break
            }
        }
        guard hosts.count == 1, isLocalName(hosts[0]) else { return false }
        return origins.allSatisfy { $0 == "http://\(hosts[0])" }
    }

    /// Whether a Host is one of this machine's names, with or without a port.
    private static func isLocalName(_ host: String) -> Bool {
        let host = host.lowercased()
        for name in ["localhost", "127.0.0.1", "[::1]"] where host.hasPrefix(name) {
            let port = host.dropFirst(name.count)
            if port.isEmpty { return true }
            return port.first == ":" && port.utf8.count <= 6
                && port.utf8.dropFirst().allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        }
        return false
    }

    private static func bearer(in request: Request) -> String? {
        let values = request.headers[values: .authorization]
        guard values.count == 1, let space = values[0].firstIndex(of: " "),
            values[0][..<space].lowercased() == "bearer"
        else { return nil }
        return String(values[0][values[0].index(after: space)...].drop { $0 == " " })
    }
}

extension LocalAccess: Middleware {
    /// Hands on what may pass.
    ///
    /// - Throws: `StatusError` with 404 for what may not; what `next` throws.
    public func handle(_ request: Request, next: any Handler) async throws -> Response {
        if let refusal = refusal(of: request) { throw refusal }
        return try await next.handle(request)
    }

    /// Does the same without suspending, where `next` can.
    public func answerAtOnce(_ request: Request, next: any Handler) throws -> Response? {
        if let refusal = refusal(of: request) { throw refusal }
        return try next.answerAtOnce(request)
    }
}
