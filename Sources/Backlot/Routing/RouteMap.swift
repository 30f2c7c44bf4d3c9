internal import BacklotHTTP
public import HTTPTypes

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

    /// The methods that are answered at a path, percent-encoded as a client sends it; none where there is no route.
    public func methods(at path: String) -> [HTTPRequest.Method] {
        guard let segments = RouteTable.segments(of: path) else { return [] }
        return tree.find(segments)?.endpoints.map(\.method) ?? []
    }
}
