internal import CSQLite
internal import Synchronization

/// A connection to a file of SQLite. One thread uses it at a time.
///
/// It keeps statements prepared, by their text.
@safe package final class Database {
    /// The maximum number of prepared statements to keep. Programs have a few dozen.
    private static let mostStatements = 100
    /// A long statement checks after this many steps of SQLite's machine whether its task was cancelled: some microseconds.
    private static let stepsBetweenLooks: Int32 = 1000

    /// Ends the statements of a cancelled task.
    var cancellation: Cancellation?
    private let pointer: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var isClosed = false

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file. A missing file is created, unless the connection only reads.
    ///   - busyTimeout: the time that a statement waits for other connections that lock the file.
    /// - Throws: `DatabaseError`. SQLite reads the file with the first statement: only then does it refuse a file that isn't a
    ///   database.
    package init(_ path: String, isReadOnly: Bool = false, busyTimeout: Duration = .seconds(10)) throws {
        var opened: OpaquePointer?
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let pointer = unsafe opened else {
            defer { unsafe sqlite3_close(opened) }
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
            throw DatabaseError(code: code, message: message ?? "out of memory", sql: nil)
        }
        unsafe self.pointer = unsafe pointer
        unsafe sqlite3_extended_result_codes(pointer, 1)
        let (seconds, attoseconds) = busyTimeout.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        unsafe sqlite3_busy_timeout(pointer, Int32(clamping: milliseconds))
        unsafe backlot_sqlite_refuse_quoted_texts(pointer)
        let ends: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
            guard let context = unsafe context else { return 0 }
            let database = unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
            return database.cancellation?.isSet == true ? 1 : 0
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(pointer, Self.stepsBetweenLooks, ends, context)
    }

    deinit { close() }

    /// Closes the connection. Nobody may use it any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // SQLite doesn't close a connection with open statements.
        statements = [:]
        unsafe sqlite3_close(pointer)
    }

    /// Whether a transaction has begun but not ended. Some errors end it, such as a full disk.
    package var isInsideTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }

    /// The number of rows that the last statement has inserted, changed or deleted.
    package var changesCount: Int { Int(unsafe sqlite3_changes(pointer)) }

    /// The number of prepared statements.
    var statementCount: Int { statements.count }

    /// Runs any number of statements without values, and doesn't keep them.
    package func execute(_ script: String) throws {
        try checkCancellation()
        let code = unsafe sqlite3_exec(pointer, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, script) }
    }

    /// Runs a statement.
    package func run(_ sql: String, _ values: [any DatabaseValue] = []) throws {
        try forEach(sql, values) { _ in true }
    }

    /// The value read from the first row; nil without rows.
    package func first<Value>(
        _ sql: String,
        _ values: [any DatabaseValue] = [],
        _ read: (borrowing Row) throws -> Value
    ) throws -> Value? {
        var found: Value?
        try forEach(sql, values) { row in
            found = try read(row)
            return false
        }
        return found
    }

    /// The values read from all rows.
    package func all<Value>(
        _ sql: String,
        _ values: [any DatabaseValue] = [],
        _ read: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var all: [Value] = []
        try forEach(sql, values) { row in
            all.append(try read(row))
            return true
        }
        return all
    }

    /// Visits the rows of a statement while SQLite finds them, until `visit` returns false.
    ///
    /// - Parameter values: the values of its parameters, which are written as `?`.
    /// - Throws: `DatabaseError`, `CancellationError`, and the errors of `visit`.
    package func forEach(
        _ sql: String,
        _ values: [any DatabaseValue] = [],
        _ visit: (borrowing Row) throws -> Bool
    ) throws {
        try checkCancellation()
        let statement = try statement(sql)
        guard values.count == statement.parameterCount else {
            let message = "the statement takes \(statement.parameterCount) values, and got \(values.count)"
            throw DatabaseError(code: SQLITE_MISUSE, message: message, sql: sql)
        }
        statement.isInUse = true
        defer {
            statement.reset()
            statement.isInUse = false
        }
        for (index, value) in values.enumerated() {
            let code = value.bind(to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code, sql) }
        }
        while true {
            switch statement.step() {
            case SQLITE_ROW: guard try visit(Row(statement: statement)) else { return }
            case SQLITE_DONE: return
            case let code: throw error(code, sql)
            }
        }
    }

    /// Runs `body` in a transaction, which takes effect completely or, if it throws, not at all.
    ///
    /// - Parameter kind: `DEFERRED` to read, of a single state of the file; `IMMEDIATE` to write.
    func transaction<Result>(_ kind: String, _ body: (Database) throws -> Result) throws -> Result {
        try run("BEGIN \(kind)")
        do {
            let result = try body(self)
            try run("COMMIT")
            return result
        } catch {
            cancellation = nil
            if isInsideTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// A statement that isn't in use.
    private func statement(_ sql: String) throws -> Statement {
        if let known = statements[sql], !known.isInUse { return known }
        let statement = try prepare(sql)
        if statements.count >= Self.mostStatements { statements = [:] }
        statements[sql] = statement
        return statement
    }

    private func prepare(_ sql: String) throws -> Statement {
        var prepared: OpaquePointer?
        var isWhole = true
        var text = sql
        let code = text.withUTF8 { bytes -> Int32 in
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            let start = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var end: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let code = unsafe sqlite3_prepare_v3(pointer, start, count, flags, &prepared, &end)
            if let start = unsafe start, let end = unsafe end {
                isWhole = unsafe bytes[(end - start)...].allSatisfy { UInt8(ascii: " ") >= $0 && $0 > 0 }
            }
            return code
        }
        guard code == SQLITE_OK else { throw error(code, sql) }
        let statement = unsafe prepared.map { unsafe Statement($0) }
        guard let statement, isWhole else {
            throw DatabaseError(code: SQLITE_MISUSE, message: "the text is not one statement", sql: sql)
        }
        return statement
    }

    private func checkCancellation() throws {
        if cancellation?.isSet == true { throw CancellationError() }
    }

    private func error(_ code: Int32, _ sql: String) -> any Error {
        if code & 0xff == SQLITE_INTERRUPT, cancellation?.isSet == true { return CancellationError() }
        return DatabaseError(code: code, message: unsafe String(cString: sqlite3_errmsg(pointer)), sql: sql)
    }
}

/// Whether a task that uses a connection was cancelled.
///
/// Connections check it, since `sqlite3_interrupt` ends only the statement that runs at that moment, even if it is another
/// task's.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
