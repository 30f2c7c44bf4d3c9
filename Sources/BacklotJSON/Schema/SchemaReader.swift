/// Reads the keywords of one subschema.
struct SchemaReader {
    typealias ReadingError = JSONSchema.ReadingError

    private let object: JSONObject
    private let pointer: String
    private let resource: Int
    private(set) var keywords: [SchemaKeyword] = []

    /// Keywords without an effect on validation, or read together with another keyword.
    private static let quiet: Set<String> = [
        "$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment", "title", "description", "default",
        "deprecated", "readOnly", "writeOnly", "examples", "contentEncoding", "contentMediaType",
    ]
    private static let judging: Set<String> = [
        "$ref", "$dynamicRef", "type", "const", "enum", "pattern", "format", "uniqueItems", "minContains",
        "maxContains",
        "required", "dependentRequired",
    ]

    init(_ object: JSONObject, _ pointer: String, _ resource: Int) {
        self.object = object
        self.pointer = pointer
        self.resource = resource
    }

    mutating func read(with compiler: inout SchemaCompiler) throws(ReadingError) {
        try checkDialect()
        try readValues()
        try readBounds()
        try readTexts(&compiler)
        try readElements(&compiler)
        try readMembers(&compiler)
        try readCombinations(&compiler)
        try readReferences(&compiler)
        try readUnevaluated(&compiler)
        for keyword in ["$defs", "definitions"] { _ = try named(keyword, &compiler) }
        _ = try one("contentSchema", &compiler)
        for key in object.keys where !Self.quiet.contains(key) && !Self.judging.contains(key) {
            guard SchemaForm.of(key) == nil, SchemaBound(rawValue: key) == nil else { continue }
            if SchemaCount.allCases.contains(where: { key == "min\($0.rawValue)" || key == "max\($0.rawValue)" }) {
                continue
            }
            try compiler.spend(pointer)
            compiler.unknownKeywords.append(pointer + JSONPointer.step(key))
        }
    }

    private func checkDialect() throws(ReadingError) {
        guard let dialect = object["$schema"] else { return }
        guard let text = dialect.string else { throw wrong("$schema", "must be a string", dialect) }
        guard text == SchemaCompiler.metaSchema || text == SchemaCompiler.metaSchema + "#" else {
            throw mistake("$schema", "\(text.shown) isn't supported; the draft is \(SchemaCompiler.metaSchema)")
        }
    }

    // MARK: Any value

    private mutating func readValues() throws(ReadingError) {
        if let value = object["type"] {
            let names = value.array ?? [value]
            var types: [SchemaType] = []
            for name in names {
                guard let type = name.string.flatMap(SchemaType.init(rawValue:)) else {
                    let known = SchemaType.allCases.map(\.rawValue).joined(separator: ", ")
                    throw mistake("type", "\(name.shown) is not a type; types are \(known)")
                }
                types.append(type)
            }
            guard !types.isEmpty else { throw mistake("type", "names no type") }
            keywords.append(.types(types))
        }
        if let value = object["const"] { keywords.append(.values([value], weight: value.weight, name: "const")) }
        if let value = object["enum"] {
            guard let values = value.array else { throw wrong("enum", "must be an array", value) }
            keywords.append(.values(values, weight: value.weight, name: "enum"))
        }
    }

    private mutating func readBounds() throws(ReadingError) {
        for bound in SchemaBound.allCases {
            guard let value = object[bound.rawValue] else { continue }
            guard let number = value.number else { throw wrong(bound.rawValue, "must be a number", value) }
            guard bound != .multipleOf || number.double > 0 else {
                throw wrong(bound.rawValue, "must be greater than 0", value)
            }
            keywords.append(.number(bound, number))
        }
        for counted in SchemaCount.allCases {
            for least in [true, false] {
                guard let count = try count("\(least ? "min" : "max")\(counted.rawValue)") else { continue }
                keywords.append(.count(counted, least: least, count))
            }
        }
        if let value = object["uniqueItems"] {
            guard let isUnique = value.bool else { throw wrong("uniqueItems", "must be true or false", value) }
            if isUnique { keywords.append(.uniqueItems) }
        }
    }

    private func count(_ keyword: String) throws(ReadingError) -> Int? {
        guard let value = object[keyword] else { return nil }
        guard let number = value.number, number.isWhole, number.double >= 0 else {
            throw wrong(keyword, "must be a whole number from 0", value)
        }
        return number.int64.map(Int.init) ?? Int.max
    }

    private mutating func readTexts(_ compiler: inout SchemaCompiler) throws(ReadingError) {
        if let value = object["pattern"] {
            guard let source = value.string else { throw wrong("pattern", "must be a string", value) }
            keywords.append(.pattern(source, try search(source, "/pattern", compiler)))
        }
        if let value = object["format"] {
            guard let name = value.string else { throw wrong("format", "must be a string", value) }
            if compiler.assertsFormats, let format = SchemaFormat(rawValue: name) {
                keywords.append(.format(format, compiler.patterns))
            }
        }
    }

    private func search(
        _ source: String,
        _ place: String,
        _ compiler: SchemaCompiler
    ) throws(ReadingError) -> JSONSchema.PatternSearch {
        do {
            return try compiler.patterns(source)
        } catch {
            throw ReadingError(pointer + place, "\(source.shown) can't be read as a pattern: \(error)")
        }
    }

    // MARK: Arrays and objects

