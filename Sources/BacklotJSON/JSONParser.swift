extension JSONValue {
    /// Reads a document strictly by RFC 8259: UTF-8 without a byte order mark, a single value, no trailing commas, no comments, no
    /// lone surrogates. Also, an object may not repeat a key, and a string has at most 128 combining marks in a row.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - depthLimit: The maximum nesting of arrays and objects, 1 to 512. Reading uses the stack once per level.
    /// - Throws: ``JSONParseError`` with the first error and its position.
    public init(parsing bytes: Span<UInt8>, depthLimit: Int = 64) throws(JSONParseError) {
        precondition((1...512).contains(depthLimit), "depthLimit must be between 1 and 512")
        var parser = JSONParser(depthLimit: depthLimit)
        do {
            self = try parser.document(bytes)
        } catch {
            throw error.located(in: bytes)
        }
    }

    /// Reads a document, like ``init(parsing:depthLimit:)-(Span<UInt8>,_)``.
    public init(parsing bytes: [UInt8], depthLimit: Int = 64) throws(JSONParseError) {
        try self.init(parsing: bytes.span, depthLimit: depthLimit)
    }

    /// Reads a document, like ``init(parsing:depthLimit:)-(Span<UInt8>,_)``.
    public init(parsing text: String, depthLimit: Int = 64) throws(JSONParseError) {
        try self.init(parsing: text.utf8.span, depthLimit: depthLimit)
    }
}

/// An error and its byte offset, before lines are counted.
struct BareJSONError: Error {
    let kind: JSONParseError.Kind
    let offset: Int

    func located(in bytes: Span<UInt8>) -> JSONParseError {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            if bytes[index] == 0x0A {
                line += 1
                column = 1
            } else if bytes[index] & 0xC0 != 0x80 {  // not the second or later byte of a code point
                column += 1
            }
        }
        return JSONParseError(kind: kind, offset: offset, line: line, column: column)
    }
}

/// The grammar of RFC 8259, sections 2 to 5: one method per rule. Each starts at `position` and moves it past the part that it
/// reads.
struct JSONParser {
    let depthLimit: Int
    var position = 0
    private var depth = 0

    init(depthLimit: Int) { self.depthLimit = depthLimit }

    mutating func document(_ bytes: Span<UInt8>) throws(BareJSONError) -> JSONValue {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw BareJSONError(kind: .byteOrderMark, offset: 0)
        }
        skipSpace(bytes)
        guard position < bytes.count else { throw BareJSONError(kind: .emptyDocument, offset: position) }
        let value = try value(bytes)
        skipSpace(bytes)
        guard position == bytes.count else { throw BareJSONError(kind: .trailingBytes, offset: position) }
        return value
    }

    mutating func value(_ bytes: Span<UInt8>) throws(BareJSONError) -> JSONValue {
        switch try peek(bytes, expecting: .value) {
        case .openBrace: return .object(try object(bytes))
        case .openBracket: return .array(try array(bytes))
        case .quote: return .string(try string(bytes))
        case .minus, .plus, .point, UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number(bytes))
        case UInt8(ascii: "t"): return try literal("true", .bool(true), bytes)
        case UInt8(ascii: "f"): return try literal("false", .bool(false), bytes)
        case UInt8(ascii: "n"): return try literal("null", .null, bytes)
        case let byte: throw BareJSONError(kind: .unexpectedByte(byte, expected: .value), offset: position)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>) throws(BareJSONError) -> JSONObject {
        try enter()
        var object = JSONObject()
        var keys = KeySet()
        guard try !endsAtOnce(.closeBrace, expecting: .key, bytes) else { return object }
        repeat {
            let start = position
            let key = try key(bytes)
            guard keys.insert(key, in: object) else {
                throw BareJSONError(kind: .duplicateKey(key), offset: start)
            }
            object.append(key, try value(bytes))
        } while try continues(.closeBrace, expecting: .commaOrObjectEnd, bytes)
        return object
    }

    /// A key, the colon after it, and the white space around the colon.
    mutating func key(_ bytes: Span<UInt8>) throws(BareJSONError) -> String {
        guard try peek(bytes, expecting: .key) == .quote else {
            throw BareJSONError(kind: .unexpectedByte(bytes[position], expected: .key), offset: position)
        }
        let key = try string(bytes)
        skipSpace(bytes)
        guard try peek(bytes, expecting: .colon) == .colon else {
            throw BareJSONError(kind: .unexpectedByte(bytes[position], expected: .colon), offset: position)
        }
        position += 1
        skipSpace(bytes)
        return key
    }

    private mutating func array(_ bytes: Span<UInt8>) throws(BareJSONError) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        guard try !endsAtOnce(.closeBracket, expecting: .value, bytes) else { return elements }
        repeat {
            elements.append(try value(bytes))
        } while try continues(.closeBracket, expecting: .commaOrArrayEnd, bytes)
        return elements
    }

    private mutating func literal(
        _ word: String,
        _ value: JSONValue,
        _ bytes: Span<UInt8>
    ) throws(BareJSONError) -> JSONValue {
        let start = position
        for expected in word.utf8 {
            guard position < bytes.count else {
                throw BareJSONError(kind: .unexpectedEnd(expected: .literal), offset: position)
            }
            guard bytes[position] == expected else {
                throw BareJSONError(kind: .unexpectedByte(bytes[start], expected: .literal), offset: start)
            }
            position += 1
        }
        return value
    }

    // MARK: Steps that the rules share

    /// The byte at the current position, which must not be the end.
    private func peek(
        _ bytes: Span<UInt8>,
        expecting expected: JSONParseError.Expectation
    ) throws(BareJSONError) -> UInt8 {
        guard position < bytes.count else {
            throw BareJSONError(kind: .unexpectedEnd(expected: expected), offset: position)
        }
        return bytes[position]
    }

    /// Moves past an opening bracket.
    mutating func enter() throws(BareJSONError) {
        guard depth < depthLimit else { throw BareJSONError(kind: .tooDeep(limit: depthLimit), offset: position) }
        depth += 1
        position += 1
    }

    /// Whether the container is empty, right after an opening bracket. If so, it moves past the closing bracket.
    mutating func endsAtOnce(
        _ end: UInt8,
        expecting expected: JSONParseError.Expectation,
        _ bytes: Span<UInt8>
    ) throws(BareJSONError) -> Bool {
        skipSpace(bytes)
        guard try peek(bytes, expecting: expected) == end else { return false }
        position += 1
        depth -= 1
        return true
    }

    /// Whether another member or element follows. It moves past the comma, or past the closing bracket.
    mutating func continues(
        _ end: UInt8,
        expecting expected: JSONParseError.Expectation,
        _ bytes: Span<UInt8>
    ) throws(BareJSONError) -> Bool {
        skipSpace(bytes)
        let byte = try peek(bytes, expecting: expected)
        if byte == end {
            position += 1
            depth -= 1
            return false
        }
        guard byte == .comma else {
            throw BareJSONError(kind: .unexpectedByte(byte, expected: expected), offset: position)
        }
        let comma = position
        position += 1
        skipSpace(bytes)
        if position < bytes.count, bytes[position] == end {
            throw BareJSONError(kind: .trailingComma, offset: comma)
        }
        return true
    }

    mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
    }
}

