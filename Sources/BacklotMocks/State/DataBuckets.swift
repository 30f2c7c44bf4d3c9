import Backlot

/// The data that routes read and change. Each bucket declares whether each client has its own data, or all share it.
public final class DataBuckets: Sendable {
    /// The limits of all data.
    public struct Limits: Sendable {
        /// The most clients with their own data. Beyond that, the clients that haven't used theirs for the longest time lose it.
        public var clients = 10_000
        /// The approximate memory of all data, in bytes. Beyond that, clients lose their data in the same order.
        public var bytes = 64 * 1024 * 1024
    }

    /// The changes of one client, or of all clients together.
    private struct Holder {
        var contents: [String: DataContent] = [:]
        var lastUse: UInt64 = 0

        var bytes: Int { contents.values.reduce(0) { $0 + $1.bytes } }
    }

    private struct State {
        var buckets: [String: DataBucket] = [:]
        var files: [String: [String]] = [:]
        var holders: [ScenarioStates.Scope: Holder] = [:]
        var bytes = 0
        var clock: UInt64 = 0
    }

    private let state = Locked(State())
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
    }

    // MARK: Buckets

    /// Replaces the buckets of a file. Clients keep their data unless the initial data has changed.
    func setBuckets(_ buckets: [DataBucket], ofFile file: String) {
        state.withLock { state in
            guard !buckets.isEmpty || state.files[file] != nil else { return }
            let names = Set(buckets.map(\.name))
            for name in state.files[file] ?? [] where !names.contains(name) {
                state.buckets[name] = nil
                Self.forget(name, &state)
            }
            for bucket in buckets {
                let old = state.buckets.updateValue(bucket, forKey: bucket.name)
                if let old, !old.hasSameStart(as: bucket) { Self.forget(bucket.name, &state) }
            }
            state.files[file] = buckets.isEmpty ? nil : buckets.map(\.name)
        }
    }

    /// A bucket; nil for an unknown name.
    func bucket(_ name: String) -> DataBucket? { state.withLock { $0.buckets[name] } }

    /// The names of all buckets, in order.
    public var names: [String] { state.withLock { $0.buckets.keys.sorted() } }

    /// The number of clients with their own data.
    public var clients: Int { state.withLock { $0.holders.count { $0.key != .shared } } }

    /// The approximate memory of all data, in bytes, without the initial data.
    public var bytes: Int { state.withLock { $0.bytes } }

    // MARK: Reading

    /// A client's view of a bucket; nil for an unknown bucket.
    func value(_ name: String, in scope: ScenarioStates.Scope = .shared) -> JSONValue? {
        state.withLock { state in
            guard let bucket = state.buckets[name] else { return nil }
            state.clock += 1
            if scope != .shared, let place = state.holders.index(forKey: scope) {
                state.holders.values[place].lastUse = state.clock
            }
            return Self.content(bucket, scope, state).value
        }
    }

    private static func content(_ bucket: DataBucket, _ scope: ScenarioStates.Scope, _ state: State) -> DataContent {
        let own = bucket.sharing == .client ? state.holders[scope]?.contents[bucket.name] : nil
        return own ?? state.holders[.shared]?.contents[bucket.name] ?? bucket.initial
    }

    /// The approximate size of a client's data in a bucket, in bytes; 0 for an unknown bucket.
    func size(_ name: String, in scope: ScenarioStates.Scope) -> Int {
        state.withLock { state in state.buckets[name].map { Self.content($0, scope, state).bytes } ?? 0 }
    }

    // MARK: Changing

    /// Changes one or more buckets at once: keeps all of the changes or none.
    ///
    /// `body` is called again if another request has changed one of them meanwhile.
    func change<Result>(
        _ names: [String],
        in scope: ScenarioStates.Scope,
        _ body: (inout DataDraft) throws(DataError) -> Result
    ) throws(DataError) -> Result {
        for _ in 0..<64 {
            var draft = try draft(names, scope)
            let result = try body(&draft)
            switch state.withLock({ keep(draft, scope, &$0) }) {
            case .kept: return result
            case .outdated: continue
            case .refused(let problem): throw problem
            }
        }
        throw DataError(.serviceUnavailable, "too many requests change the data at once; try again")
    }

    private func draft(_ names: [String], _ scope: ScenarioStates.Scope) throws(DataError) -> DataDraft {
        let draft = state.withLock { state in
            names.reduce(into: DataDraft()) { draft, name in
                guard let bucket = state.buckets[name] else { return }
                draft.parts[name] = .init(bucket: bucket, content: Self.content(bucket, scope, state))
            }
        }
        if let missing = names.first(where: { draft.parts[$0] == nil }) { throw .missing(missing) }
        return draft
    }

    private enum Outcome {
        case kept
        /// Something was changed meanwhile.
        case outdated
        case refused(DataError)
    }

    private func keep(_ draft: DataDraft, _ scope: ScenarioStates.Scope, _ state: inout State) -> Outcome {
        var growth = 0
        for part in draft.parts.values {
            guard state.buckets[part.bucket.name] === part.bucket,
                Self.content(part.bucket, scope, state).version == part.content.version
            else { return .outdated }
            guard part.isChanged else { continue }
            if let problem = part.bucket.full(part.content) { return .refused(problem) }
            let old = state.holders[part.bucket.holder(for: scope)]?.contents[part.bucket.name]
            growth += part.content.bytes - (old?.bytes ?? 0)
        }
        if let problem = makeRoom(growth, for: scope, &state) { return .refused(problem) }
        state.clock += 1
        for part in draft.parts.values where part.isChanged {
            var content = part.content
            content.version = state.clock
            let holder = part.bucket.holder(for: scope)
            let old = state.holders[holder, default: Holder()].contents.updateValue(content, forKey: part.bucket.name)
            state.holders[holder]?.lastUse = state.clock
            state.bytes += content.bytes - (old?.bytes ?? 0)
        }
        return .kept
    }

    /// Removes the data of clients that have not used theirs for the longest time, until the new data fits.
    ///
    /// - Returns: the error if it doesn't fit; nil if it does.
    private func makeRoom(_ growth: Int, for scope: ScenarioStates.Scope, _ state: inout State) -> DataError? {
        let isNew = scope != .shared && state.holders[scope] == nil
        guard state.bytes + growth > limits.bytes || isNew && state.holders.count >= limits.clients else { return nil }
        let others = state.holders.filter { $0.key != .shared && $0.key != scope }
            .sorted { $0.value.lastUse < $1.value.lastUse }
        let free = others.reduce(0) { $0 + $1.value.bytes }
        guard state.bytes + growth - free <= limits.bytes else {
            return DataError(.insufficientStorage, "all data may take at most \(limits.bytes) bytes; remove some")
        }
        // A tenth more than needed, so that this is rare.
        let clients = limits.clients - limits.clients / 10
        for (old, holder) in others
        where state.bytes + growth > limits.bytes / 10 * 9 || state.holders.count >= clients {
            state.bytes -= holder.bytes
            state.holders[old] = nil
        }
        return nil
    }

    /// Sets the content of a bucket, for one client or for all. For all, the clients' own changes are lost.
    func set(_ value: JSONValue, of name: String, in scope: ScenarioStates.Scope) throws(DataError) {
        try change([name], in: scope) { draft throws(DataError) in
            try draft.setAll(value, of: name)
        }
        guard scope == .shared else { return }
        state.withLock { Self.forget(name, butShared: true, &$0) }
    }

    // MARK: Resetting

    /// Resets all data, for all clients.
    public func reset() {
        state.withLock { state in
            state.holders = [:]
            state.bytes = 0
        }
    }

    /// Resets the data of a session.
    public func reset(_ scope: ScenarioStates.Scope) {
        state.withLock { state in
            state.bytes -= state.holders.removeValue(forKey: scope)?.bytes ?? 0
        }
    }

    /// Resets a bucket: for a session, or for all clients.
    func reset(_ name: String, in scope: ScenarioStates.Scope) {
        state.withLock { state in
            if scope == .shared { return Self.forget(name, &state) }
            state.bytes -= state.holders[scope]?.contents.removeValue(forKey: name)?.bytes ?? 0
        }
    }

    /// Moves a session's data to a new session, after a log-in.
    func hand(from old: ScenarioStates.Scope, to new: ScenarioStates.Scope) {
        guard old != new, old != .shared else { return }
        state.withLock { state in
            guard let holder = state.holders.removeValue(forKey: old) else { return }
            state.bytes -= state.holders.updateValue(holder, forKey: new)?.bytes ?? 0
        }
    }

    private static func forget(_ name: String, butShared: Bool = false, _ state: inout State) {
        for scope in Array(state.holders.keys) where !(butShared && scope == .shared) {
            state.bytes -= state.holders[scope]?.contents.removeValue(forKey: name)?.bytes ?? 0
            if state.holders[scope]?.contents.isEmpty == true { state.holders[scope] = nil }
        }
    }
}

