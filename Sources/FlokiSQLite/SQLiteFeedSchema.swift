import Backlot
import BacklotDatabase
import Floki

/// The tables of a file.
enum SQLiteFeedSchema {
    /// The number of this schema, in the file's `user_version`.
    static let version = 3

    /// Creates the tables of a new file, and replaces the tables of an earlier version.
    ///
    /// - Throws: ``FeedFileError`` for a file of a later schema, or of another program.
    static func prepare(_ pool: DatabasePool) throws {
        // A file that is up to date is only read: others may be writing.
        if try pool.read({ try found(in: $0) }) == version { return }
        try pool.write { database in
            let found = try found(in: database)
            let migration = FeedMigration(database: database)
            switch found {
            case version: return
            case 0:
                let others = try database.first("SELECT count(*) FROM sqlite_master") { $0[0] } ?? 0
                guard others == 0 else { throw FeedFileError("it has tables of another program") }
                try database.execute(streams + entries + changes)
            case 1, 2: try migration.run(from: found)
            default:
                throw FeedFileError(
                    "a later version (\(found)) of this program wrote it; this one knows \(version)"
                )
            }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func found(in database: Database) throws -> Int {
        try database.first("PRAGMA user_version") { $0[0] } ?? 0
    }

    /// The tables that haven't changed since version 1.
    private static let streams = """
        CREATE TABLE stream (
            number INTEGER PRIMARY KEY, feed TEXT NOT NULL, language TEXT NOT NULL, UNIQUE (feed, language)
        );
        CREATE TABLE tombstone (
            number INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, id INTEGER NOT NULL,
            sort INTEGER NOT NULL, UNIQUE (stream, id)
        );
        CREATE INDEX tombstone_order ON tombstone (stream, number DESC);
        """

    /// A `key` is a ``FeedPlace``. The words are in lower case and without accents, and each occurs in an entry only once. `word`
    /// contains all words, and for some time also the words of removed entries. Except for `revision`, the tables haven't changed
    /// since version 2.
    static let entries = """
        CREATE TABLE entry (
            key INTEGER PRIMARY KEY, stream INTEGER NOT NULL, id INTEGER NOT NULL, sort INTEGER NOT NULL,
            expires INTEGER NOT NULL, wire BLOB NOT NULL, page TEXT, revision INTEGER NOT NULL DEFAULT 1,
            UNIQUE (stream, id)
        );
        CREATE INDEX entry_order ON entry (stream, sort, id);
        CREATE INDEX entry_end ON entry (expires) WHERE expires > 0;
        CREATE TABLE place_span (number INTEGER PRIMARY KEY, latest INTEGER NOT NULL);
        CREATE TABLE id_span (number INTEGER PRIMARY KEY, latest INTEGER NOT NULL);
        CREATE TABLE tag (tag TEXT NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (tag, key)) WITHOUT ROWID;
        CREATE INDEX tag_entry ON tag (key);
        CREATE VIRTUAL TABLE entry_words USING fts5 (words, tokenize = "ascii", detail = none, prefix = "1 2 3");
        CREATE TABLE word (text TEXT PRIMARY KEY) WITHOUT ROWID;
        """

    /// `highest_id` is the highest id that was saved or reserved. The log may lack changes up to the revision `forgotten`. `due` is
    /// the time for publishing a draft, in seconds since 1970; NULL for never. Its words are separated by spaces, and its tags are
    /// a JSON array. `AppRecord` describes the records of apps.
    static let changes = """
        CREATE TABLE feed (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL DEFAULT 0,
            highest_id INTEGER NOT NULL DEFAULT 0, forgotten INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE change (
            number INTEGER PRIMARY KEY AUTOINCREMENT, feed INTEGER NOT NULL, revision INTEGER NOT NULL,
            kind TEXT NOT NULL, id INTEGER NOT NULL, language TEXT NOT NULL
        );
        CREATE INDEX change_feed ON change (feed, number);
        CREATE TABLE draft (
            stream INTEGER NOT NULL, id INTEGER NOT NULL, sort INTEGER NOT NULL, expires INTEGER NOT NULL, due INTEGER,
            revision INTEGER NOT NULL, wire BLOB NOT NULL, page TEXT, words TEXT NOT NULL, tags TEXT NOT NULL,
            PRIMARY KEY (stream, id)
        );
        CREATE INDEX draft_order ON draft (stream, sort, id);
        CREATE INDEX draft_due ON draft (due) WHERE due IS NOT NULL;
        CREATE TABLE app (path TEXT PRIMARY KEY, version INTEGER NOT NULL, record BLOB NOT NULL) WITHOUT ROWID;
        """
}

/// Brings a file of an earlier version up to date. This takes about a minute for a million entries of version 1, and some seconds
/// for version 2.
struct FeedMigration {
    let database: Database

    func run(from version: Int) throws {
        if version == 1 {
            try renewEntries()
        } else {
            try database.execute("ALTER TABLE entry ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
        }
        try database.execute(SQLiteFeedSchema.changes)
        try database.execute(Self.feeds)
        try database.execute(Self.sections)
    }

    /// The existing entries count as the first change of their feed.
    private static let feeds = """
        INSERT INTO feed (name, revision, forgotten, highest_id)
        SELECT feed, 1, 1, max(
            coalesce((SELECT max(id) FROM entry WHERE entry.stream = stream.number), 0),
            coalesce((SELECT max(id) FROM tombstone WHERE tombstone.stream = stream.number), 0)
        )
        FROM stream WHERE true
        ON CONFLICT (name) DO UPDATE SET highest_id = max(highest_id, excluded.highest_id)
        """

    /// In earlier versions, the sections of entries are only in their JSON.
    private static let sections = """
        INSERT OR IGNORE INTO tag (tag, key) SELECT 'section:' || section.value, entry.key FROM entry, json_each(
            iif(instr(wire, '"section_ids"') AND json_valid(CAST(wire AS TEXT)), CAST(wire AS TEXT), '{}'), '$.section_ids'
        ) section WHERE section.type = 'integer'
        """

    /// Gives the entries of version 1 their places.
    private func renewEntries() throws {
        try database.execute(
            """
            DROP INDEX entry_order;
            DROP INDEX entry_end;
            DROP INDEX tag_entry;
            ALTER TABLE entry RENAME TO entry_1;
            ALTER TABLE tag RENAME TO tag_1;
            ALTER TABLE entry_words RENAME TO entry_words_1;
            CREATE INDEX tag_entry_1 ON tag_1 (key);
            """
        )
        try database.execute(SQLiteFeedSchema.entries)
        let entries = """
            SELECT stream, id, sort, expires, wire, page, (SELECT words FROM entry_words_1 WHERE rowid = key),
            (SELECT json_group_array(tag) FROM tag_1 WHERE tag_1.key = entry_1.key)
            FROM entry_1 ORDER BY stream, sort, id
            """
        var writer = EntryWriter(database: database)
        try database.forEach(entries) { row in
            let words: String? = row[6]
            let entry = StoredEntry(
                id: row[1],
                sortID: row[2],
                expirationDate: row[3],
                wire: row[4],
                page: row[5],
                words: (words ?? "").split(separator: " ").map(String.init),
                tags: try database.texts(row[7]),
                revision: 1
            )
            try writer.save(entry, in: row[0])
            return true
        }
        try database.execute("DROP TABLE entry_1; DROP TABLE tag_1; DROP TABLE entry_words_1;")
    }
}

extension Database {
    /// The texts of a JSON array. SQLite ends a text at U+0000, but it reads texts with more combining marks in a row than a
    /// `JSONValue` may have.
    func texts(_ array: String) throws -> [String] {
        if let texts = (try? JSONValue(parsing: array))?.array { return texts.compactMap(\.string) }
        return try all("SELECT value FROM json_each(?)", [array]) { $0[0] }
    }
}
