import Backlot
import BacklotDatabase
import Floki

/// Reads the numbers of entries in descending order, skipping expired ones.
struct FeedScan {
    /// The scan consults the spans of expired entries after this many in a row.
    private static let patience = 64
    /// The number of rows between two checks of the time.
    private static let batch = 256

    let database: Database
    /// The kind of the numbers.
    let spans: FeedSpans
    let range: ClosedRange<Int64>
    /// The time, in seconds since 1970.
    let now: Int
    /// The maximum number of rows to read.
    var mostRows = Int.max
    /// The time limit of the scan.
    var deadline: ContinuousClock.Instant?

    /// Visits living entries, the highest number first, until `visit` returns false.
    ///
    /// - Parameters:
    ///   - sql: selects the number and the time of expiry first, in descending order. Its last two parameters are the lowest and
    ///     the highest number.
    ///   - values: the parameters before these two.
    /// - Throws: `StatusError` with 503 when the scan exceeds its limits.
    func run(_ sql: String, _ values: [any DatabaseValue] = [], _ visit: (borrowing Row) throws -> Bool) throws {
        var upper: Int64? = range.upperBound
        var looked = 0
        while let highest = upper {
            guard let last = try descend(from: highest, sql, values, &looked, visit), last > range.lowerBound else {
                return
            }
            upper = try spans.highestLiving(in: range.lowerBound...(last - 1), at: now, database)
        }
    }

    /// The number where the scan has found only expired entries for too long; nil if it has ended.
    private func descend(
        from upper: Int64,
        _ sql: String,
        _ values: [any DatabaseValue],
        _ looked: inout Int,
        _ visit: (borrowing Row) throws -> Bool
    ) throws -> Int64? {
        var expired = 0
        var last: Int64?
        try database.forEach(sql, values + [range.lowerBound, upper]) { row in
            let expires: Int = row[1]
            if expires > 0, expires < now {
                expired += 1
                if expired == Self.patience {
                    last = row[0]
                    return false
                }
            } else {
                expired = 0
                guard try visit(row) else { return false }
            }
            looked += 1
            guard looked < mostRows else { throw StatusError.searchTooLong }
            guard looked.isMultiple(of: Self.batch), let deadline else { return true }
            guard ContinuousClock.now < deadline else { throw StatusError.searchTooLong }
            return true
        }
        return last
    }
}

/// Records for each span of numbers until when the entries in it live, so that scans needn't read the expired entries of a span.
///
/// A span has about 256 entries. Its end is at least that of each of its entries; after an entry was removed, it may be later.
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

    /// The highest number of a range that may belong to a living entry; nil if all have expired.
    func highestLiving(in range: ClosedRange<Int64>, at now: Int, _ database: Database) throws -> Int64? {
        let sql = """
            SELECT number FROM \(rawValue) WHERE number BETWEEN ? AND ? AND latest >= ? ORDER BY number DESC LIMIT 1
            """
        let values: [any DatabaseValue] = [span(of: range.lowerBound), span(of: range.upperBound), now]
        let span: Int64? = try database.first(sql, values) { $0[0] }
        return span.map { min(numbers(of: $0).upperBound, range.upperBound) }
    }

    /// Records that an entry with a number lives until a time.
    func extend(_ span: Int64, until latest: Int64, _ database: Database) throws {
        let sql = """
            INSERT INTO \(rawValue) (number, latest) VALUES (?, ?)
            ON CONFLICT (number) DO UPDATE SET latest = max(latest, excluded.latest)
            """
        try database.run(sql, [span, latest])
    }

    /// Recomputes the end of a span.
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
