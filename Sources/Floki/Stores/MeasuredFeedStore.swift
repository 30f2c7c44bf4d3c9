internal import Backlot
package import CoreMetrics

/// A store of feeds that measures its operations. Conflicts, a lack of free ids, and refused searches don't count as errors.
package struct MeasuredFeedStore: FeedStore {
    private static let operations = [
        "apply", "window", "entry", "search", "entries", "allocate-ids", "publish-drafts", "record", "replace-record",
    ]

    private let store: any FeedStore
    private let measures: StoreMeasures

    /// Measures a store.
    package init(_ store: any FeedStore, _ factory: any MetricsFactory) {
        self.store = store
        measures = StoreMeasures("feed", operations: Self.operations, factory)
    }

    private func measure<Value>(_ operation: String, _ work: () async throws -> Value) async throws -> Value {
        try await measures.measure(
            operation,
            isFailure: { !($0 is FeedConflict || $0 is FeedError || $0 is StatusError) },
            work
        )
    }

    package func apply(_ changes: [FeedChange], to feed: String) async throws -> Int {
        try await measure("apply") { try await store.apply(changes, to: feed) }
    }

    package func window(_ query: FeedQuery) async throws -> FeedWindow {
        try await measure("window") { try await store.window(query) }
    }

    package func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await measure("entry") { try await store.entry(id, of: stream, now: now) }
    }

    package func search(_ search: FeedSearch) async throws -> [[UInt8]] {
        try await measure("search") { try await store.search(search) }
    }

    package func entries(_ query: EntryQuery) async throws -> [StoredEntry] {
        try await measure("entries") { try await store.entries(query) }
    }

    package func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int> {
        try await measure("allocate-ids") { try await store.allocateIDs(count, in: feed) }
    }

    package func publishDrafts(dueAt now: Int) async throws -> Int? {
        try await measure("publish-drafts") { try await store.publishDrafts(dueAt: now) }
    }

    package func record(of app: String) async throws -> AppRecord? {
        try await measure("record") { try await store.record(of: app) }
    }

    package func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool {
        try await measure("replace-record") { try await store.replaceRecord(of: app, version: version, with: record) }
    }

    package func recordVersion(of app: String) -> Int? { store.recordVersion(of: app) }
    package func revision(of feed: String) -> Int? { store.revision(of: feed) }
    package func changes() -> FeedEvents { store.changes() }
    package func close() async { await store.close() }
}
