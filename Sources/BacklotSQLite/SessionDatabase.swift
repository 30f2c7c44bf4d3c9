internal import GRDB

/// The tables of sessions in a SQLite file.
enum SessionDatabase {
    /// Brings a file of any earlier version up to date.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("sessions") { db in
            try db.execute(
                sql: """
                    CREATE TABLE session (
                        key BLOB PRIMARY KEY NOT NULL,
                        mount TEXT NOT NULL,
                        user TEXT,
                        "values" BLOB NOT NULL,
                        created_at INTEGER NOT NULL,
                        last_seen INTEGER NOT NULL,
                        expires_at INTEGER NOT NULL,
                        version INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX session_by_user ON session (mount, user) WHERE user IS NOT NULL;
                    CREATE INDEX session_by_expiry ON session (expires_at);
                    """
            )
        }
        return migrator
    }
}
