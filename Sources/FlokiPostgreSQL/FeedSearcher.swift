import Backlot
import BacklotPostgreSQL
import Floki

/// A search in one transaction, limited in time and in rows.
///
/// Entries are returned in the order of the feed, which the index of words doesn't know. A scan of the feed finds a word that
/// many entries have, and the index of words finds a rare one. The first entries of the feed show which kind it is.
struct FeedSearcher {
    /// The maximum number of entries to read, including those of earlier pages.
    private static let mostRows = 100_000
    /// The number of entries of the feed to read first.
    private static let firstRows = 512
    /// The number of entries between two checks of the time.
    private static let batch = 8_192
    /// A word is rare if fewer than one in this many entries has it. Rare words are looked up in the index.
    private static let rare = 200

    let search: FeedSearch
    /// PostgreSQL's name for the language; the search then also finds words by their stems.
    let configuration: String?
    /// The time limit of a search in the index, and again of the scan.
    let patience: Duration
    let connection: PostgreSQLConnection

    private typealias Place = EntryQuery.Place

    func run() throws -> [[UInt8]] {
        guard search.limit != 0, search.offset < Self.mostRows else { return [] }
        let places: [Place]
        switch search.criterion {
        case .tag(let tag): places = try self.places(tag)
        case .words(let words):
            guard IndexedTerms.canBeFound(words) else { return [] }
            places = try self.places(IndexedTerms(words))
        }
        let page = search.limit.map { places.dropFirst(search.offset).prefix($0) } ?? places.dropFirst(search.offset)
        return try wires(page.map(\.id))
    }

    /// The maximum number of entries to find, including those of earlier pages.
    private var most: Int { search.limit.map { min(search.offset + $0, Self.mostRows) } ?? Self.mostRows }

    private var stream: [SQLValue] {
        [.text(search.stream.feed), .text(search.stream.language), .integer(search.now)]
    }

    private static let isOfStream = "stream = (SELECT number FROM floki_stream WHERE feed = $1 AND language = $2)"
    private static let isLiving = "(expires = 0 OR expires >= $3)"

    private static func place(_ row: borrowing SQLRow) throws -> Place { Place(sortID: try row[0], id: try row[1]) }

    private func wires(_ ids: [Int]) throws -> [[UInt8]] {
        guard !ids.isEmpty else { return [] }
        let sql = "SELECT id, wire FROM floki_entry WHERE \(Self.isOfStream) AND id = ANY ($3)"
        let values = Array(stream.dropLast()) + [.integers(ids)]
        let rows = try connection.query(sql, values) { row -> (Int, [UInt8]) in (try row[0], try row[1]) }
        let wires = Dictionary(uniqueKeysWithValues: rows)
        return ids.compactMap { wires[$0] }
    }

    // MARK: Tags

    private func places(_ tag: String) throws -> [Place] {
        guard !tag.utf8.contains(0) else { return [] }
        let sql = """
            SELECT sort, id FROM (
                (
                    SELECT sort, id FROM floki_tag WHERE \(Self.isOfStream) AND tag = $4 AND NOT ended AND \(Self.isLiving)
                    ORDER BY sort DESC, id DESC LIMIT \(PostgreSQLFeedWindow.rounded(most))
                ) UNION ALL (
                    SELECT sort, id FROM (\(LateEntries.sql("stream, sort, id, tags", now: "$3"))) AS late
                    WHERE \(Self.isOfStream) AND $4 = ANY (tags)
                )
            ) AS each ORDER BY sort DESC, id DESC LIMIT $5
            """
        return try connection.query(sql, stream + [.text(tag), .integer(most)], read: Self.place)
    }

    // MARK: Words

    private func places(_ words: IndexedTerms) throws -> [Place] {
        let milliseconds = Int(patience / .milliseconds(1))
        let limited = search.limit == nil ? 0 : min(most, Self.firstRows)
        let rows = PostgreSQLFeedWindow.rounded(Self.firstRows + 2 * limited)
        let end = Place(sortID: .max, id: .max)
        let settings = [
            SQLStatement("SELECT set_config('statement_timeout', $1, true)", [.text("\(milliseconds)")]),
            SQLStatement("SELECT set_config('enable_seqscan', 'off', true)"),
        ]
        let first = [late(words), walk(words, behind: end, rows), last(of: rows, behind: end)]
        guard let results = try attempt(first, after: settings)
        else {
            // Even the first entries weren't checked in time. If the index isn't fast enough either, the server is too busy for any
            // search.
            guard let all = try lookedUp(words) else { throw PostgreSQLError.timeout }
            return all
        }
        let late = try results[0].rows(Self.place)
        var found = try results[1].rows(Self.place)
        var last = try results[2].rows(Self.place).first
        guard found.count < most, last != nil else { return merged(found, late) }
        if found.count * Self.rare < rows, let all = try lookedUp(words) { return merged(all, late) }
        let deadline = ContinuousClock.now + patience
        var looked = rows
        while let place = last, found.count < most {
            guard looked < Self.mostRows, ContinuousClock.now < deadline else { throw StatusError.searchTooLong }
            let batch = [walk(words, behind: place, Self.batch), self.last(of: Self.batch, behind: place)]
            guard let results = try attempt(batch) else { throw StatusError.searchTooLong }
            found += try results[0].rows(Self.place)
            last = try results[1].rows(Self.place).first
            looked += Self.batch
        }
        return merged(found, late)
    }

