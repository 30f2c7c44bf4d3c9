import Backlot
import BacklotMocks

/// The conditions on requests that an operation's parameters and body make.
struct OpenAPIRequest {
    private static let places = [
        "path": "pathParameters", "query": "queryParameters", "header": "headers", "cookie": "cookies",
    ]
    private static let nouns = [
        "path": "path parameter", "query": "query parameter", "header": "header field", "cookie": "cookie",
        "form": "form parameter",
    ]

    /// The conditions of the path: a request that doesn't meet them is for another path.
    let pathMatchers: JSONObject
    /// The conditions of requests that the document doesn't permit, each with the reason.
    private(set) var refusals: [(matchers: JSONObject, text: String)] = []
    /// The names of the query parameters.
    let query: [String]
    /// An example of each parameter of the path, by name.
    let examples: [String: JSONValue]

    init(_ operation: OpenAPINode, below item: OpenAPINode, _ path: OpenAPIPath) {
        let patterns = path.patterns.reduce(into: JSONObject()) { $0[$1.segment] = ["matches": .string($1.pattern)] }
        pathMatchers = patterns.count > 0 ? ["pathParameters": .object(patterns)] : [:]
        // An operation's parameter overrides the path's parameter with the same name.
        var parameters: [(place: String, name: String, node: OpenAPINode)] = []
        for element in [item, operation].flatMap({ $0.elements("parameters") }) {
            guard let parameter = element.resolved else { continue }
            guard let name = parameter.text("name"), let place = parameter.text("in") else {
                element.remark("a parameter has a name, and 'in' says where it stands; it is left out")
                continue
            }
            parameters.removeAll { $0.place == place && $0.name == name }
            parameters.append((place, name, parameter))
        }
        query = parameters.filter { $0.place == "query" }.map(\.name)
        examples = parameters.filter { $0.place == "path" }.reduce(into: [:]) { examples, parameter in
            var sample = OpenAPISample()
            let made = parameter.node["schema"].flatMap { sample.value($0) }
            examples[parameter.name] = parameter.node.value["example"] ?? made
        }
        for (place, name, node) in parameters { add(name, in: place, node, path) }
        if let body = operation["requestBody"]?.resolved { add(body: body) }
    }

    // MARK: Parameters

    private mutating func add(_ name: String, in place: String, _ parameter: OpenAPINode, _ path: OpenAPIPath) {
        guard let key = Self.places[place] else {
            return parameter.remark(
                "parameters stand in path, query, header or cookie, not in '\(place)'; it is left out",
                key: "in"
            )
        }
        let isRequired = parameter.value["required"]?.bool == true && place != "path"
        let segment = path.parameters.first { $0.name == name }?.segment
        if place == "path", segment == nil { return }
        if place == "header" {
            // "If in is header and the name field is Accept, Content-Type or Authorization, the parameter shall be ignored."
            guard !["accept", "content-type", "authorization"].contains(name.lowercased()) else { return }
            guard HTTPField.Name(name) != nil else {
                return parameter.remark(
                    "\(name.shown) can't be the name of a header field; it is left out",
                    key: "name"
                )
            }
        }
        var schema = parameter["schema"]?.resolved
        let type = OpenAPISample.type(of: schema?.value.object ?? [:])
        if type == "object", parameter["content"] == nil {
            guard isRequired else { return }
            return parameter.remark("a parameter that is an object is not checked")
        }
        if type == "array" {
            // "When style is form, the default value is true." Each value of the query then has its own name.
            let isExploded = parameter.value["explode"]?.bool ?? (parameter.text("style") ?? "form" == "form")
            schema = place == "query" && isExploded ? schema?["items"]?.resolved : nil
        }
        refuse(segment ?? name, of: key, named: name, Self.nouns[place] ?? "", schema, isRequired) { pattern in
            parameter.value["allowEmptyValue"]?.bool == true ? ["or": [["equalTo": ""], pattern]] : pattern
        }
    }

    /// Refuses requests with a part that doesn't fit its schema, or without one that is required.
    private mutating func refuse(
        _ member: String,
        of key: String,
        named name: String,
        _ noun: String,
        _ schema: OpenAPINode?,
        _ isRequired: Bool,
        _ adapted: (JSONValue) -> JSONValue = { $0 }
    ) {
        let pattern = schema.flatMap(Self.pattern).map(adapted)
        guard pattern != nil || isRequired else { return }
        var condition: JSONObject = pattern.map { ["not": $0] } ?? ["absent": true]
        if !isRequired, key != "pathParameters" { condition["absent"] = false }
        let expected = pattern == nil ? nil : schema.map(OpenAPIExpectation.init)
        let reasons = [isRequired ? "is required" : nil, expected.map { "must be \($0)" }].compactMap(\.self)
        let members = (pathMatchers[key]?.object ?? [:]).merging([member: .object(condition)])
        refusals.append(
            (
                pathMatchers.merging([key: .object(members)]),
                "The \(noun) '\(OpenAPIImport.line(name))' \(reasons.joined(separator: ", and "))."
            )
        )
    }

