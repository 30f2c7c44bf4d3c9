internal import Backlot
public import Logging

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Connections to a PostgreSQL server, for one or more stores.
///
/// ```swift
/// let database = PostgreSQLDatabase(try PostgreSQLAddress("postgres://app:secret@10.0.0.5/app"))
/// router.applin("/", sessions: PostgreSQLSessionStore(database)) { addPages(to: $0) }
/// ```
/// It connects in the background, and reconnects for as long as it takes when a connection is lost. Statements run on threads of
/// the database; event loops don't wait. While the server is away, operations fail with a 503 and `Retry-After` within a bounded
/// time, and at once when it has been away for longer than `timeout`.
///
/// Each statement has a time limit, also on the server (`statement_timeout`). PostgreSQL 13 and later are supported.
public final class PostgreSQLDatabase: Sendable {
    /// The maximum number of attempts for a transaction.
    private static let attempts = 10

    package let address: PostgreSQLAddress
    package let timeout: Duration
    private let link: ServerLink<PostgreSQLConnection>
    private let queries: BatchQueue<PendingQuery>
    private let readers: BatchQueue<@Sendable () -> Void>
    private let writers: BatchQueue<@Sendable () -> Void>
    private let preparations = Locked<[String: Task<Void, any Error>]>([:])
    /// The tables of a later version that have been logged.
    private let laterVersions = Locked<Set<String>>([])
    private let logger: Logger
    private let problems: StoreErrorLog

    /// Creates a database and begins to connect. The server may start later.
    ///
    /// - Parameters:
    ///   - address: the address of the server.
    ///   - connections: the usual number of connections, at least 1. A store that waits for the changes of others has one more. If
    ///     there are several, transactions that write use all but one at most. So reads continue while the writers wait for each
    ///     other, or for another server.
    ///   - timeout: the longest time for connecting, and for a statement; at least 1 ms.
    ///   - logger: logs when the server is away, when it is back, and what it refuses.
    public init(
        _ address: PostgreSQLAddress,
        connections: Int = 4,
        timeout: Duration = .seconds(5),
        logger: Logger = Logger(label: "backlot.postgresql")
    ) {
        precondition(connections >= 1, "connections must be at least 1, but is \(connections)")
        precondition(timeout >= .milliseconds(1), "timeout must be at least 1 ms, but is \(timeout)")
        let problems = StoreErrorLog(logger)
        let link = ServerLink(
            "\(address)",
            label: "backlot.postgresql.connect",
            connections: connections,
            timeout: timeout,
            logger: logger
        ) { () throws(PostgreSQLError) in try PostgreSQLConnection(to: address, timeout: timeout) }
        self.address = address
        self.timeout = timeout
        self.logger = logger
        self.problems = problems
        self.link = link
        queries = BatchQueue(label: "backlot.postgresql.query", threads: connections, most: PendingQuery.batch) {
            PendingQuery.run($0, over: link, timeout: timeout, problems: problems)
        }
        let run: @Sendable ([@Sendable () -> Void]) -> Void = { bodies in for body in bodies { body() } }
        let most = max(1, connections - 1)
        readers = BatchQueue(label: "backlot.postgresql.read", threads: connections, most: 1, perform: run)
        writers = BatchQueue(label: "backlot.postgresql.write", threads: most, most: 1, perform: run)
    }

    deinit { link.close() }

