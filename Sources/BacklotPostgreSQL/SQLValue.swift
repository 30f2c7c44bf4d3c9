/// A value for a parameter of a statement.
package enum SQLValue: Sendable, Equatable {
    /// `bigint`.
    case integer(Int)
    /// `text`; PostgreSQL refuses U+0000.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// `bigint[]`.
    case integers([Int])
    /// `text[]`.
    case texts([String])
    /// `NULL`, of the type expected by the statement.
    case null

    /// A text, or `NULL`.
    package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    /// A number, or `NULL`.
    package static func optional(_ number: Int?) -> SQLValue { number.map { .integer($0) } ?? .null }

    /// The type of PostgreSQL.
    var type: SQLType {
        switch self {
        case .integer: .int8
        case .text: .text
        case .bytes: .bytea
        case .integers: .int8Array
        case .texts: .textArray
        case .null: .unknown
        }
    }

    /// Writes the value in PostgreSQL's binary form.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .integer(let number): Self.append(Int64(number), to: &bytes)
        case .text(let text): bytes += text.utf8
        case .bytes(let value): bytes += value
        case .integers(let numbers):
            Self.appendHeader(of: numbers.count, .int8, to: &bytes)
            for number in numbers {
                Self.append(Int32(8), to: &bytes)
                Self.append(Int64(number), to: &bytes)
            }
        case .texts(let texts):
            Self.appendHeader(of: texts.count, .text, to: &bytes)
            for text in texts {
                Self.append(Int32(clamping: text.utf8.count), to: &bytes)
                bytes += text.utf8
            }
        case .null: break
        }
    }

    /// Writes the number of dimensions, whether there is a NULL, the type, and the dimension's length and first index.
    private static func appendHeader(of count: Int, _ type: SQLType, to bytes: inout [UInt8]) {
        append(Int32(count == 0 ? 0 : 1), to: &bytes)
        append(Int32(0), to: &bytes)
        append(type.rawValue, to: &bytes)
        guard count > 0 else { return }
        append(Int32(clamping: count), to: &bytes)
        append(Int32(1), to: &bytes)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

/// The types of PostgreSQL that can be read and written, by their numbers in `pg_type`.
package struct SQLType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    static let unknown = SQLType(rawValue: 0)
    static let bool = SQLType(rawValue: 16)
    static let bytea = SQLType(rawValue: 17)
    static let int8 = SQLType(rawValue: 20)
    static let int2 = SQLType(rawValue: 21)
    static let int4 = SQLType(rawValue: 23)
    static let text = SQLType(rawValue: 25)
    static let int8Array = SQLType(rawValue: 1016)
    static let textArray = SQLType(rawValue: 1009)

    /// The types with a binary form that equals their text: `name`, `text`, `json`, `unknown`, `bpchar` and `varchar`.
    static let texts = [19, 25, 114, 705, 1042, 1043].map(SQLType.init(rawValue:))
}

/// A statement with the values of its parameters, which are written as `$1`, `$2`….
package struct SQLStatement: Sendable {
    package var sql: String
    package var values: [SQLValue]

    package init(_ sql: String, _ values: [SQLValue] = []) {
        self.sql = sql
        self.values = values
    }
}
