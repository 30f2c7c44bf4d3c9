package import CoreMetrics

/// A store of sessions that measures its operations. Operations that don't wait aren't counted.
package struct MeasuredSessionStore: SessionStore {
    private static let operations = ["read", "insert", "replace", "touch", "remove", "remove-all", "check"]

    private let store: any SessionStore
    private let measures: StoreMeasures

    /// Measures a store.
    package init(_ store: any SessionStore, _ factory: any MetricsFactory) {
        self.store = store
        measures = StoreMeasures("session", operations: Self.operations, factory)
    }

    package func session(at key: SessionHash) -> Ready<SessionRecord?> {
        switch store.session(at: key) {
        case .ready(let record): .ready(record)
        case .pending(let work): .pending { try await measures.measure("read") { try await work() } }
        }
    }

    package func insert(_ record: SessionRecord) async throws {
        try await measures.measure("insert") { try await store.insert(record) }
    }

    package func replace(_ key: SessionHash, version: Int, with record: SessionRecord) async throws -> Bool {
        try await measures.measure("replace") { try await store.replace(key, version: version, with: record) }
    }

    package func touch(_ key: SessionHash, lastSeen: Int, expiresAt: Int) async throws {
        try await measures.measure("touch") { try await store.touch(key, lastSeen: lastSeen, expiresAt: expiresAt) }
    }

    package func remove(_ key: SessionHash) async throws {
        try await measures.measure("remove") { try await store.remove(key) }
    }

    package func removeAll(of user: String, mount: String) async throws {
        try await measures.measure("remove-all") { try await store.removeAll(of: user, mount: mount) }
    }

    package func check() async throws { try await measures.measure("check") { try await store.check() } }
    package func sessionCount() async throws -> Int? { try await store.sessionCount() }
    package func close() async { await store.close() }
}
