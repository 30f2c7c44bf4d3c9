internal import Backlot
internal import BacklotDatabase

/// Makes simultaneous changes in one transaction, so that all wait for the disk once.
///
/// Only one thread calls it at a time.
final class GroupCommit: @unchecked Sendable {
    /// A change, and the caller who waits for it.
    struct Item: Sendable {
        let change: StoreChange
        /// Receives the number of changed sessions.
        let finish: @Sendable (Result<Int, any Error>) -> Void
    }

    /// The maximum number of sessions that one batch removes to make room: more than it adds, so that a far too large file shrinks.
    private static let surplus = 1024

    private let database: DatabasePool
    /// The maximum number of bytes of all sessions.
    private let maximumBytes: Int
    /// Whether a transaction waits for the disk; nil if that is unknown.
    private var isSynchronous: Bool?

    init(_ database: DatabasePool, maximumBytes: Int) {
        self.database = database
        self.maximumBytes = maximumBytes
    }

    /// Makes a batch of changes. A failing change leaves the others alone; if the transaction fails, all of them fail.
    func run(_ items: [Item]) {
        let results: [Result<Int, any Error>]
        do {
            results = try database.withWriter { db in
                try setSynchronous(items.contains { $0.change.mustLast }, db)
                return try commit(items, db)
            }
        } catch {
            for item in items { item.finish(.failure(error)) }
            return
        }
        for (item, result) in zip(items, results) { item.finish(result) }
    }

    private func commit(_ items: [Item], _ db: Database) throws -> [Result<Int, any Error>] {
        try db.run("BEGIN IMMEDIATE")
        do {
            try makeRoom(db)
            let results = try items.map { item -> Result<Int, any Error> in
                do {
                    return .success(try item.change.run(db))
                } catch {
                    // A full disk may end the transaction, and with it undo the earlier changes.
                    guard db.isInsideTransaction else { throw error }
                    return .failure(error)
                }
            }
            try db.run("COMMIT")
            return results
        } catch {
            if db.isInsideTransaction { try? db.run("ROLLBACK") }
            throw error
        }
    }

    /// Removes sessions while there are too many: first those without a user, and within each group those that end soonest.
    private func makeRoom(_ db: Database) throws {
        var removed = 0
        while removed < Self.surplus, try db.first("SELECT bytes FROM session_total", [], { $0[0] }) ?? 0 > maximumBytes
        {
            for condition in ["user IS NULL", "TRUE"] {
                try db.run(
                    """
                    DELETE FROM session WHERE key IN
                        (SELECT key FROM session WHERE \(condition) ORDER BY expires_at LIMIT 16)
                    """
                )
                if db.changesCount > 0 { break }
            }
            removed += max(1, db.changesCount)
        }
    }

    /// With `NORMAL`, the file always stays intact, but the last transactions may be lost in a power failure.
    private func setSynchronous(_ isSynchronous: Bool, _ db: Database) throws {
        guard isSynchronous != self.isSynchronous else { return }
        self.isSynchronous = nil
        try db.execute("PRAGMA synchronous = \(isSynchronous ? "FULL" : "NORMAL")")
        self.isSynchronous = isSynchronous
    }
}
