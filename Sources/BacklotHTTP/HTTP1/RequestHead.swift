internal import Synchronization

/// A request's head: its bytes, and the ranges of its parts. Strings are created only on demand.
final class RequestHead: Sendable {
    let bytes: [UInt8]
    /// The request line, with a target that is percent-encoded throughout.
    let line: RequestLine
    let fields: FieldTable
    let framing: BodyFraming
    /// Whether the client lets the connection stay open after this request.
    let isPersistent: Bool
    /// Whether the client waits for a 100 before it sends the body.
    let expectsContinue: Bool
    /// The number of bytes of the head, including empty lines before it.
    let length: Int
    /// The head that this one was derived from, which holds the notes; nil for a head with its own notes.
    let original: RequestHead?
    let noted = NotedNumbers()

    init(
        bytes: [UInt8],
        line: RequestLine,
        fields: FieldTable,
        framing: BodyFraming,
        isPersistent: Bool,
        expectsContinue: Bool,
        length: Int,
        original: RequestHead? = nil
    ) {
        if line.isRaw {
            var (bytes, line) = (bytes, line)
            line.encode(in: &bytes)
            (self.bytes, self.line) = (bytes, line)
        } else {
            (self.bytes, self.line) = (bytes, line)
        }
        self.fields = fields
        self.framing = framing
        self.isPersistent = isPersistent
        self.expectsContinue = expectsContinue
        self.length = length
        self.original = original
    }

    /// The index of the first field, from `start` on, that satisfies `isWanted`; nil if no field does.
    @inline(__always)
    func firstField(from start: Int = 0, where isWanted: (FieldRange) -> Bool) -> Int? {
        // By index: a sequence would copy the whole table.
        for index in start..<fields.count where isWanted(fields[index]) { return index }
        return nil
    }

    /// Whether the method is `text`.
    @inline(__always)
    func isMethod(_ text: StaticString) -> Bool {
        let bytes = bytes
        return bytes.span.equals(line.method, text)
    }

    /// Whether it is a GET that asks for the WebSocket protocol (RFC 6455, section 4.1).
    var asksForWebSocket: Bool {
        guard fields.mayHave("upgrade"), isMethod("GET") else { return false }
        let bytes = bytes
        let span = bytes.span
        return firstField {
            span.equals($0.name, ignoringCase: "upgrade") && span.equals($0.value, ignoringCase: "websocket")
        } != nil
    }

    func string(_ range: Range<Int>) -> String {
        let bytes = bytes
        return bytes.span.string(range)
    }
}

/// The ranges of a head's fields, in their order. The first twelve are stored inline, without heap memory; few heads
/// have more.
struct FieldTable: Sendable, RandomAccessCollection {
    private static let countInPlace = 12

    private var inPlace = InlineArray<12, FieldRange>(repeating: FieldRange(name: 0..<0, value: 0..<0))
    private var more: [FieldRange] = []
    private(set) var endIndex = 0
    /// Bit sets of the first letters and of the lengths of all names, for quick checks. Bits may be shared, so a set bit proves
    /// nothing.
    private var initials: UInt32 = 0
    private var lengths: UInt64 = 0

    init() {}

    /// Creates a table with some fields of another table.
    init(_ fields: [FieldRange], of whole: FieldTable) {
        if fields.count > Self.countInPlace { more.reserveCapacity(fields.count - Self.countInPlace) }
        for field in fields { append(field, initial: 0) }
        (initials, lengths) = (whole.initials, whole.lengths)
    }

    var startIndex: Int { 0 }

    subscript(index: Int) -> FieldRange {
        get {
            precondition(index < endIndex)
            return index < Self.countInPlace ? inPlace[index] : more[index - Self.countInPlace]
        }
        set {
            precondition(index < endIndex)
            if index < Self.countInPlace {
                inPlace[index] = newValue
            } else {
                more[index - Self.countInPlace] = newValue
            }
        }
    }

    mutating func removeAll() {
        (endIndex, initials, lengths) = (0, 0, 0)
        if !more.isEmpty { more = [] }
    }

    /// - Parameter initial: the first byte of the field's name.
    mutating func append(_ field: FieldRange, initial: UInt8) {
        if endIndex < Self.countInPlace { inPlace[endIndex] = field } else { more.append(field) }
        endIndex += 1
        initials |= Self.bit(initial)
        lengths |= 1 << UInt64(field.name.count & 63)
    }

    /// Whether a name may begin with a letter. A false result is certain; a true one isn't, because only bits are compared.
    @inline(__always)
    func mayHaveName(beginningWith letter: UInt8) -> Bool { initials & Self.bit(letter) != 0 }

    /// Whether there may be a field with a name. A false result is certain; a true one isn't, because only bits are compared.
    @inline(__always)
    func mayHave(_ name: StaticString) -> Bool {
        unsafe mayHaveName(beginningWith: name.utf8Start[0]) && lengths & 1 << UInt64(name.utf8CodeUnitCount & 63) != 0
    }

    /// The bit of a letter, the same for upper and lower case.
    private static func bit(_ letter: UInt8) -> UInt32 { 1 << UInt32(letter & 31) }
}

/// The ranges of a field line's name and value in the bytes of a head. A head has at most 65,535 bytes.
struct FieldRange: Equatable, Sendable {
    private let nameStart: UInt16
    private let nameEnd: UInt16
    private let valueStart: UInt16
    private let valueEnd: UInt16

    init(name: Range<Int>, value: Range<Int>) {
        nameStart = UInt16(name.lowerBound)
        nameEnd = UInt16(name.upperBound)
        valueStart = UInt16(value.lowerBound)
        valueEnd = UInt16(value.upperBound)
    }

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
}
