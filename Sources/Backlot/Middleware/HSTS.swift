/// Tells browsers to reach this host over TLS alone from now on: `router.use(HSTS())`, before other middlewares. The field is
/// `Strict-Transport-Security` (RFC 6797).
///
/// Answers over clear text are left as they are: browsers believe the field over TLS only. Behind a proxy that speaks TLS, name
/// it in `ServerConfiguration.trustedProxies`. Begin with a short time: until it has passed, browsers refuse to speak clear text
/// with the host, on any of its ports.
public struct HSTS: Middleware {
    /// The shortest time that lists of browsers take a host for: a year.
    private static let shortestPreload = Duration.days(365)

    private let value: String

    /// The field for each answer over TLS.
    ///
    /// - Parameters:
    ///   - maxAge: how long browsers keep to it, from each answer on, in whole seconds. Zero makes them forget it.
    ///   - includesSubdomains: whether it holds for all names below the host's, too.
    ///   - preload: whether browsers may take the host into the lists that they come with. It needs `includesSubdomains` and
    ///     a `maxAge` of at least a year, and is hard to take back.
    public init(maxAge: Duration, includesSubdomains: Bool = false, preload: Bool = false) {
        precondition(maxAge >= .zero, "maxAge must not be negative, but is \(maxAge)")
        precondition(
            !preload || includesSubdomains && maxAge >= Self.shortestPreload,
            "preload needs includesSubdomains and a maxAge of at least 365 days, but it is \(maxAge)"
        )
        value =
            "max-age=\(maxAge.components.seconds)" + (includesSubdomains ? "; includeSubDomains" : "")
            + (preload ? "; preload" : "")
    }

    /// Adds the field to the answer of `next`, unless that has one.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.isSecure else { return try next.respond(to: request) }
        return try next.outcome(of: request).map { result in
            var response = try result.response()
            if response.headers[.strictTransportSecurity] == nil { response.headers[.strictTransportSecurity] = value }
            return response
        }
    }
}
