package import CoreMetrics

/// Measures the operations of a store: `STORE.store.duration` and `STORE.store.errors`, by operation.
package struct StoreMeasures: Sendable {
    private let durations: [String: CoreMetrics.Timer]
    private let errors: [String: Counter]

    /// - Parameters:
    ///   - store: the first word of the metrics' names, such as `session`.
    ///   - operations: the names of all operations.
    ///   - factory: where the metrics are kept.
    package init(_ store: String, operations: [String], _ factory: any MetricsFactory) {
        func metrics<Metric>(_ create: (_ dimensions: [(String, String)]) -> Metric) -> [String: Metric] {
            Dictionary(uniqueKeysWithValues: operations.map { ($0, create([("operation", $0)])) })
        }
        durations = metrics { Timer(label: "\(store).store.duration", dimensions: $0, factory: factory) }
        errors = metrics { Counter(label: "\(store).store.errors", dimensions: $0, factory: factory) }
    }

    /// Measures an operation.
    ///
    /// - Parameters:
    ///   - operation: one of the names.
    ///   - isFailure: whether an error means that the store has failed. `CancellationError` never does: a client that has gone says
    ///     nothing about the store.
    package func measure<Value>(
        _ operation: String,
        isFailure: (any Error) -> Bool = { _ in true },
        _ work: () async throws -> Value
    ) async throws -> Value {
        let stopwatch = Stopwatch()
        defer { durations[operation]?.recordNanoseconds(stopwatch.nanoseconds) }
        do {
            return try await work()
        } catch {
            if !(error is CancellationError), isFailure(error) { errors[operation]?.increment() }
            throw error
        }
    }
}
