import Backlot
import BacklotJSON
import BacklotMocks

/// Turns the schemas of an OpenAPI document into documents of JSON Schema 2020-12 that stand by themselves.
struct OpenAPISchema {
    /// What says nothing about a value, or only to other tools.
    private static let annotations: Set<String> = [
        "title", "description", "default", "deprecated", "example", "examples", "externalDocs", "xml", "discriminator",
        "nullable", "readOnly", "writeOnly", "$comment", "$id", "$schema", "$defs", "definitions", "$vocabulary",
        "contentMediaType", "contentEncoding", "contentSchema",
    ]
    /// How many parts a schema may have: beyond that files become hard to read, and slow to judge by.
    private static let mostParts = 20_000
    private static let deepest = 48

    /// Whether values of requests are judged, in which what is only for reading needn't stand.
    let isForRequest: Bool
    /// The names under `$defs`, by the references to them.
    private var names: [String: String] = [:]
    private var waiting: [(name: String, schema: Field)] = []
    private var parts = 0

    /// A schema that stands by itself, and is known to be one; nil, with a remark, where that can't be made.
    ///
    /// - Parameter limit: how many parts it may have; without it too many are remarked on.
    static func translated(
        _ schema: Field,
        isForRequest: Bool,
        upTo limit: Int? = nil,
        _ reading: inout OpenAPIReading
    ) -> JSONValue? {
        var run = OpenAPISchema(isForRequest: isForRequest)
        var document = run.translated(schema, depth: 0, &reading)
        var definitions = JSONObject()
        while run.parts <= limit ?? mostParts, let next = run.waiting.popLast() {
            // Names are given once.
            definitions.append(next.name, run.translated(next.schema, depth: 1, &reading))
        }
        if let limit, run.parts > limit { return nil }
        if definitions.count > 0, var object = document.object {
            object["$defs"] = .object(definitions)
            document = .object(object)
        }
        guard run.parts <= mostParts else {
            reading.remark("the schema has more than \(mostParts) parts, and is not checked", at: schema)
            return nil
        }
        do throws(JSONSchema.Mistake) {
            _ = try JSONSchema(document)
            return document
        } catch {
            reading.remark("this is no schema, and is not checked: \(error)", at: schema)
            return nil
        }
    }

    private init(isForRequest: Bool) {
        self.isForRequest = isForRequest
    }

    private mutating func translated(_ schema: Field, depth: Int, _ reading: inout OpenAPIReading) -> JSONValue {
        parts += 1
        guard parts <= Self.mostParts, let object = schema.value.object else { return schema.value }
        guard depth <= Self.deepest else {
            reading.remark("the schema is nested too deeply; what is further down is not checked", at: schema)
            return true
        }
        var result = JSONObject()
        if let reference = object["$ref"]?.string {
            guard let name = name(of: reference, schema, &reading) else { return true }
            result["$ref"] = .string("#/$defs\(JSONPointer.step(name))")
            // In 3.0 nothing counts beside a reference.
            if reading.isOld { return .object(result) }
        }
        for member in object.members where member.key != "$ref" && !Self.annotations.contains(member.key) {
            guard !member.key.hasPrefix("x-") else { continue }
            let field = Field(member.value, at: schema.path + [.key(member.key)])
            result[member.key] = part(member.key, field, depth: depth, &reading)
        }
        if isForRequest, let required = result["required"]?.array {
            leaveOutReadOnly(&result, required, schema, &reading)
        }
        guard reading.isOld else { return .object(result) }
        return modern(result, isNullable: object["nullable"]?.bool == true)
    }

    private mutating func part(
        _ key: String,
        _ field: Field,
        depth: Int,
        _ reading: inout OpenAPIReading
    ) -> JSONValue {
        switch SchemaWord(key) {
        case .one: return translated(field, depth: depth + 1, &reading)
        case .list:
            guard let elements = field.value.array else { return field.value }
            return .array(
                elements.enumerated().map { index, element in
                    translated(Field(element, at: field.path + [.index(index)]), depth: depth + 1, &reading)
                }
            )
        case .named:
            guard let members = field.value.object?.members else { return field.value }
            var result = JSONObject()
            for member in members {
                let field = Field(member.value, at: field.path + [.key(member.key)])
                result[member.key] = translated(field, depth: depth + 1, &reading)
            }
            return .object(result)
        case nil: return field.value
        }
    }

    /// The name under `$defs` of what a reference leads to.
    private mutating func name(of reference: String, _ field: Field, _ reading: inout OpenAPIReading) -> String? {
        if let name = names[reference] { return name }
        guard let target = reading.target(of: reference, from: field) else { return nil }
        let last = reference.split(separator: "/").last.map(String.init) ?? ""
        let base = last == "#" || last.isEmpty ? "document" : last.filter { $0 != "~" && $0 != "%" }
        let taken = names.values
        let name = taken.contains(base) ? "\(base)\((2...).first { !taken.contains("\(base)\($0)") } ?? 2)" : base
        names[reference] = name
        waiting.append((name, target))
        return name
    }

    /// "A property declared as being read only … should not be sent as part of the request. If it is required, the required will
    /// take effect on the response only." (OpenAPI 3.0.3, section 4.7.24.2)
    private func leaveOutReadOnly(
        _ result: inout JSONObject,
        _ required: [JSONValue],
        _ schema: Field,
        _ reading: inout OpenAPIReading
    ) {
        let left = required.filter { name in
            guard let name = name.string, let property = schema["properties"]?[name] else { return true }
            return reading.resolve(property)?.value["readOnly"]?.bool != true
        }
        result["required"] = left.isEmpty ? nil : .array(left)
    }

    /// A schema of 3.0, whose words for limits and null differ.
    private func modern(_ old: JSONObject, isNullable: Bool) -> JSONValue {
        var result = old
        for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
            guard let isExclusive = result[exclusive]?.bool else { continue }
            result[exclusive] = isExclusive ? result[bound] : nil
            if isExclusive { result[bound] = nil }
        }
        guard isNullable else { return .object(result) }
        if let type = result["type"]?.string {
            result["type"] = [.string(type), "null"]
            if let values = result["enum"]?.array, !values.contains(.null) { result["enum"] = .array(values + [.null]) }
            return .object(result)
        }
        return result.count == 0 ? .object(result) : ["anyOf": [.object(result), ["type": "null"]]]
    }
}

/// How schemas stand below a keyword.
private enum SchemaWord {
    case one, list, named

    init?(_ key: String) {
        switch key {
        case "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains",
            "not", "if", "then", "else":
            self = .one
        case "prefixItems", "allOf", "anyOf", "oneOf": self = .list
        case "properties", "patternProperties", "dependentSchemas": self = .named
        default: return nil
        }
    }
}
