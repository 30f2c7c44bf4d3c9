/// Tasks beside the one that answers a request.
package enum LoopTask {
    /// Starts a task on the caller's event loop, where it runs at once until it suspends; elsewhere as any task.
    package static func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task.immediate(executorPreference: ThreadLoop.current) { await operation() }
    }
}
