import Backlot

/// The current stubs of a backend: those of files, and those that were added while it runs.
public final class StubSet: Sendable {
    private struct State {
        var index = StubIndex()
        var entries: [StubID: StubEntry] = [:]
        /// The stubs of files, including those that were removed since.
        var files: [String: [Stub]] = [:]
        var sequence = 0
        /// The number of stubs that have conditions.
        var conditional = 0
        /// The number of stubs removed since the index was made.
        private var removals = 0

        mutating func insert(_ stub: Stub) {
            sequence += 1
            insert(stub, position: 0)
        }

        /// Adds the stubs of a file. The first one takes precedence; in WireMock's files the last one does.
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
                // The index keeps the places of paths without stubs.
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

    /// All stubs, in order of precedence.
    public var all: [Stub] {
        state.withLock { Array($0.entries.values) }.sorted { $0.goesBefore($1) }.map(\.stub)
    }

    /// The number of stubs.
    public var count: Int { state.withLock { $0.entries.count } }

    /// The stub with an id; nil for an unknown id.
    public func stub(_ id: StubID) -> Stub? { state.withLock { $0.entries[id]?.stub } }

    /// Adds a stub while the server runs. One with the same id is replaced.
    public func add(_ stub: Stub) {
        state.withLock { $0.insert(stub) }
    }

    /// Replaces the stub with the same id.
    ///
    /// - Returns: false for an unknown id; then nothing changes.
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

    /// Removes stubs that were added while the server ran, and restores the stubs of files.
    public func reset() {
        state.withLock { state in
            state.removeAll()
            for (file, stubs) in state.files.sorted(by: { $0.key < $1.key }) { state.insert(stubs, ofFile: file) }
        }
    }

    /// Replaces the stubs of a file.
    ///
    /// - Parameter stubs: its responses in their order; empty if the file was removed.
    package func setStubs(_ stubs: [Stub], ofFile file: String) {
        state.withLock { state in
            for stub in state.files[file] ?? [] where state.entries[stub.id]?.stub.source.isFile == true {
                state.remove(stub.id)
            }
            state.files[file] = stubs.isEmpty ? nil : stubs
            state.insert(stubs, ofFile: file)
        }
    }

    /// The stubs that may match a request's path, in order of precedence.
    func candidates(for request: MockRequest) -> [StubEntry] {
        state.withLock { $0.index.candidates(for: request) }
    }

    /// Whether some stub has conditions.
    var haveConditions: Bool { state.withLock { $0.conditional > 0 } }

    var entries: [StubEntry] { state.withLock { Array($0.entries.values) } }
}

/// Finds the stubs that may match a path, in order of precedence. Its cost depends on the path, and on the number of regular
/// expressions, not on the number of other stubs.
struct StubIndex: Sendable {
    private var tree = PathPatternTree<StubEntry>()
    /// The stubs with a URL that isn't a path.
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

    /// The stubs with paths that may match a request's path, in order of precedence.
    func candidates(for request: MockRequest) -> [StubEntry] {
        // Without parameters, a path that is found completely has no other stubs. In the tree, a slash at the end would count.
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
    /// The source of its responses, for the log.
    let source: ResponseSource
    /// Whether the index compares its path in full, so that it need not be compared again.
    let isKnownByIndex: Bool
    /// Whether it needs the client: for its states, its data, or a new session cookie.
    let needsScope: Bool
    /// Its use of data; nil without data.
    let data: StubData?
    /// Whether its response may change states or data of the client.
    let mayChangeState: Bool
    /// Whether it responds without waiting, and doesn't change the client's session.
    let isImmediate: Bool
    /// The header fields that don't depend on the request; nil if one does.
    let constantHeaders: HTTPFields?
    /// Whether the client may have another session cookie after it.
    let issuesSession: Bool
    /// Whether it compares more of a request than the method and the path.
    let hasConditions: Bool
    /// Whether it sends requests after its response.
    let hasWebhooks: Bool
    /// The order of precedence: by priority, added stubs before those of files, specific paths before vague ones, other stubs before
    /// those of crud files, later stubs before earlier ones, and by the place in the file.
    private let rank: (Int, Int, Int, Int, Int)

    /// - Parameters:
    ///   - sequence: the number of stubs that were added before.
    ///   - position: the place among the responses of one file, which are tried in their order.
    init(_ stub: Stub, sequence: Int, position: Int) {
        self.stub = stub
        source = ResponseSource(
            mock: stub.source.isFile ? "\(stub.source)" : "\(stub.id), \(stub.source)",
            fault: stub.response.fault?.rawValue
        )
        hasWebhooks = !stub.webhooks.isEmpty
        constantHeaders = stub.response.constantHeaders
        hasConditions = !stub.request.conditions.isEmpty || stub.data?.conditions.isEmpty == false
        issuesSession = stub.response.session.logIn != nil || stub.response.headers.contains { $0.name == .setCookie }
        needsScope =
            issuesSession || stub.data != nil || stub.scenario != nil || stub.moves != nil
            || stub.response.needsSession || stub.response.body.isFile || stub.response.app != nil
            || !stub.webhooks.isEmpty || !stub.namedData.isEmpty
        data = stub.data
        mayChangeState = stub.data != nil || stub.scenario?.newState != nil || stub.moves != nil
        isImmediate = stub.response.isImmediate && !issuesSession && !(stub.data?.isSlow ?? false)
        switch stub.request.url {
        case .any, .path, .template: isKnownByIndex = true
        case .url, .urlMatching, .pathMatching: isKnownByIndex = false
        }
        let isFile = stub.source.isFile
        let age = stub.hasRows ? 1 : -sequence
        rank = (stub.priority, isFile ? 1 : 0, isFile ? stub.request.url.vagueness : 0, age, position)
    }

    /// The header fields of the response to one request.
    func headers(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> HTTPFields {
        if let constantHeaders { return constantHeaders }
        return try stub.response.headers(context, limit: limit)
    }

    /// Whether this stub takes precedence over another.
    func goesBefore(_ other: StubEntry) -> Bool { rank < other.rank }
}

extension URLPattern {
    /// The vagueness of its path: more specific paths come first.
    fileprivate var vagueness: Int {
        switch self {
        case .url, .path: return 0
        case .template(let template):
            // An earlier literal segment counts more than a later one.
            return template.segments.reduce(0) { sum, segment in
                switch segment {
                case .parameter: min(sum * 2 + 1, 1 << 40)
                case .rest: min(sum, 1 << 40) + 1 << 41
                case .literal: min(sum * 2, 1 << 40)
                }
            }
        case .urlMatching, .pathMatching: return 1 << 50
        case .any: return 1 << 51
        }
    }
}
