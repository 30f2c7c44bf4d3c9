import Backlot
import Logging
import TestSupport
import Testing

@testable import BacklotPostgreSQL

extension Trait where Self == ConditionTrait {
    /// Only where there is a server to test with.
    static var needsPostgreSQL: ConditionTrait {
        .enabled(
            if: PostgreSQLServer.isInstalled,
            "LEFT OUT: the tests with PostgreSQL: install Debian's postgresql"
        )
    }
}

extension PostgreSQLServer {
    /// Connections to the server.
    func database(
        user: String = "postgres",
        connections: Int = 2,
        timeout: Duration = .seconds(20),
        logger: Logger = .silent
    ) throws -> PostgreSQLDatabase {
        PostgreSQLDatabase(
            try PostgreSQLAddress(address(user: user)),
            connections: connections,
            timeout: timeout,
            logger: logger
        )
    }
}

extension PostgreSQLDatabase {
    /// The numbers of a statement's first column.
    func numbers(_ sql: String, _ values: [SQLValue] = []) async throws -> [Int] {
        try await query(sql, values) { try $0[0] }
    }
}

/// The error of statements that must fail.
func problem(_ body: () async throws -> Void) async throws -> PostgreSQLError {
    do {
        try await body()
    } catch let error as PostgreSQLError {
        return error
    }
    throw Unfailed()
}

/// Nothing has failed that should.
private struct Unfailed: Error {}
