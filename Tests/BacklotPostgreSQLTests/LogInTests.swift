import Foundation
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotPostgreSQL

/// Passwords, databases that aren't there, and TLS.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(5)))
struct LogInTests {
    private static let authority = TestAuthority.shared

    /// Calls `body` with a server that listens on TCP, with a role `ada` and her password.
    private func withServer(
        _ identity: TestIdentity = authority.issue(),
        _ body: (PostgreSQLServer, _ authority: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = try folder.write(Self.authority.certificate, to: "authority.pem")
            try await withPostgreSQL(tls: identity) { server in
                try server.psql("CREATE ROLE ada LOGIN PASSWORD 's@cret/%'")
                try await body(server, file)
            }
        }
    }

    private func database(_ url: String, timeout: Duration) throws -> PostgreSQLDatabase {
        PostgreSQLDatabase(try PostgreSQLAddress(url), connections: 1, timeout: timeout, logger: .silent)
    }

    private func outcome(_ url: String) async throws -> String {
        let isSecure = try await database(url, timeout: .seconds(60)).query(
            "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        ) { row -> Bool in try row[0] }
        return isSecure == [true] ? "over TLS" : "in clear text"
    }

    /// The reason for a refused connection: one that contains the text, or the last one.
    private func refusal(_ url: String, _ text: String) async throws -> String {
        let database = try database(url, timeout: .seconds(2))
        return try await failureReason(containing: text) { _ = try await database.numbers("SELECT 1") }
    }

    @Test func `A wrong password, role or database is said, and no password`() async throws {
        try await withServer { server, _ in
            let port = try #require(server.port)
            for (login, database, text) in [
                ("ada:wr%40ng", "postgres", "password authentication failed for user \"ada\""),
                ("nobody:s%40cret%2F%25", "postgres", "password authentication failed for user \"nobody\""),
                ("ada", "postgres", "fe_sendauth: no password supplied"),
                ("ada:s%40cret%2F%25", "nowhere", "database \"nowhere\" does not exist"),
            ] {
                let found = try await refusal("postgres://\(login)@127.0.0.1:\(port)/\(database)", text)
                #expect(found.hasPrefix("there is no connection to PostgreSQL: "), "\(found)")
                #expect(found.contains(text), "\(found)")
                #expect(!found.contains("cret") && !found.contains("wr@ng"), "\(found)")
            }
        }
    }

    @Test func `A server's certificate is looked at where the address says so`() async throws {
        try await withServer { server, authority in
            let address = "postgres://ada:s%40cret%2F%25@localhost:\(try #require(server.port))/postgres"
            #expect(try await outcome(address) == "over TLS")
            #expect(try await outcome("\(address)?sslmode=disable") == "in clear text")
            #expect(try await outcome("\(address)?sslmode=verify-full&sslrootcert=\(authority)") == "over TLS")
        }
        try await withServer(TestAuthority().issue()) { server, authority in
            let address = "postgres://ada:s%40cret%2F%25@localhost:\(try #require(server.port))/postgres"
            let found = try await refusal("\(address)?sslmode=verify-full&sslrootcert=\(authority)", "SSL error: ")
            #expect(found.contains("SSL error: "), "\(found)")
            #expect(try await outcome("\(address)?sslmode=require") == "over TLS")
        }
        try await withServer(Self.authority.issue(names: "DNS:db")) { server, authority in
            let address = "postgres://ada:s%40cret%2F%25@localhost:\(try #require(server.port))/postgres"
            let text = "does not match host name \"localhost\""
            let found = try await refusal("\(address)?sslmode=verify-full&sslrootcert=\(authority)", text)
            #expect(found.contains(text), "\(found)")
            #expect(try await outcome("\(address)?sslmode=verify-ca&sslrootcert=\(authority)") == "over TLS")
        }
    }
}
