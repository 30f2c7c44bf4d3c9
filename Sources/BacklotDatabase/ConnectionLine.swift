internal import BacklotHTTP
internal import Dispatch

/// Connections, each of which is lent to one caller at a time. When all are lent, callers wait in line.
final class ConnectionLine: Sendable {
    /// A connection that is lent, or waits for a caller. Unchecked: only the caller that has it uses it.
    private struct Loan: @unchecked Sendable {
        let database: Database
        /// The thread for callers that can't wait on theirs. Dispatch gives each serial queue one at once.
        let queue: DispatchQueue
    }

    private struct State {
        /// The last that came back goes first: the processor's caches have its pages.
        var idle: [Loan]
        var waiting: [@Sendable (Loan) -> Void] = []
    }

    /// Where a caller that waits on its thread gets its connection.
    private final class Counter: Sendable {
        let loan = Locked<Loan?>(nil)
        let signal = DispatchSemaphore(value: 0)
    }

    private let state: Locked<State>
    private let all: Unused

    /// The connections, for the time when nobody uses them any more. Unchecked: until then nobody looks at them.
    private struct Unused: @unchecked Sendable {
        let databases: [Database]
    }

    /// - Parameters:
    ///   - label: the name of its threads, for debuggers.
    ///   - qos: the priority of the threads.
    init(_ databases: [Database], label: String, qos: DispatchQoS) {
        let idle = databases.enumerated().map { index, database in
            Loan(database: database, queue: DispatchQueue(label: "\(label).\(index + 1)", qos: qos))
        }
        state = Locked(State(idle: idle))
        all = Unused(databases: databases)
    }

    /// Uses a connection on this thread, and blocks until there is one.
    func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let loan = state.withLock { $0.idle.popLast() } ?? waitForLoan()
        defer { takeBack(loan) }
        return try body(loan.database)
    }

    /// Runs `body` with a connection, on a thread that may block.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before the end of the last statement.
    func use<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lend { loan in
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

    /// Closes the connections. Nobody uses them any more, though the thread of the last statement may still hold one.
    func close() {
        for database in all.databases { database.close() }
    }

    private func waitForLoan() -> Loan {
        let counter = Counter()
        lend { loan in
            counter.loan.withLock { $0 = loan }
            counter.signal.signal()
        }
        counter.signal.wait()
        guard let loan = counter.loan.withLock({ $0 }) else { preconditionFailure("a signal comes with a connection") }
        return loan
    }

    private func lend(_ borrower: @escaping @Sendable (Loan) -> Void) {
        let loan = state.withLock { state -> Loan? in
            if state.idle.isEmpty { state.waiting.append(borrower) }
            return state.idle.popLast()
        }
        if let loan { borrower(loan) }
    }

    private func takeBack(_ loan: Loan) {
        let next = state.withLock { state -> (@Sendable (Loan) -> Void)? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(loan)
            return nil
        }
        next?(loan)
    }
}
