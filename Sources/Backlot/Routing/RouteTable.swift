internal import BacklotHTTP
public import HTTPTypes

/// Hands each request to the route that it matches.
struct RouteTable: Handler {
    let tree: RouteTree
    /// Kept for handlers that look other routes up.
    let map: RouteMap
    let fallbacks: [any Fallback]

    func answer(_ request: Request) throws -> Answer {
        if let endpoints = endpoints(exactlyAt: request) {
            return try Self.find(endpoints, request).handler.answer(request)
        }
        let path = request.path
        guard path != "*" else { return .ready(Response(status: .noContent)) }
        // Without parameters and escapes there is no other way to write a route's path.
        guard tree.hasParameters || path.utf8.contains(UInt8(ascii: "%")) else { return try fallBack(request) }
        guard let segments = Self.segments(of: path) else {
            throw StatusError(.badRequest, "the path is not UTF-8 once it is percent-decoded")
        }
        guard let match = tree.find(segments) else { return try fallBack(request) }
        let endpoint = try Self.find(match.endpoints, request)
        guard !endpoint.names.isEmpty else { return try endpoint.handler.answer(request) }
        var request = request
        request.parameters = PathParameters(names: endpoint.names, values: match.values)
        return try endpoint.handler.answer(request)
    }

    /// What answers at the request's path, when a route is just that path: no text is made of it.
    private func endpoints(exactlyAt request: Request) -> [RouteTree.Endpoint]? {
        request.withPath { path in tree.find(exactly: path) }
    }

    /// The path's segments, decoded once: an encoded slash separates nothing.
    static func segments(of path: String) -> [String]? {
        var segments: [String] = []
        for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = PercentDecoding.decode(segment) else { return nil }
            segments.append(decoded)
        }
        return segments
    }

    /// The endpoint for the request's method: a route for GET also answers HEAD.
    private static func choose(
        _ endpoints: [RouteTree.Endpoint],
        _ request: Request
    ) throws -> RouteTree.Endpoint {
        let method = request.method
        if let endpoint = endpoints.first(where: { $0.method == method }) { return endpoint }
        if method == .head, let endpoint = endpoints.first(where: { $0.method == .get }) { return endpoint }
        throw methodNotAllowed(method, endpoints)
    }

    /// The endpoint that answers; the request's observation notes it.
    private static func find(_ endpoints: [RouteTree.Endpoint], _ request: Request) throws -> RouteTree.Endpoint {
        let endpoint = try choose(endpoints, request)
        if endpoint.method == .get || endpoint.method == .head { try request.refuseLargeBody() }
        if !request.attributes.isEmpty { request.observation?.found(endpoint) }
        return endpoint
    }

    /// RFC 9110, section 15.5.6.
    private static func methodNotAllowed(
        _ method: HTTPRequest.Method,
        _ endpoints: [RouteTree.Endpoint]
    ) -> StatusError {
        var methods = Set(endpoints.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        let allowed = methods.sorted().joined(separator: ", ")
        return StatusError(
            .methodNotAllowed,
            "\(method) is not answered here; allowed: \(allowed)",
            headers: [.allow: allowed]
        )
    }

    private static func notFound(_ path: String) -> StatusError {
        StatusError(.notFound, "nothing answers at \(path)")
    }

    private func fallBack(_ request: Request) throws -> Answer {
        var request = request
        if fallbacks.count > 1, request.body.declaredLength != 0 {
            request.attributes[SharedBodyAttribute.self] = SharedBody()
        }
        return try Self.ask(fallbacks[...], request)
    }

    /// The first answer of some fallbacks: those after one whose answer is pending are asked once that is known.
    private static func ask(_ fallbacks: ArraySlice<any Fallback>, _ request: Request) throws -> Answer {
        for (index, fallback) in zip(fallbacks.indices, fallbacks) {
            switch try fallback.answer(request) {
            case .ready(let response): return .ready(response)
            case .nothing: continue
            case .pending(let work):
                return .pending {
                    if let response = try await work() { return response }
                    return try await ask(fallbacks[(index + 1)...], request).response()
                }
            }
        }
        throw notFound(request.path)
    }
}

/// What a router answers where: for those who must know which paths there are, such as rules about links.
public final class RouteMap: Sendable {
    private let locked = Locked(RouteTree())

    init() {}

    /// The routes as they are now.
    var tree: RouteTree { locked.withLock { $0 } }

    /// Adds a route; otherwise as `RouteTree.insert`.
    func insert(_ route: Route, _ pattern: PathPattern) -> Route? {
        locked.withLock { $0.insert(route, pattern) }
    }

    /// The methods that are answered at a path, percent-encoded as a client sends it; empty where no route answers.
    public func methods(at path: String) -> [HTTPRequest.Method] {
        guard let segments = RouteTable.segments(of: path) else { return [] }
        return tree.find(segments)?.endpoints.map(\.method) ?? []
    }
}

extension Request {
    /// Refuses a GET or HEAD request that announces a body beyond the limit: no handler would read that body.
    ///
    /// A small one does no harm, and is passed over (RFC 9110, section 9.3.1).
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
