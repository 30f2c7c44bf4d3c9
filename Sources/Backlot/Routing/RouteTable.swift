/// Passes each request to its matching route.
struct RouteTable: Handler {
    let tree: PathPatternTree<Endpoint>
    /// Held to keep it alive, for handlers that look up other routes.
    let map: RouteMap
    let fallbacks: [any Fallback]

    func respond(to request: Request) throws -> HandlerResult {
        if let endpoints = request.withPath({ tree.values(exactlyAt: $0) }) {
            return try Self.find(endpoints, request).handler.respond(to: request)
        }
        let path = request.path
        guard path != "*" else { return .ready(Response(status: .noContent)) }
        // Without parameters and escapes, a path has only one spelling, so the exact look-up above has already failed.
        guard tree.hasParameters || path.utf8.contains(UInt8(ascii: "%")) else { return try fallBack(request) }
        guard let segments = PathSegments.of(path) else {
            throw StatusError(.badRequest, "the path is not UTF-8 once it is percent-decoded")
        }
        guard let endpoints = tree.first(at: segments) else { return try fallBack(request.with(segments: segments)) }
        let endpoint = try Self.find(endpoints, request)
        guard endpoint.pattern.hasParameters else { return try endpoint.handler.respond(to: request) }
        var request = request
        request.parameters = PathParameters(endpoint.pattern, in: segments)
        return try endpoint.handler.respond(to: request)
    }

    /// The endpoint for the request's method: a route for GET also handles HEAD.
    private static func choose(_ endpoints: [Endpoint], _ request: Request) throws -> Endpoint {
        let method = request.method
        if let endpoint = endpoints.first(where: { $0.method == method }) { return endpoint }
        if method == .head, let endpoint = endpoints.first(where: { $0.method == .get }) { return endpoint }
        var methods = Set(endpoints.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        throw StatusError.methodNotAllowed(method, allowed: methods.sorted().joined(separator: ", "))
    }

    /// Finds the endpoint for the request, and notes it in the request.
    private static func find(_ endpoints: [Endpoint], _ request: Request) throws -> Endpoint {
        let endpoint = try choose(endpoints, request)
        if endpoint.method == .get || endpoint.method == .head { try request.refuseLargeBody() }
        if let refusal = request.body.refusal, !endpoint.route.respondsToUnknownCodings { throw refusal }
        request.isServed(by: endpoint.number)
        if BuildDefaults.watchesLoops { request.loopWatch?.add("route \(endpoint.path)") }
        return endpoint
    }

    private func fallBack(_ request: Request) throws -> HandlerResult {
        if let refusal = request.body.refusal { throw refusal }
        var request = request
        if fallbacks.count > 1, request.body.declaredLength != 0 {
            request.attributes[SharedBodyAttribute.self] = SharedBody()
        }
        return try Self.ask(fallbacks[...], request)
    }

    /// The response of the first fallback that has one. If a fallback is pending, later ones run only if its result is nil.
    private static func ask(_ fallbacks: ArraySlice<any Fallback>, _ request: Request) throws -> HandlerResult {
        for (index, fallback) in zip(fallbacks.indices, fallbacks) {
            switch try fallback.respond(to: request) {
            case .ready(let response?): return .ready(response)
            case .ready(nil): continue
            case .pending(let work):
                return .pending {
                    if let response = try await work() { return response }
                    return try await ask(fallbacks[(index + 1)...], request).response()
                }
            }
        }
        throw StatusError.nothingResponds(at: request.path)
    }
}

/// A route and its pattern. A class, so that a look-up copies nothing.
final class Endpoint: Sendable {
    let route: Route
    let pattern: PathPattern
    // Copied from the route, so that a request needn't copy the whole route.
    let method: HTTPRequest.Method
    let path: String
    let handler: any Handler
    /// The number that a request stores to identify its route.
    let number: RouteNumber

    init(route: Route, pattern: PathPattern) {
        self.route = route
        self.pattern = pattern
        method = route.method
        path = route.path
        handler = route.handler
        number = RouteNumber(of: route.path)
    }
}

extension Request {
    /// Refuses a GET or HEAD request with a declared body beyond the limit, because no handler would read that body.
    ///
    /// A smaller body does no harm, and is skipped (RFC 9110, section 9.3.1).
    ///
    /// - Throws: `StatusError` with 400.
    func refuseLargeBody() throws(StatusError) {
        guard let length = body.declaredLength, length > body.limit else { return }
        throw StatusError(
            .badRequest,
            "\(method) takes no body here, and this request announces one of \(length) bytes"
        )
    }
}

/// A handler for requests without a route, such as a folder of files.
public protocol Fallback: Sendable {
    /// Responds to a request; nil leaves it to the next fallback, or to 404.
    ///
    /// - Throws: like `Handler.respond(to:)`.
    func respond(to request: Request) throws -> Ready<Response?>
}

/// The body that one fallback has read, for later fallbacks, because a body can be read only once.
final class SharedBody: Sendable {
    let bytes = Locked<[UInt8]?>(nil)
}

enum SharedBodyAttribute: RequestAttribute {
    typealias Value = SharedBody
}

extension Request {
    /// Reads the request's body to its end, or returns the body that an earlier fallback has read.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Throws: `RequestError`, like `RequestBody.collect`.
    package func collectSharedBody(upTo limit: Int) async throws -> [UInt8] {
        guard let shared = attributes[SharedBodyAttribute.self] else { return try await body.collect(upTo: limit) }
        if let bytes = shared.bytes.withLock({ $0 }) { return bytes }
        let bytes = try await body.collect(upTo: limit)
        shared.bytes.withLock { $0 = bytes }
        return bytes
    }
}
