import Foundation
import TestSupport
import Testing

@testable import Backlot
@testable import BacklotPostgreSQL

/// Servers that hang, are restarted, killed, or not there.
@Suite(.needsPostgreSQL, .timeLimit(.minutes(5)))
struct AwayServerTests {
    @Test func `A server that hangs fails within a bounded time, and is asked again when it goes on`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(timeout: .milliseconds(300))
            try await responses(database)
            server.hold()
            #expect(try await problem { _ = try await database.numbers("SELECT 1") } == .timeout)
            server.release()
            try await responses(database)
        }
    }

    @Test func `Of several hosts, one that hangs or isn't there is passed over, and one that can't be written to`()
        async throws
    {
        try await withPostgreSQL { follower in
            follower.stop()
            try follower.follow()
            try await withPostgreSQL { hanging in
                try await withPostgreSQL { server in
                    hanging.hold()
                    let hosts = "/nowhere,\(hanging.folder),\(follower.folder),\(server.folder)"
                    let url = "postgres://postgres@/postgres?host=\(hosts)&target_session_attrs=read-write"
                    let database = PostgreSQLDatabase(
                        try PostgreSQLAddress(url),
                        connections: 1,
                        timeout: .seconds(2),
                        logger: .silent
                    )
                    try await firstSuccess { try await database.run("CREATE TABLE IF NOT EXISTS here (n bigint)") }
                    #expect(try server.psql("SELECT count(*) FROM here") == "0")
                }
            }
        }
    }

    @Test func `A restart that takes a moment is noticed by nobody who has nothing under way`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(connections: 3, timeout: .seconds(30))
            #expect(try await database.numbers("SELECT 1") == [1])
            server.stop()
            async let waiting = database.numbers("SELECT 2")
            async let transaction = database.transaction {
                try $0.query("SELECT 3") { row -> Int in Int(try row[0] as Int) }
            }
            try server.start()
            #expect(try await waiting == [2])
            #expect(try await transaction == [3])
        }
    }

    @Test func `After SIGKILL what was committed is there, and what is under way fails or is repeated`() async throws {
        try await withPostgreSQL(isDurable: true) { server in
            let database = try server.database(connections: 2, timeout: .seconds(200))
            try await database.run("CREATE TABLE t (n bigint PRIMARY KEY)")
            let count = Locked(0)
            let kept = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        // Every second one waits for the disk together with others.
                        let insert = "INSERT INTO t VALUES ($1)"
                        let isGrouped = number % 2 == 0
                        guard (try? await database.run(insert, [.integer(number)], isGrouped: isGrouped)) != nil else {
                            return nil
                        }
                        if count.withLock({
                            $0 += 1; return $0 == 50
                        }) {
                            server.kill()
                            try server.start()
                        }
                        return number
                    }
                    // Statements that only read are repeated.
                    group.addTask {
                        _ = try await database.query("SELECT 1", [], .readOnly) { _ in 0 }
                        return nil
                    }
                }
                return try await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
            }
            #expect(kept.count >= 50)
            let found = Set(try await database.numbers("SELECT n FROM t"))
            #expect(kept.isSubset(of: found))
        }
    }

    @Test func `A transaction whose connection is lost before its end is repeated`() async throws {
        try await withPostgreSQL { server in
            let database = try server.database(timeout: .seconds(30))
            try await database.run("CREATE TABLE t (n bigint)")
            let attempts = Locked(0)
            try await database.transaction { connection in
                try connection.run("INSERT INTO t VALUES (1)")
                if attempts.withLock({
                    $0 += 1; return $0 == 1
                }) {
                    try server.restart()
                    try connection.run("INSERT INTO t VALUES (2)")
                }
            }
            #expect(attempts.withLock { $0 } == 2)
            #expect(try await database.numbers("SELECT n FROM t") == [1])
        }
    }

    @Test func `A server that is away fails within a bounded time, with 503 and when to try again`() async throws {
        try await withPostgreSQL { server in
            server.stop()
            let database = try server.database(timeout: .milliseconds(300))
            let begun = ContinuousClock.now
            for _ in 0..<3 {
                let error = try await problem { _ = try await database.numbers("SELECT 1") }
                guard case .away = error else { return #expect(error == .away("")) }
                #expect(error.status == .serviceUnavailable)
                #expect(error.headers == [.retryAfter: "5"])
            }
            // Not a bound on speed: without a limit it would be tried for ever.
            #expect(begun.duration(to: .now) < .seconds(30))
            try server.start()
            try await responses(database)
        }
    }

    /// Waits until the database responds.
    private func responses(_ database: PostgreSQLDatabase) async throws {
        #expect(try await firstSuccess { try await database.numbers("SELECT 1") } == [1])
    }
}
