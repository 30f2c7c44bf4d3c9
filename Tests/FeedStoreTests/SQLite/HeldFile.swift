import Backlot
import BacklotDatabase

/// A connection to a file that is in the middle of a transaction, so that nobody else can write.
final class HeldFile: Sendable {
    private let database: Locked<Database>

    init(_ path: String) throws {
        database = Locked(try Database(path))
        try database.withLock { try $0.execute("BEGIN IMMEDIATE") }
    }

    /// Ends the transaction.
    func release() throws { try database.withLock { try $0.execute("ROLLBACK") } }
}
