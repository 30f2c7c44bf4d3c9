internal import Dispatch

/// Runs code that blocks, such as reading a file, on separate threads, so that no event loop waits for it.
public enum Blocking {
    private static let threads = BlockingThreads(most: 64)
    private static let computing = BlockingThreads(most: max(4, Processors.count))

    /// Runs `work` on a thread where it may block, and returns its result. At most 64 pieces of work run at a time.
    ///
    /// - Throws: the error of `work`.
    public static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await threads.result(of: work)
    }

    /// Runs work whose time depends on a client, such as comparing and filling in templates. It has its own few threads, so that files and
    /// commands of administration needn't wait for it.
    ///
    /// - Throws: the error of `work`.
    package static func compute<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await computing.result(of: work)
    }

    /// Runs `work` on such a thread without waiting for it.
    static func start(_ work: @escaping @Sendable () -> Void) {
        threads.run(work)
    }
}

/// Threads that may block: as many as blocking work needs, up to a limit. Beyond the limit, work waits in line.
///
/// Each is a serial queue, because Dispatch gives such a queue a thread at once. A concurrent queue gets as many threads as there
/// are cores and only occasionally more, so blocking calls would keep the others waiting.
final class BlockingThreads: Sendable {
    private struct State {
        var idle: [DispatchQueue] = []
        var count = 0
        /// The work that doesn't have a thread yet, oldest first.
        var waiting: [@Sendable () -> Void] = []
    }

    private let most: Int
    private let state = Locked(State())

    /// - Parameter most: the largest number of threads.
    init(most: Int) {
        SystemAllocator.isFrugal
        self.most = most
    }

    /// Runs `work` once a thread is free.
    func run(_ work: @escaping @Sendable () -> Void) {
        let thread = state.withLock { state -> DispatchQueue? in
            if let idle = state.idle.popLast() { return idle }
            guard state.count < most else {
                state.waiting.append(work)
                return nil
            }
            state.count += 1
            return DispatchQueue(label: "backlot.blocking.\(state.count)")
        }
        if let thread { start(work, on: thread) }
    }

    /// Runs `work` once a thread is free, and returns its result.
    func result<Result: Sendable>(of work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            run { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    private func start(_ work: @escaping @Sendable () -> Void, on thread: DispatchQueue) {
        thread.async {
            work()
            while let next = self.next(on: thread) { next() }
        }
    }

    /// The work that has waited longest. Without waiting work, the thread becomes idle.
    private func next(on thread: DispatchQueue) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(thread)
            return nil
        }
    }
}
