import Backlot
import BacklotJSON
import BacklotMocks
import HTTPTypes

/// The conditions on requests that an operation's parameters and body make.
struct OpenAPIRequest {
    private static let places = [
        "path": "pathParameters", "query": "queryParameters", "header": "headers", "cookie": "cookies",
    ]
    private static let order = [
        "pathParameters", "queryParameters", "headers", "cookies", "formParameters", "bodyPatterns",
    ]

    /// The conditions without which a request is for another path.
    let pathMatchers: JSONObject
    private var parts: [String: JSONObject] = [:]
    private var body: [JSONValue] = []

    /// As route files have it, under `request`; empty for no conditions.
    var matchers: JSONObject {
        Self.order.reduce(into: JSONObject()) { matchers, key in
            if key == "bodyPatterns" {
                if !body.isEmpty { matchers[key] = .array(body) }
            } else if let part = parts[key], part.count > 0 {
                matchers[key] = .object(part)
            }
        }
    }

    init(_ operation: Field, below item: Field, _ path: OpenAPIPath, _ reading: inout OpenAPIReading) {
        for (segment, pattern) in path.patterns {
            parts["pathParameters", default: [:]][segment] = ["matches": .string(pattern)]
        }
        pathMatchers = parts["pathParameters"].map { ["pathParameters": .object($0)] } ?? [:]
        // What the operation says of a parameter counts more than what the path says.
        var parameters: [(key: String, field: Field)] = []
        for owner in [item, operation] {
            for element in reading.elements(of: owner, "parameters") {
                guard let parameter = reading.resolve(element) else { continue }
                guard let name = parameter["name"]?.value.string, let place = parameter["in"]?.value.string else {
                    reading.remark("a parameter has a name, and 'in' says where it stands; it is left out", at: element)
                    continue
                }
                parameters.removeAll { $0.key == "\(place) \(name)" }
                parameters.append(("\(place) \(name)", parameter))
            }
        }
        for (_, parameter) in parameters { add(parameter, path, &reading) }
        if let body = operation["requestBody"], let resolved = reading.resolve(body) { add(body: resolved, &reading) }
    }

    // MARK: Parameters

    private mutating func add(_ parameter: Field, _ path: OpenAPIPath, _ reading: inout OpenAPIReading) {
        let name = parameter["name"]?.value.string ?? ""
        let place = parameter["in"]?.value.string ?? ""
        guard let key = Self.places[place] else {
            reading.remark(
                "parameters stand in path, query, header or cookie, not in '\(place)'; it is left out",
                at: parameter,
                key: "in"
            )
            return
        }
        let schema = parameter["schema"].flatMap { reading.resolve($0) }
        if place == "path" {
            guard let segment = path.parameters.first(where: { $0.name == name })?.segment else { return }
            guard let schema, let pattern = Self.pattern(schema, &reading) else { return }
            parts[key, default: [:]][segment] = pattern
            return
        }
        guard parameter["required"]?.value.bool == true else { return }
        if place == "header" {
            // "If in is header and the name field is Accept, Content-Type or Authorization, the parameter shall be ignored."
            guard !["accept", "content-type", "authorization"].contains(name.lowercased()) else { return }
            guard HTTPField.Name(name) != nil else {
                reading.remark(
                    "\(name.shown) can't be the name of a header field; it is left out",
                    at: parameter,
                    key: "name"
                )
                return
            }
        }
        if let schema, OpenAPISample.type(of: schema.value.object ?? [:]) == "object", parameter["content"] == nil {
            reading.remark("a parameter that is an object is not checked", at: parameter)
            return
        }
        parts[key, default: [:]][name] = schema.flatMap { Self.pattern($0, &reading) } ?? ["absent": false]
    }

    /// The condition that a parameter's text fits its schema; nil where any text does.
    private static func pattern(_ schema: Field, _ reading: inout OpenAPIReading) -> JSONValue? {
        guard let object = schema.value.object else { return nil }
        let type = OpenAPISample.type(of: object)
        if type == "string" || type == "" {
            let values = object["enum"]?.array?.compactMap(\.string) ?? []
            guard values.isEmpty else {
                if values.count == 1 { return ["equalTo": .string(values[0])] }
                return ["or": .array(values.map { ["equalTo": .string($0)] })]
            }
            return textPattern(object, schema, &reading)
        }
        guard ["integer", "number", "boolean"].contains(type) else { return nil }
        guard case .object(var translated) = OpenAPISchema.translated(schema, isForRequest: true, &reading) else {
            return nil
        }
        translated["format"] = nil
        return ["matchesJsonSchema": .object(translated)]
    }

