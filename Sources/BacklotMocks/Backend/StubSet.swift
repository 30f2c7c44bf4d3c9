import BacklotHTTP

/// The stubs that a backend has at the moment: those of files, and those that were added while it runs.
public final class StubSet: Sendable {
    private struct State {
        var index = StubIndex()
        var entries: [StubID: StubEntry] = [:]
        /// The stubs of files, whether or not they were removed since.
        var files: [String: [Stub]] = [:]
        var sequence = 0

        mutating func insert(_ stub: Stub) {
            sequence += 1
            insert(stub, position: 0)
        }

        /// Adds the stubs of a file, of which the first is asked first; in WireMock's files the last.
        mutating func insert(_ stubs: [Stub], ofFile file: String) {
            sequence += 1
            let isReversed = file.hasPrefix("mappings/")
            for (position, stub) in stubs.enumerated() { insert(stub, position: isReversed ? -position : position) }
        }

        private mutating func insert(_ stub: Stub, position: Int) {
            remove(stub.id)
            let entry = StubEntry(stub, sequence: sequence, position: position)
            entries[stub.id] = entry
            index.insert(entry)
        }

        @discardableResult mutating func remove(_ id: StubID) -> Stub? {
            guard let entry = entries.removeValue(forKey: id) else { return nil }
            index.remove(entry)
            return entry.stub
        }
    }

    private let state = Locked(State())

    /// A set without stubs.
    public init() {}

    /// All stubs, in the order in which they are asked.
    public var all: [Stub] {
        state.withLock { Array($0.entries.values) }.sorted { $0.goesBefore($1) }.map(\.stub)
    }

    /// How many stubs there are.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The stub with an id; nil for an unknown id.
    public func stub(_ id: StubID) -> Stub? { state.withLock { $0.entries[id]?.stub } }

    /// Adds a stub while the server runs. One with the same id is replaced.
    public func add(_ stub: Stub) {
        state.withLock { $0.insert(stub) }
    }

    /// Puts a stub in the place of the one with the same id.
    ///
    /// - Returns: false for an unknown id; then nothing was changed.
    public func replace(_ stub: Stub) -> Bool {
        state.withLock { state in
            guard state.entries[stub.id] != nil else { return false }
            state.insert(stub)
            return true
        }
    }

    /// Removes a stub.
    ///
    /// - Returns: the stub; nil for an unknown id.
    @discardableResult public func remove(_ id: StubID) -> Stub? {
        state.withLock { $0.remove(id) }
    }

    /// Removes every stub, those of files included, until these are loaded again or ``reset()``.
    public func removeAll() {
        state.withLock { state in
            for id in Array(state.entries.keys) { state.remove(id) }
        }
    }

    /// Removes what was added while the server ran, and puts back the stubs of files.
    public func reset() {
        state.withLock { state in
            for id in Array(state.entries.keys) { state.remove(id) }
            for (file, stubs) in state.files.sorted(by: { $0.key < $1.key }) { state.insert(stubs, ofFile: file) }
        }
    }

    /// Replaces the stubs of a file.
    ///
    /// - Parameter stubs: its answers in their order; none where the file is gone.
    func setStubs(_ stubs: [Stub], ofFile file: String) {
        state.withLock { state in
            for stub in state.files[file] ?? [] where state.entries[stub.id]?.stub.source.isFile == true {
                state.remove(stub.id)
            }
            state.files[file] = stubs.isEmpty ? nil : stubs
            state.insert(stubs, ofFile: file)
        }
    }

    /// The stubs that may match a path, in the order in which they are asked.
    func candidates(for path: String) -> [StubEntry] {
        state.withLock { $0.index.candidates(for: path) }
    }

    var entries: [StubEntry] { state.withLock { Array($0.entries.values) } }
}

/// A stub in its place among the others.
final class StubEntry: Sendable {
    let stub: Stub
    /// Whether the index compares its path in full, so that it need not be compared again.
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
