internal import BacklotHTTP
internal import HTTPTypes

/// The paths of an app's pages, to find out whether a path is one of them.
public struct PagePaths: Sendable {
    private let tree: RouteTree

    /// The pages with these paths, from the host's root and with `{parameters}` perhaps. What is no path is passed over.
    public init(_ paths: some Sequence<String>) {
        var tree = RouteTree()
        let nothing = FunctionHandler { _ in Response() }
        for path in paths {
            guard let pattern = try? PathPattern(path) else { continue }
            let source = SourceLocation(file: #fileID, line: #line)
            _ = tree.insert(Route(.get, path, handler: nothing, source: source), pattern)
        }
        self.tree = tree
    }

    /// Whether a path, percent-encoded as a client sends it, is a page's.
    public func contains(_ path: String) -> Bool {
        guard let segments = RouteTable.segments(of: path) else { return false }
        return tree.find(segments) != nil
    }
}
