internal import Backlot

/// A waiting statement, and the caller who waits for it.
struct PendingQuery: Sendable {
    /// The maximum number of statements that are sent together.
    static let batch = 128

    /// The time to wait for a response beyond the server's limit.
    static func grace(_ timeout: Duration) -> Duration { min(timeout, .seconds(1)) }

    let statement: SQLStatement
    let isRepeatable: Bool
    /// Whether the statement waits for the server's disk together with others.
    let isGrouped: Bool
    let submittedAt = ContinuousClock.now
    let finish: @Sendable (Result<SQLResult, any Error>) -> Void

    init(
        statement: SQLStatement,
        isRepeatable: Bool,
        isGrouped: Bool = false,
        finish: @escaping @Sendable (Result<SQLResult, any Error>) -> Void
    ) {
        self.statement = statement
        self.isRepeatable = isRepeatable
        self.isGrouped = isGrouped
        self.finish = finish
    }

    /// The maximum number of attempts for a statement that only reads: a server that stops closes its connections one after the
    /// other.
    private static let attempts = 10

    /// Runs a batch. Statements that only read are repeated after a lost connection, and once after a timeout of an earlier
    /// statement.
    static func run(
        _ items: [PendingQuery],
        over link: ServerLink<PostgreSQLConnection>,
        timeout: Duration,
        problems: StoreErrorLog,
        attempt: Int = 1
    ) {
        let connection: PostgreSQLConnection
        do throws(PostgreSQLError) {
            connection = try link.borrow()
        } catch {
            for item in items { item.finish(.failure(error)) }
            return
        }
        // The server ends each statement in time, so that the later ones can still be executed.
        let begun = ContinuousClock.now
        let isLate = { (item: PendingQuery) in attempt == 1 && item.submittedAt.duration(to: begun) >= timeout }
        let group = CommitGroup(items.filter { !isLate($0) })
        for item in items where isLate(item) { item.finish(.failure(PostgreSQLError.timeout)) }
        let latest = group.items
        let outcome = group.outcome(
            connection.exchange(group.statements, isAtomic: false, until: begun + timeout + grace(timeout))
        )
        if let failure = outcome.failure { _ = connection.fail(failure) }
        let refusals = outcome.results.compactMap { result in
            if case .failure(let error) = result { error } else { nil }
        }
        link.settle(connection, outcome.failure ?? refusals.first(where: \.spoilsConnection))
        if refusals.isEmpty, outcome.failure == nil { problems.clear() }
        for (item, result) in zip(latest, outcome.results) { item.finish(result.mapError { $0 }) }
        guard let failure = outcome.failure else { return }
        let rest = latest[outcome.results.count...]
        var again: [PendingQuery] = []
        for (index, item) in rest.enumerated() {
            let mayRepeat =
                switch failure {
                case .closed: attempt < attempts
                // The first statement was already running, and would take as long again.
                case .timeout: attempt == 1 && index > 0
                default: false
                }
            if mayRepeat, item.isRepeatable {
                again.append(item)
            } else {
                item.finish(.failure(failure))
            }
        }
        if !again.isEmpty { run(again, over: link, timeout: timeout, problems: problems, attempt: attempt + 1) }
    }
}

extension ServerLink<PostgreSQLConnection> {
    /// Returns a connection, or gives it up if it has failed or is useless.
    func settle(_ connection: PostgreSQLConnection, _ problem: PostgreSQLError?) {
        if let failure = connection.failure {
            drop(connection, failure)
        } else if let problem, problem.spoilsConnection {
            drop(connection, problem)
        } else {
            giveBack(connection)
        }
    }
}
