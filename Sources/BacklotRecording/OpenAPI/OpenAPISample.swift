import Backlot
import BacklotJSON
import BacklotMocks

/// Makes an example of a schema.
struct OpenAPISample {
    /// How many values an example has at most; what is optional ends earlier.
    private static let mostValues = 2_000
    private static let deepest = 24
    private static let mostElements = 20

    /// The references that are being followed: a second time, what is optional is left out.
    private var open: [String] = []
    private var values = 0
    /// Whether something had to be left out that the schema requires.
    private(set) var isCut = false

    /// An example of a schema; nil where it allows none that can be made.
    mutating func value(_ schema: Field, _ reading: inout OpenAPIReading) -> JSONValue? {
        values += 1
        guard values <= Self.mostValues, open.count <= Self.deepest * 4, schema.path.count < 400 else {
            isCut = true
            return nil
        }
        if let reference = schema.value["$ref"]?.string {
            guard !open.contains(reference), let target = reading.target(of: reference, from: schema) else {
                isCut = true
                return nil
            }
            open.append(reference)
            defer { open.removeLast() }
            return value(target, &reading)
        }
        guard let object = schema.value.object else { return schema.value.bool == false ? nil : .object(JSONObject()) }
        if let given = Self.given(object) { return given }
        if let parts = schema["allOf"] { return combined(schema, of: parts, &reading) }
        for key in ["oneOf", "anyOf"] {
            guard let choices = try? schema[key]?.elements() else { continue }
            if let chosen = choice(schema, among: choices, &reading) { return chosen }
        }
        return typed(schema, object, &reading)
    }

    /// What the schema's author has given.
    private static func given(_ object: JSONObject) -> JSONValue? {
        if let example = object["example"] { return example }
        if let first = object["examples"]?.array?.first { return first }
        if let value = object["const"] ?? object["default"] { return value }
        guard let values = object["enum"]?.array else { return nil }
        return values.first { !$0.isNull } ?? values.first
    }

    // MARK: Several schemas

    private mutating func combined(
        _ schema: Field,
        of parts: Field,
        _ reading: inout OpenAPIReading
    ) -> JSONValue? {
        var merged: JSONObject?
        var other: JSONValue?
        let elements = (try? parts.elements()) ?? []
        var own = schema.value.object ?? JSONObject()
        own["allOf"] = nil
        let isAlone = own["properties"] == nil && own["type"] == nil && own["oneOf"] == nil && own["anyOf"] == nil
        for part in elements + (isAlone ? [] : [Field(.object(own), at: schema.path)]) {
            guard let sample = value(part, &reading) else { continue }
            guard let object = sample.object else {
                other = other ?? sample
                continue
            }
            var all = merged ?? JSONObject()
            for member in object.members { all[member.key] = member.value }
            merged = all
        }
        if let merged, merged.count > 0 || other == nil { return .object(merged) }
        return other
    }

    private mutating func choice(
        _ schema: Field,
        among choices: [Field],
        _ reading: inout OpenAPIReading
    ) -> JSONValue? {
        for chosen in choices where chosen.value["type"]?.string != "null" {
            guard let sample = value(chosen, &reading) else { continue }
            guard var object = sample.object else { return sample }
            if schema["properties"] != nil, let own = schema.value.object,
                let rest = typed(schema, own, &reading)?.object
            {
                for member in rest.members where object[member.key] == nil { object[member.key] = member.value }
            }
            if let name = schema["discriminator"]?["propertyName"]?.value.string, let reference = chosen.value["$ref"] {
                let mapping = schema["discriminator"]?["mapping"]?.value.object?.members ?? []
                let key = mapping.first { $0.value == reference }?.key
                object[name] = .string(key ?? reference.string?.split(separator: "/").last.map(String.init) ?? "")
            }
            return .object(object)
        }
        return nil
    }

    // MARK: One schema

    private mutating func typed(_ schema: Field, _ object: JSONObject, _ reading: inout OpenAPIReading) -> JSONValue? {
        switch Self.type(of: object) {
        case "object": return members(schema, object, &reading)
        case "array": return elements(schema, object, &reading)
        case "string": return .string(OpenAPIText.sample(object))
        case "integer": return Self.number(object, isWhole: true)
        case "number": return Self.number(object, isWhole: false)
        case "boolean": return true
        case "null": return .null
        default: return .object(JSONObject())
        }
    }

