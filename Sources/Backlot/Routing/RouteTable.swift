internal import BacklotHTTP
internal import HTTPTypes

/// Hands each request to the route that it matches.
struct RouteTable: Handler {
    let tree: RouteTree
    /// Kept for handlers that look other routes up.
    let map: RouteMap
    let fallbacks: [any Fallback]

    func answerAtOnce(_ request: Request) throws -> Response? {
        if let endpoints = endpoints(exactlyAt: request) {
            return try Self.find(endpoints, request).handler.answerAtOnce(request)
        }
        let path = request.path
        guard !fallbacks.isEmpty, path != "*", !mayHaveRoute(path) else { return nil }
        for fallback in fallbacks {
            switch try fallback.answerAtOnce(request) {
            case .response(let response): return response
            case .nothing: continue
            case .unknown: return nil
            }
        }
        throw Self.notFound(path)
    }

    /// Whether there may be a route that isn't just the path, as it was sent.
    private func mayHaveRoute(_ path: String) -> Bool {
        guard tree.hasParameters || path.utf8.contains(UInt8(ascii: "%")) else { return false }
        return Self.segments(of: path).map { tree.find($0) != nil } ?? true
    }

    func handle(_ request: Request) async throws -> Response {
        if let endpoints = endpoints(exactlyAt: request) {
            return try await Self.find(endpoints, request).handler.handle(request)
        }
        let path = request.path
        guard path != "*" else { return Response(status: .noContent) }
        guard let segments = Self.segments(of: path) else {
            throw StatusError(.badRequest, "the path is not UTF-8 once it is percent-decoded")
        }
        guard let match = tree.find(segments) else { return try await fallBack(request) }
        let endpoint = try Self.find(match.endpoints, request)
        guard !endpoint.names.isEmpty else { return try await endpoint.handler.handle(request) }
        var request = request
        request.parameters = PathParameters(names: endpoint.names, values: match.values)
        return try await endpoint.handler.handle(request)
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

    /// The endpoint that answers. Who observes the request is told.
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

    private func fallBack(_ request: Request) async throws -> Response {
        var request = request
        if fallbacks.count > 1 { request.attributes[SharedBodyAttribute.self] = SharedBody() }
        for fallback in fallbacks {
            if let response = try await fallback.answer(request) { return response }
        }
        throw Self.notFound(request.path)
    }
}
