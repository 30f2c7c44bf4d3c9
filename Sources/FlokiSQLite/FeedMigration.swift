import BacklotDatabase
import Floki

/// Brings a file of version 1 up to date. A million entries take about a minute, once.
struct FeedMigration {
    let database: Database

    func run() throws {
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
        var writer = FeedWriter(database: database, feed: "")
        try database.forEach(entries) { row in
            let words: String? = row[6]
            let entry = StoredEntry(
                id: row[1],
                sortID: row[2],
                expirationDate: row[3],
                wire: row[4],
                page: row[5],
                words: (words ?? "").split(separator: " ").map(String.init),
                tags: try database.all("SELECT value FROM json_each(?)", [row[7] as String]) { $0[0] }
            )
            try writer.save(entry, in: row[0])
            return true
        }
        try database.execute("DROP TABLE entry_1; DROP TABLE tag_1; DROP TABLE entry_words_1;")
    }
}
