import BacklotDatabase
import Floki
import FlokiPostgreSQL
import Logging
import TestSupport
import Testing

@testable import FlokiSQLite

/// The stores that there are.
enum TestedStore: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, postgreSQL

    /// Those that can be tried here.
    static let available = allCases.filter { $0 != .postgreSQL || PostgreSQLServer.isInstalled }
    /// Of these, those that several servers can share.
    static let shared = available.filter { $0 != .memory }

    var testDescription: String { rawValue }

    /// Calls `body` with an empty store.
    func withStore(_ body: (any FeedStore) async throws -> Void) async throws {
        try await withServers { open in try await body(open()) }
    }

    /// Calls `body` with what opens an empty store, once for each server that shares it.
    func withServers(_ body: (_ open: () throws -> any FeedStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            let store = MemoryFeedStore()
            try await body { store }
        case .sqlite:
            try await withTemporaryFolder { folder in
                try await body { try patientStore("\(folder.path)/feeds.sqlite") }
            }
        case .postgreSQL:
            let database = try await SharedPostgreSQL.shared.database()
            try await body { try database.server.feeds(database: database.name) }
        }
    }
}

/// A store for busy machines: its searches may take long, and its writers may wait long. SQLite gives a file to any of the waiting
/// writers, not to the first.
func patientStore(_ path: String) throws -> SQLiteFeedStore {
    let store = try SQLiteFeedStore(path, patience: .seconds(60), logger: .silent)
    try store.pool.withWriter { try $0.execute("PRAGMA busy_timeout = 120000") }
    return store
}

/// Calls `body` with an empty file.
func withSQLiteStore(_ body: (SQLiteFeedStore) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        try await body(patientStore("\(folder.path)/feeds.sqlite"))
    }
}

/// The feed of most tests.
let english = FeedStream(feed: "news", language: "en")
/// The same feed in another language.
let spanish = FeedStream(feed: "news", language: "es")

extension StoredEntry {
    /// An entry with its id or another text as its JSON.
    static func make(
        _ id: Int,
        _ text: String? = nil,
        sort: Int? = nil,
        expires: Int = 0,
        words: [String] = [],
        tags: [String] = [],
        page: String? = nil,
        as publication: Publication = .published,
        revision: Int = 0
    ) -> StoredEntry {
        StoredEntry(
            id: id,
            sortID: sort ?? id,
            expirationDate: expires,
            wire: Array((text ?? "\(id)").utf8),
            page: page,
            words: words,
            tags: tags,
            publication: publication,
            revision: revision
        )
    }

    /// Its JSON.
    var text: String { String(decoding: wire, as: UTF8.self) }
}

extension FeedChange {
    /// The changes that replace an entry which has a revision.
    static func replace(_ entry: StoredEntry, language: String = "en", revision: Int) -> [FeedChange] {
        [.expect(id: entry.id, language: language, revision: revision), .save(entry, language: language)]
    }
}

extension FeedStore {
    /// Saves entries as a whole.
    @discardableResult
    func save(_ entries: StoredEntry..., language: String = "en", feed: String = "news") async throws -> Int {
        try await apply(entries.map { .save($0, language: language) }, to: feed)
    }

    /// The entries of the newest window.
    func texts(_ stream: FeedStream = english, now: Int = 0) async throws -> [String] {
        try await window(FeedQuery(stream: stream, limit: 100, now: now)).texts
    }

    /// The entries that a search finds, by their ids.
    func find(
        _ criterion: FeedSearch.Criterion,
        offset: Int = 0,
        limit: Int? = nil,
        now: Int = 5
    ) async throws -> [Int] {
        let search = FeedSearch(stream: english, criterion: criterion, offset: offset, limit: limit, now: now)
        return try await self.search(search).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// The revision of a feed, as soon as the store knows it.
    func knownRevision(of feed: String = "news") async throws -> Int {
        while true {
            if let revision = revision(of: feed) { return revision }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension FeedStore {
    /// Waits until the store knows of a revision, which another server has made.
    func waitForRevision(_ revision: Int, of feed: String = "news") async throws {
        while self.revision(of: feed) ?? 0 < revision { try await Task.sleep(for: .milliseconds(5)) }
    }
}

extension FeedWindow {
    /// The JSON of the entries.
    var texts: [String] { entries.map { String(decoding: $0, as: UTF8.self) } }

    /// The parts that tests compare.
    var summary: WindowSummary { WindowSummary(texts: texts, removed: removed, hasOlder: hasOlder) }
}

/// The JSON of a window's entries, the removed ids, and whether there are older entries.
struct WindowSummary: Equatable {
    let texts: [String]
    let removed: [Int]
    let hasOlder: Bool
}

extension WindowSummary {
    /// A window of entries with their ids as JSON.
    init(_ ids: [Int], removed: [Int] = [], hasOlder: Bool = false) {
        self.init(texts: ids.map { "\($0)" }, removed: removed, hasOlder: hasOlder)
    }
}

/// Calls a body with the path of a file that doesn't exist yet, in a new folder.
func withFeedsFile(_ body: (_ path: String) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body("\($0.path)/feeds.sqlite") }
}
