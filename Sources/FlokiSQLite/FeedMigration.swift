import BacklotDatabase
import Floki

/// Brings a file of an earlier version up to date. A million entries of version 1 take about a minute, once; those of version 2
/// some seconds.
struct FeedMigration {
    let database: Database

    func run(from version: Int) throws {
        if version == 1 {
            try renewEntries()
        } else {
            try database.execute("ALTER TABLE entry ADD COLUMN revision INTEGER NOT NULL DEFAULT 1")
        }
        try database.execute(FeedSchema.changes)
        try database.execute(Self.feeds)
        try database.execute(Self.sections)
    }

    /// What is there counts as the first change of its feed.
    private static let feeds = """
        INSERT INTO feed (name, revision, forgotten, highest_id)
        SELECT feed, 1, 1, max(
            coalesce((SELECT max(id) FROM entry WHERE entry.stream = stream.number), 0),
            coalesce((SELECT max(id) FROM tombstone WHERE tombstone.stream = stream.number), 0)
        )
        FROM stream WHERE true
        ON CONFLICT (name) DO UPDATE SET highest_id = max(highest_id, excluded.highest_id)
        """

    /// Entries of earlier versions have their sections in their JSON alone.
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
        try database.execute(FeedSchema.entries)
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
    /// The texts of a JSON array.
    func texts(_ array: String) throws -> [String] { try all("SELECT value FROM json_each(?)", [array]) { $0[0] } }
}
