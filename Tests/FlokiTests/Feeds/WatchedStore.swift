import Backlot

@testable import Floki

/// Feeds in memory. It counts the calls, and makes them fail when a test wants that.
final class WatchedStore: FeedStore {
    /// The database is away.
    struct Away: Error {}

    private struct State {
        var calls: [String: Int] = [:]
        var isAway = false
        var isCurrent = true
        /// The version of a record that it has heard of last; nil for the newest.
        var lateVersion: Int?
        var interruptions: [@Sendable (MemoryFeedStore) async throws -> Void] = []
        var windowInterruption: (@Sendable () async throws -> Void)?
        var failures = 0
        var failsAfterApply = false
    }

    let memory: MemoryFeedStore
    private let state = Locked(State())

    init(_ memory: MemoryFeedStore = MemoryFeedStore()) { self.memory = memory }

    /// Whether all calls fail.
    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Whether the changes of other servers are known.
    var isCurrent: Bool {
        get { state.withLock { $0.isCurrent } }
        set { state.withLock { $0.isCurrent = newValue } }
    }

    /// Whether it doesn't hear of records that other servers replace from now on.
    var isLate: Bool {
        get { state.withLock { $0.lateVersion != nil } }
        set { state.withLock { $0.lateVersion = newValue ? memory.recordVersion(of: "/floki") ?? 0 : nil } }
    }

    /// The number of calls of each function since the last call of this one, by name.
    func takeCalls() -> [String: Int] {
        state.withLock { state in
            defer { state.calls = [:] }
            return state.calls
        }
    }

    /// Runs the closures before the next calls of `apply`, one before each.
    func interrupt(_ interruptions: (@Sendable (MemoryFeedStore) async throws -> Void)...) {
        state.withLock { $0.interruptions += interruptions }
    }

    /// Runs a closure after the next window is read, before the store returns it.
    func interruptWindow(_ interruption: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.windowInterruption = interruption }
    }

    /// Makes some calls fail.
    func fail(_ count: Int) { state.withLock { $0.failures += count } }

    /// Makes the next changes fail when they have been made.
    func failAfterNextApply() { state.withLock { $0.failsAfterApply = true } }

    private func count(_ name: String) throws {
        try state.withLock { state in
            state.calls[name, default: 0] += 1
            if state.failures > 0 {
                state.failures -= 1
                throw Away()
            }
            if state.isAway { throw Away() }
        }
    }

    @discardableResult
    func apply(_ changes: [FeedChange], to feed: String) async throws -> Int {
        try count("apply")
        let interruption = state.withLock { $0.interruptions.isEmpty ? nil : $0.interruptions.removeFirst() }
        try await interruption?(memory)
        let revision = try await memory.apply(changes, to: feed)
        try state.withLock { state in
            defer { state.failsAfterApply = false }
            if state.failsAfterApply { throw Away() }
        }
        return revision
    }

    func window(_ query: FeedQuery) async throws -> FeedWindow {
        try count("window")
        let window = await memory.window(query)
        let interruption = state.withLock { state in
            defer { state.windowInterruption = nil }
            return state.windowInterruption
        }
        try await interruption?()
        return window
    }

    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try count("entry")
        return await memory.entry(id, of: stream, now: now)
    }

    func search(_ search: FeedSearch) async throws -> [[UInt8]] {
        try count("search")
        return try await memory.search(search)
    }

    func entries(_ query: EntryQuery) async throws -> [StoredEntry] {
        try count("entries")
        return await memory.entries(query)
    }

    func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int> {
        try self.count("allocateIDs")
        return try await memory.allocateIDs(count, in: feed)
    }

    func publishDrafts(dueAt now: Int) async throws -> Int? {
        try count("publishDrafts")
        return await memory.publishDrafts(dueAt: now)
    }

    func record(of app: String) async throws -> AppRecord? {
        try count("record")
        return await memory.record(of: app)
    }

    func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool {
        try count("replaceRecord")
        return await memory.replaceRecord(of: app, version: version, with: record)
    }

    func revision(of feed: String) -> Int? { isCurrent ? memory.revision(of: feed) : nil }
    func recordVersion(of app: String) -> Int? {
        isCurrent ? state.withLock { $0.lateVersion } ?? memory.recordVersion(of: app) : nil
    }
    func changes() -> FeedEvents { memory.changes() }
}
