import Backlot

/// Makes an example value for a schema.
struct OpenAPISample {
    /// The maximum number of an example's values. Optional parts stop earlier.
    private static let mostValues = 2_000
    private static let deepest = 24
    private static let mostElements = 20
    private static let longestText = 1_000
    /// The number of variants. Each list in a list multiplies them by up to 20; then they repeat.
    private static let mostVariants = 1_000_000_000

    /// The references that lead to the current schema. A reference back to one of them has no example; optional properties are then
    /// left out.
    private var open: [String] = []
    private var values = 0
    /// The members that tell the elements of a list apart.
    var keys: Set<String> = ["id", "_id", "uuid", "guid"]
    /// The number of the element that is made.
    private var variant = 0
    /// Whether the current value differs from that of other elements.
    private var isVaried = false

    /// An example value for a schema; nil if none can be made.
    mutating func value(_ schema: OpenAPINode) -> JSONValue? {
        values += 1
        guard values <= Self.mostValues, open.count <= Self.deepest * 4, schema.path.count < 400 else { return nil }
        if let reference = schema.text("$ref") {
            guard !open.contains(reference), let target = schema.target(of: reference) else { return nil }
            open.append(reference)
            defer { open.removeLast() }
            return value(target)
        }
        guard let object = schema.value.object else { return schema.value.bool == false ? nil : [:] }
        if let given = Self.given(object) { return other(given, schema, object) }
        if let parts = schema["allOf"] { return combined(schema, object, parts.elements ?? []) }
        for key in ["oneOf", "anyOf"] {
            if let choices = schema[key]?.elements, let chosen = choice(schema, object, choices) { return chosen }
        }
        return typed(schema, object)
    }

    /// The example that the schema itself contains.
    private static func given(_ object: JSONObject) -> JSONValue? {
        if let example = object["example"] { return example }
        if let first = object["examples"]?.array?.first { return first }
        if let value = object["const"] ?? object["default"] { return value }
        guard let values = object["enum"]?.array else { return nil }
        return values.first { !$0.isNull } ?? values.first
    }

    // MARK: Several schemas

    private mutating func combined(_ schema: OpenAPINode, _ object: JSONObject, _ parts: [OpenAPINode]) -> JSONValue? {
        var merged: JSONObject?
        var other: JSONValue?
        var own = object
        own["allOf"] = nil
        let isAlone = ["properties", "type", "oneOf", "anyOf"].allSatisfy { own[$0] == nil }
        for part in parts + (isAlone ? [] : [schema.holding(.object(own))]) {
            guard let sample = value(part) else { continue }
            if let object = sample.object {
                merged = (merged ?? [:]).merging(object)
            } else {
                other = other ?? sample
            }
        }
        if let merged, merged.count > 0 || other == nil { return .object(merged) }
        return other
    }

    private mutating func choice(_ schema: OpenAPINode, _ own: JSONObject, _ choices: [OpenAPINode]) -> JSONValue? {
        for chosen in choices where chosen.text("type") != "null" {
            guard let sample = value(chosen) else { continue }
            guard var object = sample.object else { return sample }
            if own["properties"]?.isNull == false, let rest = typed(schema, own)?.object {
                for member in rest.members where object[member.key] == nil { object[member.key] = member.value }
            }
            let discriminator = own["discriminator"]
            if let name = discriminator?["propertyName"]?.string, let reference = chosen.value["$ref"] {
                let key = discriminator?["mapping"]?.object?.members.first { $0.value == reference }?.key
                object[name] = .string(key ?? reference.string?.split(separator: "/").last.map(String.init) ?? "")
            }
            return .object(object)
        }
        return nil
    }

    // MARK: One schema

    private mutating func typed(_ schema: OpenAPINode, _ object: JSONObject) -> JSONValue? {
        switch Self.type(of: object) {
        case "object": members(schema, object)
        case "array": elements(schema, object)
        case "string": text(schema, object)
        case "integer", "number": number(schema, object)
        case "boolean": true
        case "null": .null
        default: [:]
        }
    }

