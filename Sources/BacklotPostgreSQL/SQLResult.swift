internal import CPostgreSQL

/// The result of a statement: the rows that it returns, or the number of rows that it changed.
@safe package final class SQLResult: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// - Parameter pointer: a result without an error. This object frees it.
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe PQclear(pointer) }

    /// The number of rows that were inserted, updated, deleted or selected.
    package var count: Int { Int(unsafe String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The command that was executed, such as `COMMIT`.
    var tag: String { unsafe String(cString: PQcmdStatus(pointer)) }

    /// The values read from the rows.
    package func rows<Value>(_ read: (borrowing SQLRow) throws -> Value) throws -> [Value] {
        let count = Int(unsafe PQntuples(pointer))
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count { values.append(try read(SQLRow(result: self, index: Int32(index)))) }
        return values
    }

    fileprivate func field(_ row: Int32, _ column: Int) -> SQLField {
        let column = Int32(column)
        let type = SQLType(rawValue: unsafe PQftype(pointer, column))
        guard unsafe PQgetisnull(pointer, row, column) == 0 else { return unsafe SQLField(bytes: nil, type: type) }
        let count = Int(unsafe PQgetlength(pointer, row, column))
        return unsafe SQLField(
            bytes: UnsafeRawBufferPointer(start: PQgetvalue(pointer, row, column), count: count),
            type: type
        )
    }
}

/// A row of a result, valid only while it is being visited. Columns count from 0.
package struct SQLRow {
    fileprivate let result: SQLResult
    fileprivate let index: Int32

    fileprivate func field(_ column: Int) -> SQLField { result.field(index, column) }

    /// The value of a column: `bigint`, `integer` and `smallint` as an `Int`, `text` as a `String`, and `boolean`; other types as
    /// the bytes that PostgreSQL sends. `NULL` is nil.
    ///
    /// - Throws: `PostgreSQLError.unexpected` for another type, and for `NULL` unless the type is optional.
    package subscript<Value: SQLReadable>(column: Int) -> Value {
        get throws {
            let field = field(column)
            guard let value = Value.read(field) else {
                throw PostgreSQLError.unexpected(
                    field.isNull
                        ? "column \(column) is NULL"
                        : "column \(column) can't be read as \(Value.self): its type is \(field.type.rawValue)"
                )
            }
            return value
        }
    }
}

/// A value of a row in PostgreSQL's binary form, valid only while its row is being visited.
@safe package struct SQLField {
    private let bytes: UnsafeRawBufferPointer?
    let type: SQLType

    fileprivate init(bytes: UnsafeRawBufferPointer?, type: SQLType) {
        unsafe self.bytes = unsafe bytes
        self.type = type
    }

    /// Whether the value is `NULL`.
    var isNull: Bool { unsafe bytes == nil }
    /// The bytes; nil for `NULL`.
    var array: [UInt8]? { unsafe bytes.map { unsafe [UInt8]($0) } }
    /// The bytes as a text; nil for `NULL`.
    var text: String? { unsafe bytes.map { unsafe String(decoding: $0, as: UTF8.self) } }

    /// A number at an offset; nil if there aren't enough bytes.
    func number<Number: FixedWidthInteger>(_: Number.Type, at offset: Int = 0) -> Int? {
        guard let bytes = unsafe bytes, offset >= 0, offset + MemoryLayout<Number>.size <= bytes.count else {
            return nil
        }
        return Int(Number(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)))
    }

    /// The elements of a one-dimensional array, each read at an offset with a length; nil for another form.
    func elements<Element>(_ read: (_ offset: Int, _ length: Int) -> Element?) -> [Element]? {
        guard let dimensions = number(Int32.self) else { return nil }
        guard dimensions > 0 else { return [] }
        guard dimensions == 1, let count = number(Int32.self, at: 12), count >= 0 else { return nil }
        var elements: [Element] = []
        var offset = 20
        for _ in 0..<count {
            guard let length = number(Int32.self, at: offset), let element = read(offset + 4, length) else {
                return nil
            }
            elements.append(element)
            offset += 4 + length
        }
        return elements
    }

    /// A range of the bytes as text; nil if it is out of bounds.
    func text(at offset: Int, _ length: Int) -> String? {
        guard let bytes = unsafe bytes, length >= 0, offset + length <= bytes.count else { return nil }
        return unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]), as: UTF8.self)
    }
}

/// A type that columns can be read as.
package protocol SQLReadable {
    /// - Returns: nil for a value of another type.
    static func read(_ field: SQLField) -> Self?
}

extension Int: SQLReadable {
    package static func read(_ field: SQLField) -> Int? {
        switch field.type {
        case .int8: field.number(Int64.self)
        case .int4: field.number(Int32.self)
        case .int2: field.number(Int16.self)
        default: nil
        }
    }
}

extension Bool: SQLReadable {
    package static func read(_ field: SQLField) -> Bool? {
        field.type == .bool ? field.number(Int8.self).map { $0 != 0 } : nil
    }
}

extension String: SQLReadable {
    package static func read(_ field: SQLField) -> String? { SQLType.texts.contains(field.type) ? field.text : nil }
}

extension [UInt8]: SQLReadable {
    package static func read(_ field: SQLField) -> [UInt8]? { field.array }
}

extension [String] {
    /// The texts of a `text[]`.
    ///
    /// - Throws: `PostgreSQLError.unexpected` for another type.
    package init(_ row: borrowing SQLRow, _ column: Int) throws {
        let field = row.field(column)
        guard field.type == .textArray, let texts = field.elements({ field.text(at: $0, $1) }) else {
            throw PostgreSQLError.unexpected("column \(column) is not a text[]")
        }
        self = texts
    }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    package static func read(_ field: SQLField) -> Wrapped?? {
        guard !field.isNull else { return .some(nil) }
        guard let value = Wrapped.read(field) else { return nil }
        return .some(value)
    }
}
