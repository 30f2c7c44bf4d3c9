import BacklotPostgreSQL
import Floki

/// A window as one statement, which PostgreSQL answers as of one instant.
///
/// Entries that are marked as ended are not looked at, except for ``LateEntries``.
struct WindowStatement {
    private static let mostEntries = 1_000_000

    let statement: SQLStatement
    private let query: FeedQuery

    init(_ query: FeedQuery) {
        self.query = query
        let limit = min(max(query.limit, 0), Self.mostEntries)
        var values: [SQLValue] = [
            .text(query.stream.feed), .text(query.stream.language), .integer(query.now), .integer(limit + 1),
            .optional(query.lowest),
            .integer(max(0, query.lowest == nil ? query.removedLimit : query.longestRemovedLimit)),
        ]
        let condition: String
        var order = "sort DESC, id DESC"
        var edges: (tables: String, rows: String) = ("", "")
        switch query.start {
        case .newest:
            condition = ""
            guard query.lowest != nil || query.highest != nil else { break }
            edges = (Self.edgeTables, Self.edgeRows)
            values += [.integer(query.lowest ?? 1), .integer(query.highest ?? .max)]
            values.append(.integer(max(0, query.longestRemovedLimit)))
        case .after(let id):
            condition = "AND (sort, id) < (\(Self.place), $7)"
            values.append(.integer(id))
        case .below(let id):
            condition = "AND id < $7"
            order = "id DESC"
            values.append(.integer(id))
        }
        // The planner has to see the number.
        let most = Self.rounded(limit + 1)
        let sql = """
            WITH stream AS MATERIALIZED (SELECT number FROM floki_stream WHERE feed = $1 AND language = $2),
            late AS MATERIALIZED (
                SELECT sort, id, expires, wire FROM (\(LateEntries.sql("sort, id, stream, expires, wire"))) AS late
                WHERE stream = (SELECT number FROM stream)
            ),
            found AS MATERIALIZED (
                SELECT sort, id, expires, wire FROM (
                    (
                        SELECT sort, id, expires, wire FROM floki_entry
                        WHERE \(Self.living) \(condition) ORDER BY \(order) LIMIT \(most)
                    ) UNION ALL (SELECT sort, id, expires, wire FROM late WHERE true \(condition))
                ) AS each ORDER BY \(order) LIMIT $4
            )\(edges.tables)
            SELECT 0, sort, id, expires, wire FROM found
            UNION ALL (
                SELECT 1, number, id, 0, NULL FROM floki_tombstone
                WHERE stream = (SELECT number FROM stream) AND ($5::bigint IS NULL OR id >= $5)
                ORDER BY number DESC LIMIT $6
            )\(edges.rows)
            """
        statement = SQLStatement(sql, values)
    }

    private static let living = """
        NOT ended AND stream = (SELECT number FROM stream) AND (expires = 0 OR expires >= $3)
        """
    /// The place of an entry: a removed one counts where it stood, and an unknown one where its id would sort.
    private static let place = """
        COALESCE(
            (SELECT sort FROM floki_entry WHERE stream = (SELECT number FROM stream) AND id = $7),
            (SELECT sort FROM floki_tombstone WHERE stream = (SELECT number FROM stream) AND id = $7), $7
        )
        """
    /// What lies between the window and the client's highest id.
    private static let edgeTables = """
        ,
        edge AS MATERIALIZED (
            SELECT min(id) AS id FROM (SELECT id FROM found ORDER BY sort DESC, id DESC LIMIT $4 - 1) AS shown
            WHERE (SELECT count(*) FROM found) = $4
        ),
        gap AS MATERIALIZED (
            (
                SELECT id, expires FROM floki_entry WHERE \(living) AND id > $8 AND id < (SELECT id FROM edge)
                ORDER BY id DESC LIMIT 1
            ) UNION ALL (SELECT id, expires FROM late WHERE id > $8 AND id < (SELECT id FROM edge) LIMIT 1)
        )
        """
    /// Something older than the client has, what lies in between, and the client's entries then.
    private static let edgeRows = """

        UNION ALL (
            SELECT 2, 0, id, expires, NULL FROM floki_entry WHERE \(living) AND id < $7 ORDER BY id DESC LIMIT 1
        ) UNION ALL (SELECT 2, 0, id, expires, NULL FROM late WHERE id < $7 LIMIT 1)
        UNION ALL SELECT 3, 0, id, expires, NULL FROM gap
        UNION ALL (
            SELECT 4, 0, id, 0, NULL FROM floki_entry
            WHERE stream = (SELECT number FROM stream) AND id BETWEEN least($7, $8) AND $8 AND EXISTS (SELECT FROM gap)
            ORDER BY id DESC LIMIT $9
        )
        """

    /// A number that is not smaller, and one of few, since each makes a statement that is prepared.
    static func rounded(_ count: Int) -> Int {
        var step = 1
        while step * 16 < count { step *= 2 }
        return (count + step - 1) / step * step
    }
}

/// A row of a window's statement.
struct WindowRow: Sendable {
    enum Kind: Int {
        /// An entry of the window, or the one behind it.
        case entry
        /// A removed id.
        case removed
        /// An entry below the client's lowest id.
        case below
        /// An entry between the window and the client's highest id.
        case gap
        /// An entry that the client has, when there is such a gap.
        case held
    }

    let kind: Kind
    /// The place in the feed, or for a removed id the one in the order of removal.
    let place: EntryQuery.Place
    let expires: Int
    let wire: [UInt8]

    init(_ row: borrowing SQLRow) throws {
        let kind: Int = try row[0]
        self.kind = Kind(rawValue: kind) ?? .entry
        place = EntryQuery.Place(sortID: try row[1], id: try row[2])
        expires = try row[3]
        let wire: [UInt8]? = try row[4]
        self.wire = wire ?? []
    }
}

extension FeedWindow {
    init(_ rows: [WindowRow], _ query: FeedQuery) {
        func those(_ kind: WindowRow.Kind) -> [WindowRow] {
            rows.filter { $0.kind == kind }.sorted { $0.place > $1.place }
        }
        var entries = those(.entry)
        var hasOlder = entries.count > max(query.limit, 0)
        if hasOlder {
            switch query.start {
            case .newest, .after: entries.removeLast()
            case .below:
                let last = entries.indices.min { entries[$0].place.id < entries[$1].place.id }
                if let last { entries.remove(at: last) }
            }
        }
        let hole = hasOlder ? those(.held).map(\.place.id) : []
        if query.start == .newest, hole.isEmpty, query.lowest != nil {
            hasOlder = rows.contains { $0.kind == .below }
        }
        let ends = rows.lazy.map(\.expires).filter { $0 > 0 }
        self.init(
            entries: entries.map(\.wire),
            removed: those(.removed).map(\.place.id) + hole,
            hasOlder: hasOlder,
            unchangedUntil: ends.min().map { $0 + 1 }
        )
    }
}

/// Entries that a server has marked as ended whose clock is ahead: those that end last.
enum LateEntries {
    private static let most = 1_000

    /// Selects them, with `$3` as the time. The order makes the planner walk the index of their ends, whatever it believes about how
    /// many there are.
    static func sql(_ columns: String) -> String {
        "SELECT \(columns) FROM floki_entry WHERE ended AND expires >= $3 ORDER BY expires DESC LIMIT \(most)"
    }
}
