import Backlot
import BacklotPostgreSQL
import FlokiPostgreSQL
import Foundation
import Logging
import TestSupport

/// A server for all tests that need no special settings, with a database for each test.
actor SharedPostgreSQL {
    static let shared = SharedPostgreSQL()
    private var starting: Task<PostgreSQLServer, any Error>?
    private var count = 0

    /// A new database.
    func database() async throws -> (server: PostgreSQLServer, name: String) {
        let starting = starting ?? Task { try await Self.start() }
        self.starting = starting
        count += 1
        let name = "test\(count)"
        let server = try await starting.value
        try server.psql("CREATE DATABASE \(name)")
        return (server, name)
    }

    private static let running = Locked<PostgreSQLServer?>(nil)

    /// Starts it for as long as the process lives.
    private static func start() async throws -> PostgreSQLServer {
        try await withCheckedThrowingContinuation { continuation in
            Task {
                do {
                    try await withPostgreSQL(settings: ["max_connections": "300"]) { server in
                        running.withLock { $0 = server }
                        atexit {
                            SharedPostgreSQL.running.withLock { server in
                                server?.kill()
                                if let folder = server?.folder { try? FileManager.default.removeItem(atPath: folder) }
                            }
                        }
                        continuation.resume(returning: server)
                        while true { try await Task.sleep(for: .seconds(3600)) }
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}

extension PostgreSQLServer {
    /// The store of a server that shares this one.
    ///
    /// - Parameter patience: the limit of a search: so long that a busy machine ends none early.
    func feeds(
        user: String = "postgres",
        database: String = "postgres",
        configurations: [String: String] = [:],
        connections: Int = 2,
        timeout: Duration = .seconds(20),
        patience: Duration = .seconds(60),
        clock: SessionClock = .system
    ) throws -> PostgreSQLFeedStore {
        let address = try PostgreSQLAddress(address(user: user, database: database))
        let store = PostgreSQLFeedStore(
            PostgreSQLDatabase(address, connections: connections, timeout: timeout, logger: .silent),
            configurations: configurations,
            clock: clock,
            logger: .silent
        )
        store.patience.withLock { $0 = patience }
        return store
    }
}
