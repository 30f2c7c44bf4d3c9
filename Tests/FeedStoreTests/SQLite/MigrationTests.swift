import BacklotDatabase
import Floki
import FlokiSQLite
import TestSupport
import Testing

/// Files of earlier versions.
@Suite(.timeLimit(.minutes(5))) struct MigrationTests {
    @Test func `A file of version 1 is brought up to date`() async throws {
        try await withFeedsFile { path in
            try Database(path).execute(Self.version1)
            let store = try SQLiteFeedStore(path)
            let query = FeedQuery(stream: english, limit: 9, now: 0)
            #expect(
                try await store.window(query)
                    == FeedWindow(entries: [Array("2".utf8), Array("1".utf8)], removed: [4], unchangedUntil: 8)
            )
            let first = StoredEntry.make(
                1,
                sort: 5,
                expires: 7,
                words: ["red", "car"],
                tags: ["a", "b"],
                page: "<p>",
                revision: 1
            )
            #expect(try await store.entry(1, of: english, now: 0) == first)
            try await expectAllElse(of: store)
            for criterion in [FeedSearch.Criterion.words(["ca"]), .tag("a")] {
                #expect(try await store.find(criterion, now: 0) == [2, 1])
            }
            let spanish = FeedQuery(stream: FeedStream(feed: "news", language: "es"), limit: 9, now: 0)
            #expect(try await store.window(spanish).texts == ["3"])
            try await store.save(.make(9))
            #expect(try await SQLiteFeedStore(path).window(query).texts == ["9", "2", "1"])
        }
    }

    @Test func `A file of version 2 is brought up to date`() async throws {
        try await withFeedsFile { path in
            try Database(path).execute(Self.version2)
            let store = try SQLiteFeedStore(path)
            #expect(
                try await store.texts() == [#"{"id":2,"section_ids":[3,7]}"#, #"{"id":1,"section_ids":["x",1]}"#, "0"]
            )
            #expect(try await store.entry(2, of: english, now: 0)?.tags == ["section:3", "section:7", "tag:a"])
            #expect(try await store.entry(1, of: english, now: 0)?.tags == ["section:1"])
            #expect(try await store.find(.words(["ca"])).isEmpty)
            try await expectAllElse(of: store)
            #expect(try await store.save(.make(5)) == 2)
            #expect(try await SQLiteFeedStore(path).texts().first == "5")
        }
    }

    /// Checks the additions of version 3. The feed had the entries 1 to 3 and, removed, 4.
    private func expectAllElse(of store: SQLiteFeedStore) async throws {
        #expect(try await store.knownRevision() == 1)
        let stored = try await store.entry(2, of: english, now: 0)
        let conflict = FeedConflict(id: 2, language: "en", stored: stored)
        #expect(conflict.stored?.revision == 1)
        await #expect(throws: conflict) {
            try await store.apply(FeedChange.replace(.make(2), revision: 0), to: "news")
        }
        #expect(try await store.allocateIDs(1, in: "news") == 5...5)
        #expect(try await store.entries(EntryQuery(stream: english, selection: .drafts, now: 0)) == [])
        #expect(try await store.record(of: "/floki") == nil)
    }

    private static let version2 = """
        CREATE TABLE stream (
            number INTEGER PRIMARY KEY, feed TEXT NOT NULL, language TEXT NOT NULL, UNIQUE (feed, language)
        );
        CREATE TABLE tombstone (
            number INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, id INTEGER NOT NULL,
            sort INTEGER NOT NULL, UNIQUE (stream, id)
        );
        CREATE INDEX tombstone_order ON tombstone (stream, number DESC);
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
        INSERT INTO stream VALUES (1, 'news', 'es'), (2, 'news', 'en');
        INSERT INTO entry VALUES
            (562949953421313, 1, 3, 3, 0, CAST('{"section_ids":[' AS BLOB), NULL),
            (1125899906842625, 2, 3, 1, 0, CAST('0' AS BLOB), NULL),
            (1125899906842626, 2, 1, 2, 0, CAST('{"id":1,"section_ids":["x",1]}' AS BLOB), NULL),
            (1125899906842627, 2, 2, 3, 0, CAST('{"id":2,"section_ids":[3,7]}' AS BLOB), '<p>');
        INSERT INTO place_span SELECT key >> 18, 9223372036854775807 FROM entry WHERE true ON CONFLICT DO NOTHING;
        INSERT INTO id_span SELECT (stream << 31 | id) >> 8, 9223372036854775807 FROM entry WHERE true
            ON CONFLICT DO NOTHING;
        INSERT INTO tag VALUES ('tag:a', 1125899906842627);
        INSERT INTO tombstone VALUES (1, 2, 4, 4);
        PRAGMA user_version = 2;
        """

    private static let version1 = """
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
        INSERT INTO stream VALUES (1, 'news', 'en'), (2, 'news', 'es');
        INSERT INTO entry VALUES (1, 1, 2, 6, 0, x'32', NULL), (2, 2, 3, 3, 0, x'33', NULL), (3, 1, 1, 5, 7, x'31', '<p>');
        INSERT INTO tag VALUES (1, 'a', 6, 2, 1), (1, 'a', 5, 1, 3), (1, 'b', 5, 1, 3);
        INSERT INTO entry_words (rowid, words) VALUES (1, 'cart'), (3, 'red car');
        INSERT INTO tombstone VALUES (1, 1, 4, 4);
        PRAGMA user_version = 1;
        """
}
