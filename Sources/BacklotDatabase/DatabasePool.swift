package import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Connections that only read. Several callers read at a time.
package final class DatabaseReaders: Sendable {
    private let line: ConnectionLine

    /// Opens connections.
    ///
    /// - Parameters:
    ///   - path: the file, whose journal is in WAL mode.
    ///   - label: the name of the threads, for debuggers.
    ///   - count: how many callers read at a time. Others wait.
    ///   - qos: the priority of the threads of asynchronous reads.
    ///   - setUp: what each connection does first, such as `PRAGMA cache_size = 1000`.
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
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled, whatever the statement does.
    package func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result
    {
        try await line.use { try $0.transaction("DEFERRED", body) }
    }

    deinit { close() }

    /// Closes the connections, once those have been served who have one or wait for one, and blocks until then. Later reads fail.
    package func close() { line.close() }
}

/// A file of SQLite with one connection that writes and several that read. Neither waits for the other: the journal is in
/// WAL mode.
///
/// A body must not use the pool again.
package final class DatabasePool: Sendable {
    private let writer: ConnectionLine
    private let readers: DatabaseReaders

    /// Opens a file, or makes one that only its owner can read. What is written outlives a failure of the power (`synchronous = FULL`).
    ///
    /// - Parameters:
    ///   - path: the file. SQLite puts two others beside it, whose names end in `-wal` and `-shm`.
    ///   - label: the name of the threads, for debuggers.
    ///   - readers: how many callers read at a time.
    ///   - busyTimeout: how long writing waits for other processes that write.
    ///   - setUp: what each connection does first.
    ///   - setUpReaders: what those that read do then.
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

    /// Closes the file, once those have been served who use it or wait for it, and blocks until then. Later reads and writes fail.
    package func close() {
        // The last connection to close empties the journal, which one that only reads can't.
        readers.close()
        writer.close()
    }

    /// Reads a single state of the file, on this thread.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try readers.read(body)
    }

    /// Reads a single state of the file, on a thread of the connection.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled, whatever the statement does.
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
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before the end, which then has written
    ///   nothing.
    package func write<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result
    {
        try await writer.use { try $0.transaction("IMMEDIATE", body) }
    }

    /// Uses the connection that writes, on this thread. The body begins and ends its transactions itself.
    package func withWriter<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writer.use(body)
    }
}

/// Makes an empty file that only its owner can read, unless there is one. SQLite gives the files beside it the same permissions, and says
/// why it can't be made.
private func makeFile(_ path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
}
