/// Makes browsers use only TLS for this host: `router.use(HSTS(maxAge: .seconds(300)))`, before other middleware. The field is
/// `Strict-Transport-Security` (RFC 6797).
///
/// Responses over clear text stay unchanged, because browsers accept the field over TLS only. Behind a proxy that speaks TLS, set
/// `ServerConfiguration.trustedProxies`. Begin with a short time: until it has passed, browsers refuse clear text with the host, on
/// any of its ports.
public struct HSTS: Middleware {
    /// The minimum time for the preload lists of browsers: a year.
    private static let shortestPreload = Duration.days(365)

    private let value: String

    /// The field for each response over TLS.
    ///
    /// - Parameters:
    ///   - maxAge: the time that browsers apply it, from each response on, in whole seconds. Zero makes them forget it.
    ///   - includesSubdomains: whether it applies to all subdomains too.
    ///   - allowsPreloading: whether browsers may add the host to their built-in lists. It needs `includesSubdomains` and a `maxAge` of at
    ///     least a year, and is hard to undo.
    public init(maxAge: Duration, includesSubdomains: Bool = false, allowsPreloading: Bool = false) {
        precondition(maxAge >= .zero, "maxAge must not be negative, but is \(maxAge)")
        precondition(
            !allowsPreloading || includesSubdomains && maxAge >= Self.shortestPreload,
            "allowsPreloading needs includesSubdomains and a maxAge of at least 365 days, but it is \(maxAge)"
        )
        value =
            "max-age=\(maxAge.components.seconds)" + (includesSubdomains ? "; includeSubDomains" : "")
            + (allowsPreloading ? "; preload" : "")
    }

    /// Adds the field to the response of `next`, unless that has one.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.isSecure else { return try next.respond(to: request) }
        return try next.outcome(of: request).map { result in
            var response = try result.response(to: request)
            if response.headers[.strictTransportSecurity] == nil { response.headers[.strictTransportSecurity] = value }
            return response
        }
    }
}
