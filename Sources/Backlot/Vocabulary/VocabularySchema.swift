/// Makes a JSON Schema from a vocabulary, for editors that complete keys, show their meaning and mark mistakes.
///
/// It follows draft 2020-12, and uses only features that editors for draft 7 also support, except the name of `$defs`.
package struct VocabularySchema {
    private let vocabulary: Vocabulary
    /// Whether a text with tags may replace a number, a boolean or a name in the objects of a role.
    private let takesTags: (Role) -> Bool
    /// The kinds that may be a complete file, which can name its schema.
    private let roots: [Kind]
    /// The roles in the order of discovery, with their names in the schema.
    private var roles: [(role: Role, name: String)] = []

    package init(_ vocabulary: Vocabulary, roots: [Kind], takesTags: @escaping (Role) -> Bool) {
        self.vocabulary = vocabulary
        self.roots = roots
        self.takesTags = takesTags
        for role in vocabulary.kinds.flatMap(\.roles) where !roles.contains(where: { $0.role == role }) {
            let noun = String(role.noun.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            let count = roles.count { $0.name == noun || $0.name.hasPrefix("\(noun)_") }
            roles.append((role, count == 0 ? noun : "\(noun)_\(count + 1)"))
        }
    }

    // MARK: Whole schemas

    /// The schema of files with an outermost object of a kind.
    package func document(of root: Kind, title: String) -> JSONValue {
        document(title: title, root.meaning, [("allOf", [reference(to: root)])])
    }

    /// The schema of files of several forms.
    ///
    /// - Parameters:
    ///   - meaning: the meaning of such a file, in a sentence.
    ///   - members: the keywords that describe the file.
    package func document(title: String, _ meaning: String, _ members: [(String, JSONValue)]) -> JSONValue {
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
            "description": .string(meaning),
        ]
        for (key, value) in members { schema[key] = value }
        schema["$defs"] = .object(needed(by: .object(schema)))
        return .object(schema)
    }

    /// The definitions that a schema refers to, directly and indirectly.
    private func needed(by schema: JSONValue) -> JSONObject {
        let definitions = definitions
        var names = Self.references(in: schema)
        var index = 0
        while index < names.count {
            let found = definitions[names[index]].map(Self.references) ?? []
            names += found.reduce(into: []) { if !names.contains($1), !$0.contains($1) { $0.append($1) } }
            index += 1
        }
        var needed = JSONObject()
        for member in definitions.members where names.contains(member.key) { needed[member.key] = member.value }
        return needed
    }

    private static func references(in schema: JSONValue) -> [String] {
        if let elements = schema.array { return elements.flatMap(references) }
        return (schema.object?.members ?? []).flatMap { member -> [String] in
            guard member.key == "$ref", let path = member.value.string else { return references(in: member.value) }
            return [String(path.dropFirst("#/$defs/".count))]
        }
    }

    /// Every kind, and every role with objects that name their kinds.
    private var definitions: JSONObject {
        var definitions = JSONObject()
        for (role, name) in roles {
            if case .key(let key) = role.naming { definitions[name] = .object(choice(of: role, by: key)) }
            if takesTags(role) {
                let path = "\(name)_or_blocks"
                definitions[path] = orBlocks(reference(to: role), at: path)
            }
            for kind in vocabulary.kinds(as: role) {
                definitions[self.name(of: kind, as: role)] = schema(of: kind, as: role)
            }
        }
        return definitions
    }

    private func name(of role: Role) -> String { roles.first { $0.role == role }?.name ?? role.noun }

    private func name(of kind: Kind, as role: Role) -> String {
        let own = String(kind.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        let role = name(of: role)
        return own == role ? "\(role)_object" : "\(role)_\(own)"
    }

    private func path(of kind: Kind, as role: Role) -> String { "#/$defs/\(name(of: kind, as: role))" }

    /// A reference to a kind.
    package func reference(to kind: Kind) -> JSONValue { ["$ref": .string(path(of: kind, as: kind.roles[0]))] }

    /// A reference to the objects of a role.
    package func reference(to role: Role) -> JSONValue {
        if case .key = role.naming { return ["$ref": .string("#/$defs/\(name(of: role))")] }
        guard case .single = role.naming, let kind = vocabulary.kinds(as: role).first else { return ["type": "object"] }
        return ["$ref": .string(path(of: kind, as: role))]
    }

    // MARK: Kinds

    /// An object that names its kind by one of its keys.
    private func choice(of role: Role, by key: String) -> JSONObject {
        let kinds = vocabulary.kinds(as: role)
        let branches = kinds.map { branch(if: key, is: $0.name, then: ["$ref": .string(path(of: $0, as: role))]) }
        let names = kinds.map { Name(text: $0.name, meaning: $0.meaning) }
        var named = enumeration(names)
        named["description"] = .string("The kind of the \(role.noun).")
        return [
            "type": "object", "required": [.string(key)], "properties": .object([key: .object(named)]),
            "allOf": .array(branches),
        ]
    }

    private func branch(if key: String, is name: String, then schema: JSONObject) -> JSONValue {
        [
            "if": ["properties": .object([key: ["const": .string(name)]]), "required": [.string(key)]],
            "then": .object(schema),
        ]
    }

    private func schema(of kind: Kind, as role: Role) -> JSONValue {
        var properties = JSONObject()
        var required: [JSONValue] = []
        var conditions: [JSONValue] = []
        if roots.contains(kind) {
            properties["$schema"] = ["type": "string", "description": "The schema of the file, for editors."]
        }
        if case .key(let key) = role.naming {
            properties[key] = ["const": .string(kind.name), "description": .string(kind.meaning)]
            required.append(.string(key))
        }
        for key in kind.keys where properties[key.name] == nil {
            let declared = kind.keys.filter { $0.name == key.name }
            properties[key.name] = .object(property(declared, of: role))
            if isRequired(key.name, kind) { required.append(.string(key.name)) }
            for case .node(let inner, _) in declared.map(\.type) {
                guard case .parentKey(let named) = inner.naming else { continue }
                conditions += vocabulary.kinds(as: inner).map { kind in
                    let reference: JSONValue = ["$ref": .string(path(of: kind, as: inner))]
                    return branch(if: named, is: kind.name, then: ["properties": .object([key.name: reference])])
                }
            }
        }
        for key in vocabulary.anywhere where role.ownKey != nil && properties[key.name] == nil {
            properties[key.name] = .object(property([key], of: role))
        }
        var schema: JSONObject = [
            "type": "object", "description": .string(kind.meaning + Self.audience(of: kind.support)),
            "properties": .object(properties), "additionalProperties": false,
        ]
        var complete = JSONObject()
        if !required.isEmpty { complete["required"] = .array(required) }
        if !kind.groups.isEmpty { complete["allOf"] = .array(kind.groups.map(Self.condition)) }
        if takesTags(role) {
            schema["patternProperties"] = [Self.block: [:]]
            if complete.count > 0 {
                // A block may contain the required keys.
                conditions.append([
                    "if": ["propertyNames": ["not": ["pattern": .string(Self.block)]]], "then": .object(complete),
                ])
            }
        } else {
            if let required = complete["required"] { schema["required"] = required }
            conditions += complete["allOf"]?.array ?? []
        }
        if !conditions.isEmpty { schema["allOf"] = .array(conditions) }
        return .object(schema)
    }

    /// A key that begins or continues a block of a template, such as `{{#each data.cart}}`.
    private static let block = #"^\{\{(#|\^|else)"#

    /// The schema itself, or an object of template blocks with one or several such values as members.
    private func orBlocks(_ schema: JSONValue, at path: String) -> JSONValue {
        let itself: JSONValue = ["$ref": .string("#/$defs/\(path)")]
        return [
            "if": ["type": "object", "minProperties": 1, "propertyNames": ["pattern": .string(Self.block)]],
            "then": ["additionalProperties": ["anyOf": [itself, ["type": "array", "items": itself]]]],
            "else": schema,
        ]
    }

    /// Whether all clients that know the kind need a key.
    private func isRequired(_ name: String, _ kind: Kind) -> Bool {
        vocabulary.audiences.filter { kind.support.overlaps($0) }.allSatisfy { audience in
            if case .required? = kind.key(name, for: audience)?.presence { true } else { false }
        }
    }

    private static func condition(_ group: KeyGroup) -> JSONValue {
        let each = group.keys.map { JSONValue.object(["required": [.string($0)]]) }
        let pairs = group.keys.indices.flatMap { first in
            group.keys.indices.dropFirst(first + 1).map { second in
                JSONValue.object(["required": [.string(group.keys[first]), .string(group.keys[second])]])
            }
        }
        return switch group.rule {
        case .atLeastOne: ["anyOf": .array(each)]
        case .exactlyOne: ["oneOf": .array(each)]
        case .atMostOne: ["not": ["anyOf": .array(pairs)]]
        }
    }

    // MARK: Keys

    /// The schema of a key's value. The key may have several declarations, for different clients.
    private func property(_ keys: [Key], of role: Role) -> JSONObject {
        var types: [JSONObject] = []
        for key in keys {
            let type = schema(of: key.type, in: role)
            if !types.contains(where: { JSONValue.object($0) == .object(type) }) { types.append(type) }
        }
        var property = types.count == 1 ? types[0] : ["anyOf": .array(types.map { .object($0) })]
        // Editors for draft 7 ignore keywords beside a reference.
        if let reference = property["$ref"] { property = ["allOf": [["$ref": reference]]] }
        let key = keys[0]
        var text = key.meaning
        if let bounds = key.type.boundsInWords { text += " \(bounds)" }
        if let value = key.defaultValue {
            property["default"] = value
            text += " Default: \(value)."
        }
        if keys.count == 1 { text += Self.audience(of: key.support) }
        property["description"] = .string(text)
        return property
    }

    /// The clients that support it; empty for all.
    private static func audience(of support: Support) -> String {
        let places = support.platforms.isEmpty ? support.dialects : support.platforms
        let only = places.isEmpty ? "" : " Only for clients of \(places.alternatives)."
        return only + (support.outsiders.map { " Unknown to \($0)." } ?? "")
    }

    private func schema(of type: ValueType, in role: Role) -> JSONObject {
        switch type {
        case .any: return [:]
        case .bool: return orTag(["type": "boolean"], in: role)
        case .string: return ["type": "string"]
        case .text(let form):
            var schema: JSONObject = ["type": "string", "examples": [.string(form.example)]]
            schema["pattern"] = form.pattern.map { .string($0) }
            return schema
        case .oneOf(let names, .refusal): return orTag(enumeration(names), in: role)
        case .oneOf(let names, .warning): return ["anyOf": [.object(enumeration(names)), ["type": "string"]]]
        case .numeric(let bounds): return orTag(bounds.schema, in: role)
        case .list(let element, let count):
            var items = self.schema(of: element, in: role)
            if takesTags(role), !element.isNode {
                items = [
                    "anyOf": [.object(items), ["type": "object", "propertyNames": ["pattern": .string(Self.block)]]]
                ]
            }
            var schema: JSONObject = ["type": "array", "items": .object(items)]
            switch count {
            case .any: break
            case .atLeast(let least): schema["minItems"] = .number(JSONNumber(Int64(least)))
            case .exactly(let counts):
                schema["minItems"] = .number(JSONNumber(Int64(counts.min() ?? 0)))
                schema["maxItems"] = .number(JSONNumber(Int64(counts.max() ?? 0)))
            }
            return schema
        case .nullable(let type): return ["anyOf": [.object(schema(of: type, in: role)), ["type": "null"]]]
        case .map(let type):
            return ["type": "object", "additionalProperties": .object(schema(of: type, in: role))]
        case .node(let inner, let only): return schema(of: inner, only: only)
        case .either(let types): return ["anyOf": .array(types.map { .object(schema(of: $0, in: role)) })]
        }
    }

    private func schema(of role: Role, only: [String]) -> JSONObject {
        var schema = reference(to: role).object ?? JSONObject()
        if takesTags(role), schema["$ref"] != nil { schema = ["$ref": .string("#/$defs/\(name(of: role))_or_blocks")] }
        if !only.isEmpty, case .key(let key) = role.naming {
            let names = JSONValue.array(only.map { .string($0) })
            schema = ["allOf": [.object(schema)], "properties": .object([key: ["enum": names]])]
        }
        guard role.readText != nil else { return schema }
        return ["anyOf": [.object(schema), ["type": "string"]]]
    }

    /// A schema that also accepts a text with a tag: a tag alone becomes the value itself.
    private func orTag(_ schema: JSONObject, in role: Role) -> JSONObject {
        guard takesTags(role) else { return schema }
        return ["anyOf": [.object(schema), ["type": "string", "pattern": #"\{\{"#]]]
    }

    /// One of several texts, each with its meaning, which editors show.
    private func enumeration(_ names: [Name]) -> JSONObject {
        var schema: JSONObject = ["enum": .array(names.map { .string($0.text) })]
        if names.contains(where: { !$0.meaning.isEmpty }) {
            schema["enumDescriptions"] = .array(names.map { .string($0.meaning) })
        }
        return schema
    }
}

extension ValueType {
    fileprivate var isNode: Bool { if case .node = self { true } else { false } }

    /// The requirements for the value beyond its JSON type, as a sentence; nil without any.
    fileprivate var boundsInWords: String? {
        switch self {
        case .numeric, .text: "It must be \(noun)."
        case .list(_, .exactly), .list(_, .atLeast): "It must be \(noun)."
        case .list(.numeric, _), .list(.text, _): "It must be \(noun)."
        default: nil
        }
    }
}

extension Bounds {
    fileprivate var schema: JSONObject {
        var schema: JSONObject = ["type": isWhole ? "integer" : "number"]
        if range.lowerBound == .leastNonzeroMagnitude {
            schema["exclusiveMinimum"] = 0
        } else if !isLowerOpen {
            schema["minimum"] = Self.json(range.lowerBound)
        }
        if !isUpperOpen { schema["maximum"] = Self.json(range.upperBound) }
        return schema
    }

    private static func json(_ bound: Double) -> JSONValue {
        Int64(exactly: bound).map { .number(JSONNumber($0)) } ?? JSONNumber(bound).map { .number($0) } ?? .null
    }
}
