package import CoreMetrics

/// A store of sessions that measures its operations: `session.store.duration` and `session.store.errors`, by operation. Operations that
/// don't wait aren't counted.
package struct MeasuredSessionStore: SessionStore {
    private enum Operation: String, CaseIterable {
        case read, insert, replace, touch, remove
        case removeAll = "remove-all"
        case check
    }

    private struct Measure {
        let duration: CoreMetrics.Timer
        let errors: Counter
    }

    private let store: any SessionStore
    private let measures: [Measure]

    /// Measures a store.
    package init(_ store: any SessionStore, _ factory: any MetricsFactory) {
        self.store = store
        measures = Operation.allCases.map { operation in
            let dimensions = [("operation", operation.rawValue)]
            return Measure(
                duration: Timer(label: "session.store.duration", dimensions: dimensions, factory: factory),
                errors: Counter(label: "session.store.errors", dimensions: dimensions, factory: factory)
            )
        }
    }

    private func measure<Value>(_ operation: Operation, _ work: () async throws -> Value) async throws -> Value {
        let stopwatch = Stopwatch()
        let measure = measures[Operation.allCases.firstIndex(of: operation) ?? 0]
        defer { measure.duration.recordNanoseconds(stopwatch.nanoseconds) }
        do {
            return try await work()
        } catch {
            // A client that has gone says nothing about the store.
            if !(error is CancellationError) { measure.errors.increment() }
            throw error
        }
    }

    package func session(at key: SessionHash) -> Ready<SessionRecord?> {
        switch store.session(at: key) {
        case .ready(let record): .ready(record)
        case .pending(let work): .pending { try await measure(.read) { try await work() } }
        }
    }

    package func insert(_ record: SessionRecord) async throws {
        try await measure(.insert) { try await store.insert(record) }
    }

    package func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        try await measure(.replace) { try await store.replace(key, version: version, with: record) }
    }

    package func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try await measure(.touch) { try await store.touch(key, lastSeen: lastSeen, expiresAt: expiresAt) }
    }

    package func remove(_ key: SessionHash) async throws {
        try await measure(.remove) { try await store.remove(key) }
    }

    package func removeAll(of user: String, mount: String) async throws {
        try await measure(.removeAll) { try await store.removeAll(of: user, mount: mount) }
    }

    package func check() async throws { try await measure(.check) { try await store.check() } }
    package func sessionCount() async throws -> Int? { try await store.sessionCount() }
    package func close() async { await store.close() }
}
