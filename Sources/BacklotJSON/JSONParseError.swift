/// The first syntax error in a JSON document, with its position.
public struct JSONParseError: Error, Equatable, Sendable {
    /// The kinds of syntax errors.
    public enum Kind: Equatable, Sendable {
        /// The text is empty, or all white space.
        case emptyDocument
        /// The text begins with a byte order mark.
        case byteOrderMark
        /// The text ends inside a value.
        case unexpectedEnd(expected: Expectation)
        /// A byte is in the wrong place.
        case unexpectedByte(UInt8, expected: Expectation)
        /// A comma is before the end of an array or object.
        case trailingComma
        /// The document continues after its value.
        case trailingBytes
        /// A number doesn't follow JSON's syntax: a leading zero or plus, no digit after the point or the `e`.
        case invalidNumber
        /// A number is too large for a `Double`.
        case numberOutOfRange
        /// A string has no closing quote.
        case unterminatedString
        /// A string contains a control byte (below 0x20) without an escape.
        case controlByte(UInt8)
        /// A backslash doesn't begin a valid escape.
        case invalidEscape
        /// A `\u` escape is half of a surrogate pair, without the other half.
        case loneSurrogate
        /// The bytes of a string aren't UTF-8.
        case invalidUTF8
        /// A string has more than 128 combining marks in a row.
        case tooManyMarks
        /// An object has this key twice.
        case duplicateKey(String)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
    }

    /// The expected syntax.
    public enum Expectation: String, Equatable, Sendable {
        /// Any value.
        case value = "a value"
        /// A key, after `{` or a comma.
        case key = "a key in double quotes"
        /// The colon after a key.
        case colon = "':' after the key"
        /// The next element of an array, or its end.
        case commaOrArrayEnd = "',' or ']'"
        /// The next member of an object, or its end.
        case commaOrObjectEnd = "',' or '}'"
        /// One of JSON's three words.
        case literal = "true, false or null"
    }

    /// The kind of error.
    public let kind: Kind
    /// The number of bytes before the error.
    public let offset: Int
    /// The line of the error, from 1.
    public let line: Int
    /// The column of the error, from 1, counted in Unicode code points.
    public let column: Int
}

extension JSONParseError: CustomStringConvertible {
    /// The position, the error and the solution: `line 2, column 7 (byte 21): …`.
    public var description: String { "line \(line), column \(column) (byte \(offset)): \(kind)" }
}

extension JSONParseError.Kind: CustomStringConvertible {
    /// The error and the solution.
    public var description: String {
        switch self {
        case .emptyDocument: "the document is empty; write a value, such as {} or null"
        case .byteOrderMark: "the document begins with a byte order mark; save it as UTF-8 without one"
        case .unexpectedEnd(let expected):
            "the document ends where \(expected.rawValue) belongs; it may have been cut off"
        case .unexpectedByte(let byte, let expected): "found \(byte.printed) where \(expected.rawValue) belongs"
        case .trailingComma: "a comma stands before the end of the array or object; remove it"
        case .trailingBytes:
            "the document continues after its value; remove what follows, or put the values in an array"
        case .invalidNumber:
            "not a JSON number; write it like 0, -12, 0.5 or 1e9, without leading zeros or plus sign"
        case .numberOutOfRange:
            "the number is too large or too small; write one between 5e-324 and 1.8e308, or a string"
        case .unterminatedString: "the string has no end; add the closing double quote"
        case .controlByte(let byte):
            "the string holds the control byte \(byte.printed); write it as an escape, such as \\n or \\u0000"
        case .invalidEscape:
            "not a JSON escape; write one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hex digits"
        case .loneSurrogate:
            "half a surrogate pair; write both halves (\\ud83d\\ude00), or the character itself"
        case .invalidUTF8: "the string is not UTF-8; save the document as UTF-8"
        case .tooManyMarks: "the string has more than \(CombiningMarks.limit) combining marks in a row; remove some"
        case .duplicateKey(let key):
            "the key \(JSONValue.string(key)) is in this object twice; remove one of the two"
        case .tooDeep(let limit):
            "more than \(limit) arrays and objects in each other; nest less, or raise the depth limit"
        }
    }
}

extension UInt8 {
    /// The byte for an error message: `'a'`, or `0x0A` if it isn't visible.
    fileprivate var printed: String {
        if self > 0x20 && self < 0x7F { return "'\(Character(UnicodeScalar(self)))'" }
        let digits = String(self, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0x0\(digits)" : "0x\(digits)"
    }
}
