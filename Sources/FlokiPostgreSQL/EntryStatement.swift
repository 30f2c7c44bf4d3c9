import BacklotPostgreSQL
import Floki

/// A page of stored entries, as one statement.
struct EntryStatement {
    private static let columns = "e.id, e.sort, e.expires, e.revision, e.wire, e.page, e.words, e.tags"
    private static let order = "ORDER BY sort DESC, id DESC LIMIT"
    private static let stream = "stream = (SELECT number FROM floki_stream WHERE feed = $1 AND language = $2)"

    private(set) var statement = SQLStatement("")

    init(_ query: EntryQuery) {
        statement.values = [
            .text(query.stream.feed), .text(query.stream.language), .integer(query.now), .integer(query.limit),
        ]
        var condition = "e.\(Self.stream) AND $3::bigint IS NOT NULL"
        if let ids = query.ids { condition += " AND e.id = ANY (\(parameter(.integers(ids))))" }
        if !query.tags.isEmpty { condition += " AND e.tags @> \(parameter(.texts(query.tags)))" }
        if let place = query.after {
            condition +=
                " AND (e.sort, e.id) < (\(parameter(.integer(place.sortID))), \(parameter(.integer(place.id))))"
        }
        switch query.selection {
        case .drafts:
            for word in query.words { condition += contains(word) }
            statement.sql =
                "SELECT \(Self.columns), true, e.due FROM floki_draft AS e WHERE \(condition) \(Self.order) $4"
        case .published(let includingEnded):
            if !query.words.isEmpty {
                let words = IndexedTerms(query.words)
                condition += " AND e.search @@ (SELECT floki_query(\(parameter(.texts(words.indexed))), NULL))"
                for word in words.long { condition += contains(word) }
            }
            statement.sql =
                query.words.isEmpty && query.ids == nil
                ? page(query, condition, includingEnded) : all(condition, includingEnded)
        }
    }

    private mutating func parameter(_ value: SQLValue) -> String {
        statement.values.append(value)
        return "$\(statement.values.count)"
    }

    private mutating func contains(_ word: String) -> String {
        " AND position(' ' || \(parameter(.text(word))) IN ' ' || e.words) > 0"
    }

    private static func select(_ condition: String, from tables: String = "floki_entry AS e") -> String {
        "SELECT \(columns), false, NULL::bigint FROM \(tables) WHERE \(condition)"
    }

    /// A query with ids or words finds the entries by them, and then sorts them. Only the page's entries are read completely.
    private func all(_ condition: String, _ includingEnded: Bool) -> String {
        let living = includingEnded ? "" : " AND (e.expires = 0 OR e.expires >= $3)"
        let page = "SELECT stream AS of, id AS number FROM found \(Self.order) $4"
        // Otherwise the planner might read the whole table.
        let each = "SELECT * FROM floki_entry WHERE stream = page.of AND id = page.number OFFSET 0"
        return """
            WITH found AS MATERIALIZED (
                SELECT e.stream, e.id, e.sort FROM floki_entry AS e WHERE \(condition + living)
            ) \(Self.select("true", from: "(\(page)) AS page CROSS JOIN LATERAL (\(each)) AS e"))
            ORDER BY e.sort DESC, e.id DESC
            """
    }

    /// Other queries scan the feed, or the entries with one of the tags.
    private mutating func page(_ query: EntryQuery, _ condition: String, _ includingEnded: Bool) -> String {
        // The planner needs the number itself.
        let most = PostgreSQLFeedWindow.rounded(query.limit)
        var walk = condition + " AND NOT e.ended"
        if !includingEnded { walk += " AND (e.expires = 0 OR e.expires >= $3)" }
        var tables = "floki_entry AS e"
        var order = "e.sort DESC, e.id DESC"
        if let tag = query.tags.first {
            tables += " JOIN floki_tag AS t ON t.stream = e.stream AND t.id = e.id"
            walk += " AND t.\(Self.stream) AND t.tag = \(parameter(.text(tag))) AND NOT t.ended"
            if let place = query.after {
                walk += " AND (t.sort, t.id) < (\(parameter(.integer(place.sortID))), \(parameter(.integer(place.id))))"
            }
            order = "t.sort DESC, t.id DESC"
        }
        let living = "\(Self.select(walk, from: tables)) ORDER BY \(order) LIMIT \(most)"
        let ended =
            includingEnded
            ? Self.select(condition + " AND e.ended") + " ORDER BY e.sort DESC, e.id DESC LIMIT \(most)"
            : Self.select(condition, from: "(\(LateEntries.sql("*", now: "$3"))) AS e")
        return "SELECT * FROM ((\(living)) UNION ALL (\(ended))) AS e \(Self.order) $4"
    }
}

extension StoredEntry {
    /// Reads a row of an ``EntryStatement``.
    init(_ row: borrowing SQLRow) throws {
        let page: [UInt8]? = try row[5]
        let words: String = try row[6]
        let isDraft: Bool = try row[8]
        let due: Int? = try row[9]
        self.init(
            id: try row[0],
            sortID: try row[1],
            expirationDate: try row[2],
            wire: try row[4],
            page: page.map { String(decoding: $0, as: UTF8.self) },
            words: words.split(separator: " ").map(String.init),
            tags: try [String](row, 7),
            publication: due.map { .scheduled(at: $0) } ?? (isDraft ? .draft : .published),
            revision: try row[3]
        )
    }
}
