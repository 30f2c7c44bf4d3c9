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
    ///   - maximumBytes: how large it may become; nil for as large as the disk lets it.
    /// - Throws: `SessionFileError`.
    static func open(_ path: String, readers: Int, maximumBytes: Int?) throws(SessionFileError) -> DatabasePool {
        try prepareFile(path)
        var setUp = "PRAGMA cache_size = -\(cacheSize);"
        if let maximumBytes { setUp += "PRAGMA max_page_count = \(max(1, maximumBytes / pageSize));" }
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
    private static func prepareFile(_ path: String) throws(SessionFileError) {
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder else { throw SessionFileError(path: path, problem: "it is a folder") }
            guard manager.isWritableFile(atPath: path) else {
                throw SessionFileError(path: path, problem: "it can't be written to")
            }
            return
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
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
        """
    ])
}

/// A file that no `SQLiteSessionStore` can keep its sessions in.
public struct SessionFileError: Error, Equatable, CustomStringConvertible {
    /// Where the file is, or should be.
    public let path: String
    /// The reason.
    public let problem: String

    /// The reason, and what to do.
    public var description: String {
        "the sessions can't be kept in \(path): \(problem): name a file of SQLite, or a new one, in a folder that can be "
            + "written to"
    }
}
