import BacklotDatabase
import Floki

/// Changes one feed inside a transaction. All of its changes together are the feed's next revision.
struct SQLiteFeedWriter {
    /// The least number of changes of a feed to remember, for other processes.
    static let remembered = 10_000
    /// The surplus is removed once in this many revisions.
    private static let sweepInterval = 256

    private let database: Database
    private let feed: String
    /// The previous revision.
    private let before: Int
    private var highestID: Int
    private var entries: EntryWriter
    private let drafts: FeedDrafts
    private var streams: [String: Int64] = [:]
    private var removedFrom: Set<Int64> = []
    private var log: [(kind: FeedEvent.Kind, id: Int, language: String)] = []

    init(database: Database, feed: String) throws {
        self.database = database
        self.feed = feed
        let sql = "SELECT revision, highest_id FROM feed WHERE name = ?"
        let row = try database.first(sql, [feed]) { (revision: $0[0] as Int, highestID: $0[1] as Int) }
        before = row?.revision ?? 0
        highestID = row?.highestID ?? 0
        entries = EntryWriter(database: database)
        drafts = FeedDrafts(database: database)
    }

    /// Makes changes.
    ///
    /// - Returns: the revision after the changes; the previous one for changes without an effect.
    /// - Throws: `FeedConflict`, and the errors of the file.
    mutating func apply(_ changes: [FeedChange]) throws -> Int {
        for change in changes {
            switch change {
            case .expect(let id, let language, let revision):
                let stored = try stored(id, language)
                guard (stored?.revision ?? 0) == revision else {
                    throw FeedConflict(id: id, language: language, stored: stored)
                }
            case .save(let entry, let language): try save(entry, language)
            case .remove(let id, let language):
                for (language, stream) in try knownStreams(language) { try remove(id, language, stream) }
            case .discardDraft(let id, let language):
                guard let stream = try knownStreams(language).first?.number else { continue }
                if try drafts.discard(id, from: stream) { log.append((.drafted, id, language)) }
            }
        }
        for stream in removedFrom { try entries.forgetTombstones(of: stream) }
        guard !log.isEmpty else { return before }
        try note()
        return before + 1
    }

    /// Reserves ids.
    func allocateIDs(_ count: Int) throws -> ClosedRange<Int> {
        let ids = try FeedIDs.next(count, after: highestID, in: feed)
        let sql = """
            INSERT INTO feed (name, highest_id) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET highest_id = excluded.highest_id
            """
        try database.run(sql, [feed, ids.upperBound])
        return ids
    }

    private mutating func save(_ entry: StoredEntry, _ language: String) throws {
        let stream = try stream(language)
        var entry = entry
        entry.revision = before + 1
        highestID = max(highestID, entry.id)
        if entry.publication == .published {
            _ = try drafts.discard(entry.id, from: stream)
            try entries.save(entry, in: stream)
            log.append((.saved, entry.id, language))
        } else {
            try drafts.save(entry, in: stream)
            log.append((.drafted, entry.id, language))
        }
    }

    private mutating func remove(_ id: Int, _ language: String, _ stream: Int64) throws {
        let hadDraft = try drafts.discard(id, from: stream)
        let wasPublished = try entries.remove(id, from: stream)
        if wasPublished { removedFrom.insert(stream) }
        if hadDraft || wasPublished { log.append((.removed, id, language)) }
    }

    /// The version that an editor has read: the draft; without a draft, the published entry.
    private func stored(_ id: Int, _ language: String) throws -> StoredEntry? {
        guard let stream = try knownStreams(language).first?.number else { return nil }
        return try drafts.draft(id, of: stream) ?? SQLiteFeedWindow(database: database).stored(id, stream)
    }

    /// The number of a stream. A new stream is created.
    private mutating func stream(_ language: String) throws -> Int64 {
        if let known = streams[language] { return known }
        try database.run("INSERT OR IGNORE INTO stream (feed, language) VALUES (?, ?)", [feed, language])
        let number = try knownStreams(language).first?.number ?? 0
        guard number <= FeedPlace.highestStream else {
            throw FeedFileError("a file has at most \(FeedPlace.highestStream) feeds and languages: use another file")
        }
        streams[language] = number
        return number
    }

    /// The streams of the feed, or the one in a language.
    private func knownStreams(_ language: String?) throws -> [(language: String, number: Int64)] {
        let sql = "SELECT language, number FROM stream WHERE feed = ?"
        guard let language else {
            return try database.all("\(sql) ORDER BY language", [feed]) { ($0[0], $0[1]) }
        }
        return try database.all("\(sql) AND language = ?", [feed, language]) { ($0[0], $0[1]) }
    }

    /// Counts the revision, and remembers the last changes for other processes.
    private func note() throws {
        let revision = before + 1
        let count = """
            INSERT INTO feed (name, revision, highest_id) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, highest_id = excluded.highest_id
            RETURNING number
            """
        let number: Int64 = try database.first(count, [feed, revision, highestID]) { $0[0] } ?? 0
        let insert = "INSERT INTO change (feed, revision, kind, id, language) VALUES (?, ?, ?, ?, ?)"
        for change in log.suffix(Self.remembered) {
            try database.run(insert, [number, revision, change.kind.rawValue, change.id, change.language])
        }
        if log.count > Self.remembered {
            try database.run("UPDATE feed SET forgotten = ? WHERE number = ?", [revision, number])
        }
        guard log.count >= Self.sweepInterval || revision.isMultiple(of: Self.sweepInterval) else { return }
        let last = "SELECT number, revision FROM change WHERE feed = ? ORDER BY number DESC LIMIT 1 OFFSET ?"
        let found = try database.first(last, [number, Self.remembered]) {
            (row: $0[0] as Int64, revision: $0[1] as Int)
        }
        guard let found else { return }
        try database.run("DELETE FROM change WHERE feed = ? AND number <= ?", [number, found.row])
        try database.run("UPDATE feed SET forgotten = max(forgotten, ?) WHERE number = ?", [found.revision, number])
    }
}