    private mutating func readElements(_ compiler: inout SchemaCompiler) throws(ReadingError) {
        let prefix = try list("prefixItems", &compiler)
        let rest = try one("items", &compiler)
        if prefix != nil || rest != nil { keywords.append(.elements(prefix: prefix ?? [], rest: rest)) }
        let (least, most) = (try count("minContains") ?? 1, try count("maxContains"))
        if let node = try one("contains", &compiler) {
            keywords.append(.contains(node, least: least, most: most))
        }
    }

    private mutating func readMembers(_ compiler: inout SchemaCompiler) throws(ReadingError) {
        if let value = object["required"] { keywords.append(.required(try texts(value, "/required"))) }
        if let value = object["dependentRequired"] {
            guard let members = value.object?.members else {
                throw wrong("dependentRequired", "must be an object", value)
            }
            var needs: [(key: String, needs: [String])] = []
            for member in members {
                let place = "/dependentRequired\(JSONPointer.step(member.key))"
                needs.append((member.key, try texts(member.value, place)))
            }
            keywords.append(.dependentRequired(needs))
        }
        var rule = SchemaMembers()
        for (key, node) in try named("properties", &compiler) ?? [] { rule.named[ExactKey(text: key)] = node }
        for (source, node) in try named("patternProperties", &compiler) ?? [] {
            let place = "/patternProperties\(JSONPointer.step(source))"
            rule.patterns.append((source, try search(source, place, compiler), node))
        }
        rule.additional = try one("additionalProperties", &compiler)
        if !rule.named.isEmpty || !rule.patterns.isEmpty || rule.additional != nil { keywords.append(.members(rule)) }
        if let node = try one("propertyNames", &compiler) { keywords.append(.propertyNames(node)) }
        if let nodes = try named("dependentSchemas", &compiler) { keywords.append(.dependentSchemas(nodes)) }
    }

    private func texts(_ value: JSONValue, _ place: String) throws(ReadingError) -> [String] {
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else {
            throw ReadingError(pointer + place, "must be an array of strings, not \(value.shown)")
        }
        return texts
    }

    // MARK: Other schemas

    private mutating func readCombinations(_ compiler: inout SchemaCompiler) throws(ReadingError) {
        if let nodes = try list("allOf", &compiler) { keywords.append(.all(nodes)) }
        if let nodes = try list("anyOf", &compiler) { keywords.append(.any(nodes)) }
        if let nodes = try list("oneOf", &compiler) { keywords.append(.one(nodes)) }
        if let node = try one("not", &compiler) { keywords.append(.not(node)) }
        let (then, otherwise) = (try one("then", &compiler), try one("else", &compiler))
        if let node = try one("if", &compiler) {
            keywords.append(.condition(node, then: then, otherwise: otherwise))
        }
    }

    private mutating func readReferences(_ compiler: inout SchemaCompiler) throws(ReadingError) {
        for keyword in ["$ref", "$dynamicRef"] {
            guard let value = object[keyword] else { continue }
            guard let text = value.string else { throw wrong(keyword, "must be a string", value) }
            switch try compiler.target(of: text, at: "\(pointer)/\(keyword)", in: resource) {
            case .metaSchema: keywords.append(.metaSchema)
            case .dynamic(let node, let name) where keyword == "$dynamicRef":
                keywords.append(.dynamicReference(node, name))
            case .node(let node), .dynamic(let node, _): keywords.append(.reference(node))
            }
        }
    }

    private mutating func readUnevaluated(_ compiler: inout SchemaCompiler) throws(ReadingError) {
        if let node = try one("unevaluatedItems", &compiler) { keywords.append(.unevaluatedItems(node)) }
        if let node = try one("unevaluatedProperties", &compiler) { keywords.append(.unevaluatedProperties(node)) }
        if object["unevaluatedItems"] != nil || object["unevaluatedProperties"] != nil {
            compiler.tracksEvaluated = true
        }
    }

    private func one(_ keyword: String, _ compiler: inout SchemaCompiler) throws(ReadingError) -> Int? {
        guard let value = object[keyword] else { return nil }
        return try compiler.node(value, at: "\(pointer)/\(keyword)", in: resource)
    }

    private func list(_ keyword: String, _ compiler: inout SchemaCompiler) throws(ReadingError) -> [Int]? {
        guard let value = object[keyword] else { return nil }
        guard let elements = value.array, !elements.isEmpty else {
            throw wrong(keyword, "must be an array of at least one schema", value)
        }
        var nodes: [Int] = []
        for (index, element) in elements.enumerated() {
            nodes.append(try compiler.node(element, at: "\(pointer)/\(keyword)/\(index)", in: resource))
        }
        return nodes
    }

    private func named(
        _ keyword: String,
        _ compiler: inout SchemaCompiler
    ) throws(ReadingError) -> [(key: String, node: Int)]? {
        guard let value = object[keyword] else { return nil }
        guard let members = value.object?.members else { throw wrong(keyword, "must be an object of schemas", value) }
        var nodes: [(key: String, node: Int)] = []
        for member in members {
            let place = "\(pointer)/\(keyword)\(JSONPointer.step(member.key))"
            nodes.append((member.key, try compiler.node(member.value, at: place, in: resource)))
        }
        return nodes
    }

    private func mistake(_ keyword: String, _ text: String) -> ReadingError { .init("\(pointer)/\(keyword)", text) }

    private func wrong(_ keyword: String, _ text: String, _ value: JSONValue) -> ReadingError {
        mistake(keyword, "\(text), not \(value.shown)")
    }
}

extension JSONValue {
    /// The number of values in this value, including itself.
    var weight: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.weight }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.weight }
        default: 1
        }
    }
}
