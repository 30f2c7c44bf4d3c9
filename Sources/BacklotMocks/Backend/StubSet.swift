import BacklotHTTP

/// The stubs that a backend has at the moment: those of files, and those that were added while it runs.
public final class StubSet: Sendable {
    private struct State {
        var index = StubIndex()
        var entries: [StubID: StubEntry] = [:]
        /// The stubs of files, whether or not they were removed since.
        var files: [String: [Stub]] = [:]
        var sequence = 0
        /// The number of stubs that have conditions.
        var conditional = 0
        /// How many stubs were removed since the index was made.
        private var removals = 0

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
            if entry.hasConditions { conditional += 1 }
            index.insert(entry)
        }

        @discardableResult mutating func remove(_ id: StubID) -> Stub? {
            guard let entry = entries.removeValue(forKey: id) else { return nil }
            index.remove(entry)
            if entry.hasConditions { conditional -= 1 }
            removals += 1
            if removals > max(1000, entries.count) {
                // The index keeps the places of paths that no stub has any more.
                index = StubIndex(entries.values)
                removals = 0
            }
            return entry.stub
        }

        mutating func removeAll() {
            entries = [:]
            index = StubIndex()
            removals = 0
            conditional = 0
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
        state.withLock { $0.removeAll() }
    }

    /// Removes what was added while the server ran, and puts back the stubs of files.
    public func reset() {
        state.withLock { state in
            state.removeAll()
            for (file, stubs) in state.files.sorted(by: { $0.key < $1.key }) { state.insert(stubs, ofFile: file) }
        }
    }

    /// Replaces the stubs of a file.
    ///
    /// - Parameter stubs: its answers in their order; none where the file is gone.
    package func setStubs(_ stubs: [Stub], ofFile file: String) {
        state.withLock { state in
            for stub in state.files[file] ?? [] where state.entries[stub.id]?.stub.source.isFile == true {
                state.remove(stub.id)
            }
            state.files[file] = stubs.isEmpty ? nil : stubs
            state.insert(stubs, ofFile: file)
        }
    }

    /// The stubs that may match a request's path, in the order in which they are asked.
    func candidates(for request: MockRequest) -> [StubEntry] {
        state.withLock { $0.index.candidates(for: request) }
    }

    /// Whether some stub has conditions.
    var haveConditions: Bool { state.withLock { $0.conditional > 0 } }

    var entries: [StubEntry] { state.withLock { Array($0.entries.values) } }
}
