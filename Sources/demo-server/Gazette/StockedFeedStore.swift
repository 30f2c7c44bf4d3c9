import Floki

/// A store in memory that has the newspaper in it before anybody looks.
final class StockedFeedStore: FeedStore {
    private let store = MemoryFeedStore()
    private let stocking: Task<Void, any Error>

    init() {
        let store = store
        stocking = Task { try await GazetteStock.fill(GazetteApp(store: store)) }
    }

    private var stocked: MemoryFeedStore {
        get async throws {
            try await stocking.value
            return store
        }
    }

    func apply(_ changes: [FeedChange], to feed: String) async throws {
        try await stocked.apply(changes, to: feed)
    }

    func window(_ query: FeedQuery) async throws -> FeedWindow { try await stocked.window(query) }

    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await stocked.entry(id, of: stream, now: now)
    }

    func search(_ search: FeedSearch) async throws -> [[UInt8]] { try await stocked.search(search) }
}
