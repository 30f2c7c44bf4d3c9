import Backlot

/// Finds the stubs that a path may match, in the order in which they are asked. What it costs depends on the path, and on the
/// number of regular expressions, not on the number of other stubs.
struct StubIndex: Sendable {
    private var tree = PathTree<StubEntry>()
    /// Those whose URL isn't a path.
    private var scanned: [StubEntry] = []

    /// An index of some stubs.
    init(_ entries: some Sequence<StubEntry> = []) {
        for entry in entries { insert(entry) }
    }

    /// Adds a stub.
    mutating func insert(_ entry: StubEntry) {
        change(entry) { $0.insert(entry, at: $0.firstIndex { entry.goesBefore($0) } ?? $0.endIndex) }
    }

    /// Removes a stub.
    mutating func remove(_ entry: StubEntry) {
        change(entry) { $0.removeAll { $0 === entry } }
    }

    private mutating func change(_ entry: StubEntry, _ body: (inout [StubEntry]) -> Void) {
        if let path = entry.stub.request.url.path { tree.change(path, body) } else { body(&scanned) }
    }

    /// The stubs whose paths a path may match, in the order in which they are asked.
    func candidates(for request: MockRequest) -> [StubEntry] {
        // Without parameters a path that is found whole has no other stubs. To the tree a slash at the end would count.
        if !tree.hasParameters, scanned.isEmpty, request.path.utf8.last != UInt8(ascii: "/"),
            let found = tree.values(exactlyAt: request.path.utf8.span)
        {
            return found
        }
        var found = scanned
        var isSorted = true
        tree.forEach(at: request.pathSegments) { entries in
            isSorted = found.isEmpty
            if isSorted { found = entries } else { found += entries }
        }
        return isSorted ? found : found.sorted { $0.goesBefore($1) }
    }
}

/// A stub in its place among the others.
final class StubEntry: Sendable {
    let stub: Stub
    /// What the log says of requests that it answers.
    let source: AnswerSource
    /// Whether the index compares its path in full, so that it need not be compared again.
    let isKnownByIndex: Bool
    /// Whether it matters whose request it is: the client may have another session cookie after it, or its data changes.
    let needsScope: Bool
    /// What it has to do with data; nil for nothing.
    let data: StubData?
    /// Whether its answer may change states or data of the client.
    let mayChangeState: Bool
    /// Whether it answers without waiting for anything, and leaves the client's session alone.
    let isImmediate: Bool
    /// Whether it is compared with more of a request than the method and the path.
    let hasConditions: Bool
    /// Whether it sends requests after it has answered.
    let hasWebhooks: Bool
    private let rank: Rank

    /// - Parameters:
    ///   - sequence: how many stubs were added before.
    ///   - position: the place among the answers of one file, which are asked in their order.
    init(_ stub: Stub, sequence: Int, position: Int) {
        self.stub = stub
        source = AnswerSource(
            mock: stub.source.isFile ? "\(stub.source)" : "\(stub.id), \(stub.source)",
            fault: stub.answer.fault?.rawValue
        )
        hasWebhooks = !stub.webhooks.isEmpty
        hasConditions = !stub.request.conditions.isEmpty || stub.data?.conditions.isEmpty == false
        let issuesSession = stub.answer.issuesSession
        needsScope = issuesSession || stub.data != nil
        data = stub.data
        mayChangeState = stub.data != nil || stub.scenario?.newState != nil
        isImmediate = stub.answer.isImmediate && !issuesSession && !(stub.data?.isSlow ?? false)
        switch stub.request.url {
        case .any, .path, .template: isKnownByIndex = true
        case .url, .urlMatching, .pathMatching: isKnownByIndex = false
        }
        rank = Rank(
            priority: stub.priority,
            origin: stub.source.isFile ? 1 : 0,
            vagueness: stub.source.isFile ? stub.request.url.vagueness : 0,
            age: -sequence,
            position: position
        )
    }

    /// Whether this one is asked before another.
    func goesBefore(_ other: StubEntry) -> Bool { rank < other.rank }

    private struct Rank: Comparable {
        let priority: Int
        let origin: Int
        let vagueness: Int
        let age: Int
        let position: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.priority, left.origin, left.vagueness, left.age, left.position)
                < (right.priority, right.origin, right.vagueness, right.age, right.position)
        }
    }
}

extension URLPattern {
    /// How vague it is about the path: less vague ones go first.
    fileprivate var vagueness: Int {
        switch self {
        case .url, .path: return 0
        case .template(let template):
            // An earlier literal segment counts more than a later one.
            return template.segments.reduce(0) { sum, segment in
                if case .parameter = segment { min(sum * 2 + 1, 1 << 40) } else { min(sum * 2, 1 << 40) }
            }
        case .urlMatching, .pathMatching: return 1 << 50
        case .any: return 1 << 51
        }
    }
}
