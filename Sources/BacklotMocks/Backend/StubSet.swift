import BacklotHTTP

/// The stubs that a backend has at the moment: those of files, and those that were added while it runs.
public final class StubSet: Sendable {
    private struct State {
        var index = StubIndex()
        var entries: [StubID: StubEntry] = [:]
        /// What files say, whatever has become of it since.
        var files: [String: [Stub]] = [:]
        var sequence = 0

        mutating func insert(_ stub: Stub) {
            sequence += 1
            insert(stub, position: 0)
        }

        /// Adds the stubs of a file, of which the first is asked first; in WireMock's files it is the last.
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

    /// All stubs, those that are asked first first.
    public var all: [Stub] {
        state.withLock { Array($0.entries.values) }.sorted { $0.goesBefore($1) }.map(\.stub)
    }

    /// How many stubs there are.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The stub with an id; nil when there is none.
    public func stub(_ id: StubID) -> Stub? { state.withLock { $0.entries[id]?.stub } }

    /// Adds a stub while the server runs. One with the same id is replaced.
    public func add(_ stub: Stub) {
        state.withLock { $0.insert(stub) }
    }

    /// Puts a stub in the place of the one with the same id.
    ///
    /// - Returns: false when there is none; then nothing was done.
    public func replace(_ stub: Stub) -> Bool {
        state.withLock { state in
            guard state.entries[stub.id] != nil else { return false }
            state.insert(stub)
            return true
        }
    }

    /// Removes a stub.
    ///
    /// - Returns: the stub; nil when there is none.
    @discardableResult public func remove(_ id: StubID) -> Stub? {
        state.withLock { $0.remove(id) }
    }

    /// Removes every stub, those of files included, until these are loaded again or ``reset()``.
    public func removeAll() {
        state.withLock { state in
            for id in Array(state.entries.keys) { state.remove(id) }
        }
    }

    /// Removes what was added while the server ran, and puts back what files say.
    public func reset() {
        state.withLock { state in
            for id in Array(state.entries.keys) { state.remove(id) }
            for (file, stubs) in state.files.sorted(by: { $0.key < $1.key }) { state.insert(stubs, ofFile: file) }
        }
    }

    /// Puts what a file says now in the place of what it said before.
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

    /// The stubs that may match a path, those that are asked first first.
    func candidates(for path: String) -> [StubEntry] {
        state.withLock { $0.index.candidates(for: path) }
    }

    var entries: [StubEntry] { state.withLock { Array($0.entries.values) } }
}
