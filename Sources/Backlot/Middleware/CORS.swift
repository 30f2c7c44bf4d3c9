/// Lets web pages of other origins read answers (the CORS protocol of the Fetch standard): `router.use(CORS(.any))`.
///
/// Preflights are answered here, with 204. An origin that isn't allowed gets its answers without any of the fields, and its
/// browser keeps them from the page. Errors that are an `HTTPError` become answers here, so that pages can read them too.
///
/// Put it before other middlewares.
public struct CORS: Middleware {
    /// The origins whose pages are allowed.
    public enum Origins: Sendable, Equatable {
        /// Those of any origin.
        case any
        /// Those of these origins, such as `https://app.example.com`.
        case named(Set<String>)
    }

    /// What pages may ask with, where nothing else is said.
    public static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

    private let origins: Origins
    private let methods: String
    private let exposedFields: String?
    private let maxAge: Int
    private let allowsCredentials: Bool

    /// A middleware for web clients.
    ///
    /// - Parameters:
    ///   - origins: whose pages are allowed.
    ///   - methods: what they may ask with.
    ///   - exposedFields: the answers' fields that they may read beside those that every page may.
    ///   - maxAge: for how many seconds a browser may go without another preflight.
    ///   - allowsCredentials: whether cookies may come along. With `Origins.any` every page then acts as the user who looks at
    ///     it: for mocks only.
    public init(
        _ origins: Origins,
        methods: [HTTPRequest.Method] = CORS.methods,
        exposedFields: [HTTPField.Name] = [],
        maxAge: Int = 600,
        allowsCredentials: Bool = false
    ) {
        precondition(maxAge >= 0, "maxAge must not be negative, but is \(maxAge)")
        if case .named(let names) = origins {
            self.origins = .named(Set(names.map { $0.lowercased() }))
        } else {
            self.origins = origins
        }
        self.methods = methods.map(\.rawValue).joined(separator: ", ")
        self.exposedFields = exposedFields.isEmpty ? nil : exposedFields.map(\.rawName).joined(separator: ", ")
        self.maxAge = maxAge
        self.allowsCredentials = allowsCredentials
    }

    /// Handles a request, and says who may read the answer.
    ///
    /// - Throws: what `next` throws, unless it is an `HTTPError` and the request names an origin.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let origin = request.headers[.origin]
        if let preflight = preflight(request, origin) { return .ready(preflight) }
        var request = request
        if allowsCredentials, let origin, allowedOrigin(origin) != nil {
            request.attributes[CredentialsAllowedAttribute.self] = true
        }
        return try next.outcome(of: request).map { result in
            allow(origin, origin == nil ? try result.get() : try result.response())
        }
    }

    /// What `Access-Control-Allow-Origin` says to an origin; nil when it isn't allowed.
    private func allowedOrigin(_ origin: String) -> String? {
        switch origins {
        // A browser takes no star where cookies come along.
        case .any: allowsCredentials ? origin : "*"
        case .named(let names): names.contains(origin.lowercased()) ? origin : nil
        }
    }

    /// Whether answers differ by origin.
    private var varies: Bool { origins != .any || allowsCredentials }

    private func allow(_ origin: String?, _ response: Response) -> Response {
        var response = response
        // Caches must know it of answers to everybody else too.
        if varies { response.headers.addVary(HTTPField(name: .vary, value: "Origin")) }
        guard let origin, let allowed = allowedOrigin(origin) else { return response }
        response.headers[.accessControlAllowOrigin] = allowed
        if allowsCredentials { response.headers[.accessControlAllowCredentials] = "true" }
        if let exposedFields { response.headers[.accessControlExposeHeaders] = exposedFields }
        return response
    }

    /// The answer to a preflight; nil for other requests.
    private func preflight(_ request: Request, _ origin: String?) -> Response? {
        guard let origin, request.method == .options, request.headers.contains(.accessControlRequestMethod) else {
            return nil
        }
        var response = Response(status: .noContent)
        response.headers[.vary] =
            (varies ? "Origin, " : "") + "Access-Control-Request-Method, Access-Control-Request-Headers"
        guard let allowed = allowedOrigin(origin) else { return response }
        response.headers[.accessControlAllowOrigin] = allowed
        if allowsCredentials { response.headers[.accessControlAllowCredentials] = "true" }
        response.headers[.accessControlAllowMethods] = methods
        // Every method and field is allowed here: handlers refuse what they don't take.
        response.headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        response.headers[.accessControlMaxAge] = "\(maxAge)"
        return response
    }
}

/// Whether `CORS` allows the pages of the request's origin to send cookies.
enum CredentialsAllowedAttribute: RequestAttribute {
    typealias Value = Bool
}
