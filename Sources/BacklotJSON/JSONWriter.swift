/// Writes one JSON document straight into UTF-8 bytes: compact, escaped according to RFC 8259, with its commas.
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
/// The writer places commas and braces but doesn't count values. Write one value per document. Use `field(_:_:)`, ``member(_:_:)``
/// and ``key(_:)`` only inside an object, and write one value after each ``key(_:)``.
///
/// Source: RFC 8259 (The JavaScript Object Notation Data Interchange Format).
public struct JSONWriter: ~Copyable {
    @usableFromInline var buffer: ByteBuffer

    /// Whether a value precedes at the current level, so that the next one needs a comma.
    @usableFromInline var needsComma = false

    /// The variant of a format, for code that writes a format with variants. The writer itself ignores it.
    public let variant: Int

    /// Starts an empty document.
    ///
    /// - Parameters:
    ///   - capacity: the number of bytes to reserve. A larger document is copied to a larger buffer.
    ///   - variant: the variant of a format; 0 for formats without variants.
    public init(capacity: Int = 0, variant: Int = 0) {
        self.init(ByteBuffer(capacity: capacity), variant: variant)
    }

    private init(_ buffer: consuming ByteBuffer, variant: Int) {
        self.buffer = buffer
        self.variant = variant
    }

    /// One document: the bytes that `write` writes. It avoids the copy of ``bytes``.
    ///
    /// - Parameters:
    ///   - capacity: the number of bytes to reserve. A larger document is copied to a larger buffer.
    ///   - variant: the variant of a format; 0 for formats without variants.
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
    /// - Parameter capacity: the number of bytes to reserve.
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

    /// A copy of the bytes written so far.
    public var bytes: [UInt8] { buffer.bytes }

    /// Removes everything written, and keeps the buffer for the next document.
    public mutating func removeAll() {
        buffer.removeAll()
        needsComma = false
    }

    // MARK: Containers

    /// Writes an object: `{`, the output of `members`, `}`.
    @inlinable @inline(__always)
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(.openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes an object with a literal as its first field, such as a type. It is as fast as that field alone. The literal needs no
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

    /// Adds members to the object that was written last, which must have some already.
    package mutating func amendObject(_ members: (inout JSONWriter) -> Void) {
        buffer.removeLast()
        members(&self)
        close(.closeBrace)
    }

    /// Writes an array: `[`, the output of `elements`, `]`.
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

    /// Writes an integer with all its digits.
    public mutating func value(_ value: Int) {
        put(20) {
            $0.put(.minus, if: value < 0)
            $0.put(decimal: value.magnitude)
        }
        needsComma = true
    }

    /// Writes an integer with all its digits.
    public mutating func value(_ value: UInt64) {
        put(20) { $0.put(decimal: UInt(value)) }
        needsComma = true
    }

    /// Writes a number in the shortest form that reads back as the same `Double`. Whole numbers have no fraction: `8`,
    /// never `8.0`.
    ///
    /// JSON has no infinity and no NaN. The writer replaces them with `null`, like JavaScript, so that the document stays valid.
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

    /// Ends the line after a document, for formats with one document per line.
    package mutating func endLine() {
        buffer.reserve(1)
        buffer.put(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Shared steps

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

    /// Writes text without quotes and escapes.
    private mutating func writeLiteral(_ literal: String) {
        let text = literal.utf8.span
        put(text.count) { $0.put(text) }
        needsComma = true
    }
}

/// Writes the fields of an object: a key and a value. A field with a nil value is left out.
///
/// Keys are literals that need no escape, so that they are copied unchanged: searching them for quotes took one in ten of a page's
/// instructions. ``member(_:_:)`` accepts any key.
extension JSONWriter {
    /// Writes a field with a string.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        writeField(key, value)
    }

    /// Writes a field with `true` or `false`.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field with an integer.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field with a number, like ``JSONWriter/value(_:)-(Double)``: infinity and NaN become `null`.
    @inlinable @inline(__always)
    public mutating func field(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field with an object.
    @inlinable @inline(__always)
    public mutating func object(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
        writeKey(key, opening: .openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes a field with an array.
    @inlinable @inline(__always)
    public mutating func array(_ key: StaticString, _ elements: (inout JSONWriter) -> Void) {
        writeKey(key, opening: .openBracket)
        elements(&self)
        close(.closeBracket)
    }
}
