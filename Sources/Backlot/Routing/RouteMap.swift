/// The paths and methods of a router, for rules about links.
public final class RouteMap: Sendable {
    private let locked = Locked(PathPatternTree<Endpoint>())

    init() {}

    /// The current routes.
    var tree: PathPatternTree<Endpoint> { locked.withLock { $0 } }

    /// Adds a route.
    ///
    /// - Returns: the route that already exists for the same method and paths, if any; then nothing was added.
    func insert(_ route: Route, _ pattern: PathPattern) -> Route? {
        let endpoint = Endpoint(route: route, pattern: pattern)
        return locked.withLock { tree in
            tree.change(pattern) { endpoints in
                if let other = endpoints.first(where: { $0.method == endpoint.method }) { return other.route }
                endpoints.append(endpoint)
                return nil
            }
        }
    }

    /// The methods of the routes at a path, percent-encoded as a client sends it; empty without a route.
    public func methods(at path: String) -> [HTTPRequest.Method] {
        PathSegments.of(path).flatMap { tree.first(at: $0) }?.map(\.method) ?? []
    }

    /// The variables that the handler of POST at a path requires, if known.
    func requiredVariables(at path: String) -> [String] {
        let endpoints = PathSegments.of(path).flatMap { tree.first(at: $0) } ?? []
        return endpoints.first { $0.method == .post }?.route.requiredVariables ?? []
    }
}
