import Backlot

/// Converts the schemas of an OpenAPI document into self-contained JSON Schema 2020-12 documents.
struct OpenAPISchema {
    /// Keys that don't restrict values, or that only other tools use.
    private static let annotations: Set<String> = [
        "title", "description", "default", "deprecated", "example", "examples", "externalDocs", "xml", "discriminator",
        "nullable", "readOnly", "writeOnly", "$comment", "$id", "$schema", "$defs", "definitions", "$vocabulary",
        "contentMediaType", "contentEncoding", "contentSchema",
    ]
    /// The maximum number of parts of a schema. Larger ones make files hard to read and checks slow.
    private static let mostParts = 20_000
    private static let deepest = 48

    /// Whether the schema is for requests, which may lack read-only properties.
    let isForRequest: Bool
    /// The names under `$defs`, by reference.
    private var names: [String: String] = [:]
    private var waiting: [(name: String, schema: OpenAPINode)] = []
    private var parts = 0

    /// Converts a schema into a self-contained one. Returns nil, with a remark, if it isn't valid or has too many parts.
    ///
    /// - Parameter limit: a lower maximum number of parts. A schema that exceeds it gives nil without a remark.
    static func translated(_ schema: OpenAPINode, isForRequest: Bool, upTo limit: Int? = nil) -> JSONValue? {
        var run = OpenAPISchema(isForRequest: isForRequest)
        var document = run.translated(schema, depth: 0)
        var definitions = JSONObject()
        while run.parts <= limit ?? mostParts, let next = run.waiting.popLast() {
            // `append` requires a new name; `name(of:in:)` makes names unique.
            definitions.append(next.name, run.translated(next.schema, depth: 1))
        }
        if let limit, run.parts > limit { return nil }
        if definitions.count > 0, var object = document.object {
            object["$defs"] = .object(definitions)
            document = .object(object)
        }
        guard run.parts <= mostParts else {
            schema.remark("the schema has more than \(mostParts) parts, and is not checked")
            return nil
        }
        do throws(JSONSchema.ReadingError) {
            _ = try JSONSchema(document)
            return document
        } catch {
            schema.remark("this isn't a valid schema, and isn't checked: \(error)")
            return nil
        }
    }

    private init(isForRequest: Bool) {
        self.isForRequest = isForRequest
    }

    private mutating func translated(_ schema: OpenAPINode, depth: Int) -> JSONValue {
        parts += 1
        guard parts <= Self.mostParts, let object = schema.value.object else { return schema.value }
        guard depth <= Self.deepest else {
            schema.remark("the schema is nested too deeply; what is further down is not checked")
            return true
        }
        let isOld = schema.document.isOld
        var result = JSONObject()
        if let reference = object["$ref"]?.string {
            guard let name = name(of: reference, in: schema) else { return true }
            result["$ref"] = .string("#/$defs\(JSONPointer.step(name))")
            // In 3.0, keys beside a reference are ignored.
            if isOld { return .object(result) }
        }
        for (key, node) in schema.members
        where key != "$ref" && !Self.annotations.contains(key) && !key.hasPrefix("x-") {
            result[key] = part(key, node, depth: depth + 1)
        }
        if isForRequest, let required = result["required"]?.array {
            leaveOutReadOnly(&result, required, schema)
        }
        return isOld ? Self.modern(result, isNullable: object["nullable"]?.bool == true) : .object(result)
    }

    private mutating func part(_ key: String, _ node: OpenAPINode, depth: Int) -> JSONValue {
        switch SchemaForm.of(key) {
        case .one: return translated(node, depth: depth)
        case .list:
            guard let elements = node.elements else { return node.value }
            return .array(elements.map { translated($0, depth: depth) })
        case .named:
            guard node.value.object != nil else { return node.value }
            var result = JSONObject()
            for (name, schema) in node.members { result[name] = translated(schema, depth: depth) }
            return .object(result)
        case nil: return node.value
        }
    }

    /// The name under `$defs` for the target of a reference.
    private mutating func name(of reference: String, in schema: OpenAPINode) -> String? {
        if let name = names[reference] { return name }
        guard let target = schema.target(of: reference) else { return nil }
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
    private func leaveOutReadOnly(_ result: inout JSONObject, _ required: [JSONValue], _ schema: OpenAPINode) {
        let left = required.filter { name in
            guard let name = name.string, let property = schema["properties"]?[name] else { return true }
            return property.resolved?.value["readOnly"]?.bool != true
        }
        result["required"] = left.isEmpty ? nil : .array(left)
    }

    /// Converts a 3.0 schema, which has other keywords for limits and null.
    private static func modern(_ old: JSONObject, isNullable: Bool) -> JSONValue {
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

/// Makes an example value for a schema.
struct OpenAPISample {
    /// The maximum number of an example's values. Optional parts stop earlier.
    private static let mostValues = 2_000
    private static let deepest = 24
    private static let mostElements = 20
    private static let longestText = 1_000

    /// The references that lead to the current schema. A reference back to one of them has no example; optional properties are then
    /// left out.
    private var open: [String] = []
    private var values = 0

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
        if let given = Self.given(object) { return given }
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
        case "string": .string(Self.text(object))
        case "integer": Self.number(object, isWhole: true)
        case "number": Self.number(object, isWhole: false)
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
            if let sample = value(property) {
                result[name] = sample
            } else if required.contains(name) {
                return nil
            }
        }
        let additional = schema["additionalProperties"]
        for name in required.sorted() where result[name] == nil && schema["properties"]?[name] == nil {
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
        // Only an enum can provide different elements.
        if object["uniqueItems"]?.bool == true, let values = items.value["enum"]?.array {
            return .array(Array(values.prefix(wanted)))
        }
        guard let sample = value(items) else { return least > 0 ? nil : .array(result) }
        let count = min(wanted, Self.mostElements) - result.count
        return .array(result + Array(repeating: sample, count: max(0, count)))
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

    /// A text with the format or the length of a schema.
    private static func text(_ schema: JSONObject) -> String {
        if let format = schema["format"]?.string, let text = texts[format] { return text }
        let least = min(Int(clamping: schema["minLength"]?.number?.int64 ?? 0), longestText)
        let most = Int(clamping: schema["maxLength"]?.number?.int64 ?? Int64(longestText))
        var text = "string"
        while text.count < least { text += text }
        return String(text.prefix(max(least, min("string".count, max(0, most)))))
    }
}
