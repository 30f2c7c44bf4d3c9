/// Finds the patterns that match a path, segment by segment. The cost depends on the path, not on the number of patterns. Routes
/// and mocks use it. Each pattern has a list of values, such as one for each method.
///
/// At each segment, a literal takes precedence over a parameter, and a parameter over `{name...}`.
package struct PathPatternTree<Value: Sendable>: Sendable {
    /// A node of the tree; other nodes refer to it by index.
    private struct Node {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var values: [Value] = []
        /// The values of a `{name...}` at this node.
        var rest: [Value] = []
    }

    private static var root: Int { 0 }
    private var nodes = [Node()]
    /// The complete paths without parameters: a single look-up here finds most routes.
    private var wholePaths = PathIndex()
    /// The nodes of those paths.
    private var wholePathNodes: [Int] = []
    /// Whether there are paths with parameters.
    package private(set) var hasParameters = false

    /// Creates a tree without patterns.
    package init() {}

    /// Changes the values of a pattern, which has no values at first.
    @discardableResult package mutating func change<Result>(
        _ pattern: PathPattern,
        _ body: (inout [Value]) -> Result
    ) -> Result {
        var node = Self.root
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
                hasParameters = true
                return body(&nodes[node].rest)
            }
        }
        if pattern.hasParameters {
            hasParameters = true
        } else if let path = pattern.plainPath, wholePaths.number(of: path.utf8.span) == nil {
            _ = wholePaths.add(path)
            wholePathNodes.append(node)
        }
        return body(&nodes[node].values)
    }

    private mutating func addNode() -> Int {
        nodes.append(Node())
        return nodes.count - 1
    }

    /// The values of the pattern that equals this path in wire form; nil without such a pattern.
    ///
    /// A literal takes precedence, so this is always the best match.
    package func values(exactlyAt path: Span<UInt8>) -> [Value]? {
        wholePaths.number(of: path).map { nodes[wholePathNodes[$0]].values }
    }

    /// The values of the pattern that takes precedence among the matches of a path; nil without a match.
    ///
    /// - Parameter path: the path's segments, percent-decoded.
    package func first(at path: [String]) -> [Value]? {
        var found: [Value]?
        _ = visit(path[...], from: Self.root) { values in
            found = values
            return true
        }
        return found
    }

    /// Calls `body` with the values of each pattern that matches a path, in order of precedence.
    ///
    /// - Parameter path: the path's segments, percent-decoded.
    package func forEach(at path: [String], _ body: ([Value]) -> Void) {
        _ = visit(path[...], from: Self.root) { values in
            body(values)
            return false
        }
    }

    /// - Parameter body: returns true to end the search.
    private func visit(_ path: ArraySlice<String>, from node: Int, _ body: ([Value]) -> Bool) -> Bool {
        guard let segment = path.first else { return !nodes[node].values.isEmpty && body(nodes[node].values) }
        let following = path.dropFirst()
        if let child = nodes[node].literals[segment], visit(following, from: child, body) { return true }
        guard !segment.isEmpty else { return false }
        if let child = nodes[node].parameter, visit(following, from: child, body) { return true }
        return !nodes[node].rest.isEmpty && body(nodes[node].rest)
    }
}

extension PathPattern {
    /// Whether a pattern matches a path.
    ///
    /// - Parameter path: the path's segments, percent-decoded.
    package func matches(_ path: [String]) -> Bool {
        for (index, segment) in segments.enumerated() {
            guard index < path.count else { return false }
            switch segment {
            case .literal(let text): guard path[index] == text else { return false }
            case .parameter: guard !path[index].isEmpty else { return false }
            case .rest: return !path[index].isEmpty
            }
        }
        return path.count == segments.count
    }

    /// The path without percent-encoding; nil for a path with parameters, and for one that has no such form.
    fileprivate var plainPath: String? {
        var path = ""
        for segment in segments {
            guard case .literal(let text) = segment,
                !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "/") })
            else { return nil }
            path += "/\(text)"
        }
        return path
    }
}

/// Finds a path among those without parameters, by its bytes, without making a text. This table takes a third of the instructions
/// of a dictionary, which must resist keys chosen by strangers.
struct PathIndex: Sendable {
    private struct Entry {
        /// The range of the path in `bytes`.
        let range: Range<Int>
        let number: Int
    }

    /// All paths, concatenated.
    private var bytes: [UInt8] = []
    private var count = 0
    /// The entry of each path, at the first free place from the one of its hash. The number of places is a power of two, and at
    /// most half of them are taken.
    private var places: [Entry?] = [nil, nil]

    /// The number of a path in the order of insertion, from 0; nil for an unknown path.
    func number(of path: Span<UInt8>) -> Int? {
        var place = Self.hash(path) & (places.count - 1)
        while let entry = places[place] {
            if bytes.span.equals(entry.range, path) { return entry.number }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Adds a new path, and returns its number.
    mutating func add(_ path: String) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: path.utf8)
        if 2 * (count + 1) > places.count {
            let entries = places.compactMap(\.self)
            places = Array(repeating: nil, count: 2 * places.count)
            for entry in entries { put(entry) }
        }
        put(Entry(range: start..<bytes.count, number: count))
        count += 1
        return count - 1
    }

    private mutating func put(_ entry: Entry) {
        var place = Self.hash(bytes.span.extracting(entry.range)) & (places.count - 1)
        while places[place] != nil { place = (place + 1) & (places.count - 1) }
        places[place] = entry
    }

    private static func hash(_ path: Span<UInt8>) -> Int { Int(truncatingIfNeeded: FNV1a.hash(path)) }
}