    private mutating func refuse(body condition: JSONObject, _ text: String) {
        refusals.append((pathMatchers.merging(["bodyPatterns": [.object(condition)]]), text))
    }

    /// The condition that a parameter's text matches its schema; nil if any text does.
    private static func pattern(_ schema: OpenAPINode) -> JSONValue? {
        guard let object = schema.value.object else { return nil }
        let type = OpenAPISample.type(of: object)
        if type == "string" || type == "" {
            let values = object["enum"]?.array?.compactMap(\.string) ?? []
            if values.isEmpty { return textPattern(object, schema) }
            let patterns = values.map { ["equalTo": .string($0)] as JSONValue }
            return patterns.count == 1 ? patterns[0] : ["or": .array(patterns)]
        }
        guard ["integer", "number", "boolean"].contains(type),
            case .object(var translated) = OpenAPISchema.translated(schema, isForRequest: true)
        else { return nil }
        translated["format"] = nil
        return ["matchesJsonSchema": .object(translated)]
    }

    /// A schema of texts as regular expressions, since JSON Schema would treat a text such as 7 as a number.
    private static func textPattern(_ object: JSONObject, _ schema: OpenAPINode) -> JSONValue? {
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
        do throws(StubError) {
            _ = try RequestPattern(json: ["headers": ["X": pattern]])
            return pattern
        } catch {
            schema.remark("the parameter's text is not checked: \(error.text)")
            return nil
        }
    }

    // MARK: Bodies

    private mutating func add(body node: OpenAPINode) {
        let content = node.members("content")
        let types = content.map { OpenAPIMediaType($0.key) }
        let isRequired = node.value["required"]?.bool == true
        if let json = types.firstIndex(where: \.isJSON) {
            guard types.allSatisfy(\.isJSON) else {
                return node.remark(
                    "a body may have several types, JSON and others: bodies aren't checked",
                    key: "content"
                )
            }
            if content.count > 1 {
                node.remark("of several types of JSON, bodies are checked by the first", key: "content")
            }
            let schema = content[json].node["schema"]
            guard let translated = schema.flatMap({ OpenAPISchema.translated($0, isForRequest: true) }) else { return }
            var condition: JSONObject = ["not": ["matchesJsonSchema": translated]]
            if !isRequired { condition["absent"] = false }
            let name = schema?.text("$ref")?.split(separator: "/").last.map { " \($0)" } ?? ""
            let text = "The body must be JSON that fits its schema\(name) in the OpenAPI document."
            refuse(body: condition, text)
        } else if types.map(\.name) == ["application/x-www-form-urlencoded"] {
            guard isRequired, let schema = content[0].node["schema"]?.resolved else { return }
            for name in schema.value["required"]?.array?.compactMap(\.string) ?? [] {
                let property = schema["properties"]?[name]?.resolved
                refuse(name, of: "formParameters", named: name, Self.nouns["form"] ?? "", property, true)
            }
        } else if !content.isEmpty {
            node.remark("bodies of \(content.map(\.key).joined(separator: ", ")) are not checked", key: "content")
            if isRequired { refuse(body: ["absent": true], "The body is required.") }
        }
    }
}

/// The values that a parameter's schema permits, in words: `an integer from 1 to 100`.
private struct OpenAPIExpectation: CustomStringConvertible {
    let description: String

    init(_ schema: OpenAPINode) {
        let object = schema.value.object ?? [:]
        let type = OpenAPISample.type(of: object)
        let values = (object["enum"]?.array ?? []).filter { !$0.isNull }.map { $0.string ?? $0.description }
        guard values.isEmpty else {
            description = values.alternatives.excerpt(upTo: 200)
            return
        }
        func number(_ key: String) -> JSONValue? { object[key].flatMap { $0.number == nil ? nil : $0 } }
        func bounds(_ least: String, _ most: String) -> String {
            let (least, most) = (number(least), number(most))
            switch (least, most) {
            case (let least?, let most?): return " from \(least) to \(most)"
            case (let least?, nil): return " of at least \(least)"
            case (nil, let most?): return " of at most \(most)"
            case (nil, nil): return ""
            }
        }
        switch type {
        case "boolean": description = "true or false"
        case "integer", "number":
            var text = (type == "integer" ? "an integer" : "a number") + bounds("minimum", "maximum")
            for (key, word) in [("exclusiveMinimum", "above"), ("exclusiveMaximum", "below")] {
                if let number = number(key) { text += " \(word) \(number)" }
                if object[key]?.bool == true { text += ", \(word) that number" }
            }
            if let step = number("multipleOf") { text += ", a multiple of \(step)" }
            description = text
        default:
            let length = bounds("minLength", "maxLength")
            let pattern = object["pattern"]?.string.map { " that matches \($0.excerpt(upTo: 100))" } ?? ""
            description = "a text" + (length.isEmpty ? "" : "\(length) characters") + pattern
        }
    }
}

