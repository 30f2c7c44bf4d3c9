import Backlot
import BacklotDatabase
import Floki

/// A walk down the numbers of entries that skips expired ones.
struct FeedWalk {
    /// How many expired entries in a row are looked at before their spans are asked.
    private static let patience = 64
    /// How many rows are looked at between two looks at the clock.
    private static let batch = 256

    let database: Database
    /// What the numbers are.
    let spans: FeedSpans
    let range: ClosedRange<Int64>
    /// The time, in seconds since 1970.
    let now: Int
    /// How many rows are looked at.
    var mostRows = Int.max
    /// When the walk ends at the latest.
    var deadline: ContinuousClock.Instant?

    /// Visits living entries from the highest number on, until `visit` returns false.
    ///
    /// - Parameters:
    ///   - sql: selects the number and the time of expiry first, in descending order. Its last two parameters are the lowest and
    ///     the highest number.
    ///   - values: the parameters before these two.
    /// - Throws: `StatusError` with 503 at the walk's bounds.
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

    /// The number at which the walk found nothing but expired entries; nil if it has ended.
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
