internal import Dispatch

/// Runs code that blocks, such as reading a file, on threads of its own, so that no event loop waits for it.
public enum Blocking {
    private static let queue = DispatchQueue(label: "backlot.blocking", attributes: .concurrent)

    /// Runs `work` on a thread where it may block, and returns what it returns.
    ///
    /// - Throws: what `work` throws.
    public static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