    /// The keywords that reveal the type of a schema without `type`.
    private static let words: [(type: String, words: [String])] = [
        ("object", ["properties", "additionalProperties", "required", "minProperties"]),
        ("array", ["items", "prefixItems", "minItems", "maxItems"]),
        ("string", ["format", "pattern", "minLength", "maxLength"]),
        ("number", ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]),
    ]

    /// The first type other than null. Without `type`, the type that the other keywords belong to; empty if they don't tell.
    static func type(of object: JSONObject) -> String {
        let types = object["type"].map { $0.array ?? [$0] }?.compactMap(\.string) ?? []
        if let type = types.first(where: { $0 != "null" }) ?? types.first { return type }
        return words.first { $0.words.contains { object[$0] != nil } }?.type ?? ""
    }

    private mutating func members(_ schema: OpenAPINode, _ object: JSONObject) -> JSONValue? {
        let required = Set(object["required"]?.array?.compactMap(\.string) ?? [])
        var result = JSONObject()
        for (name, property) in schema.members("properties") where property.value["writeOnly"]?.bool != true {
            isVaried = keys.contains(name)
            let sample = value(property)
            isVaried = false
            if let sample {
                result[name] = sample
            } else if required.contains(name) {
                return nil
            }
        }
        let additional = schema["additionalProperties"]
        if required.count > Self.mostValues {
            schema.remark("the example has only the first \(Self.mostValues) of the required members", key: "required")
        }
        for name in required.sorted().prefix(Self.mostValues)
        where result[name] == nil && schema["properties"]?[name] == nil {
            result[name] = additional.flatMap { value($0) } ?? "string"
        }
        guard let additional, additional.value.object != nil else { return .object(result) }
        let least = Int(object["minProperties"]?.number?.int64 ?? 0)
        let wanted = min(max(least, result.count == 0 ? 1 : 0), Self.mostElements)
        for index in 1...max(1, wanted) where result.count < wanted {
            if let sample = value(additional) { result["key\(index)"] = sample }
        }
        return .object(result)
    }

    private mutating func elements(_ schema: OpenAPINode, _ object: JSONObject) -> JSONValue? {
        let most = object["maxItems"]?.number?.int64 ?? 1
        let least = object["minItems"]?.number?.int64 ?? 0
        let wanted = Int(clamping: max(least, min(1, most)))
        let result = schema.elements("prefixItems").compactMap { value($0) }
        guard let items = schema["items"], items.value.bool != false, result.count < wanted else {
            return .array(result)
        }
        let isUnique = object["uniqueItems"]?.bool == true
        let (first, count) = (variant, min(wanted, Self.mostElements))
        defer { variant = first }
        var elements = result
        for index in result.count..<max(count, result.count) {
            variant = (first * count + index) % Self.mostVariants
            isVaried = isUnique
            let sample = value(items)
            isVaried = false
            guard let sample else { return least > 0 ? nil : .array(result) }
            if !isUnique || !elements.contains(sample) { elements.append(sample) }
        }
        return .array(elements)
    }

    /// A given example, for another element with other keys.
    private func other(_ given: JSONValue, _ schema: OpenAPINode, _ object: JSONObject) -> JSONValue {
        guard var members = given.object else { return isVaried ? varied(given, schema, object) : given }
        for key in keys {
            guard let own = members[key], let property = schema["properties"]?[key]?.resolved else { continue }
            members[key] = varied(own, property, property.value.object ?? [:])
        }
        return .object(members)
    }

    /// The value of a key for another element; the same one if the schema permits no other.
    private func varied(_ given: JSONValue, _ schema: OpenAPINode, _ object: JSONObject) -> JSONValue {
        guard variant > 0 else { return given }
        var other = given
        if let values = object["enum"]?.array, !values.isEmpty {
            other = values[variant % values.count]
        } else if let number = given.number?.int64 {
            other = .number(JSONNumber(number &+ Int64(variant)))
        } else if let text = given.string {
            // The number at its end counts on; that of a UUID is hexadecimal.
            let isUUID = text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12]
            let digits = isUUID ? 8 : min(15, text.reversed().prefix { $0.isASCII && $0.isNumber }.count)
            let (base, number) = (isUUID ? 16 : 10, Int(text.suffix(digits), radix: isUUID ? 16 : 10) ?? 1)
            let next = String(number + variant, radix: base)
            let zeros = String(repeating: "0", count: max(0, digits - next.count))
            other = .string(text.dropLast(digits) + (digits > 0 ? "" : "-") + zeros + next)
        }
        guard other != given, let document = OpenAPISchema.translated(schema, isForRequest: false, upTo: 200),
            let judge = try? JSONSchema(document, assertsFormats: true), judge.errors(in: other).isEmpty
        else { return given }
        return other
    }

    /// A number within the schema's limits.
    static func number(_ object: JSONObject, isWhole: Bool) -> JSONValue {
        let step = object["multipleOf"]?.number?.double ?? (isWhole ? 1 : 0)
        let distance = step > 0 ? step : isWhole ? 1 : 0.5
        func bound(_ inclusive: String, _ exclusive: String, _ sign: Double) -> Double? {
            let plain = object[inclusive]?.number?.double
            if object[exclusive]?.bool == true { return plain.map { $0 + sign * distance } }
            guard let strict = object[exclusive]?.number?.double else { return plain }
            let inner = strict + sign * distance
            return plain.map { sign > 0 ? max($0, inner) : min($0, inner) } ?? inner
        }
        let least = bound("minimum", "exclusiveMinimum", 1)
        let most = bound("maximum", "exclusiveMaximum", -1)
        var value = max(least ?? 1, min(1, most ?? 1))
        if least == nil, let most, most < 1 { value = most }
        if step > 0 {
            // Rounded up to a multiple, or down if the limit requires it.
            let multiple = (value / step).rounded(.up) * step
            value = most.map { multiple > $0 } == true ? (value / step).rounded(.down) * step : multiple
        }
        return JSONNumber(value).map(JSONValue.number) ?? 1
    }

    /// Example texts for the formats of JSON Schema and OpenAPI.
    private static let texts: [String: String] = [
        "date-time": "2026-05-17T12:30:00Z", "date": "2026-05-17", "time": "12:30:00Z", "duration": "P1DT12H",
        "email": "user@example.com", "idn-email": "user@example.com", "hostname": "example.com",
        "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/",
        "url": "https://example.com/", "uri-reference": "/example", "iri": "https://example.com/",
        "iri-reference": "/example", "uri-template": "/things/{id}", "uuid": "6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4e",
        "byte": "c3RyaW5n", "base64": "c3RyaW5n", "binary": "string", "password": "password", "regex": ".*",
        "json-pointer": "/name", "relative-json-pointer": "0/name",
    ]

    private func number(_ schema: OpenAPINode, _ object: JSONObject) -> JSONValue {
        let number = Self.number(object, isWhole: Self.type(of: object) == "integer")
        return isVaried ? varied(number, schema, object) : number
    }

    private func text(_ schema: OpenAPINode, _ object: JSONObject) -> JSONValue {
        let longest = Self.longestText
        let least = min(max(0, Int(clamping: object["minLength"]?.number?.int64 ?? 0)), longest)
        let most = Int(clamping: object["maxLength"]?.number?.int64 ?? Int64(longest))
        let format = object["format"]?.string.flatMap { Self.texts[$0] }
        if format == nil, let pattern = object["pattern"]?.string,
            let text = PatternSample.text(pattern, lengths: least...max(least, most), variant: isVaried ? variant : 0)
        {
            return .string(text)
        }
        var text = "string"
        while text.count < least { text += text }
        let made = JSONValue.string(format ?? String(text.prefix(max(least, min("string".count, max(0, most))))))
        return isVaried ? varied(made, schema, object) : made
    }
}
