internal import CSQLite

/// A prepared statement. Its connection outlives it.
@safe package final class Statement {
    let parameterCount: Int
    /// Whether its rows are being read.
    var isInUse = false
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        parameterCount = Int(unsafe sqlite3_bind_parameter_count(pointer))
    }

    deinit { unsafe sqlite3_finalize(pointer) }

    /// - Returns: `SQLITE_ROW`, `SQLITE_DONE`, or an error code.
    func step() -> Int32 { unsafe sqlite3_step(pointer) }

    /// Makes it ready for reuse, and drops its values.
    func reset() {
        unsafe sqlite3_reset(pointer)
        unsafe sqlite3_clear_bindings(pointer)
    }

    fileprivate func bindNull(_ index: Int32) -> Int32 { unsafe sqlite3_bind_null(pointer, index) }

    fileprivate func bind(_ number: Int64, _ index: Int32) -> Int32 {
        unsafe sqlite3_bind_int64(pointer, index, number)
    }

    fileprivate func bind(_ text: String, _ index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return unsafe backlot_sqlite_bind_text(pointer, index, bytes.baseAddress, count)
        }
    }

    fileprivate func bind(_ bytes: [UInt8], _ index: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return unsafe backlot_sqlite_bind_blob(pointer, index, bytes.baseAddress, count)
        }
    }

    fileprivate func isNull(_ column: Int) -> Bool { unsafe sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL }

    fileprivate func number(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(pointer, Int32(column)) }

    fileprivate func text(_ column: Int) -> String {
        guard let text = unsafe sqlite3_column_text(pointer, Int32(column)) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    fileprivate func bytes(_ column: Int) -> [UInt8] {
        guard let bytes = unsafe sqlite3_column_blob(pointer, Int32(column)) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

/// A value for a parameter of a statement: a number, a text (U+0000 included), bytes, or nil for `NULL`.
package protocol DatabaseValue: Sendable {
    /// - Parameter index: the number of the parameter, from 1 on.
    /// - Returns: SQLite's result code.
    func bind(to statement: Statement, at index: Int32) -> Int32
}

extension Int64: DatabaseValue {
    package func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, index) }
}

extension Int: DatabaseValue {
    package func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(Int64(self), index) }
}

extension String: DatabaseValue {
    package func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, index) }
}

extension [UInt8]: DatabaseValue {
    package func bind(to statement: Statement, at index: Int32) -> Int32 { statement.bind(self, index) }
}

extension Optional: DatabaseValue where Wrapped: DatabaseValue {
    package func bind(to statement: Statement, at index: Int32) -> Int32 {
        self?.bind(to: statement, at: index) ?? statement.bindNull(index)
    }
}

/// A row of a result, valid only while it is being visited. Columns count from 0. SQLite converts a value to the requested type;
/// `NULL` becomes nil, and 0 or empty unless the type is optional.
package struct Row: ~Copyable {
    let statement: Statement

    package subscript(column: Int) -> Int64 { statement.number(column) }
    package subscript(column: Int) -> Int { Int(truncatingIfNeeded: statement.number(column)) }
    package subscript(column: Int) -> String { statement.text(column) }
    package subscript(column: Int) -> [UInt8] { statement.bytes(column) }
    package subscript(column: Int) -> Int64? { statement.isNull(column) ? nil : statement.number(column) }
    package subscript(column: Int) -> String? { statement.isNull(column) ? nil : statement.text(column) }
}
