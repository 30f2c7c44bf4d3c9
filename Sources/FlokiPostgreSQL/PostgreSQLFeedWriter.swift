import BacklotPostgreSQL
import Floki

/// Changes one feed inside a transaction, which locks the feed's row.
struct PostgreSQLFeedWriter {
    /// The oldest changes are removed once in this many revisions.
    private static let revisionsBetweenCuts = 32

    /// The number of scheduled entries to publish at a time.
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
    /// Whether the entries of the batch are drafts, rather than published entries.
    private var isDraftBatch = false
    /// Statements without results to wait for.
    private var pending: [SQLStatement] = []
    /// The indexes of statements with counts that show whether anything has changed.
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
    /// - Returns: whether it has made any changes.
    mutating func apply(_ changes: [FeedChange]) throws -> Bool {
        for change in changes {
            switch change {
            case .expect(let id, let language, let revision):
                try send()
                let stored = try stored(id, language)
                guard (stored?.revision ?? 0) == revision else {
                    throw FeedConflict(id: id, language: language, stored: stored)
                }
            case .save(let entry, let language): try save(entry, language)
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
            last.append(SQLStatement(Self.cutTombstones, [.text(feed), .integer(FeedQuery.maximumRemoved)]))
        }
        if revision.isMultiple(of: Self.revisionsBetweenCuts) { last.append(cut) }
        try connection.pipeline(last)
        return true
    }

    /// Publishes up to 500 scheduled entries that are due. After a long pause, there may be more, which would take too long.
    ///
    /// - Returns: whether any were due.
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

    // MARK: Reading

    /// The draft of an entry; without a draft, the published entry.
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
        return SQLStatement(sql, [.text(feed), .integer(PostgreSQLFeedSchema.mostChanges)])
    }
}

/// The statements that change a feed.
///
/// `$1` is the feed; in statements for a batch, `$2` and `$3` are the ids and languages.
extension PostgreSQLFeedWriter {
    static let streams = """
        INSERT INTO floki_stream (feed, language) SELECT $1, language FROM unnest($2::text[]) AS x (language)
        WHERE NOT EXISTS (SELECT FROM floki_stream AS s WHERE s.feed = $1 AND s.language = x.language)
        """

    private static let streamRows = """
        \(FeedBatch.keyRows(2)) JOIN floki_stream AS s ON s.feed = $1 AND s.language = x.language
        """

    static let forgetTombstones = """
        DELETE FROM floki_tombstone AS t USING \(streamRows) WHERE t.stream = s.number AND t.id = x.id
        """

    static let forgetDrafts =
        "DELETE FROM floki_draft AS d USING \(streamRows) WHERE d.stream = s.number AND d.id = x.id"

    static let forgetTags = """
        DELETE FROM floki_tag AS t USING \(streamRows)
        JOIN floki_entry AS e ON e.stream = s.number AND e.id = x.id CROSS JOIN unnest(e.tags) AS name
        WHERE t.stream = e.stream AND t.tag = name AND t.ended = e.ended AND t.sort = e.sort AND t.id = e.id
        """

    private static let wire = "substring($14::bytea FROM x.place::int FOR x.wire::int)"
    private static let page = """
        CASE WHEN x.page >= 0 THEN substring($14::bytea FROM (x.place + x.wire)::int FOR x.page::int) END
        """

    static let saveEntries = """
        INSERT INTO floki_entry (stream, id, ended, sort, expires, revision, wire, page, words, tags, search)
        SELECT s.number, x.id, x.expires > 0 AND x.expires < $17, x.sort, x.expires, $16, \(wire), \(page), x.words,
            string_to_array(x.tags, $15),
            array_to_tsvector(string_to_array(x.lexemes, ' '))
                || CASE WHEN x.configuration = '' THEN ''::tsvector
                    ELSE to_tsvector(x.configuration::regconfig, x.lexemes) END
        FROM (
            SELECT *, CASE WHEN indexed = '' THEN words ELSE indexed END AS lexemes FROM \(FeedBatch.rows(2))
        ) AS x JOIN floki_stream AS s ON s.feed = $1 AND s.language = x.language
        ON CONFLICT (stream, id) DO UPDATE SET ended = excluded.ended, sort = excluded.sort, expires = excluded.expires,
            revision = excluded.revision, wire = excluded.wire, page = excluded.page, words = excluded.words,
            tags = excluded.tags, search = excluded.search
        """

