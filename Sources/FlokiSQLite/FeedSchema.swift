import GRDB

/// The tables of a file.
enum FeedSchema {
    /// The number of this schema, in the file's `user_version`.
    static let version = 1

    /// Creates the tables of a new file.
    ///
    /// - Throws: ``FeedFileError`` for a file of a later schema, or of another program.
    static func prepare(_ pool: DatabasePool) throws {
        try pool.write { database in
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if found == version { return }
            guard found == 0 else {
                throw FeedFileError(
                    "a later version (\(found)) of this program wrote it; this one knows \(version)"
                )
            }
            let others = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard others == 0 else { throw FeedFileError("it has tables of another program") }
            try database.execute(sql: tables)
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// `entry_order` has all that decides about an entry's place in a window. Tags are in the feed's order too. The words are
    /// already in lower case and without accents.
    private static let tables = """
        CREATE TABLE stream (
            number INTEGER PRIMARY KEY, feed TEXT NOT NULL, language TEXT NOT NULL, UNIQUE (feed, language)
        );
        CREATE TABLE entry (
            key INTEGER PRIMARY KEY, stream INTEGER NOT NULL, id INTEGER NOT NULL, sort INTEGER NOT NULL,
            expires INTEGER NOT NULL, wire BLOB NOT NULL, page TEXT, UNIQUE (stream, id)
        );
        CREATE INDEX entry_order ON entry (stream, sort DESC, id DESC, expires);
        CREATE INDEX entry_end ON entry (expires) WHERE expires > 0;
        CREATE TABLE tombstone (
            number INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, id INTEGER NOT NULL,
            sort INTEGER NOT NULL, UNIQUE (stream, id)
        );
        CREATE INDEX tombstone_order ON tombstone (stream, number DESC);
        CREATE TABLE tag (
            stream INTEGER NOT NULL, tag TEXT NOT NULL, sort INTEGER NOT NULL, id INTEGER NOT NULL, key INTEGER NOT NULL,
            PRIMARY KEY (stream, tag, sort DESC, id DESC)
        ) WITHOUT ROWID;
        CREATE INDEX tag_entry ON tag (key);
        CREATE VIRTUAL TABLE entry_words USING fts5 (words, tokenize = "unicode61 remove_diacritics 0");
        """
}
