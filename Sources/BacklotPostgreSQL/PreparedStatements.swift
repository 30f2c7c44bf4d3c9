internal import CPostgreSQL

/// The statements that a connection has prepared, by their text and the types of their values.
struct PreparedStatements {
    /// Statements beyond this number are prepared each time. Programs have a few dozen.
    private static let most = 250

    struct Key: Hashable {
        let sql: String
        let types: [SQLType]

        init(_ statement: SQLStatement) {
            sql = statement.sql
            types = statement.values.map(\.type)
        }
    }

    private var names: [Key: String] = [:]
    private var last = 0

    /// The name of a statement, and whether it must first be prepared under that name.
    mutating func name(of key: Key) -> (name: String, isNew: Bool) {
        if let name = names[key] { return (name, false) }
        guard names.count < Self.most else { return ("", true) }
        last += 1
        names[key] = "s\(last)"
        return ("s\(last)", true)
    }

    /// Forgets a statement that couldn't be prepared.
    mutating func forget(_ key: Key) { names[key] = nil }
}

/// Statements that are sent together (pipeline mode), and their results.
extension PostgreSQLConnection {
    /// The outcome of each statement in order; fewer when the connection has failed.
    struct Outcome {
        var results: [Result<SQLResult, PostgreSQLError>] = []
        var failure: PostgreSQLError?
    }

    /// The server's next response.
    private enum Step {
        case preparation(PreparedStatements.Key)
        case execution(PreparedStatements.Key)
        case end
    }

    /// Sends statements at once, and waits for all results.
    ///
    /// - Parameter isAtomic: whether a failing statement prevents the later ones; otherwise each one is a transaction.
    func exchange(_ statements: [SQLStatement], isAtomic: Bool, until deadline: ContinuousClock.Instant) -> Outcome {
        var outcome = Outcome()
        do throws(PostgreSQLError) {
            try send(unsafe PQenterPipelineMode(pointer))
            let steps = try sendAll(statements, isAtomic)
            var unprepared: [PreparedStatements.Key: PostgreSQLError] = [:]
            // The reason why the following statements aren't executed, up to the end of the transaction.
            var reason: PostgreSQLError?
            // The results that are held back until the end of the transaction: only there is it committed.
            var open: [Result<SQLResult, PostgreSQLError>] = []
            for step in steps {
                switch step {
                case .preparation(let key):
                    guard case .failure(let error) = try result(until: deadline) else { continue }
                    reason = reason ?? error
                    unprepared[key] = reason
                    self.statements.forget(key)
                case .execution(let key):
                    let result = try result(until: deadline)
                    if case .failure(let error) = result { reason = reason ?? unprepared[key] ?? error }
                    open.append(result.mapError { reason ?? $0 })
                case .end:
                    if let problem = try end(until: deadline) {
                        open = open.map { result in result.flatMap { _ in .failure(problem) } }
                    }
                    outcome.results += open
                    open = []
                    reason = nil
                }
            }
            try send(unsafe PQexitPipelineMode(pointer))
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    private func sendAll(_ statements: [SQLStatement], _ isAtomic: Bool) throws(PostgreSQLError) -> [Step] {
        var steps: [Step] = []
        for (index, statement) in statements.enumerated() {
            let key = PreparedStatements.Key(statement)
            let (name, isNew) = self.statements.name(of: key)
            if isNew {
                let types = key.types.map(\.rawValue)
                try send(unsafe PQsendPrepare(pointer, name, statement.sql, Int32(types.count), types))
                steps.append(.preparation(key))
            }
            try send(execution(of: name, statement.values))
            steps.append(.execution(key))
            if !isAtomic || index == statements.count - 1 {
                try send(unsafe PQpipelineSync(pointer))
                steps.append(.end)
            }
        }
        return steps
    }

    private func execution(of name: String, _ values: [SQLValue]) -> Int32 {
        var bytes: [UInt8] = []
        var starts: [Int?] = []
        var lengths: [Int32] = []
        for value in values {
            let start = bytes.count
            value.append(to: &bytes)
            starts.append(value == .null ? nil : start)
            lengths.append(Int32(clamping: bytes.count - start))
        }
        // The address of an empty value must not be that of NULL.
        bytes.append(0)
        return unsafe bytes.withUnsafeBytes { bytes in
            let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe starts.map { start in
                unsafe start.flatMap { start in unsafe base.map { unsafe $0 + start } }
            }
            let binary = [Int32](repeating: 1, count: values.count)
            return unsafe PQsendQueryPrepared(pointer, name, Int32(values.count), pointers, lengths, binary, 1)
        }
    }

    private func result(
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> Result<SQLResult, PostgreSQLError> {
        guard let first = unsafe try nextResult(until: deadline) else { throw fail(.unexpected("there is no result")) }
        let result: Result<SQLResult, PostgreSQLError>
        do throws(PostgreSQLError) {
            result = .success(unsafe try outcome(of: first))
        } catch {
            if let failure { throw failure }
            result = .failure(error)
        }
        while let more = unsafe try nextResult(until: deadline) { unsafe PQclear(more) }
        return result
    }

    /// Waits for the end of a transaction.
    ///
    /// - Returns: the reason why it couldn't be committed, such as a constraint that is checked at the end; nil on success.
    private func end(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> PostgreSQLError? {
        guard let first = unsafe try nextResult(until: deadline) else { throw fail(.unexpected("there is no result")) }
        do throws(PostgreSQLError) {
            _ = unsafe try outcome(of: first)
            return nil
        } catch {
            if let failure { throw failure }
            // After an error, the end itself follows separately.
            while let more = unsafe try nextResult(until: deadline) { unsafe PQclear(more) }
            guard let last = unsafe try nextResult(until: deadline) else {
                throw fail(.unexpected("the end of the transaction is missing"))
            }
            unsafe PQclear(last)
            return error
        }
    }
}