extension DataBucket {
    /// The client scope that keeps its changes.
    fileprivate func holder(for scope: ScenarioStates.Scope) -> ScenarioStates.Scope {
        sharing == .client ? scope : .shared
    }
}

/// Buckets with all changes applied.
struct DataDraft {
    struct Part {
        let bucket: DataBucket
        var content: DataContent
        var isChanged = false
    }

    var parts: [String: Part] = [:]

    /// Changes the content of a bucket.
    mutating func change<Result>(
        _ name: String,
        _ body: (DataBucket, inout DataContent) throws(DataError) -> Result
    ) throws(DataError) -> Result {
        guard var part = parts.removeValue(forKey: name) else {
            throw .missing(name)
        }
        let result = try body(part.bucket, &part.content)
        part.isChanged = true
        parts[name] = part
        return result
    }

    /// Replaces the whole value of a bucket.
    mutating func setAll(_ value: JSONValue, of name: String) throws(DataError) {
        try change(name) { bucket, content throws(DataError) in
            guard bucket.isList else {
                try bucket.check(value)
                return content.set(value, key: bucket.key)
            }
            guard let rows = value.array, rows.allSatisfy({ $0.object != nil }) else {
                throw DataError(.unprocessableContent, "the data '\(name)' is a list of objects")
            }
            content.set(.array([]), key: bucket.key)
            var known = DataMatch.Values()
            for row in rows {
                let added = try content.append(
                    row.object ?? [:],
                    key: bucket.key,
                    bucket.ids,
                    isTaken: known.contains
                )
                if let key = added[bucket.key] { known.insert(key) }
                try bucket.check(added)
            }
        }
    }
}