    /// A schema of texts as regular expressions: by a JSON Schema, a text such as 7 would be judged as a number.
    private static func textPattern(
        _ object: JSONObject,
        _ schema: Field,
        _ reading: inout OpenAPIReading
    ) -> JSONValue? {
        var conditions: [JSONValue] = []
        if let source = object["pattern"]?.string {
            let isWhole = source.hasPrefix("^") && source.hasSuffix("$") && !source.contains("|")
            conditions.append(["matches": .string(isWhole ? source : "(?s).*(?:\(source)).*")])
        }
        let least = object["minLength"]?.number?.int64 ?? 0
        let most = object["maxLength"]?.number?.int64
        if least > 0 || most != nil {
            conditions.append(["matches": .string("(?s).{\(least),\(most.map { "\($0)" } ?? "")}")])
        }
        guard let first = conditions.first else { return nil }
        let pattern = conditions.count == 1 ? first : ["and": .array(conditions)]
        do throws(StubProblem) {
            _ = try RequestPattern(json: ["headers": ["X": pattern]])
            return pattern
        } catch {
            reading.remark("the parameter's text is not checked: \(error.text)", at: schema)
            return nil
        }
    }

    // MARK: Bodies

    private mutating func add(body field: Field, _ reading: inout OpenAPIReading) {
        let content = reading.members(of: field, "content")
        let isRequired = field["required"]?.value.bool == true
        guard let json = content.first(where: { OpenAPIMedia.isJSON($0.key) }) else {
            addForm(content, field, isRequired: isRequired, &reading)
            return
        }
        if content.contains(where: { !OpenAPIMedia.isJSON($0.key) }) {
            reading.remark(
                "a body may come in several types, of which JSON is one: bodies are not checked",
                at: field,
                key: "content"
            )
            return
        }
        if content.count > 1 {
            reading.remark("of several types of JSON, bodies are checked by the first", at: field, key: "content")
        }
        guard let schema = json.field["schema"] else { return }
        guard let translated = OpenAPISchema.translated(schema, isForRequest: true, &reading) else { return }
        let fits: JSONValue = ["matchesJsonSchema": translated]
        body.append(isRequired ? fits : ["or": [["absent": true], fits]])
    }

    private mutating func addForm(
        _ content: [(key: String, field: Field)],
        _ field: Field,
        isRequired: Bool,
        _ reading: inout OpenAPIReading
    ) {
        guard let first = content.first else { return }
        if content.count == 1, OpenAPIMedia.name(first.key) == "application/x-www-form-urlencoded" {
            guard isRequired, let schema = first.field["schema"].flatMap({ reading.resolve($0) }) else { return }
            for name in schema["required"]?.value.array?.compactMap(\.string) ?? [] {
                let property = schema["properties"]?[name].flatMap { reading.resolve($0) }
                parts["formParameters", default: [:]][name] =
                    property.flatMap { Self.pattern($0, &reading) } ?? ["absent": false]
            }
            return
        }
        reading.remark(
            "bodies of \(content.map(\.key).joined(separator: ", ")) are not checked",
            at: field,
            key: "content"
        )
        if isRequired { body.append(["absent": false]) }
    }
}

/// The media types of a document's keys.
enum OpenAPIMedia {
    /// The type without its parameters, in lower case.
    static func name(_ key: String) -> String {
        key.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    static func isJSON(_ key: String) -> Bool {
        let name = name(key)
        return name == "application/json" || name.hasSuffix("+json") || name == "*/*" || name == "application/*"
            || name == "text/json"
    }

    static func isXML(_ key: String) -> Bool {
        let name = name(key)
        return name.hasSuffix("/xml") || name.hasSuffix("+xml")
    }

    static func isText(_ key: String) -> Bool {
        name(key).hasPrefix("text/") || isXML(key) || name(key).contains("javascript") || name(key).contains("yaml")
    }
}
