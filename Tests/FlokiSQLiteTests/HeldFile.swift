import GRDB

/// A connection to a file that is in the middle of a transaction, so that nobody else can write.
final class HeldFile: Sendable {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    /// Ends the transaction.
    func release() throws { try queue.inDatabase { try $0.execute(sql: "ROLLBACK") } }
}
