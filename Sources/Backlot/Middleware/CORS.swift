/// Lets web pages of other origins read responses (the CORS protocol of the Fetch standard): `router.use(CORS(.any))`.
///
/// It responds to preflights with 204. An origin that isn't allowed gets responses without the CORS fields, and its browser hides
/// them from the page. An `HTTPError` becomes a response here, so that pages can read it too.
///
/// Put it before other middleware.
///
/// ```swift
/// router.use(CORS(.named(["https://app.example.com"]), allowsCredentials: true))
/// ```
public struct CORS: Middleware {
    /// The origins of allowed pages.
    public enum Origins: Sendable, Equatable {
        /// Every origin.
        case any
        /// These origins, such as `https://app.example.com`.
        case named(Set<String>)
    }

    /// The default methods.
    public static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

    private let origins: Origins
    private let methods: String
    private let exposedFields: String?
    private let maxAge: Int64
    private let allowsCredentials: Bool

    /// Creates a middleware for web clients.
    ///
    /// - Parameters:
    ///   - origins: the origins of allowed pages.
    ///   - methods: the methods that pages may use.
    ///   - exposedFields: the fields of responses that pages may read in addition to the basic ones.
    ///   - maxAge: the time until a browser repeats a preflight, in whole seconds.
    ///   - allowsCredentials: whether requests may carry cookies. With `Origins.any`, every page then acts as the current user: for
    ///     mocks only.
    public init(
        _ origins: Origins,
        methods: [HTTPRequest.Method] = CORS.methods,
        exposedFields: [HTTPField.Name] = [],
        maxAge: Duration = .seconds(600),
        allowsCredentials: Bool = false
    ) {
        precondition(maxAge >= .zero, "maxAge must not be negative, but is \(maxAge)")
        if case .named(let names) = origins {
            self.origins = .named(Set(names.map { $0.lowercased() }))
        } else {
            self.origins = origins
        }
        self.methods = methods.map(\.rawValue).joined(separator: ", ")
        self.exposedFields = exposedFields.isEmpty ? nil : exposedFields.map(\.rawName).joined(separator: ", ")
        self.maxAge = maxAge.components.seconds
        self.allowsCredentials = allowsCredentials
    }

    /// Handles a request, and adds the fields that let pages read the response.
    ///
    /// - Throws: the errors of `next`, except an `HTTPError` for a request that names an origin.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        let origin = request.headers[.origin]
        if let preflight = preflight(request, origin) { return .ready(preflight) }
        var request = request
        if allowsCredentials, let origin, allowedOrigin(origin) != nil {
            request.attributes[CredentialsAllowedAttribute.self] = true
        }
        return try next.outcome(of: request).map { [request] result in
            allow(origin, origin == nil ? try result.get() : try result.response(to: request))
        }
    }

    /// The value of `Access-Control-Allow-Origin` for an origin; nil if it isn't allowed.
    private func allowedOrigin(_ origin: String) -> String? {
        switch origins {
        // Browsers refuse a star for requests with cookies.
        case .any: allowsCredentials ? origin : "*"
        case .named(let names): names.contains(origin.lowercased()) ? origin : nil
        }
    }

    /// Whether responses differ by origin.
    private var varies: Bool { origins != .any || allowsCredentials }

    private func allow(_ origin: String?, _ response: Response) -> Response {
        var response = response
        // Caches must also see the field in responses to clients without an origin.
        if varies { response.headers.addVary(HTTPField(name: .vary, value: "Origin")) }
        guard let origin, let allowed = allowedOrigin(origin) else { return response }
        response.headers[.accessControlAllowOrigin] = allowed
        if allowsCredentials { response.headers[.accessControlAllowCredentials] = "true" }
        if let exposedFields { response.headers[.accessControlExposeHeaders] = exposedFields }
        return response
    }

    /// The response to a preflight; nil for other requests.
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
        // CORS allows every field here: handlers refuse those that they don't support.
        response.headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        response.headers[.accessControlMaxAge] = "\(maxAge)"
        return response
    }
}

/// Whether `CORS` allows the pages of the request's origin to send cookies.
enum CredentialsAllowedAttribute: RequestAttribute {
    typealias Value = Bool
}
