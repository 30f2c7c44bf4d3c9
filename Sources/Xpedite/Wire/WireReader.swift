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

    private func present(_ key: String) -> JSONValue? {
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

    func int(_ key: String) throws(WireError) -> Int? {
        guard let value = present(key) else { return nil }
        guard let number = value.number?.int64 else { throw error(key, "is not a whole number") }
        return Int(number)
    }

    func double(_ key: String) throws(WireError) -> Double? {
        guard let value = present(key) else { return nil }
        guard let number = value.number?.double else { throw error(key, "is not a number") }
        return number
    }

    func bool(_ key: String) throws(WireError) -> Bool? {
        guard let value = present(key) else { return nil }
        guard let bool = value.bool else { throw error(key, "is neither true nor false") }
        return bool
    }

    /// A string that is one of some values.
    func value<Value>(_ key: String, _ make: (String) -> Value?) throws(WireError) -> Value? {
        guard let text = try string(key) else { return nil }
        guard let value = make(text) else { throw error(key, "is none of the values there are: '\(text)'") }
        return value
    }

    /// An object.
    func reader(_ key: String) throws(WireError) -> WireReader? {
        guard let value = present(key) else { return nil }
        return try WireReader(value, at: "\(pointer)/\(key)")
    }

    /// The objects of an array; nil where there is no array.
    func readers(_ key: String) throws(WireError) -> [WireReader]? {
        guard let value = present(key) else { return nil }
        guard let array = value.array else { throw error(key, "is not an array") }
        var readers: [WireReader] = []
        for (index, element) in array.enumerated() {
            readers.append(try WireReader(element, at: "\(pointer)/\(key)/\(index)"))
        }
        return readers
    }

    /// What an object says.
    func value<Value>(_ key: String, of make: (WireReader) throws(WireError) -> Value) throws(WireError) -> Value? {
        guard let reader = try reader(key) else { return nil }
        return try make(reader)
    }

    /// What the objects of an array say; none where there is no array.
    func list<Value>(_ key: String, of make: (WireReader) throws(WireError) -> Value) throws(WireError) -> [Value] {
        var values: [Value] = []
        for reader in try readers(key) ?? [] { values.append(try make(reader)) }
        return values
    }
}
