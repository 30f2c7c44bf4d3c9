import BacklotDatabase

/// Says for each span of numbers until when the entries in it live, so that no walk looks at the expired entries of a span.
///
/// A span is about 256 entries. Its end is at least that of each of its entries: it may be later after an entry was removed.
enum FeedSpans: String {
    case places = "place_span"
    case ids = "id_span"

    private var bits: Int {
        switch self {
        case .places: 18
        case .ids: 8
        }
    }

    func span(of number: Int64) -> Int64 { number >> bits }

    func numbers(of span: Int64) -> ClosedRange<Int64> { (span << bits)...(span << bits | (1 << bits - 1)) }

    /// The highest number of a range that may be that of a living entry; nil if all have expired.
    func highestLiving(in range: ClosedRange<Int64>, at now: Int, _ database: Database) throws -> Int64? {
        let sql = """
            SELECT number FROM \(rawValue) WHERE number BETWEEN ? AND ? AND latest >= ? ORDER BY number DESC LIMIT 1
            """
        let values: [any DatabaseValue] = [span(of: range.lowerBound), span(of: range.upperBound), now]
        let span: Int64? = try database.first(sql, values) { $0[0] }
        return span.map { min(numbers(of: $0).upperBound, range.upperBound) }
    }

    /// Notes that an entry with a number lives until a time.
    func extend(_ span: Int64, until latest: Int64, _ database: Database) throws {
        let sql = """
            INSERT INTO \(rawValue) (number, latest) VALUES (?, ?)
            ON CONFLICT (number) DO UPDATE SET latest = max(latest, excluded.latest)
            """
        try database.run(sql, [span, latest])
    }

    /// Finds anew until when the entries of a span live.
    func measure(_ span: Int64, _ database: Database) throws {
        let numbers = numbers(of: span)
        let latest = "SELECT max(iif(expires = 0, \(Int64.max), expires)) FROM entry WHERE"
        let sql: String
        let values: [any DatabaseValue]
        switch self {
        case .places:
            sql = "\(latest) key BETWEEN ? AND ?"
            values = [numbers.lowerBound, numbers.upperBound]
        case .ids:
            sql = "\(latest) stream = ? AND id BETWEEN ? AND ?"
            values = [
                numbers.lowerBound >> FeedID.bits, numbers.lowerBound & FeedID.highest,
                numbers.upperBound & FeedID.highest,
            ]
        }
        guard let latest = try database.first(sql, values, { $0[0] as Int64? }) ?? nil else {
            let sql = "DELETE FROM \(rawValue) WHERE number = ?"
            return try database.run(sql, [span])
        }
        let update = "UPDATE \(rawValue) SET latest = ? WHERE number = ?"
        try database.run(update, [latest, span])
    }
}
