internal import BacklotHTTP
internal import Dispatch

/// Connections that are each lent to one caller at a time. When all are lent, callers wait in line.
final class ConnectionLine: Sendable {
    /// A connection that is lent, or waits for a caller. Unchecked, because only its current caller uses it.
    private struct Loan: @unchecked Sendable {
        let database: Database
        /// The queue that runs the work of asynchronous callers, which can't block their threads. Dispatch gives each serial queue
        /// a thread at once.
        let queue: DispatchQueue
    }

    private struct State {
        /// The connection that was returned last is lent first: the processor's caches have its pages.
        var idle: [Loan]
        var waiting: [@Sendable (Loan?) -> Void] = []
        var isClosed = false
    }

    /// Hands a connection to a caller that blocks its thread until it gets one.
    private final class Counter: Sendable {
        let loan = Locked<Loan?>(nil)
        let signal = DispatchSemaphore(value: 0)
    }

    private let state: Locked<State>
    /// The group has a member for each lent connection.
    private let lent = DispatchGroup()

    /// - Parameters:
    ///   - label: the name of its threads, for debuggers.
    ///   - qos: the priority of the threads.
    init(_ databases: [Database], label: String, qos: DispatchQoS) {
        let idle = databases.enumerated().map { index, database in
            Loan(database: database, queue: DispatchQueue(label: "\(label).\(index + 1)", qos: qos))
        }
        state = Locked(State(idle: idle))
    }

    /// Uses a connection on this thread, and blocks until there is one.
    ///
    /// - Throws: the errors of `body`; `DatabaseError.closed` after `close()`.
    func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
        guard let loan = takeIdle() ?? waitForLoan() else { throw DatabaseError.closed }
        defer { takeBack(loan) }
        return try body(loan.database)
    }

    /// Runs `body` with a connection, on a thread that may block.
    ///
    /// - Throws: the errors of `body`; `CancellationError` when the task is cancelled before the end of the last statement;
    ///   `DatabaseError.closed` after `close()`.
    func use<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lend { loan in
                    guard let loan else { return continuation.resume(throwing: DatabaseError.closed) }
                    loan.queue.async {
                        loan.database.cancellation = cancellation
                        let result = Swift.Result { try body(loan.database) }
                        loan.database.cancellation = nil
                        self.takeBack(loan)
                        continuation.resume(with: result)
                    }
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    /// Closes the connections, once the current and waiting callers are done, and blocks until then.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for loan in idle { loan.database.close() }
        lent.wait()
    }

    private func takeIdle() -> Loan? {
        state.withLock { takeIdle(&$0) }
    }

    private func takeIdle(_ state: inout State) -> Loan? {
        guard let loan = state.idle.popLast() else { return nil }
        lent.enter()
        return loan
    }

    private func waitForLoan() -> Loan? {
        let counter = Counter()
        lend { loan in
            counter.loan.withLock { $0 = loan }
            counter.signal.signal()
        }
        counter.signal.wait()
        return counter.loan.withLock { $0 }
    }

    /// - Parameter borrower: receives a connection, perhaps later; nil after `close()`.
    private func lend(_ borrower: @escaping @Sendable (Loan?) -> Void) {
        let (loan, waits) = state.withLock { state -> (Loan?, Bool) in
            let loan = takeIdle(&state)
            let waits = loan == nil && !state.isClosed
            if waits { state.waiting.append(borrower) }
            return (loan, waits)
        }
        if !waits { borrower(loan) }
    }

    private func takeBack(_ loan: Loan) {
        let (next, isClosed) = state.withLock { state -> ((@Sendable (Loan?) -> Void)?, Bool) in
            guard state.waiting.isEmpty else { return (state.waiting.removeFirst(), false) }
            if !state.isClosed { state.idle.append(loan) }
            return (nil, state.isClosed)
        }
        if let next { return next(loan) }
        if isClosed { loan.database.close() }
        lent.leave()
    }
}
