@testable import Backlot
@testable import BacklotHTTP

extension FuzzTarget {
    /// Paths on their way through a router: a segment is decoded once, and no encoding makes two of one.
    static let routing = FuzzTarget(name: "routing") { input async throws(Violation) in
        guard let request = RequestWith.target(input), request.path != "*" else { return false }
        let raw = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let segments = PathSegments.of(request.path)
        guard let segments else {
            try require(raw.contains { PercentDecoding.decode($0) == nil }, "no segments of \(request.path)")
            return false
        }
        try require(segments.count == raw.count, "\(segments.count) segments of \(request.path)")
        try require(segments.allSatisfy { !$0.utf8.contains(0) }, "a NUL in a segment")
        let match = tree.first(at: segments)
        let exact = tree.values(exactlyAt: request.path.utf8.span)
        if exact != nil { try require(match != nil, "\(request.path) is found as it is, and not by its segments") }
        return match != nil
    }

    private static let tree: PathPatternTree<Endpoint> = {
        let map = RouteMap()
        let handler = FunctionHandler { _ in Response() }
        for path in ["/", "/a", "/a/", "/a/{b}", "/a/{b}/c", "/files/{rest...}", "/é"] {
            let source = CodeLocation(file: #fileID, line: #line)
            let route = Route(.get, path, handler: handler, source: source)
            if let pattern = try? PathPattern(path) { _ = map.insert(route, pattern) }
        }
        return map.tree
    }()
}
