#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes Swift values of JSON, and errors that name the variable, what was expected and what came.
enum VariableDecoding {
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from value: JSONValue,
        at path: [String]
    ) throws -> Value {
        do {
            return try InputDecoder(value: value, codingPath: [], form: .json).decode(type)
        } catch let error as DecodingError {
            throw variableError(error, in: value, at: path)
        }
    }

    private static func variableError(_ error: DecodingError, in value: JSONValue, at path: [String]) -> VariableError {
        switch error {
        case .keyNotFound(let key, let context):
            let place = names(context.codingPath) + [key.stringValue]
            return VariableError(name: name(path + place), problem: .missing(expected: "a value"))
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            let place = names(context.codingPath)
            let found = find(place, in: value)
            if case .typeMismatch = error, found?.string != nil, isConverted(type) {
                return VariableError(name: name(path + place), problem: .input(context.debugDescription))
            }
            return VariableError(
                name: name(path + place),
                problem: .wrongType(expected: describe(type), received: found?.kind ?? "something else")
            )
        case .dataCorrupted(let context):
            let place = names(context.codingPath)
            if find(place, in: value)?.string != nil {
                return VariableError(name: name(path + place), problem: .input("is not right"))
            }
            return VariableError(name: name(path + place), problem: .invalid(context.debugDescription))
        @unknown default:
            return VariableError(name: name(path), problem: .invalid("\(error)"))
        }
    }

    /// Whether a text that a user has typed can become a value of a type.
    private static func isConverted(_ type: any Any.Type) -> Bool {
        !(type is Bool.Type || type is any ArrayType.Type || type is any DictionaryType.Type || type == JSONObject.self)
    }

    private static func names(_ path: [any CodingKey]) -> [String] {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }
    }

    private static func name(_ path: [String]) -> String { path.joined(separator: ".") }

    private static func find(_ path: [String], in value: JSONValue) -> JSONValue? {
        var found: JSONValue? = value
        for step in path { found = found?[step] ?? Int(step).flatMap { found?[$0] } }
        return found
    }
}

/// A Swift type in the words of JSON.
func describe(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "a boolean"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is any ArrayType.Type: "an array"
    case is any DictionaryType.Type, is JSONObject.Type: "an object"
    case is Date.Type: "a date, such as \"2026-12-31\" or \"2026-12-31T10:00:00Z\""
    default: "\(type)"
    }
}

private protocol ArrayType {}
extension Array: ArrayType {}
extension Set: ArrayType {}

private protocol DictionaryType {}
extension Dictionary: DictionaryType {}

extension JSONValue {
    /// What the value is, with its article.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
