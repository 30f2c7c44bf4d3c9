/// Looking into a value. What isn't there, or is of another type, is nil; so lookups can be chained:
/// `document["page"]?["widgets"]?[0]?["text"]?.string`.
extension JSONValue {
    /// The value of an object's key; nil when this isn't an object, or it has no such key.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// An array's element; nil when this isn't an array, or it has no such index.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = array, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// `true` or `false`; nil when this is something else.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number; nil when this is something else.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The string; nil when this is something else.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements; nil when this isn't an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object; nil when this is something else.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
}
