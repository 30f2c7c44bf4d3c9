/// A stub in its place among the others.
final class StubEntry: Sendable {
    let stub: Stub
    /// Whether a path that the index finds it by needs no second look.
    let isKnownByIndex: Bool
    /// Whether its path has parameters.
    let hasParameters: Bool
    /// Whether the client may have another session cookie after it.
    let issuesSession: Bool
    /// Whether it answers without waiting for anything, and leaves the client's session alone.
    let isImmediate: Bool
    private let rank: Rank

    /// - Parameters:
    ///   - sequence: how many stubs were added before.
    ///   - position: the place among the answers of one file, which are asked in their order.
    init(_ stub: Stub, sequence: Int, position: Int) {
        self.stub = stub
        issuesSession = stub.answer.issuesSession
        isImmediate = stub.answer.isImmediate && !issuesSession
        switch stub.request.url {
        case .template(let template): (isKnownByIndex, hasParameters) = (true, template.hasParameters)
        case .any: (isKnownByIndex, hasParameters) = (true, false)
        case .url, .urlMatching, .path, .pathMatching: (isKnownByIndex, hasParameters) = (false, false)
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
    /// How little it says of the path: what says more goes first.
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