    static let saveTags = """
        INSERT INTO floki_tag (stream, tag, ended, sort, id, expires)
        SELECT DISTINCT e.stream, name, e.ended, e.sort, e.id, e.expires FROM \(streamRows)
        JOIN floki_entry AS e ON e.stream = s.number AND e.id = x.id CROSS JOIN unnest(e.tags) AS name
        """

    static let saveDrafts = """
        INSERT INTO floki_draft (stream, id, sort, expires, due, revision, wire, page, words, tags)
        SELECT s.number, x.id, x.sort, x.expires, CASE WHEN x.due >= 0 THEN x.due END, $16, \(wire), \(page), x.words,
            string_to_array(x.tags, $15)
        FROM \(FeedBatch.rows(2)) JOIN floki_stream AS s ON s.feed = $1 AND s.language = x.language
        ON CONFLICT (stream, id) DO UPDATE SET sort = excluded.sort, expires = excluded.expires, due = excluded.due,
            revision = excluded.revision, wire = excluded.wire, page = excluded.page, words = excluded.words,
            tags = excluded.tags
        """

    static let noteSaved = """
        INSERT INTO floki_change (feed, revision, kind, id, language)
        SELECT $1, $4, $5, id, language FROM \(FeedBatch.keyRows(2)) ORDER BY number
        """

    /// The count in the result is the number of languages in which the entry was removed.
    static let removeEntry = """
        WITH target AS (
            SELECT number AS stream, language FROM floki_stream WHERE feed = $1 AND ($3::text IS NULL OR language = $3)
        ), gone AS (
            DELETE FROM floki_entry AS e USING target WHERE e.stream = target.stream AND e.id = $2
            RETURNING e.stream, e.id, e.sort, e.ended, e.tags, target.language
        ), untagged AS (
            DELETE FROM floki_tag AS t USING gone CROSS JOIN unnest(gone.tags) AS name
            WHERE t.stream = gone.stream AND t.tag = name AND t.ended = gone.ended AND t.sort = gone.sort AND t.id = gone.id
        ), discarded AS (
            DELETE FROM floki_draft AS d USING target WHERE d.stream = target.stream AND d.id = $2
            RETURNING target.language
        ), remembered AS (
            INSERT INTO floki_tombstone (stream, id, sort) SELECT stream, id, sort FROM gone
        )
        INSERT INTO floki_change (feed, revision, kind, id, language)
        SELECT $1, $4, 'removed', $2, language
        FROM (SELECT language FROM gone UNION SELECT language FROM discarded) AS languages ORDER BY language
        """

    static let cutTombstones = """
        DELETE FROM floki_tombstone AS t USING floki_stream AS s CROSS JOIN LATERAL (
            SELECT number FROM floki_tombstone WHERE stream = s.number ORDER BY number DESC OFFSET $2 LIMIT 1
        ) AS last WHERE s.feed = $1 AND t.stream = s.number AND t.number <= last.number
        """

    static let discardDraft = """
        WITH discarded AS (
            DELETE FROM floki_draft AS d USING floki_stream AS s
            WHERE s.feed = $1 AND s.language = $3 AND d.stream = s.number AND d.id = $2 RETURNING d.id
        )
        INSERT INTO floki_change (feed, revision, kind, id, language) SELECT $1, $4, 'drafted', id, $3 FROM discarded
        """
}
