public import BacklotJSON

/// The variables that a client has sent: one for each input of its page.
public struct Variables: Sendable {
    /// All of them, as they came.
    public let object: JSONObject

    /// Variables from an object.
    public init(_ object: JSONObject) {
        self.object = object
    }

    /// The value of a variable.
    ///
    /// - Throws: `VariableError`, which is answered with 400, when it is missing or of another type.
    public subscript<Value>(variable: Variable<Value>) -> Value {
        get throws { try value(variable.name) }
    }

    /// The value of the variable with that name.
    ///
    /// - Throws: `VariableError`, which is answered with 400, when it is missing or of another type.
    public func value<Value: Decodable & Sendable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = object[name] else {
            throw VariableError(name: name, problem: .missing(expected: describe(type)))
        }
        return try VariableDecoding.decode(type, from: value, at: [name])
    }

    /// All variables as one value; those that the type doesn't know are ignored.
    ///
    /// `name#key` arrives as a dictionary, and `name%item` as an array: declare `[String: String]` and `[String]`.
    ///
    /// - Throws: `VariableError`, which is answered with 400, when one is missing or of another type.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try VariableDecoding.decode(type, from: .object(object), at: [])
    }
}