    /// The results of statements. If one of them takes too long, the result is nil, and the transaction continues.
    private func attempt(_ statements: [SQLStatement], after others: [SQLStatement] = []) throws -> [SQLResult]? {
        do {
            let all = try connection.pipeline(others + [SQLStatement("SAVEPOINT look")] + statements)
            return Array(all.dropFirst(others.count + 1))
        } catch PostgreSQLError.timeout {
            try connection.run("ROLLBACK TO look")
            return nil
        }
    }

    private func merged(_ places: [Place], _ late: [Place]) -> [Place] {
        late.isEmpty ? places : (places + late).sorted(by: >)
    }

    /// The entries with rare words; nil if that takes too long.
    private func lookedUp(_ words: IndexedTerms) throws -> [Place]? {
        var values = stream
        let condition = condition(words, &values)
        values.append(.integer(most))
        let sql = """
            WITH found AS MATERIALIZED (
                SELECT stream, ended, expires, sort, id FROM floki_entry WHERE \(condition)
            )
            SELECT sort, id FROM found WHERE \(Self.isOfStream) AND NOT ended AND \(Self.isLiving)
            ORDER BY sort DESC, id DESC LIMIT $\(values.count)
            """
        return try attempt([SQLStatement(sql, values)])?[0].rows(Self.place)
    }

    /// Reads some entries of the feed.
    private func walk(_ words: IndexedTerms, behind place: Place, _ rows: Int) -> SQLStatement {
        var values = stream + [.integer(place.sortID), .integer(place.id), .integer(most)]
        let sql = """
            SELECT sort, id FROM (
                SELECT sort, id, expires, search, words FROM floki_entry
                WHERE \(Self.isOfStream) AND NOT ended AND (sort, id) < ($4, $5)
                ORDER BY sort DESC, id DESC LIMIT \(rows)
            ) AS walked WHERE \(Self.isLiving) AND \(condition(words, &values)) ORDER BY sort DESC, id DESC LIMIT $6
            """
        return SQLStatement(sql, values)
    }

    /// Reads the place of the last of some entries of the feed.
    private func last(of rows: Int, behind place: Place) -> SQLStatement {
        let sql = """
            SELECT sort, id FROM floki_entry WHERE \(Self.isOfStream) AND NOT ended AND (sort, id) < ($3, $4)
            ORDER BY sort DESC, id DESC OFFSET \(rows - 1) LIMIT 1
            """
        return SQLStatement(sql, Array(stream.dropLast()) + [.integer(place.sortID), .integer(place.id)])
    }

    private func late(_ words: IndexedTerms) -> SQLStatement {
        var values = stream
        let sql = """
            SELECT sort, id FROM (\(LateEntries.sql("stream, sort, id, search, words", now: "$3"))) AS late
            WHERE \(Self.isOfStream) AND \(condition(words, &values))
            """
        return SQLStatement(sql, values)
    }

    private func condition(_ words: IndexedTerms, _ values: inout [SQLValue]) -> String {
        values += [.texts(words.indexed), .optional(configuration)]
        let query = "floki_query($\(values.count - 1), $\(values.count)::text::regconfig)"
        var condition = "search @@ (SELECT \(query))"
        // Stems are shorter than long words.
        for word in words.long {
            values.append(.text(word))
            condition += " AND position(' ' || $\(values.count) IN ' ' || words) > 0"
        }
        return condition
    }
}

/// The words of a search, in the form that PostgreSQL can look for.
struct IndexedTerms {
    /// The words, or their indexed parts.
    let indexed: [String]
    /// The words that are too long to be indexed completely.
    let long: [String]

    init(_ words: [String]) {
        indexed = words.map(Self.indexed)
        long = words.filter { Self.indexed($0).utf8.count < $0.utf8.count }
    }

    /// The indexed part of a word.
    static func indexed(_ word: String) -> String {
        guard word.utf8.count > PostgreSQLFeedSchema.longestWord else { return word }
        return String(word.unicodeScalars.prefix(PostgreSQLFeedSchema.longestWord))
    }

    /// The indexed words of an entry, separated by spaces; nil for all of its words.
    static func indexed(_ words: [String]) -> String? {
        let length = words.reduce(0) { $0 + $1.utf8.count + 1 }
        let (most, longest) = (PostgreSQLFeedSchema.mostWords, PostgreSQLFeedSchema.longestWord)
        guard length > most || words.contains(where: { $0.utf8.count > longest }) else {
            return nil
        }
        var text = ""
        for word in words.lazy.map(Self.indexed) {
            guard text.utf8.count + word.utf8.count < PostgreSQLFeedSchema.mostWords else { break }
            text += text.isEmpty ? word : " " + word
        }
        return text
    }

    /// Whether an entry can have words that begin with each of these.
    static func canBeFound(_ words: [String]) -> Bool { !words.isEmpty && words.allSatisfy(SearchTerms.canBegin) }
}
