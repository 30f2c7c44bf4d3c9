internal import Backlot
internal import BacklotDatabase
internal import FoundationEssentials

/// The file of the sessions: how it is opened, and its tables.
enum SessionDatabase {
    /// How many pages of the file a connection keeps in memory, in KiB.
    private static let cacheSize = 16 * 1024
    /// How long a statement waits for another process that writes.
    private static let busyTimeout = Duration.seconds(2)
    private static let pageSize = 4096
    /// How much of the file readers see as memory, in bytes: a look-up among a million sessions then copies no pages
    /// (measured: 3.1 s of the processor for 100,000 requests instead of 5.4). The file never becomes shorter, so that
    /// only a disk that fails could make such memory unreadable.
    private static let mappedBytes = 1 << 30

    /// Opens a file or makes it, and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - path: where it is. The folder is made too.
    ///   - readers: how many threads read at a time.
    ///   - fileBytes: how large it may become; nil for as large as the disk lets it.
    /// - Throws: `SessionFileError`.
    static func open(_ path: String, readers: Int, fileBytes: Int?) throws(SessionFileError) -> DatabasePool {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        do throws(SessionFileError) {
            return try prepare(path, in: folder, readers: readers, fileBytes: fileBytes)
        } catch {
            guard FileClaim.isFull(folder) else { throw error }
            throw SessionFileError(
                path: path,
                problem: "the disk that holds the folder \(folder) is full",
                advice: "make room there, or name a file on another disk"
            )
        }
    }

    private static func prepare(
        _ path: String,
        in folder: String,
        readers: Int,
        fileBytes: Int?
    ) throws(SessionFileError) -> DatabasePool {
        try prepareFile(path, in: folder)
        // Sessions that are replaced count no more.
        var setUp = "PRAGMA cache_size = -\(cacheSize); PRAGMA recursive_triggers = ON;"
        if let fileBytes { setUp += "PRAGMA max_page_count = \(max(1, fileBytes / pageSize));" }
        do {
            let pool = try DatabasePool(
                path,
                label: "backlot.sessions",
                readers: readers + 1,
                busyTimeout: busyTimeout,
                setUp: setUp,
                setUpReaders: "PRAGMA mmap_size = \(mappedBytes)"
            )
            guard try migrations.run(on: pool) else {
                throw SessionFileError(path: path, problem: "a later version of this program has written it")
            }
            return pool
        } catch let error as SessionFileError {
            throw error
        } catch let error as DatabaseError {
            throw SessionFileError(path: path, problem: error.message)
        } catch {
            throw SessionFileError(path: path, problem: "\(error)")
        }
    }

    /// Makes the file so that only its owner can read it: it says who is logged in. SQLite gives the files beside it the
    /// same permissions.
    private static func prepareFile(_ path: String, in folder: String) throws(SessionFileError) {
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder else { throw SessionFileError(path: path, problem: "it is a folder") }
            guard manager.isWritableFile(atPath: path) else {
                throw SessionFileError(path: path, problem: "it can't be written to")
            }
            return
        }
        do {
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw SessionFileError(path: path, problem: "the folder \(folder) can't be made")
        }
        guard manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw SessionFileError(path: path, problem: "no file can be made in the folder \(folder)")
        }
    }

    private static let migrations = Migrations([
        "1: sessions": """
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
        """,
        "2: bound": """
        CREATE INDEX session_without_user ON session (expires_at) WHERE user IS NULL;
        CREATE TABLE session_total (count INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
        INSERT INTO session_total SELECT COUNT(*), COALESCE(SUM(\(size(of: "session"))), 0) FROM session;
        CREATE TRIGGER session_inserted AFTER INSERT ON session BEGIN
            UPDATE session_total SET count = count + 1, bytes = bytes + \(size(of: "NEW"));
        END;
        CREATE TRIGGER session_changed AFTER UPDATE OF user, "values" ON session BEGIN
            UPDATE session_total SET bytes = bytes + \(size(of: "NEW")) - \(size(of: "OLD"));
        END;
        CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN
            UPDATE session_total SET count = count - 1, bytes = bytes - \(size(of: "OLD"));
        END;
        """,
    ])

    /// The expression for what a session takes in the file, in bytes and rather too much: its row and entries of the indexes in pages
    /// that are two thirds full, and the last page of values that don't fit into the row.
    private static func size(of row: String) -> String {
        let values = "LENGTH(\(row).\"values\")"
        return "(512 + 2 * COALESCE(LENGTH(\(row).user), 0) + \(values) + 4096 * (\(values) > 700))"
    }
}

/// A file that no `SQLiteSessionStore` can keep its sessions in.
public struct SessionFileError: Error, Equatable, CustomStringConvertible {
    /// Where the file is, or should be.
    public let path: String
    /// The reason.
    public let problem: String
    /// What to do.
    let advice: String

    init(
        path: String,
        problem: String,
        advice: String = "name a file of SQLite, or a new one, in a folder that can be written to"
    ) {
        self.path = path
        self.problem = problem
        self.advice = advice
    }

    /// The reason, and what to do.
    public var description: String { "the sessions can't be kept in \(path): \(problem): \(advice)" }
}
