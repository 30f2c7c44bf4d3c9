internal import Backlot
internal import BacklotDatabase
internal import FoundationEssentials

/// Opens the file of the sessions, and defines its tables.
enum SessionDatabase {
    /// The memory for pages of the file that each connection keeps, in KiB.
    private static let cacheSize = 16 * 1024
    /// The time that a statement waits for another process that writes.
    private static let busyTimeout = Duration.seconds(2)
    private static let pageSize = 4096
    /// The part of the file that readers map into memory, in bytes. A look-up among a million sessions then copies no pages:
    /// 100,000 requests took 3.1 s of processor time instead of 5.4 s. The file never becomes shorter, so only a failing disk
    /// could make such memory unreadable.
    private static let mappedBytes = 1 << 30

    /// Opens or creates a file, and brings its tables up to date.
    ///
    /// - Parameters:
    ///   - path: the path of the file. A missing folder is created too.
    ///   - readers: the number of threads that read at a time.
    ///   - fileBytes: the largest size of the file; nil to limit it only by the disk.
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
        // Replaced sessions no longer count.
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

    /// Creates the file so that only its owner can read it, because it shows who is logged in. SQLite gives the files beside it
    /// the same permissions.
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

    /// The expression for the size of a session in the file, in bytes and rather too large. It counts the row and its index
    /// entries in pages that are two thirds full, and the last page of values that don't fit into the row.
    private static func size(of row: String) -> String {
        let values = "LENGTH(\(row).\"values\")"
        return "(512 + 2 * COALESCE(LENGTH(\(row).user), 0) + \(values) + 4096 * (\(values) > 700))"
    }
}

/// A file that `SQLiteSessionStore` can't use for its sessions.
public struct SessionFileError: Error, Equatable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The reason.
    public let problem: String
    /// A suggestion for a fix.
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

    /// The reason, and how to fix it.
    public var description: String { "the sessions can't be kept in \(path): \(problem): \(advice)" }
}
