/// The versions of some tables. A released version never changes.
package struct PostgreSQLMigrations: Sendable {
    /// The longest time of a step on the server.
    private static let limit = Duration.seconds(600)

    /// The name of this set of tables, such as `sessions`: the key in the table `backlot_version`, and used in messages.
    package let name: String
    private let steps: [String]

    /// - Parameter steps: a keyword for each version, and the statements that upgrade to it from the previous one.
    package init(name: String, steps: KeyValuePairs<String, String>) {
        self.name = name
        self.steps = steps.map(\.value)
    }

    /// Brings the tables up to date, completely or not at all. Several servers may do so at once.
    ///
    /// A role without the right to create tables can use tables that are up to date.
    ///
    /// - Throws: `PostgreSQLError`.
    func run(on database: PostgreSQLDatabase) async throws {
        let version = try await database.transaction(.readOnly) { try Self.version(name, $0) }
        guard try isOlder(version) else { return }
        try await database.transaction { connection in
            let end = ContinuousClock.now + Self.limit
            let milliseconds = Int(Self.limit / .milliseconds(1))
            try connection.pipeline([
                SQLStatement("SELECT set_config('lock_timeout', current_setting('statement_timeout'), true)"),
                SQLStatement("SELECT set_config('statement_timeout', $1, true)", [.text("\(milliseconds)")]),
                // The number is common to all programs that create tables in this way.
                SQLStatement("SELECT pg_advisory_xact_lock(7096021466219153664)"),
                SQLStatement(
                    "CREATE TABLE IF NOT EXISTS backlot_version (name text PRIMARY KEY, version bigint NOT NULL)"
                ),
            ])
            let version = try Self.version(name, connection)
            guard try isOlder(version) else { return }
            for step in steps[version...] { try connection.execute(step, until: end) }
            try connection.run(
                "INSERT INTO backlot_version VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version",
                [.text(name), .integer(steps.count)]
            )
        }
    }

    /// - Throws: `PostgreSQLError.laterVersion`.
    private func isOlder(_ version: Int) throws(PostgreSQLError) -> Bool {
        guard 0...steps.count ~= version else {
            throw .laterVersion(tables: name, stored: version, known: steps.count)
        }
        return version < steps.count
    }

    private static func version(_ name: String, _ connection: PostgreSQLConnection) throws -> Int {
        let find = "SELECT to_regclass('backlot_version') IS NOT NULL"
        guard try connection.query(find, read: { row -> Bool in try row[0] }) == [true] else { return 0 }
        let sql = "SELECT version FROM backlot_version WHERE name = $1"
        return try connection.query(sql, [.text(name)]) { row -> Int in try row[0] }.first ?? 0
    }
}
