/// The fields of an object: a key and a value. A field whose value is nil is left out.
///
/// Keys are literals that need no escape, so that they are copied as they are: looking through them for quotes took one in
/// ten of a page's instructions. ``member(_:_:)`` takes any key.
extension JSONWriter {
    /// Writes a field that holds a string.
    @inlinable
    public mutating func field(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        writeField(key, value)
    }

    /// Writes a field that holds `true` or `false`.
    @inlinable
    public mutating func field(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field that holds a whole number.
    @inlinable
    public mutating func field(_ key: StaticString, _ value: Int?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field that holds a whole number that can't be negative.
    @inlinable
    public mutating func field(_ key: StaticString, _ value: UInt32?) {
        guard let value else { return }
        writeKey(key)
        self.value(Int(value))
    }

    /// Writes a field that holds a number, as ``JSONWriter/value(_:)-(Double)`` writes it: infinity and NaN become `null`.
    @inlinable
    public mutating func field(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        writeKey(key)
        self.value(value)
    }

    /// Writes a field that holds an object.
    @inlinable
    public mutating func object(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
        writeKey(key, opening: .openBrace)
        members(&self)
        close(.closeBrace)
    }

    /// Writes a field that holds an array.
    @inlinable
    public mutating func array(_ key: StaticString, _ elements: (inout JSONWriter) -> Void) {
        writeKey(key, opening: .openBracket)
        elements(&self)
        close(.closeBracket)
    }
}
