/// The versions of a file's tables. A released version never changes.
package struct Migrations: Sendable {
    /// The name comes from the library that kept this record in the first files.
    private static let record = "grdb_migrations"

    private let steps: [(name: String, sql: String)]

    /// - Parameter steps: the name of each version, and the statements that upgrade to it from the previous one.
    package init(_ steps: KeyValuePairs<String, String>) {
        self.steps = steps.map { ($0.key, $0.value) }
    }

    /// Brings a file up to date, completely or not at all.
    ///
    /// - Returns: false if a later version of the program has written the file. It then stays unchanged.
    /// - Throws: `DatabaseError`.
    package func run(on pool: DatabasePool) throws -> Bool {
        let names = Set(steps.map(\.name))
        // Most files are up to date, so that other callers needn't wait.
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
