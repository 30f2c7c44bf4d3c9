public import HTTPTypes

extension HTTPFields {
    /// Sets a field from texts that come from elsewhere, such as a configuration or a request.
    ///
    /// `HTTPField`'s own initialisers put spaces where a value has bytes that can't be sent: nothing splits an answer in
    /// two, but what arrives is not what was meant. This one says so instead.
    ///
    /// - Throws: `HeaderError` when the name or the value can't be sent; nothing has changed then.
    public mutating func set(_ name: String, to value: String) throws(HeaderError) {
        guard let fieldName = HTTPField.Name(name) else { throw .name(name) }
        try set(fieldName, to: value)
    }

    /// Sets a field whose name is known; otherwise as `set(_:to:)` for texts.
    public mutating func set(_ name: HTTPField.Name, to value: String) throws(HeaderError) {
        guard HTTPField.isValidValue(value) else { throw .value(value, name: name.rawName) }
        self[name] = value
    }
}
