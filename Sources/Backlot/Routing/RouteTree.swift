internal import BacklotHTTP
internal import HTTPTypes

/// Finds the route for a path, segment by segment: its cost depends on the path, not on the number of routes.
///
/// At each segment a literal goes before a parameter, and a parameter before `{name...}`.
struct RouteTree: Sendable {
    /// A route, and the names of its parameters. A class, so that finding one copies nothing.
    final class Endpoint: Sendable {
        let route: Route
        let names: [String]
        // The route's own, which for a request are not worth a copy of the whole route.
        let method: HTTPRequest.Method
        let handler: any Handler

        init(route: Route, names: [String]) {
            self.route = route
            self.names = names
            method = route.method
            handler = route.handler
        }
    }

    /// What was found for a path.
    struct Match {
        fileprivate(set) var endpoints: [Endpoint]
        fileprivate(set) var values: [String]
    }

    /// A place in the tree; other places are named by their index.
    private struct Node {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var endpoints: [Endpoint] = []
        var rest: [Endpoint] = []
    }

    private static let root = 0
    private var nodes = [Node()]
    /// The paths without parameters, whole: most routes are found by one look here.
    private var exactPaths = PathIndex()
    /// The nodes of those paths.
    private var exactNodes: [Int] = []
    /// Whether there are paths with parameters.
    private(set) var hasParameters = false

    /// Adds a route.
    ///
    /// - Returns: the route that answers the same method at the same paths already, if there is one: then nothing was
    ///   added.
    mutating func insert(_ route: Route, _ pattern: PathPattern) -> Route? {
        var node = Self.root
        let endpoint = Endpoint(route: route, names: pattern.names)
        if !pattern.names.isEmpty { hasParameters = true }
        for segment in pattern.segments {
            switch segment {
            case .literal(let text):
                let child = nodes[node].literals[text] ?? addNode()
                nodes[node].literals[text] = child
                node = child
            case .parameter:
                let child = nodes[node].parameter ?? addNode()
                nodes[node].parameter = child
                node = child
            case .rest:
                return Self.add(endpoint, to: &nodes[node].rest)
            }
        }
        let other = Self.add(endpoint, to: &nodes[node].endpoints)
        if pattern.names.isEmpty, exactPaths.number(of: route.path.utf8.span) == nil {
            _ = exactPaths.add(route.path)
            exactNodes.append(node)
        }
        return other
    }

    private mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    private static func add(_ endpoint: Endpoint, to endpoints: inout [Endpoint]) -> Route? {
        if let other = endpoints.first(where: { $0.method == endpoint.method }) { return other.route }
        endpoints.append(endpoint)
        return nil
    }

    /// Finds what answers at a path, percent-encoded as it was sent, when a route is just that path.
    ///
    /// A literal goes before all else, so there is nothing better to find.
    func find(exactly path: Span<UInt8>) -> [Endpoint]? {
        exactPaths.number(of: path).map { nodes[exactNodes[$0]].endpoints }
    }

    /// Finds what answers at a path.
    ///
    /// - Parameter segments: the path's segments, percent-decoded.
    func find(_ segments: [String]) -> Match? {
        var values: [String] = []
        return find(segments[...], from: Self.root, &values).map { Match(endpoints: $0, values: values) }
    }

    private func find(_ segments: ArraySlice<String>, from index: Int, _ values: inout [String]) -> [Endpoint]? {
        let node = nodes[index]
        guard let segment = segments.first else { return node.endpoints.isEmpty ? nil : node.endpoints }
        let following = segments.dropFirst()
        if let child = node.literals[segment], let found = find(following, from: child, &values) { return found }
        guard !segment.isEmpty else { return nil }
        if let child = node.parameter {
            values.append(segment)
            if let found = find(following, from: child, &values) { return found }
            values.removeLast()
        }
        guard !node.rest.isEmpty else { return nil }
        values.append(segments.joined(separator: "/"))
        return node.rest
    }
}
