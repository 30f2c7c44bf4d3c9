import BacklotPostgreSQL
import Floki

/// Changes one feed inside of a transaction, which holds the feed's row.
struct FeedWriter {
    /// After how many revisions the oldest changes are forgotten.
    private static let revisionsBetweenCuts = 32

    /// How many scheduled entries are published at a time.
    private static let mostDue = 500

    let connection: PostgreSQLConnection
    let feed: String
    /// PostgreSQL's names for languages.
    let configurations: [String: String]
    /// The time, in seconds since 1970.
    let now: Int
    private(set) var revision = 0
    private var hasChanged = false
    private var hasRemoved = false
    private var batch = FeedBatch()
    /// What the entries of the batch are: drafts, or what readers see.
    private var isDraftBatch = false
    /// Statements that nobody has to wait for.
    private var pending: [SQLStatement] = []
    /// Those of them whose counts say whether anything has changed.
    private var counted: [Int] = []

    init(connection: PostgreSQLConnection, feed: String, configurations: [String: String], now: Int) {
        self.connection = connection
        self.feed = feed
        self.configurations = configurations
        self.now = now
    }

    /// Locks the feed's row against other writers, and begins the next revision.
    mutating func begin(highestID: Int) throws {
        let sql = """
            INSERT INTO floki_feed (name, revision, last_id) VALUES ($1, 1, $2)
            ON CONFLICT (name) DO UPDATE
            SET revision = floki_feed.revision + 1, last_id = greatest(floki_feed.last_id, excluded.last_id)
            RETURNING revision
            """
        revision =
            try connection.query(sql, [.text(feed), .integer(highestID)]) { row -> Int in try row[0] }.first ?? 0
    }

    /// Makes changes.
    ///
    /// - Returns: whether there were any.
    mutating func apply(_ changes: [FeedChange]) throws -> Bool {
        for change in changes {
            switch change {
            case .save(let entry, let language): try save(entry, language)
            case .replace(let entry, let language, let revision):
                try send()
                let stored = try stored(entry.id, language)
                guard (stored?.revision ?? 0) == revision else {
                    throw FeedConflict(id: entry.id, language: language, stored: stored, yours: entry)
                }
                try save(entry, language)
            case .remove(let id, let language):
                flush()
                remove(id, language)
            case .discardDraft(let id, let language):
                flush()
                discard(id, language)
            }
            if pending.count > 100 { try send() }
        }
        try send()
        guard hasChanged else { return false }
        var last = [
            SQLStatement("SELECT pg_notify($1, $2)", [.text(FeedFollower.channel), .text("feed \(revision) \(feed)")])
        ]
        if hasRemoved {
            last.append(SQLStatement(Self.cutTombstones, [.text(feed), .integer(FeedQuery.mostRemoved)]))
        }
        if revision.isMultiple(of: Self.revisionsBetweenCuts) { last.append(cut) }
        try connection.pipeline(last)
        return true
    }

    /// Publishes scheduled entries whose time has come, up to 500: all that have come due in a long time would take too long.
    ///
    /// - Returns: whether there were any.
    mutating func publishDrafts(dueAt now: Int) throws -> Bool {
        let sql = """
            SELECT e.id, e.sort, e.expires, e.revision, e.wire, e.page, e.words, e.tags, true, e.due, s.language
            FROM floki_draft AS e JOIN floki_stream AS s ON s.number = e.stream
            WHERE s.feed = $1 AND e.due <= $2 ORDER BY e.due, s.language, e.sort, e.id LIMIT \(Self.mostDue)
            """
        let due = try connection.query(sql, [.text(feed), .integer(now)]) { row in
            var entry = try StoredEntry(row)
            entry.publication = .published
            return FeedChange.save(entry, language: try row[10])
        }
        return try apply(due)
    }

    // MARK: Saving

    private mutating func save(_ entry: StoredEntry, _ language: String) throws {
        try FeedBatch.check(entry)
        let isDraft = entry.publication != .published
        if isDraft != isDraftBatch || !batch.add(entry, language) {
            flush()
            try send()
            isDraftBatch = isDraft
            _ = batch.add(entry, language)
        }
    }

    /// Turns the batch into statements.
    private mutating func flush() {
        guard !batch.isEmpty else { return }
        hasChanged = true
        let keys: [SQLValue] = [.text(feed)] + batch.keyValues
        let all = keys + batch.columnValues(configurations) + [.integer(revision)]
        pending.append(SQLStatement(Self.streams, [.text(feed), batch.languages]))
        if isDraftBatch {
            pending.append(SQLStatement(Self.saveDrafts, all))
        } else {
            for sql in [Self.forgetTombstones, Self.forgetDrafts, Self.forgetTags] {
                pending.append(SQLStatement(sql, keys))
            }
            pending.append(SQLStatement(Self.saveEntries, all + [.integer(now - LateEntries.margin)]))
            pending.append(SQLStatement(Self.saveTags, keys))
        }
        let kind = isDraftBatch ? FeedEvent.Kind.drafted : .saved
        pending.append(SQLStatement(Self.noteSaved, keys + [.integer(revision), .text(kind.rawValue)]))
        batch = FeedBatch()
    }

    private mutating func send() throws {
        flush()
        guard !pending.isEmpty else { return }
        let results = try connection.pipeline(pending)
        if counted.contains(where: { results[$0].count > 0 }) { hasChanged = true }
        pending = []
        counted = []
    }

    // MARK: Replacing

    /// The draft of an entry, or else the published one.
    private func stored(_ id: Int, _ language: String) throws -> StoredEntry? {
        let stream = FeedStream(feed: feed, language: language)
        for selection in [EntryQuery.Selection.drafts, .published(includingEnded: true)] {
            let query = EntryQuery(stream: stream, selection: selection, ids: [id], limit: 1, now: now)
            let statement = EntryStatement(query).statement
            let found = try connection.query(statement.sql, statement.values) { try StoredEntry($0) }
            if let found = found.first { return found }
        }
        return nil
    }

    // MARK: Removing

    private mutating func remove(_ id: Int, _ language: String?) {
        counted.append(pending.count)
        let values: [SQLValue] = [.text(feed), .integer(id), .optional(language), .integer(revision)]
        pending.append(SQLStatement(Self.removeEntry, values))
        hasRemoved = true
    }

    private mutating func discard(_ id: Int, _ language: String) {
        counted.append(pending.count)
        let values: [SQLValue] = [.text(feed), .integer(id), .text(language), .integer(revision)]
        pending.append(SQLStatement(Self.discardDraft, values))
    }

    private var cut: SQLStatement {
        let sql = """
            DELETE FROM floki_change USING (
                SELECT revision FROM floki_change WHERE feed = $1 ORDER BY revision DESC, number DESC OFFSET $2 LIMIT 1
            ) AS oldest WHERE feed = $1 AND floki_change.revision < oldest.revision
            """
        return SQLStatement(sql, [.text(feed), .integer(FeedSchema.mostChanges)])
    }
}
