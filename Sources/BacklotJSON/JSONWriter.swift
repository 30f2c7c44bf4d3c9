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
/// The writer places commas and braces but does not count values: write one value per document, ``field(_:_:)``,
/// ``member(_:_:)`` or ``key(_:)`` only inside an object, and one value after each ``key(_:)``.
///
/// Source: RFC 8259 (The JavaScript Object Notation Data Interchange Format).
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public internal(set) var bytes: [UInt8]

    /// Whether a value was written before, at the present level, so that the next one starts with a comma.
    var needsComma = false

    /// Which variant of a format is written: for whoever writes a format that has variants. The writer doesn't look at it.
    public let variant: Int

    /// Starts an empty document.
    ///
    /// - Parameters:
    ///   - capacity: how many bytes to make room for. A document that outgrows it is copied to a larger buffer.
    ///   - variant: which variant of a format is written; 0 where there are none.
    public init(capacity: Int = 0, variant: Int = 0) {
        self.variant = variant
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Forgets everything written and keeps the buffer for the next document.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    // MARK: Containers

    /// Writes an object: `{`, what `members` writes, `}`.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(.openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes an object whose first field holds a string, such as a type: as fast as that field alone.
    public mutating func object(startingWith key: StaticString, _ value: String, _ members: (inout JSONWriter) -> Void)
    {
        writeStringField(key, value, opening: .openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes an array: `[`, what `elements` writes, `]`.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(.openBracket)
        elements(&self)
        close(.closeBracket)
    }

    /// Writes the key of an object's field, and the colon. The value must follow. The key is a literal that needs no escape.
    public mutating func key(_ key: StaticString) {
        writeKey(key)
    }

    // MARK: Values

    /// Writes `null`.
    public mutating func null() {
        writeLiteral("null")
    }

    /// Writes `true` or `false`.
    public mutating func value(_ value: Bool) {
        writeLiteral(value ? "true" : "false")
    }

    /// Writes a whole number, with all its digits.
    public mutating func value(_ value: Int) {
        writeLiteral(value.description)
    }

    /// Writes a whole number, with all its digits.
    public mutating func value(_ value: UInt64) {
        writeLiteral(value.description)
    }

    /// Writes a number in the shortest form that reads back as the same `Double`. Whole numbers have no fraction: `8`,
    /// never `8.0`.
    ///
    /// JSON has no infinity and no NaN: they are written as `null`, as JavaScript does, so that the document stays valid.
    public mutating func value(_ value: Double) {
        if let whole = value.wholeInt64 {
            writeLiteral(whole.description)
        } else if value.isFinite {
            writeLiteral(value.description)
        } else {
            null()
        }
    }

    // MARK: Steps that the others share

    private mutating func open(_ bracket: UInt8) {
        startValue()
        bytes.append(bracket)
        needsComma = false
    }

    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// Writes text that needs neither quotes nor escapes.
    private mutating func writeLiteral(_ literal: String) {
        startValue()
        bytes.append(contentsOf: literal.utf8)
    }
}
