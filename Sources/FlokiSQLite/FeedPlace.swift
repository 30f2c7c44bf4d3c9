import BacklotDatabase
import Floki

/// The order of a feed as numbers: an entry that comes before another one in its feed has a higher place.
///
/// Places are the keys of entries, of their words and of their tags, so that each of these can be read in the feed's order
/// without sorting. The places of one stream are consecutive: the number of the stream, followed by 49 bits.
enum FeedPlace {
    static let bits = 49
    /// The distance between neighbours at the end of a feed. It leaves room for entries in between.
    static let step: Int64 = 1 << 10
    /// The highest number of a stream.
    static let highestStream: Int64 = 1 << (63 - Int64(bits)) - 1

    /// The places of a stream.
    static func range(of stream: Int64) -> ClosedRange<Int64> {
        let first = stream << bits
        return first...(first | (1 << bits - 1))
    }

    /// The place between two neighbours; nil without room. A neighbour that is nil lies outside the stream.
    static func between(_ below: Int64?, _ above: Int64?, in stream: Int64) -> Int64? {
        let range = range(of: stream)
        switch (below, above) {
        case (nil, nil): return range.lowerBound + (1 << (bits - 1))
        case (let below?, nil): return range.upperBound - below >= step ? below + step : nil
        case (nil, let above?): return above - range.lowerBound >= step ? above - step : nil
        case (let below?, let above?): return above - below > 1 ? below + (above - below) / 2 : nil
        }
    }
}

/// The ids of a stream as numbers: the stream's number, followed by the id.
enum FeedID {
    static let bits = 31
    static let highest: Int64 = 1 << bits - 1

    /// The ids of a stream from 0 to `upper`.
    static func range(of stream: Int64, through upper: Int) -> ClosedRange<Int64> {
        let first = stream << bits
        return first...(first | min(max(Int64(upper), 0), highest))
    }

    static func number(_ id: Int, in stream: Int64) -> Int64 { stream << bits | min(max(Int64(id), 0), highest) }
}

/// Places for entries.
extension EntryWriter {
    /// The place of a new entry. If it has no room, other entries move.
    mutating func place(_ id: Int, _ sort: Int, in stream: Int64) throws -> Int64 {
        func neighbour(_ comparison: String, _ order: String) throws -> Int64? {
            let sql = """
                SELECT key FROM entry WHERE stream = ? AND (sort, id) \(comparison) (?, ?)
                ORDER BY sort \(order), id \(order) LIMIT 1
                """
            return try database.first(sql, [stream, sort, id]) { $0[0] }
        }
        let above = try neighbour(">", "ASC")
        let below = try neighbour("<", "DESC")
        if let place = FeedPlace.between(below, above, in: stream) { return place }
        guard let crowded = below ?? above else { return FeedPlace.range(of: stream).lowerBound }
        try spread(around: crowded)
        return try place(id, sort, in: stream)
    }

    /// Makes room for entries around a place. It finds the smallest surrounding range that is sparse enough, and spaces its
    /// entries evenly. The larger the range, the sparser it must be, so that each of n insertions moves O(log² n) entries on
    /// average.
    ///
    /// Source: M. A. Bender and others, "Two simplified algorithms for maintaining order in a list", ESA 2002.
    private mutating func spread(around place: Int64) throws {
        for bits in 8...FeedPlace.bits {
            let first = (place >> bits) << bits
            let last = first | (1 << bits - 1)
            let values: [any DatabaseValue] = [first, last]
            let sql = "SELECT count(*) FROM entry WHERE key BETWEEN ? AND ?"
            let count: Int64 = try database.first(sql, values) { $0[0] } ?? 0
            var most = 1.0
            for _ in 0..<bits { most *= 5.0 / 3 }
            guard Double(count) < most || bits == FeedPlace.bits else { continue }
            let list = "SELECT key, expires FROM entry WHERE key BETWEEN ? AND ? ORDER BY key"
            let distance = (1 << Int64(bits)) / (count + 1)
            var moves: [(from: Int64, to: Int64, expires: Int)] = []
            try database.forEach(list, values) { row in
                moves.append((row[0], first + distance * Int64(moves.count + 1), row[1]))
                return true
            }
            // Entries that move up start with the highest, the others with the lowest, so that their places never collide.
            for move in moves.reversed() where move.to > move.from {
                try self.move(move.from, to: move.to, move.expires)
            }
            for move in moves where move.to < move.from { try self.move(move.from, to: move.to, move.expires) }
            return
        }
    }

    private mutating func move(_ key: Int64, to place: Int64, _ expires: Int) throws {
        for sql in [
            "UPDATE entry SET key = ? WHERE key = ?", "UPDATE tag SET key = ? WHERE key = ?",
            "UPDATE entry_words SET rowid = ? WHERE rowid = ?",
        ] {
            try execute(sql, [place, key])
        }
        try extend(.places, place, expires)
    }
}
