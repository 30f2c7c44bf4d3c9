/// Reads the members of an object from the wire. `null` counts as absent.
package struct DocumentObject: Sendable {
    package let object: JSONObject
    /// The object's location in the document.
    package let pointer: String

    package init(_ value: JSONValue, at pointer: String = "") throws(DocumentError) {
        guard let object = value.object else { throw DocumentError(pointer: pointer, problem: "is not an object") }
        self.object = object
        self.pointer = pointer
    }

    package func error(_ key: String, _ problem: String) -> DocumentError {
        DocumentError(pointer: pointer + JSONPointer.step(key), problem: problem)
    }

    /// The value of a key; nil for `null`.
    package func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    package func required<Value>(_ key: String, _ value: Value?) throws(DocumentError) -> Value {
        guard let value else { throw error(key, "is missing") }
        return value
    }

    private func read<Value>(
        _ key: String,
        _ problem: String,
        _ make: (JSONValue) -> Value?
    ) throws(DocumentError) -> Value? {
        guard let value = value(key) else { return nil }
        guard let read = make(value) else { throw error(key, problem) }
        return read
    }

    package func string(_ key: String) throws(DocumentError) -> String? { try read(key, "is not a string", \.string) }

    package func requiredString(_ key: String) throws(DocumentError) -> String {
        try required(key, try string(key))
    }

    package func integer(_ key: String) throws(DocumentError) -> Int? {
        try read(key, "is not a whole number") { $0.number?.int64.map { Int($0) } }
    }

    package func number(_ key: String) throws(DocumentError) -> Double? {
        try read(key, "is not a number") { $0.number?.double }
    }

    package func bool(_ key: String) throws(DocumentError) -> Bool? {
        try read(key, "is neither true nor false") { $0.bool }
    }

    /// A string from a set of names.
    package func name<Value>(_ key: String, _ make: (String) -> Value?) throws(DocumentError) -> Value? {
        guard let text = try string(key) else { return nil }
        guard let value = make(text) else { throw error(key, "is an unknown name: '\(text.excerpt)'") }
        return value
    }

    /// The object of a key.
    package func reader(_ key: String) throws(DocumentError) -> DocumentObject? {
        guard let value = value(key) else { return nil }
        return try DocumentObject(value, at: pointer + JSONPointer.step(key))
    }

    /// The value that `make` reads from the object of a key.
    package func object<Value>(
        _ key: String,
        of make: (DocumentObject) throws(DocumentError) -> Value
    ) throws(DocumentError) -> Value? {
        guard let reader = try reader(key) else { return nil }
        return try make(reader)
    }

    /// The values that `make` reads from the objects of an array; empty without an array.
    package func list<Value>(
        _ key: String,
        of make: (DocumentObject) throws(DocumentError) -> Value
    ) throws(DocumentError) -> [Value] {
        guard let value = value(key) else { return [] }
        guard let elements = value.array else { throw error(key, "is not an array") }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            values.append(try make(try DocumentObject(element, at: "\(pointer)\(JSONPointer.step(key))/\(index)")))
        }
        return values
    }

    /// The values that `make` reads from the objects of a required array.
    package func requiredList<Value>(
        _ key: String,
        of make: (DocumentObject) throws(DocumentError) -> Value
    ) throws(DocumentError) -> [Value] {
        _ = try required(key, value(key))
        return try list(key, of: make)
    }
}

/// An error in JSON that clients can't read, with its location.
public struct DocumentError: Error, Equatable, CustomStringConvertible {
    /// The location, as a JSON pointer (RFC 6901).
    public let pointer: String
    /// The problem, as a part of a sentence.
    public let problem: String

    /// Creates the error for a location and its problem.
    public init(pointer: String, problem: String) {
        self.pointer = pointer
        self.problem = problem
    }

    /// The location and the problem.
    public var description: String { "\(pointer.isEmpty ? "the document" : pointer) \(problem)" }
}
