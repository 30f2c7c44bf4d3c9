extension AnyKeyPath {
    /// The name of the property that it leads to, with dots between the names of properties in properties; nil for a computed
    /// property and for an element of a collection, which have none.
    package var fieldName: String? {
        if let known = FieldNames.known.withLock({ $0[self] }) { return known }
        // `\Entry.address.zip`, where the type has no module before it; `?` and `!` stand after optional properties.
        let root = "\\\(type(of: self).rootType)."
        let text = debugDescription
        guard text.hasPrefix(root), !text.contains("<computed") else { return nil }
        let name = String(text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" })
        FieldNames.known.withLock { names in
            if names.count < FieldNames.maximumCount { names[self] = name }
        }
        return name
    }
}

/// Names that were looked up before: a look-up takes 7 µs, and a page has many fields.
private enum FieldNames {
    static let known = Locked<[AnyKeyPath: String]>([:])
    /// The most names that are kept. The key paths in an app's code are fewer.
    static let maximumCount = 10_000
}

extension FormErrors {
    /// One message, at the field of a property.
    ///
    /// ```swift
    /// throw FormErrors(\Member.email, "is taken")
    /// ```
    public init<Input, Value>(_ field: KeyPath<Input, Value>, _ message: String) {
        self.init()
        self[field] = message
    }

    /// The message at the field of a property; nil where all is well.
    ///
    /// The field has the property's name, also where `CodingKeys` give it another: name such fields by strings. A computed property
    /// has no field, and its message is shown above the form.
    public subscript<Input, Value>(field: KeyPath<Input, Value>) -> String? {
        get { messages[field.fieldName ?? ""] }
        set { messages[field.fieldName ?? ""] = newValue }
    }
}
