import BacklotPostgreSQL
import Floki

/// A window as one statement, which PostgreSQL executes in a single state of the database.
struct PostgreSQLFeedWindow {
    private static let mostEntries = 1_000_000

    let statement: SQLStatement

    /// - Parameters:
    ///   - stream: the number of the feed's stream.
    ///   - hasLate: whether there may be ``LateEntries``.
    init(_ query: FeedQuery, stream: Int, hasLate: Bool) {
        let limit = min(max(query.limit, 0), Self.mostEntries)
        var values: [SQLValue] = [.integer(stream), .integer(query.now)]
        func parameter(_ value: Int) -> String {
            values.append(.integer(value))
            return "$\(values.count)"
        }
        var condition = ""
        var order = "sort DESC, id DESC"
        var edge: Edge?
        switch query.start {
        case .newest:
            guard query.lowest != nil || query.highest != nil else { break }
            edge = Edge(
                limit: parameter(limit),
                lowest: parameter(query.lowest ?? 1),
                highest: parameter(query.highest ?? .max),
                most: parameter(max(0, query.longestRemovedLimit))
            )
        case .after(let id):
            let id = parameter(id)
            condition = " AND (sort, id) < (\(Self.place(id)), \(id))"
        case .below(let id):
            condition = " AND id < \(parameter(id))"
            order = "id DESC"
        }
        // The planner needs the number itself.
        var found = """
            SELECT sort, id, expires, wire FROM floki_entry WHERE \(Self.living)\(condition)
            ORDER BY \(order) LIMIT \(Self.rounded(limit + 1))
            """
        var tables: [String] = []
        if hasLate {
            tables.append("late AS MATERIALIZED (\(Self.late))")
            let late = "SELECT sort, id, expires, wire FROM late WHERE true\(condition)"
            found =
                "SELECT * FROM ((\(found)) UNION ALL (\(late))) AS each ORDER BY \(order) LIMIT \(parameter(limit + 1))"
        }
        if let edge {
            tables.append("found AS MATERIALIZED (\(found))")
            tables += edge.tables(hasLate)
            found = "SELECT sort, id, expires, wire FROM found"
        }
        let removed = query.lowest.map { " AND id >= \(parameter($0))" } ?? ""
        let most = max(0, query.lowest == nil ? query.removedLimit : query.longestRemovedLimit)
        let sql = """
            \(tables.isEmpty ? "" : "WITH \(tables.joined(separator: ", ")) ")SELECT 0, * FROM (\(found)) AS found
            UNION ALL (
                SELECT 1, number, id, 0, NULL FROM floki_tombstone WHERE stream = $1\(removed)
                ORDER BY number DESC LIMIT \(parameter(most))
            )\(edge?.rows(hasLate) ?? "")
            """
        statement = SQLStatement(sql, values)
    }

    fileprivate static let living = "NOT ended AND stream = $1 AND (expires = 0 OR expires >= $2)"
    private static let late = """
        SELECT sort, id, expires, wire
        FROM (\(LateEntries.sql("sort, id, stream, expires, wire", now: "$2"))) AS late WHERE stream = $1
        """

    /// The place of an entry. For a removed entry, its former place counts; for an unknown one, the place where its id would
    /// sort.
    private static func place(_ id: String) -> String {
        """
        COALESCE(
            (SELECT sort FROM floki_entry WHERE stream = $1 AND id = \(id)),
            (SELECT sort FROM floki_tombstone WHERE stream = $1 AND id = \(id)), \(id)
        )
        """
    }

    /// Rounds a number up to one of a few numbers, since each number needs a prepared statement.
    static func rounded(_ count: Int) -> Int {
        var step = 1
        while step * 16 < count { step *= 2 }
        return (count + step - 1) / step * step
    }
}

/// The client's entries at the end of the window, as names of parameters.
private struct Edge {
    let limit: String
    let lowest: String
    let highest: String
    let most: String

    /// The tables for the range between the window and the client's highest id.
    func tables(_ hasLate: Bool) -> [String] {
        let between = "id > \(highest) AND id < (SELECT id FROM edge)"
        let late = hasLate ? " UNION ALL (SELECT id, expires FROM late WHERE \(between) LIMIT 1)" : ""
        return [
            """
            edge AS MATERIALIZED (
                SELECT min(id) AS id FROM (SELECT id FROM found ORDER BY sort DESC, id DESC LIMIT \(limit)) AS shown
                WHERE (SELECT count(*) FROM found) > \(limit)
            )
            """,
            """
            gap AS MATERIALIZED (
                (
                    SELECT id, expires FROM floki_entry WHERE \(PostgreSQLFeedWindow.living) AND \(between)
                    ORDER BY id DESC LIMIT 1
                )\(late)
            )
            """,
        ]
    }

    /// An older entry than the client has, the entries in between, and then the client's entries.
    func rows(_ hasLate: Bool) -> String {
        let late = "UNION ALL (SELECT 2, 0, id, expires, NULL FROM late WHERE id < \(lowest) LIMIT 1)"
        return """
            \(hasLate ? late : "")
            UNION ALL (
                SELECT 2, 0, id, expires, NULL FROM floki_entry WHERE \(PostgreSQLFeedWindow.living) AND id < \(lowest)
                ORDER BY id DESC LIMIT 1
            )
            UNION ALL SELECT 3, 0, id, expires, NULL FROM gap
            UNION ALL (
                SELECT 4, 0, id, 0, NULL FROM floki_entry
                WHERE stream = $1 AND id BETWEEN least(\(lowest), \(highest)) AND \(highest) AND EXISTS (SELECT FROM gap)
                ORDER BY id DESC LIMIT \(most)
            )
            """
    }
}

/// A row of a window's statement.
struct WindowRow: Sendable {
    enum Kind: Int {
        /// An entry of the window, or the one after it.
        case entry
        /// A removed id.
        case removed
        /// An entry below the client's lowest id.
        case below
        /// An entry between the window and the client's highest id.
        case gap
        /// An entry that the client has, if there is such a gap.
        case held
    }

    let kind: Kind
    /// The place in the feed; for a removed id, its place in the order of removal.
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
        let limit = max(query.limit, 0)
        var hasOlder = entries.count > limit
        if case .below = query.start { entries.sort { $0.place.id > $1.place.id } }
        entries = entries.prefix(limit).sorted { $0.place > $1.place }
        let hole = hasOlder ? those(.held).map(\.place.id) : []
        if query.start == .newest, hole.isEmpty, query.lowest != nil {
            hasOlder = rows.contains { $0.kind == .below }
        }
        // Only a few entries come after the window: an earlier second does no harm.
        let ends = rows.lazy.map(\.expires).filter { $0 > 0 }
        self.init(
            entries: entries.map(\.wire),
            removed: those(.removed).map(\.place.id) + hole,
            hasOlder: hasOlder,
            unchangedUntil: ends.min().map { $0 + 1 }
        )
    }
}

/// Entries that are marked as ended, but still shown to a reader whose time is earlier than the server's: those among them that
/// end last.
enum LateEntries {
    /// The time between the end of an entry and its marking, in seconds, so that the clocks of servers need not agree.
    static let margin = 10
    /// A reader's time may lag behind the clock by this many seconds before these entries must be read.
    static let tolerance = 5
    private static let most = 1_000

    /// Selects these entries. The order makes the planner use the index of their ends, regardless of its estimate of their
    /// number.
    ///
    /// - Parameter now: the parameter with the time.
    static func sql(_ columns: String, now: String) -> String {
        "SELECT \(columns) FROM floki_entry WHERE ended AND expires >= \(now) ORDER BY expires DESC LIMIT \(most)"
    }
}