/// The keys of one object, for finding repeated keys. A hostile document with 100,000 keys must not take 100,000² comparisons, and
/// an ordinary one must not pay for hashing.
private struct KeySet {
    private static let fewKeys = 20

    private var hashed: Set<ExactKey> = []

    /// Whether `key` is new; `object` holds the members so far.
    mutating func insert(_ key: String, in object: JSONObject) -> Bool {
        guard object.count >= Self.fewKeys else { return object[key] == nil }
        if hashed.isEmpty { hashed = Set(object.keys.map(ExactKey.init)) }
        return hashed.insert(ExactKey(text: key)).inserted
    }
}

/// Numbers: RFC 8259, section 6.
extension JSONParser {
    mutating func number(_ bytes: Span<UInt8>) throws(BareJSONError) -> JSONNumber {
        let start = position
        let isNegative = skip(.minus, bytes)
        let firstDigit = position
        guard skipDigits(bytes) > 0, bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
            throw BareJSONError(kind: .invalidNumber, offset: start)
        }
        let digits = firstDigit..<position
        var isInteger = true
        if skip(.point, bytes) {
            isInteger = false
            guard skipDigits(bytes) > 0 else { throw BareJSONError(kind: .invalidNumber, offset: start) }
        }
        if skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) {
            isInteger = false
            if !skip(.plus, bytes) { _ = skip(.minus, bytes) }
            guard skipDigits(bytes) > 0 else { throw BareJSONError(kind: .invalidNumber, offset: start) }
        }
        if isInteger, let whole = integer(bytes, digits, isNegative: isNegative) { return whole }
        let text = String(decoding: (start..<position).map { bytes[$0] }, as: UTF8.self)
        var isZero: Bool { text.prefix { $0 != "e" && $0 != "E" }.allSatisfy { "-0.".contains($0) } }
        // Foundation's decoder, and therefore Applin's client, refuses numbers that are nearer to 0 than any `Double`.
        guard let value = Double(text), let number = JSONNumber(value), value != 0 || isZero else {
            throw BareJSONError(kind: .numberOutOfRange, offset: start)
        }
        return number
    }

    /// An integer without loss; nil if it fits neither `Int64` nor `UInt64`.
    private func integer(_ bytes: Span<UInt8>, _ digits: Range<Int>, isNegative: Bool) -> JSONNumber? {
        var magnitude: UInt64 = 0
        for index in digits {
            let (shifted, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = shifted.addingReportingOverflow(UInt64(bytes[index] - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            magnitude = sum
        }
        guard isNegative else { return JSONNumber(magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return JSONNumber(Int64(truncatingIfNeeded: 0 &- magnitude))
    }

    private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) -> Int {
        let start = position
        while position < bytes.count, bytes[position].isDigit { position += 1 }
        return position - start
    }
}
