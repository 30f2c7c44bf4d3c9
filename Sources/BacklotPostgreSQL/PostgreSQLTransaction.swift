/// The access mode of a transaction.
package enum PostgreSQLTransaction: Sendable {
    /// Reads a single state of the database. It is repeated after a lost connection.
    case readOnly
    /// Reads and writes; each statement sees all earlier commits.
    case readWrite

    fileprivate var opening: String {
        switch self {
        case .readOnly: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .readWrite: "BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    }
}

/// The operations for the body of a transaction.
extension PostgreSQLConnection {
    /// Runs a statement.
    ///
    /// - Returns: the values read from the rows.
    /// - Throws: `PostgreSQLError`, and the errors of `read`.
    package func query<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        read: (borrowing SQLRow) throws -> Value
    ) throws -> [Value] {
        try result(of: SQLStatement(sql, values)).rows(read)
    }

    /// Runs a statement.
    ///
    /// - Returns: the number of rows that it has inserted, changed or deleted.
    /// - Throws: `PostgreSQLError`.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue] = []) throws(PostgreSQLError) -> Int {
        try result(of: SQLStatement(sql, values)).count
    }

    /// Runs statements in one round trip.
    ///
    /// - Throws: the `PostgreSQLError` of the first statement that fails. The later ones are not executed.
    @discardableResult
    package func pipeline(_ statements: [SQLStatement]) throws(PostgreSQLError) -> [SQLResult] {
        let begins = opening.map { [SQLStatement($0)] } ?? []
        opening = nil
        // The server ends each statement in time.
        let limit = timeout * max(1, statements.count) + PendingQuery.grace(timeout)
        let outcome = exchange(begins + statements, isAtomic: true, until: .now + limit)
        if let failure = outcome.failure { throw failure }
        var results: [SQLResult] = []
        for result in outcome.results.dropFirst(begins.count) { results.append(try result.get()) }
        return results
    }

    /// Begins a transaction, with its first statement.
    func begin(_ kind: PostgreSQLTransaction) { opening = kind.opening }

    /// Ends a transaction.
    ///
    /// - Throws: `PostgreSQLError`. After `closed` and `timeout`, it is unknown whether the transaction was committed.
    func commit() throws(PostgreSQLError) {
        guard opening == nil else { return opening = nil }
        guard try result(of: SQLStatement("COMMIT")).tag == "COMMIT" else {
            throw .unexpected("a statement of the transaction had failed, so that it wasn't committed")
        }
    }

    /// Undoes a transaction, unless its connection is lost, which undoes it anyway.
    func rollBack() {
        guard opening == nil else { return opening = nil }
        if failure == nil { _ = try? run("ROLLBACK") }
    }

    private func result(of statement: SQLStatement) throws(PostgreSQLError) -> SQLResult {
        guard let result = try pipeline([statement]).first else { throw .unexpected("there is no result") }
        return result
    }
}
