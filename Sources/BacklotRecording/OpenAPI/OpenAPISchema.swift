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

    /// Whether the schema is for requests, which may lack read-only properties. Responses may lack write-only ones.
    let isForRequest: Bool
    /// The names under `$defs`, by reference.
    private var names: [String: String] = [:]
    private var taken: Set<String> = []
    /// The highest number behind each name.
    private var counts: [String: Int] = [:]
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
        if let required = result["required"]?.array { leaveOutOptional(&result, required, schema) }
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
        var name = base
        while !taken.insert(name).inserted {
            counts[base, default: 1] += 1
            name = "\(base)\(counts[base] ?? 2)"
        }
        names[reference] = name
        waiting.append((name, target))
        return name
    }

    /// "A property declared as being read only … should not be sent as part of the request. If it is required, the required will
    /// take effect on the response only." (OpenAPI 3.0.3, section 4.7.24.2)
    private func leaveOutOptional(_ result: inout JSONObject, _ required: [JSONValue], _ schema: OpenAPINode) {
        let left = required.filter { name in
            guard let name = name.string, let property = schema["properties"]?[name] else { return true }
            return property.resolved?.value[isForRequest ? "readOnly" : "writeOnly"]?.bool != true
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