/// A path of an OpenAPI document, in the spelling of folder and file names.
struct OpenAPIPath {
    /// The maximum length of a name in bytes, which leaves room for `.delete.yaml`.
    private static let longestName = 240
    private static let mostFolders = 30

    /// The file's path without kind and ending: `users/[id]`.
    let stem: String
    /// The path without its last segment, spelt alike.
    var parent: String {
        let names = stem.split(separator: "/").dropLast()
        return names.isEmpty ? "index" : names.joined(separator: "/")
    }
    /// The shape of the path, which is equal for files of the same paths.
    let shape: String
    /// The names of parameters in the file's name, by their names in the document.
    let parameters: [(name: String, segment: String)]
    /// The regular expressions of parameters that share their segment with a text.
    let patterns: [(segment: String, pattern: String)]

    /// - Throws: `MessageError` for a path that a file name can't express.
    init(_ path: String) throws(MessageError) {
        guard path.hasPrefix("/") else { throw MessageError("a path begins with /") }
        guard !path.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw MessageError("a path has no query; describe it under parameters")
        }
        var names: [String] = []
        var parameters: [(name: String, segment: String)] = []
        var patterns: [(segment: String, pattern: String)] = []
        for segment in PathSegments.ofMock(path) {
            guard segment.contains("{") else {
                names.append(try Self.literal(segment))
                continue
            }
            let parts = try Self.parts(segment)
            let inside = parts.filter(\.isParameter)
            var name = Self.parameter(inside.map(\.text).joined(separator: "_"))
            let taken = names.filter { $0.hasPrefix("[") }
            if taken.contains("[\(name)]") {
                name += "_\((2...).first { !taken.contains("[\(name)_\($0)]") } ?? 2)"
            }
            names.append("[\(name)]")
            if parts.count == 1 {
                parameters.append((inside[0].text, name))
            } else {
                let pattern = parts.map { $0.isParameter ? ".+" : Self.escaped($0.text) }.joined()
                patterns.append((name, pattern))
            }
        }
        if let last = names.last, last == "index" { names.append("index") }
        if names.isEmpty { names = ["index"] }
        if let first = names.first, names.count > 1, first == "mappings" || first == "__files" {
            throw MessageError("the folder '\(first)' has a special meaning; write a mapping for this path")
        }
        guard names.count <= Self.mostFolders else {
            throw MessageError("the path has more than \(Self.mostFolders) segments; write a mapping for it")
        }
        stem = names.joined(separator: "/")
        self.parameters = parameters
        self.patterns = patterns
        // The rules of route file names decide.
        shape = try RouteFileName("\(stem).get.yaml")?.shape ?? ""
    }

    private static func literal(_ segment: String) throws(MessageError) -> String {
        let problem: String? =
            if segment.isEmpty {
                "no file's name can say // in a path"
            } else if segment.hasPrefix(".") {
                "files with a leading dot in their names aren't read"
            } else if segment.utf8.count > longestName {
                "'\(segment.prefix(20))…' is too long for a file's name"
            } else if segment.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || "/[]".utf8.contains($0) }) {
                "'\(segment)' can't be the name of a file"
            } else {
                nil
            }
        guard let problem else { return segment }
        throw MessageError("\(problem); write a mapping for this path")
    }

    /// The parameters of a segment, and the texts between them.
    private static func parts(_ segment: String) throws(MessageError) -> [(text: String, isParameter: Bool)] {
        var parts: [(text: String, isParameter: Bool)] = []
        var rest = segment[...]
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "{" }
            if !text.isEmpty { parts.append((String(text), false)) }
            rest = rest[text.endIndex...].dropFirst()
            guard text.endIndex != segment.endIndex else { break }
            let name = rest.prefix { $0 != "}" }
            guard !name.isEmpty, name.endIndex != rest.endIndex else {
                throw MessageError("'\(segment)' has a brace without its like; write a parameter as {id}")
            }
            parts.append((String(name), true))
            rest = rest[name.endIndex...].dropFirst()
        }
        return parts
    }

    private static func parameter(_ name: String) -> String {
        let plain = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
        return String(plain.prefix(60))
    }

    /// A regular expression that matches only this text.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "\\.^$|?*+()[]{}".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}
