/// Writes one JSON document straight into UTF-8 bytes: compact, escaped as RFC 8259 asks, commas included.
///
/// Code that writes an object looks like the object on the wire:
/// ```swift
/// var writer = JSONWriter(capacity: 256)
/// writer.object {
///     $0.field("typ", "textfield")
///     $0.field("label", label)            // nil: the whole field is left out
///     $0.array("widgets") { $0.value("a"); $0.value(8) }
/// }
/// writer.bytes                            // {"typ":"textfield","widgets":["a",8]}
/// ```
/// The writer places commas and braces but does not count values: write one value per document, `field(_:_:)`,
/// ``member(_:_:)`` or ``key(_:)`` only inside an object, and one value after each ``key(_:)``.
///
/// Source: RFC 8259 (The JavaScript Object Notation Data Interchange Format).
public struct JSONWriter: ~Copyable {
    @usableFromInline var buffer: ByteBuffer

    /// Whether a value was written before, at the present level, so that the next one starts with a comma.
    @usableFromInline var needsComma = false

    /// Which variant of a format is written: for code that writes a format with variants. The writer itself ignores it.
    public let variant: Int

    /// Starts an empty document.
    ///
    /// - Parameters:
    ///   - capacity: how many bytes to make room for. A document that outgrows it is copied to a larger buffer.
    ///   - variant: which variant of a format is written; 0 for formats without variants.
    public init(capacity: Int = 0, variant: Int = 0) {
        self.init(ByteBuffer(capacity: capacity), variant: variant)
    }

    private init(_ buffer: consuming ByteBuffer, variant: Int) {
        self.buffer = buffer
        self.variant = variant
    }

    /// One document: the bytes that `write` writes. It spares the copy that ``bytes`` is.
    ///
    /// - Parameters:
    ///   - capacity: how many bytes to make room for. A document that outgrows it is copied to a larger buffer.
    ///   - variant: which variant of a format is written; 0 for formats without variants.
    ///   - write: writes one value.
    public static func document(
        capacity: Int,
        variant: Int = 0,
        _ write: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var document: [UInt8] = []
        append(to: &document, capacity: capacity, variant: variant, write)
        return document
    }

    /// Appends one document to an array.
    ///
    /// - Parameter capacity: how many bytes to make room for.
    package static func append(
        to bytes: inout [UInt8],
        capacity: Int,
        variant: Int = 0,
        _ write: (inout JSONWriter) -> Void
    ) {
        ByteBuffer.append(to: &bytes, capacity: capacity) { buffer in
            var writer = JSONWriter(buffer, variant: variant)
            write(&writer)
            return writer.buffer
        }
    }

    /// A copy of what has been written so far.
    public var bytes: [UInt8] { buffer.bytes }

    /// Forgets everything written and keeps the buffer for the next document.
    public mutating func removeAll() {
        buffer.removeAll()
        needsComma = false
    }

    // MARK: Containers

    /// Writes an object: `{`, what `members` writes, `}`.
    @inlinable @inline(__always)
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(.openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes an object whose first field holds a literal, such as a type: as fast as that field alone. The literal needs no
    /// escape.
    @inlinable @inline(__always)
    public mutating func object(
        startingWith key: StaticString,
        _ literal: StaticString,
        _ members: (inout JSONWriter) -> Void
    ) {
        writeField(key, literal, opening: .openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Adds members to the object that was written last, which has some already.
    package mutating func amendObject(_ members: (inout JSONWriter) -> Void) {
        buffer.removeLast()
        members(&self)
        close(.closeBrace)
    }

    /// Writes an array: `[`, what `elements` writes, `]`.
    @inlinable @inline(__always)
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(.openBracket)
        elements(&self)
        close(.closeBracket)
    }

    /// Writes the key of an object's field, and the colon. The value must follow. The key is a literal that needs no escape.
    @inlinable @inline(__always)
    public mutating func key(_ key: StaticString) { writeKey(key) }

    // MARK: Values

    /// Writes `null`.
    public mutating func null() { writeLiteral("null") }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) { writeLiteral(value ? "true" : "false") }

    /// Writes a whole number, with all its digits.
    public mutating func value(_ value: Int) {
        put(20) {
            $0.put(.minus, if: value < 0)
            $0.put(decimal: value.magnitude)
        }
        needsComma = true
    }

    /// Writes a whole number, with all its digits.
    public mutating func value(_ value: UInt64) {
        put(20) { $0.put(decimal: UInt(value)) }
        needsComma = true
    }

    /// Writes a number in the shortest form that reads back as the same `Double`. Whole numbers have no fraction: `8`,
    /// never `8.0`.
    ///
    /// JSON has no infinity and no NaN: they are written as `null`, as JavaScript does, so that the document stays valid.
    public mutating func value(_ value: Double) {
        if let whole = value.wholeInt64 {
            self.value(Int(whole))
        } else if let thousandths = value.thousandths {
            put(20) {
                $0.put(.minus, if: thousandths < 0)
                $0.put(thousandths: thousandths.magnitude)
            }
            needsComma = true
        } else if value.isFinite {
            writeLiteral(value.description)
        } else {
            null()
        }
    }

    /// Ends the line after a document, for formats of one document a line.
    package mutating func endLine() {
        buffer.reserve(1)
        buffer.put(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Steps that the others share

    @inlinable @inline(__always)
    mutating func open(_ bracket: UInt8) {
        put(1) { $0.put(bracket) }
        needsComma = false
    }

    @inlinable @inline(__always)
    mutating func close(_ bracket: UInt8) {
        buffer.reserve(1)
        buffer.put(bracket)
        needsComma = true
    }

    /// Writes text that needs neither quotes nor escapes.
    private mutating func writeLiteral(_ literal: String) {
        let text = literal.utf8.span
        put(text.count) { $0.put(text) }
        needsComma = true
    }
}

/// The fields of an object: a key and a value. A field whose value is nil is left out.
///
/// Keys are literals that need no escape, so that they are copied as they are: looking through them for quotes took one in
/// ten of a page's instructions. ``member(_:_:)`` takes any key.
extension JSONWriter {
    /// Writes a field that holds a string.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        writeField(key, value)
    }

    /// Writes a field that holds `true` or `false`.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field that holds a whole number.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field that holds a number, as ``JSONWriter/value(_:)-(Double)`` writes it: infinity and NaN become `null`.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field that holds an object.
    @inlinable @inline(__always)
    public mutating func object(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
        writeKey(key, opening: .openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes a field that holds an array.
    @inlinable @inline(__always)
    public mutating func array(_ key: StaticString, _ elements: (inout JSONWriter) -> Void) {
        writeKey(key, opening: .openBracket)
        elements(&self)
        close(.closeBracket)
    }
}
