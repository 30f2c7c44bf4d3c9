import BacklotDatabase

/// The tables of a file.
enum FeedSchema {
    /// The number of this schema, in the file's `user_version`.
    static let version = 2

    /// Creates the tables of a new file, and replaces those of an earlier version.
    ///
    /// - Throws: ``FeedFileError`` for a file of a later schema, or of another program.
    static func prepare(_ pool: DatabasePool) throws {
        try pool.write { database in
            let found = try database.first("PRAGMA user_version") { $0[0] } ?? 0
            switch found {
            case version: return
            case 0:
                let others = try database.first("SELECT count(*) FROM sqlite_master") { $0[0] } ?? 0
                guard others == 0 else { throw FeedFileError("it has tables of another program") }
                try database.execute(streams + entries)
            case 1: try FeedMigration(database: database).run()
            default:
                throw FeedFileError(
                    "a later version (\(found)) of this program wrote it; this one knows \(version)"
                )
            }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// The tables that are as they were in version 1.
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

    /// A `key` is a ``FeedPlace``. The words are already in lower case and without accents, and each is in an entry once. `word` has
    /// all of them, and for some time those of entries that are gone.
    static let entries = """
        CREATE TABLE entry (
            key INTEGER PRIMARY KEY, stream INTEGER NOT NULL, id INTEGER NOT NULL, sort INTEGER NOT NULL,
            expires INTEGER NOT NULL, wire BLOB NOT NULL, page TEXT, UNIQUE (stream, id)
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
}
