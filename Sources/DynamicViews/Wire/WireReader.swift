import BacklotJSON

/// Reads the members of an object that came over the wire. `null` counts as absent.
struct WireReader {
    let object: JSONObject
    /// The object's place in the document.
    let pointer: String

    init(_ value: JSONValue, at pointer: String = "") throws(WireError) {
        guard let object = value.object else { throw WireError(pointer: pointer, problem: "is not an object") }
        self.object = object
        self.pointer = pointer
    }

    func error(_ key: String, _ problem: String) -> WireError {
        WireError(pointer: "\(pointer)/\(key)", problem: problem)
    }

    func present(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    func required<Value>(_ key: String, _ value: Value?) throws(WireError) -> Value {
        guard let value else { throw error(key, "is missing") }
        return value
    }

    func string(_ key: String) throws(WireError) -> String? {
        guard let value = present(key) else { return nil }
        guard let string = value.string else { throw error(key, "is not a string") }
        return string
    }

    func requiredString(_ key: String) throws(WireError) -> String {
        try required(key, try string(key))
    }

    func number(_ key: String) throws(WireError) -> Double? {
        guard let value = present(key) else { return nil }
        guard let number = value.number?.double else { throw error(key, "is not a number") }
        return number
    }

    func bool(_ key: String) throws(WireError) -> Bool? {
        guard let value = present(key) else { return nil }
        guard let bool = value.bool else { throw error(key, "is neither true nor false") }
        return bool
    }

    /// An object.
    func reader(_ key: String) throws(WireError) -> WireReader? {
        guard let value = present(key) else { return nil }
        return try WireReader(value, at: "\(pointer)/\(key)")
    }

    /// What the objects of an array say, which must be there.
    func list<Value>(_ key: String, of make: (WireReader) throws(WireError) -> Value) throws(WireError) -> [Value] {
        guard let array = try required(key, present(key)).array else { throw error(key, "is not an array") }
        var values: [Value] = []
        for (index, element) in array.enumerated() {
            values.append(try make(try WireReader(element, at: "\(pointer)/\(key)/\(index)")))
        }
        return values
    }
}
