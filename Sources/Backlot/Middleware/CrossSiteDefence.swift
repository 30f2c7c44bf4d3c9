/// Refuses requests that a page of another site makes a browser send with the user's cookies (cross-site request forgery). Apps
/// with cookie sessions have it by default (`SessionConfiguration.crossSiteDefence`). Elsewhere write
/// `router.use(CrossSiteDefence())`.
///
/// It detects them by a field that browsers add to every request and pages can't change: `Sec-Fetch-Site` (Fetch Metadata, section
/// 2.3). For browsers without that field, it looks for an `Origin` (RFC 6454, section 7) with another host or scheme than the
/// request's.
///
/// It lets GET, HEAD and OPTIONS through, which must change nothing, and requests with a body of `application/json`: a page of
/// another origin can send those only if `CORS` allows it. Mobile clients send neither field, so nothing changes for them. Origins
/// that `CORS` allows to send cookies may send any request.
///
/// Refused requests get 403.
///
/// ```swift
/// router.use(CrossSiteDefence(allowing: ["https://app.example.com"]))
/// ```
public struct CrossSiteDefence: Middleware {
    private let origins: Set<String>

    /// The defence.
    ///
    /// - Parameter origins: the other origins with pages that may send any request, such as `https://app.example.com`.
    public init(allowing origins: Set<String> = []) {
        for origin in origins {
            precondition(
                origin.contains("://") && !origin.hasSuffix("/"),
                "'\(origin)' is not an origin: write one such as https://app.example.com"
            )
        }
        self.origins = Set(origins.map { $0.lowercased() })
    }

    /// Passes a request on unless another site made it.
    ///
    /// - Throws: `StatusError` with 403 for such requests; the errors of `next`.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        try check(request)
        return try next.respond(to: request)
    }

    func check(_ request: Request) throws {
        guard isForged(request) else { return }
        throw StatusError(.forbidden, "a page of another site sent this request: it is not carried out")
    }

    private func isForged(_ request: Request) -> Bool {
        switch request.method {
        case .get, .head, .options: return false
        default: break
        }
        guard request.hasField("sec-fetch-site") || request.hasField("origin") else { return false }
        guard !Self.isJSON(request.headers[.contentType]) else { return false }
        let origin = request.headers[.origin]
        if let origin, origins.contains(origin.lowercased()) { return false }
        if request.attributes[CredentialsAllowedAttribute.self] == true { return false }
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) {
            return site != "same-origin" && site != "none"
        }
        // "null" is the origin of pages that must stay anonymous.
        return !(origin.map(request.isFromOwnPage) ?? false)
    }

    private static func isJSON(_ type: String?) -> Bool {
        type?.prefix { $0 != ";" && $0 != "," }.trimmed.lowercased() == "application/json"
    }
}