    /// The type: the first that isn't null, or the one that the other words are about.
    static func type(of object: JSONObject) -> String {
        let types = object["type"].map { $0.array ?? [$0] }?.compactMap(\.string) ?? []
        if let type = types.first(where: { $0 != "null" }) ?? types.first { return type }
        let words: [(String, [String])] = [
            ("object", ["properties", "additionalProperties", "required", "minProperties"]),
            ("array", ["items", "prefixItems", "minItems", "maxItems"]),
            ("string", ["format", "pattern", "minLength", "maxLength"]),
            ("number", ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]),
        ]
        return words.first { $0.1.contains { object[$0] != nil } }?.0 ?? ""
    }

    private mutating func members(_ schema: Field, _ object: JSONObject, _ reading: inout OpenAPIReading) -> JSONValue?
    {
        let required = Set(object["required"]?.array?.compactMap(\.string) ?? [])
        var result = JSONObject()
        let wasCut = isCut
        for (name, property) in reading.members(of: schema, "properties") {
            if property.value["writeOnly"]?.bool == true { continue }
            if let sample = value(property, &reading) {
                result[name] = sample
            } else if required.contains(name) {
                return nil
            } else {
                isCut = wasCut
            }
        }
        for name in required.sorted() where result[name] == nil && schema["properties"]?[name] == nil {
            let additional = schema["additionalProperties"].flatMap { value($0, &reading) }
            result[name] = additional ?? "string"
        }
        let least = Int(object["minProperties"]?.number?.int64 ?? 0)
        if let additional = schema["additionalProperties"], additional.value.object != nil {
            let wanted = min(max(least, result.count == 0 ? 1 : 0), Self.mostElements)
            for index in 1...max(1, wanted) where result.count < wanted {
                if let sample = value(additional, &reading) { result["key\(index)"] = sample } else { isCut = wasCut }
            }
        }
        return .object(result)
    }

    private mutating func elements(_ schema: Field, _ object: JSONObject, _ reading: inout OpenAPIReading) -> JSONValue?
    {
        let most = object["maxItems"]?.number?.int64 ?? 1
        let least = object["minItems"]?.number?.int64 ?? 0
        let wanted = Int(clamping: max(least, min(1, most)))
        var result: [JSONValue] = []
        for part in reading.elements(of: schema, "prefixItems") {
            if let sample = value(part, &reading) { result.append(sample) }
        }
        guard let items = schema["items"], items.value.bool != false, result.count < wanted else {
            return .array(result)
        }
        // Different elements can be had of a list of values only.
        if object["uniqueItems"]?.bool == true, let values = items.value["enum"]?.array {
            return .array(Array(values.prefix(wanted)))
        }
        let wasCut = isCut
        guard let sample = value(items, &reading) else {
            guard least > 0 else {
                isCut = wasCut
                return .array(result)
            }
            return nil
        }
        let count = min(wanted, Self.mostElements) - result.count
        return .array(result + Array(repeating: sample, count: max(0, count)))
    }

    /// A number within the limits.
    static func number(_ object: JSONObject, isWhole: Bool) -> JSONValue {
        let step = object["multipleOf"]?.number?.double ?? (isWhole ? 1 : 0)
        let distance = step > 0 ? step : isWhole ? 1 : 0.5
        func bound(_ inclusive: String, _ exclusive: String, _ sign: Double) -> Double? {
            let plain = object[inclusive]?.number?.double
            if object[exclusive]?.bool == true { return plain.map { $0 + sign * distance } }
            if let strict = object[exclusive]?.number?.double {
                return plain.map { sign > 0 ? max($0, strict + distance) : min($0, strict - distance) }
                    ?? (strict + sign * distance)
            }
            return plain
        }
        let least = bound("minimum", "exclusiveMinimum", 1)
        let most = bound("maximum", "exclusiveMaximum", -1)
        var value = max(least ?? 1, min(1, most ?? 1))
        if least == nil, let most, most < 1 { value = most }
        if step > 0 {
            // Rounded up to a multiple, but down where only that keeps below the upper limit.
            let multiple = (value / step).rounded(.up) * step
            value = most.map { multiple > $0 } == true ? (value / step).rounded(.down) * step : multiple
        }
        return JSONNumber(value).map(JSONValue.number) ?? 1
    }
}
