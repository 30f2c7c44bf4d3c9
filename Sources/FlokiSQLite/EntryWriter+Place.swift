import BacklotDatabase
import Floki

/// Places for entries.
extension EntryWriter {
    /// The place of a new entry, for which others move if they leave no room.
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

    /// Gives the entries around a place room: those of the smallest surrounding range in which they are sparse enough get equal
    /// distances. The larger the range, the sparser they must be, so that each of n insertions moves O(log² n) entries on
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
            // Entries that go up begin with the highest, the others with the lowest: nobody then meets another.
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
