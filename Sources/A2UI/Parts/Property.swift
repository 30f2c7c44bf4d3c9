public import Backlot

/// The values that a property of a component or an argument of a function may have.
public indirect enum PropertyType: Sendable {
    /// Values that may be bound or computed.
    public enum Dynamic: String, Sendable {
        case string = "DynamicString", number = "DynamicNumber", boolean = "DynamicBoolean"
        case stringList = "DynamicStringList", value = "DynamicValue"
        /// A URL. Catalogs write it out.
        case url
    }

    case any, string, boolean, number
    /// A URL that isn't bound.
    case url
    /// A whole number of at least `least`.
    case integer(least: Int)
    /// `#rrggbb`.
    case color
    case oneOf([String])
    case dynamic(Dynamic)
    /// A text that must be a date, a time or both unless it is bound.
    case dateTime
    /// A value with a binding, but without a call.
    case binding
    /// The id of one component.
    case child
    /// The ids of several, or a template.
    case children
    case action
    case object([Property])
    case list(PropertyType, least: Int)
    case either([PropertyType])

    /// The schema of such values, with references into the common types.
    func schema(_ version: ProtocolVersion) -> JSONValue {
        func reference(_ name: String) -> JSONValue { ["$ref": .string("common_types.json#/$defs/\(name)")] }
        switch self {
        case .any: return [:]
        case .string: return ["type": "string"]
        case .boolean: return ["type": "boolean"]
        case .number: return ["type": "number"]
        case .url: return ["type": "string", "format": "uri"]
        case .integer(let least): return ["type": "integer", "minimum": .number(JSONNumber(Int64(least)))]
        case .color: return ["type": "string", "pattern": "^#[0-9a-fA-F]{6}$"]
        case .oneOf(let names): return ["type": "string", "enum": .array(names.map(JSONValue.string))]
        case .dynamic(.url):
            return [
                "oneOf": [["type": "string", "format": "uri"], reference("DataBinding"), reference("FunctionCall")]
            ]
        case .dynamic(let dynamic): return reference(dynamic.rawValue)
        case .dateTime:
            let forms: JSONValue = ["oneOf": [["format": "date"], ["format": "time"], ["format": "date-time"]]]
            return ["allOf": [reference("DynamicString"), ["if": ["type": "string"], "then": forms]]]
        case .binding: return reference("DataBinding")
        case .child: return reference(version.isOne ? "Child" : "ComponentId")
        case .children: return reference("ChildList")
        case .action: return reference("Action")
        case .object(let properties): return Property.schema(properties, version)
        case .list(let element, let least):
            let count: JSONObject = least > 0 ? ["minItems": .number(JSONNumber(Int64(least)))] : [:]
            return .object(["type": "array", "items": element.schema(version)] + count)
        case .either(let types): return ["oneOf": .array(types.map { $0.schema(version) })]
        }
    }
}

/// A property of a component, or an argument of a function.
///
/// ```swift
/// let title = Property("title", .dynamic(.string), required: true, "The title.")
/// ```
public struct Property: Sendable {
    /// The name on the wire.
    public let name: String
    /// The values.
    public let type: PropertyType
    /// Whether it must be there.
    public let isRequired: Bool
    /// The meaning, in one sentence.
    public let meaning: String
    /// The value that clients assume without it.
    public let defaultValue: JSONValue?

    /// Declares a property.
    public init(
        _ name: String,
        _ type: PropertyType,
        required isRequired: Bool = false,
        default defaultValue: JSONValue? = nil,
        _ meaning: String
    ) {
        (self.name, self.type, self.isRequired) = (name, type, isRequired)
        (self.meaning, self.defaultValue) = (meaning, defaultValue)
    }

    static func schema(_ properties: [Property], _ version: ProtocolVersion, isOpen: Bool = false) -> JSONValue {
        var members = JSONObject()
        for property in properties {
            var schema = property.type.schema(version).object ?? [:]
            schema["description"] = .string(property.meaning)
            schema["default"] = property.defaultValue
            members[property.name] = .object(schema)
        }
        var schema: JSONObject = ["type": "object", "properties": .object(members)]
        let required = properties.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        if !isOpen { schema["additionalProperties"] = false }
        return .object(schema)
    }
}

extension JSONObject {
    static func + (left: JSONObject, right: JSONObject) -> JSONObject {
        right.members.reduce(into: left) { $0[$1.key] = $1.value }
    }
}
