/// Finds the stubs that a path may match: what it costs depends on the path, and on the number of regular expressions, not on
/// the number of other stubs.
struct StubIndex: Sendable {
    /// A place in the tree of paths with parameters; other places are named by their index.
    private struct Node {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var entries: [StubEntry] = []
    }

    /// Where a stub is kept.
    private enum Place {
        case literal(String)
        case tree([PathTemplate.Segment])
        case scanned
    }

    private var literals: [String: [StubEntry]] = [:]
    private var nodes = [Node()]
    private var treeCount = 0
    private var scanned: [StubEntry] = []

    /// Adds a stub.
    mutating func insert(_ entry: StubEntry) {
        switch Self.place(entry.stub) {
        case .literal(let key): Self.insert(entry, into: &literals[key, default: []])
        case .scanned: Self.insert(entry, into: &scanned)
        case .tree(let segments):
            treeCount += 1
            Self.insert(entry, into: &nodes[node(segments)].entries)
        }
    }

    /// Removes a stub.
    mutating func remove(_ entry: StubEntry) {
        switch Self.place(entry.stub) {
        case .literal(let key):
            literals[key]?.removeAll { $0 === entry }
            if literals[key]?.isEmpty == true { literals[key] = nil }
        case .scanned: scanned.removeAll { $0 === entry }
        case .tree(let segments):
            treeCount -= 1
            nodes[node(segments)].entries.removeAll { $0 === entry }
        }
    }

    /// The stubs whose paths a path may match, in the order in which they are asked.
    func candidates(for path: String) -> [StubEntry] {
        var found = literals[PathKey.of(path)] ?? []
        if scanned.isEmpty, treeCount == 0 { return found }
        let literalCount = found.count
        if treeCount > 0 { collect(PathSegments.of(path)[...], from: 0, &found) }
        found += scanned
        if found.count > literalCount { found.sort { $0.goesBefore($1) } }
        return found
    }

    private func collect(_ segments: ArraySlice<String>, from index: Int, _ found: inout [StubEntry]) {
        let node = nodes[index]
        guard let segment = segments.first else {
            found += node.entries
            return
        }
        if let child = node.literals[segment] { collect(segments.dropFirst(), from: child, &found) }
        if let child = node.parameter, !segment.isEmpty { collect(segments.dropFirst(), from: child, &found) }
    }

    private mutating func node(_ segments: [PathTemplate.Segment]) -> Int {
        segments.reduce(0) { index, segment in
            switch segment {
            case .literal(let text):
                if let child = nodes[index].literals[text] { return child }
                nodes[index].literals[text] = nodes.count
            case .parameter:
                if let child = nodes[index].parameter { return child }
                nodes[index].parameter = nodes.count
            }
            nodes.append(Node())
            return nodes.count - 1
        }
    }

    private static func insert(_ entry: StubEntry, into entries: inout [StubEntry]) {
        let index = entries.firstIndex { entry.goesBefore($0) } ?? entries.endIndex
        entries.insert(entry, at: index)
    }

    private static func place(_ stub: Stub) -> Place {
        switch stub.request.url {
        case .any, .urlMatching, .pathMatching: return .scanned
        case .url(let url): return .literal(PathKey.of(String(url.prefix { $0 != "?" })))
        case .path(let path): return .literal(PathKey.of(path))
        case .template(let template):
            guard !template.hasParameters else { return .tree(template.segments) }
            // The template's text is not encoded, so that a percent sign in it stands for itself.
            return .literal(
                PathKey.joined(template.segments.map { if case .literal(let text) = $0 { text } else { "" } })
            )
        }
    }
}

/// One text for all the ways to write a path.
enum PathKey {
    /// The key of a path that is percent-encoded.
    static func of(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "%")) || path.utf8.last == UInt8(ascii: "/") else { return path }
        return joined(PathSegments.of(path))
    }

    /// The key of segments. A slash in one separates nothing.
    static func joined(_ segments: [String]) -> String {
        segments.reduce(into: "") { key, segment in
            key += "/"
            key +=
                segment.utf8.contains(UInt8(ascii: "/"))
                ? segment.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F") : segment
        }
    }
}
