package import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Connections that only read. Several callers can read at a time.
package final class DatabaseReaders: Sendable {
    private let line: ConnectionLine

    /// Opens connections.
    ///
    /// - Parameters:
    ///   - path: the file. Its journal must be in WAL mode.
    ///   - label: the name of the threads, for debuggers.
    ///   - count: the number of callers that read at a time. Others wait.
    ///   - qos: the priority of the threads of asynchronous reads.
    ///   - setUp: the first statements of each connection, such as `PRAGMA cache_size = 1000`.
    /// - Throws: `DatabaseError`.
    package init(_ path: String, label: String, count: Int, qos: DispatchQoS = .unspecified, setUp: String = "") throws
    {
        let databases = try (0..<count).map { _ in
            let database = try Database(path, isReadOnly: true)
            try database.execute(setUp)
            return database
        }
        line = ConnectionLine(databases, label: label, qos: qos)
    }

    /// Reads a single state of the file, on this thread.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try line.use { try $0.transaction("DEFERRED", body) }
    }

    /// Reads a single state of the file, on a thread of the connection.
    ///
    /// - Throws: the errors of `body`; `CancellationError` when the task is cancelled, even in the middle of a statement.
    package func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result
    {
        try await line.use { try $0.transaction("DEFERRED", body) }
    }

    deinit { close() }

    /// Closes the connections, once the current and waiting callers are done, and blocks until then. Later reads fail.
    package func close() { line.close() }
}

/// A file of SQLite with one connection that writes and several that read. They don't wait for each other, because the journal is
/// in WAL mode.
///
/// A body must not use the pool again.
package final class DatabasePool: Sendable {
    private let writer: ConnectionLine
    private let readers: DatabaseReaders

    /// Opens a file, or creates one that only its owner can read. Written data survives a power failure (`synchronous = FULL`).
    ///
    /// - Parameters:
    ///   - path: the file. SQLite has two more files beside it, with `-wal` and `-shm` added to the name.
    ///   - label: the name of the threads, for debuggers.
    ///   - readers: the number of callers that read at a time.
    ///   - busyTimeout: the time that a writer waits for other processes that write.
    ///   - setUp: the first statements of each connection.
    ///   - setUpReaders: the next statements of the connections that read.
    /// - Throws: `DatabaseError`.
    package init(
        _ path: String,
        label: String,
        readers: Int,
        busyTimeout: Duration = .seconds(10),
        setUp: String = "",
        setUpReaders: String = ""
    ) throws {
        makeFile(path)
        let database = try Database(path, busyTimeout: busyTimeout)
        try database.execute(setUp)
        let mode: String? = try database.first("PRAGMA journal_mode = WAL") { $0[0] }
        guard mode == "wal" else {
            throw DatabaseError(code: 1, message: "its disk can't have a journal in WAL mode", sql: nil)
        }
        try database.execute("PRAGMA synchronous = FULL")
        writer = ConnectionLine([database], label: "\(label).write", qos: .unspecified)
        let setUp = "\(setUp);\(setUpReaders)"
        self.readers = try DatabaseReaders(path, label: "\(label).read", count: readers, setUp: setUp)
    }

    deinit { close() }

    /// Closes the file, once the current and waiting callers are done, and blocks until then. Later reads and writes fail.
    package func close() {
        // The last connection to close empties the journal, which a read-only one can't do.
        readers.close()
        writer.close()
    }

    /// Reads a single state of the file, on this thread.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try readers.read(body)
    }

    /// Reads a single state of the file, on a thread of the connection.
    ///
    /// - Throws: the errors of `body`; `CancellationError` when the task is cancelled, even in the middle of a statement.
    package func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result
    {
        try await readers.read(body)
    }

    /// Writes in a transaction, on this thread.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writer.use { try $0.transaction("IMMEDIATE", body) }
    }

    /// Writes in a transaction, on a thread of the connection.
    ///
    /// - Throws: the errors of `body`; `CancellationError` when the task is cancelled before the end. The transaction then has no
    ///   effect.
    package func write<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result
    {
        try await writer.use { try $0.transaction("IMMEDIATE", body) }
    }

    /// Uses the connection that writes, on this thread. The body begins and ends its transactions itself.
    package func withWriter<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writer.use(body)
    }
}

/// Creates an empty file that only its owner can read, unless it exists. SQLite gives the files beside it the same permissions,
/// and reports the reason if it can't be created.
private func makeFile(_ path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
}