    /// Runs a statement, which is prepared once on each connection. Statements of the same moment are sent together; each is a
    /// transaction.
    ///
    /// - Parameters:
    ///   - kind: a statement that only reads is repeated after a lost connection.
    ///   - read: reads a row, on a thread of the database.
    /// - Returns: the values read from the rows.
    /// - Throws: `PostgreSQLError`, and the errors of `read`.
    package func query<Value: Sendable>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ kind: PostgreSQLTransaction = .readWrite,
        read: @escaping @Sendable (borrowing SQLRow) throws -> Value
    ) async throws -> [Value] {
        try await submit(SQLStatement(sql, values), kind) { try $0.rows(read) }
    }

    /// Runs a statement in the same way as `query`.
    ///
    /// - Parameter isGrouped: whether it waits for the server's disk together with others of the same moment. Until it returns,
    ///   others may see its changes, and a crash of the server may undo them.
    /// - Returns: the number of rows that it has inserted, changed or deleted.
    /// - Throws: `PostgreSQLError`.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue] = [], isGrouped: Bool = false) async throws -> Int {
        try await submit(SQLStatement(sql, values), .readWrite, isGrouped: isGrouped) { $0.count }
    }

    private func submit<Value: Sendable>(
        _ statement: SQLStatement,
        _ kind: PostgreSQLTransaction,
        isGrouped: Bool = false,
        _ read: @escaping @Sendable (SQLResult) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let item = PendingQuery(statement: statement, isRepeatable: kind == .readOnly, isGrouped: isGrouped) {
                [problems] result in
                let value = Result { try read(try result.get()) }
                if case .failure(let problem as PostgreSQLError) = value {
                    problems.note(problem, isKnown: problem.isAway)
                }
                continuation.resume(with: value)
            }
            queries.submit(item)
        }
    }

    /// Runs `body` with a connection, on a thread that may block, as one transaction.
    ///
    /// The body may run several times: after a conflict with another transaction, and after a connection that was lost before the
    /// commit.
    ///
    /// - Throws: `PostgreSQLError`, and the errors of `body`. The transaction then has no effect.
    @discardableResult
    package func transaction<Value: Sendable>(
        _ kind: PostgreSQLTransaction = .readWrite,
        body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        let (link, problems, timeout) = (link, problems, timeout)
        let transactions = kind == .readOnly ? readers : writers
        let submittedAt = ContinuousClock.now
        return try await withCheckedThrowingContinuation { continuation in
            transactions.submit {
                // The caller doesn't wait that long.
                guard submittedAt.duration(to: .now) < timeout * 2 else {
                    return continuation.resume(throwing: PostgreSQLError.timeout)
                }
                Self.perform(kind, over: link, problems, body) { continuation.resume(with: $0) }
            }
        }
    }

    private static func perform<Value>(
        _ kind: PostgreSQLTransaction,
        over link: ServerLink<PostgreSQLConnection>,
        _ problems: StoreErrorLog,
        _ body: (PostgreSQLConnection) throws -> Value,
        finish: (Result<Value, any Error>) -> Void
    ) {
        for attempt in 1... {
            let connection: PostgreSQLConnection
            do throws(PostgreSQLError) { connection = try link.borrow() } catch { return finish(.failure(error)) }
            var isCommitting = false
            do {
                connection.begin(kind)
                let value = try body(connection)
                if kind == .readOnly {
                    // The values stay valid even if the transaction can't be ended.
                    finish(.success(value))
                    try? connection.commit()
                    return link.settle(connection, nil)
                }
                isCommitting = true
                try connection.commit()
                link.giveBack(connection)
                return finish(.success(value))
            } catch {
                connection.rollBack()
                let problem = error as? PostgreSQLError
                let isLost = if case .closed = connection.failure { true } else { false }
                link.settle(connection, problem)
                let mayRepeat = problem?.isConflict == true || isLost && !isCommitting
                guard attempt < attempts, mayRepeat else {
                    if let problem { problems.note(problem, isKnown: problem.isAway) }
                    return finish(.failure(error))
                }
                // The same transactions would conflict again if all were repeated at once.
                if !isLost { usleep(UInt32.random(in: 0..<10_000) * UInt32(attempt)) }
            }
        }
    }

    /// Brings tables up to date, on the first call. Further calls are cheap, and wait for the first one. After a failure, the
    /// next call tries again.
    ///
    /// - Throws: `PostgreSQLError`.
    package func prepare(_ migrations: PostgreSQLMigrations) async throws {
        let name = migrations.name
        let task = preparations.withLock { preparations in
            if let task = preparations[name] { return task }
            let task = Task { try await migrations.run(on: self) }
            preparations[name] = task
            return task
        }
        do {
            try await task.value
        } catch {
            preparations.withLock { if $0[name] == task { $0[name] = nil } }
            if let problem = error as? PostgreSQLError { note(problem, of: migrations) }
            throw error
        }
    }

    /// Logs once that tables have a later version. `StoreErrorLog` logs other refusals.
    private func note(_ problem: PostgreSQLError, of migrations: PostgreSQLMigrations) {
        guard case .laterVersion = problem else { return }
        guard laterVersions.withLock({ $0.insert(migrations.name).inserted }) else { return }
        logger.error("\(problem)")
    }
}
