/// Runs code that blocks, such as reading a file, on threads of its own, so that no event loop waits for it.
public enum Blocking {
    private static let threads = BlockingThreads(most: 64)

    /// Runs `work` on a thread where it may block, and returns what it returns. At most 64 pieces of work run at a time.
    ///
    /// - Throws: what `work` throws.
    public static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            threads.run { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Runs `work` on such a thread, and doesn't wait for it.
    static func start(_ work: @escaping @Sendable () -> Void) {
        threads.run(work)
    }
}
