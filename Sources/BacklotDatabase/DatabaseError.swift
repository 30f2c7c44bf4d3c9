internal import CSQLite

/// The reason why SQLite failed.
package struct DatabaseError: Error, CustomStringConvertible {
    /// The extended result code; see <https://www.sqlite.org/rescode.html>.
    package let code: Int32
    /// The reason in SQLite's words.
    package let message: String
    /// The statement that failed.
    package let sql: String?

    /// The file was used after it was closed.
    static let closed = DatabaseError(code: SQLITE_ABORT, message: "it is closed already", sql: nil)

    /// The kind of the error, without its details.
    package var primaryCode: Int32 { code & 0xff }
    /// Whether the file isn't a database.
    package var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }
    /// Whether the file can't be opened.
    package var cantOpen: Bool { primaryCode == SQLITE_CANTOPEN }
    /// Whether the file may only be read.
    package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
    /// Whether the disk is full, or the file has reached its size limit.
    package var isFull: Bool { primaryCode == SQLITE_FULL }
    /// Whether other connections have locked the file for too long.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY }

    /// Whether the same statement may succeed later: the problem is the disk, the memory, the rights, a lock on the file, or the
    /// end of the program. Otherwise the statement or the file is wrong.
    package var isPassing: Bool {
        switch primaryCode {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_NOMEM, SQLITE_BUSY,
            SQLITE_LOCKED,
            SQLITE_PROTOCOL, SQLITE_ABORT:
            true
        default: false
        }
    }

    /// The reason and the statement, on one line, without the statement's values.
    package var description: String {
        let statement = sql.map {
            " - while executing `\($0.split(whereSeparator: \.isWhitespace).joined(separator: " "))`"
        }
        return "SQLite error \(primaryCode): \(message)\(statement ?? "")"
    }
}
