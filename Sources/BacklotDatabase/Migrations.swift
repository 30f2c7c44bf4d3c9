/// The versions of a file's tables. A version that was released is never changed.
package struct Migrations: Sendable {
    /// The name is that of the library that kept this record in the first files.
    private static let record = "grdb_migrations"

    private let steps: [(name: String, sql: String)]

    /// - Parameter steps: the name of each version, and the statements that lead to it from the one before.
    package init(_ steps: KeyValuePairs<String, String>) {
        self.steps = steps.map { ($0.key, $0.value) }
    }

    /// Brings a file up to date, as a whole or not at all.
    ///
    /// - Returns: false when a later version of the program has written the file. Nothing is changed then.
    /// - Throws: `DatabaseError`.
    package func run(on pool: DatabasePool) throws -> Bool {
        let names = Set(steps.map(\.name))
        // Most files are up to date, and nobody else has to wait then.
        guard try pool.read({ try Self.applied($0) }) != names else { return true }
        return try pool.write { database in
            try database.execute("CREATE TABLE IF NOT EXISTS \(Self.record) (identifier TEXT NOT NULL PRIMARY KEY)")
            let applied = try Self.applied(database)
            guard applied.isSubset(of: names) else { return false }
            for step in steps where !applied.contains(step.name) {
                try database.execute(step.sql)
                try database.run("INSERT INTO \(Self.record) (identifier) VALUES (?)", [step.name])
            }
            return true
        }
    }

    private static func applied(_ database: Database) throws -> Set<String> {
        let isThere = try database.first("SELECT 1 FROM sqlite_master WHERE name = ?", [record]) { _ in true }
        guard isThere == true else { return [] }
        return Set(try database.all("SELECT identifier FROM \(record)") { $0[0] })
    }
}
