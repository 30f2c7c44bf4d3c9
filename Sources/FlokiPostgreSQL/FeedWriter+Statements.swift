/// The statements that change a feed.
///
/// `$1` is the feed; in those for a batch, `$2` and `$3` are the ids and languages.
extension FeedWriter {
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

    /// Its count is that of the languages from which anything was removed.
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
