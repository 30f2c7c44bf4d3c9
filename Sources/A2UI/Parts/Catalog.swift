public import Backlot

/// The components and functions that a server and a client both know.
///
/// A catalog is declared in Swift or read from JSON; ``json`` is the same in both cases, and components are checked against it.
///
/// ```swift
/// let stars = Catalog.Component("Stars", "A number of stars.", properties: [Property("value", .dynamic(.number), "The number.")])
/// let catalog = try Catalog("https://example.com/ratings.json", components: [stars])
/// ```
///
/// Source: the A2UI specification, Catalogs.
public struct Catalog: Sendable {
    /// A component of a catalog.
    public struct Component: Sendable {
        /// The value of its key `component`.
        public let name: String
        /// The meaning, in one sentence.
        public let meaning: String
        /// The properties, except those that all components have.
        public let properties: [Property]
        /// Whether it takes checks.
        public let isCheckable: Bool

        /// Declares a component.
        public init(_ name: String, _ meaning: String, checks isCheckable: Bool = false, properties: [Property]) {
            (self.name, self.meaning) = (name, meaning)
            (self.properties, self.isCheckable) = (properties, isCheckable)
        }

        fileprivate func schema(_ version: ProtocolVersion) -> JSONValue {
            let type = JSONValue.object(["const": .string(name)])
            var own = Property.schema(properties, version, isOpen: true).object ?? [:]
            own["properties"] = .object(["component": type] + (own["properties"]?.object ?? [:]))
            own["required"] = .array(["component"] + (own["required"]?.array ?? []))
            let checkable: [JSONValue] = isCheckable ? [["$ref": "common_types.json#/$defs/Checkable"]] : []
            return [
                "type": "object", "description": .string(meaning), "allOf": .array(checkable + [.object(own)]),
                "unevaluatedProperties": false,
            ]
        }
    }

    /// The id, which surfaces name. It is compared as a text, and never fetched.
    public let id: String
    /// The version of A2UI.
    public let version: ProtocolVersion
    /// The catalog as JSON, without its common types.
    public let json: JSONObject
    /// The functions by their names.
    public private(set) var functions: [String: Function] = [:]
    /// The references of each component, and its permitted parents.
    private(set) var components: [String: ComponentShape] = [:]
    /// Compiles the schemas of components as `{"component:Text": …}`, and those of calls as `{"function:email": …}`.
    private let schema: JSONSchema

    /// Declares a catalog.
    ///
    /// - Throws: an error for a name that is there twice or reserved.
    public init(
        _ id: String,
        version: ProtocolVersion = .v1_0,
        title: String? = nil,
        components: [Component],
        functions: [Function] = [],
        theme: [Property] = []
    ) throws(A2UIError) {
        var json: JSONObject = ["catalogId": .string(id)]
        if version.isOne { json["protocolVersion"] = "1.0" }
        json["title"] = title.map(JSONValue.string)
        var parts = JSONObject()
        for component in components {
            guard parts[component.name] == nil else {
                throw A2UIError(
                    .catalog,
                    "duplicate_name",
                    "The catalog \(id.quoted) declares \(component.name) twice."
                )
            }
            parts[component.name] = component.schema(version)
        }
        json["components"] = .object(parts)
        parts = JSONObject()
        for function in functions { parts[function.name] = Self.schema(of: function, version) }
        json["functions"] = .object(parts)
        if !theme.isEmpty { json["$defs"] = ["theme": Property.schema(theme, version, isOpen: true)] }
        try self.init(.object(json), version: version, functions: functions)
    }

    private static func schema(of function: Function, _ version: ProtocolVersion) -> JSONValue {
        var arguments = Property.schema(function.parameters, version).object ?? [:]
        if !function.alternatives.isEmpty {
            arguments["anyOf"] = .array(function.alternatives.map { ["required": [.string($0)]] })
        }
        var properties: JSONObject = [version.callKey: ["const": .string(function.name)], "args": .object(arguments)]
        if !version.isOne { properties["returnType"] = ["const": .string(function.result.rawValue)] }
        var schema: JSONObject = [
            "type": "object", "description": .string(function.meaning), "properties": .object(properties),
            "required": [.string(version.callKey), "args"],
        ]
        if version.isOne {
            schema["returnType"] = .string(function.result.rawValue)
            schema["allowedCallers"] = .string(function.callers.rawValue)
            if function.requiresUserActivation { schema["requiresUserActivation"] = true }
        }
        return .object(schema)
    }

    /// Reads a catalog.
    ///
    /// - Parameters:
    ///   - document: the catalog as JSON, in the form of a file or of `inlineCatalogs`.
    ///   - version: the version for a catalog that names none.
    ///   - functions: implementations of functions. Those without one can be checked, but not called.
    /// - Throws: a catalog error for a wrong form, for a schema that isn't valid, and for a component with the name Surface.
    public init(
        _ document: JSONValue,
        version: ProtocolVersion = .v0_9,
        functions: [Function] = []
    ) throws(A2UIError) {
        guard var json = document.object, let id = json["catalogId"]?.string else {
            throw A2UIError(.catalog, "missing_field", "A catalog is an object with a catalogId.", at: "/catalogId")
        }
        func refusal(_ text: String, _ path: String) -> A2UIError {
            A2UIError(.catalog, "invalid_catalog", "The catalog \(id.excerpt(upTo: 200).quoted): \(text)", at: path)
        }
        let named = (json["protocolVersion"] ?? json["version"])?.string
        guard let version = named.map(ProtocolVersion.init(loosely:)) ?? version else {
            throw refusal("the version \((named ?? "").quoted) is unknown; write 0.9 or 1.0.", "/protocolVersion")
        }
        json["components"] = json["components"] ?? [:]
        guard let parts = json["components"]?.object else {
            throw refusal("components must be an object.", "/components")
        }
        guard parts["Surface"] == nil else {
            throw refusal("Surface is reserved; name the component otherwise.", "/components/Surface")
        }
        json["functions"] = .object(try Self.functions(json["functions"], version, refusal))
        (self.id, self.version, self.json) = (id, version, json)
        schema = try Self.compile(json, version, refusal)
        for (name, definition) in parts.members.map({ ($0.key, $0.value) }) {
            components[name] = try ComponentShape(definition, in: json) { refusal($0, "/components/\(name)") }
        }
        for function in functions { self.functions[function.name] = function }
        for (name, definition) in (json["functions"]?.object?.members ?? []).map({ ($0.key, $0.value) }) {
            guard self.functions[name] == nil else { continue }
            let result = (definition["returnType"] ?? definition["properties"]?["returnType"]?["const"])?.string
            var function = Function(
                name,
                definition["description"]?.string ?? "",
                returns: result.flatMap(Function.ResultType.init) ?? .any,
                parameters: []
            )
            function.callers = definition["allowedCallers"]?.string.flatMap(Function.Callers.init) ?? .rendererOnly
            function.requiresUserActivation = definition["requiresUserActivation"]?.bool ?? false
            self.functions[name] = function
        }
    }

    /// The functions of a file, and those of `inlineCatalogs`: a list with parameters.
    private static func functions(
        _ value: JSONValue?,
        _ version: ProtocolVersion,
        _ refusal: (String, String) -> A2UIError
    ) throws(A2UIError) -> JSONObject {
        var named = JSONObject()
        switch value {
        case nil: break
        case .object(let object)?: named = object
        case .array(let elements)?:
            for element in elements {
                guard let name = element["name"]?.string else { throw refusal("a function has no name.", "/functions") }
                named[name] = element
            }
        default: throw refusal("functions must be an object.", "/functions")
        }
        for member in named.members where member.value["properties"]?[version.callKey] == nil {
            guard let parameters = member.value["parameters"] else { continue }
            var definition: JSONObject = [
                "type": "object", "required": [.string(version.callKey)],
                "properties": [version.callKey: ["const": .string(member.key)], "args": parameters],
            ]
            definition["returnType"] = member.value["returnType"]
            definition["description"] = member.value["description"]
            named[member.key] = .object(definition)
        }
        return named
    }

    /// One schema for everything, so that the catalog is compiled once.
    private static func compile(
        _ json: JSONObject,
        _ version: ProtocolVersion,
        _ refusal: (String, String) -> A2UIError
    ) throws(A2UIError) -> JSONSchema {
        var catalog = json
        for key in [
            "$id", "$schema", "catalogId", "protocolVersion", "version", "title", "description", "instructions",
        ] {
            catalog[key] = nil
        }
        catalog["$id"] = "catalog.json"
        var ownTypes = catalog["$defs"]?.object ?? [:]
        for name in ["anyComponent", "anyFunction"] { ownTypes[name] = nil }
        if let theme = json["theme"] { ownTypes["theme"] = theme }
        catalog["theme"] = nil
        catalog["$defs"] = .object(ownTypes)
        var entries = JSONObject()
        let open: JSONValue = true
        for (kind, group) in [("component", "components"), ("function", "functions")] {
            for member in catalog[group]?.object?.members ?? [] {
                let definition = member.value
                // A closed definition would refuse the keys that all components have.
                let isClosed = [definition["additionalProperties"], definition["unevaluatedProperties"]].contains(false)
                var opened = definition.object ?? [:]
                for key in ["additionalProperties", "unevaluatedProperties", "description", "returnType"] {
                    opened[key] = nil
                }
                var parts: [JSONValue] = [["$ref": .string("catalog.json#/\(group)\(JSONPointer.step(member.key))")]]
                var keys: JSONObject = [version.callKey: open, "args": open]
                keys[version.isOne ? "catalogId" : "returnType"] = open
                if kind == "component" {
                    parts.insert(["$ref": "common_types.json#/$defs/ComponentCommon"], at: 0)
                    keys = ["component": open]
                }
                var entry: JSONObject = ["type": "object", "properties": .object(keys), "allOf": .array(parts)]
                // A definition without properties says nothing about them.
                let isSilent = kind == "component" && definition["properties"] == nil && definition["allOf"] == nil
                if !isSilent, version.isOne || isClosed || kind == "function" { entry["unevaluatedProperties"] = false }
                entries["\(kind):\(member.key)"] = .object(entry)
                if var definitions = catalog[group]?.object {
                    definitions[member.key] = .object(opened)
                    catalog[group] = .object(definitions)
                }
            }
        }
        if ownTypes["theme"] != nil { entries["theme"] = ["$ref": "catalog.json#/$defs/theme"] }
        for member in (CommonTypes.schema(version)["$defs"]?.object ?? [:]).members {
            entries["type:\(member.key)"] = ["$ref": .string("common_types.json#/$defs/\(member.key)")]
        }
        let document: JSONValue = [
            "$id": "https://backlot.invalid/a2ui/", "properties": .object(entries),
            "$defs": [
                "catalog": Self.rewritten(.object(catalog), own: Set(ownTypes.keys)),
                "common": CommonTypes.schema(version),
            ],
        ]
        do throws(JSONSchema.ReadingError) {
            return try JSONSchema(document, assertsFormats: true)
        } catch {
            throw refusal("\(error).", "")
        }
    }

    /// References to the common types, however they are written, lead to ours.
    private static func rewritten(_ value: JSONValue, own: Set<String>) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { rewritten($0, own: own) })
        case .object(var object):
            for member in object.members {
                if member.key == "$ref", let target = member.value.string {
                    let type = target.split(separator: "/").last.map(String.init) ?? ""
                    let isLocal = target.hasPrefix("#/$defs/") && !own.contains(type)
                    if isLocal || target.contains("common_types.json#") {
                        object["$ref"] = .string("common_types.json#/$defs/\(type)")
                    }
                } else {
                    object[member.key] = rewritten(member.value, own: own)
                }
            }
            return .object(object)
        default: return value
        }
    }

    /// The mistakes in a part of a message; empty for a correct one.
    ///
    /// - Parameter entry: `component:Text`, `function:email`, `theme` or `type:Action`. Without such an entry nothing is wrong.
    package func mistakes(in value: JSONValue, as entry: String) -> [A2UIError.Detail] {
        schema.errors(in: .object([entry: value])).map { failure in
            let keyword = failure.schema.split(separator: "/").last ?? ""
            var path = String(failure.instance.dropFirst(JSONPointer.step(entry).count))
            let code: String
            switch keyword {
            case "required":
                code = "missing_field"
                if let name = failure.text.split(separator: "\"").dropFirst().first {
                    path += JSONPointer.step(String(name))
                }
            case "additionalProperties", "unevaluatedProperties": code = "extra_field"
            case "type", "oneOf": code = "type_mismatch"
            default: code = failure.isGivenUp ? "too_deep" : "invalid_value"
            }
            return A2UIError.Detail(code: code, path: path, message: "\(path.isEmpty ? "it" : path) \(failure.text)")
        }
    }
}

/// The part of a component's definition that counts for the tree: its references, and its permitted parents and children.
struct ComponentShape: Sendable {
    /// The properties that name components.
    indirect enum References: Sendable {
        case child, children
        case list(References)
        case object([String: References])
    }

    private(set) var references: [String: References] = [:]
    /// The properties with an action.
    private(set) var actions: Set<String> = []
    let allowedParents: Set<String>?
    let allowedChildren: Set<String>?

    init(_ definition: JSONValue, in catalog: JSONObject, _ refusal: (String) -> A2UIError) throws(A2UIError) {
        func names(_ key: String) throws(A2UIError) -> Set<String>? {
            guard let value = definition[key] else { return nil }
            guard let names = value.array?.map(\.string), !names.contains(nil) else {
                throw refusal("\(key) must be a list of names of components.")
            }
            return Set(names.compactMap { $0 })
        }
        allowedParents = try names("allowedParents")
        allowedChildren = try names("allowedChildren")
        guard definition.object != nil else { throw refusal("a component must be a schema, which is an object.") }
        read(definition, catalog, depth: 0)
        if definition["properties"] == nil, definition["allOf"] == nil {
            references = ["child": .child, "children": .children]
        }
    }

    private mutating func read(_ schema: JSONValue, _ catalog: JSONObject, depth: Int) {
        for (name, property) in (schema["properties"]?.object?.members ?? []).map({ ($0.key, $0.value) }) {
            if property["$ref"]?.string?.hasSuffix("/Action") == true { actions.insert(name) }
            references[name] = Self.references(in: property, catalog, depth: 0) ?? references[name]
        }
        guard depth < 10 else { return }
        for part in schema["allOf"]?.array ?? [] {
            read(Self.target(of: part, catalog) ?? part, catalog, depth: depth + 1)
        }
    }

    private static func references(in schema: JSONValue, _ catalog: JSONObject, depth: Int) -> References? {
        guard depth < 10 else { return nil }
        if let type = schema["$ref"]?.string?.split(separator: "/").last {
            switch type {
            case "ComponentId", "Child": return .child
            case "ChildList": return .children
            default: return target(of: schema, catalog).flatMap { references(in: $0, catalog, depth: depth + 1) }
            }
        }
        if let items = schema["items"] { return references(in: items, catalog, depth: depth + 1).map(References.list) }
        let members = (schema["properties"]?.object?.members ?? []).compactMap { member in
            references(in: member.value, catalog, depth: depth + 1).map { (member.key, $0) }
        }
        return members.isEmpty ? nil : .object(Dictionary(members) { first, _ in first })
    }

    /// A type that the catalog declares itself.
    private static func target(of schema: JSONValue, _ catalog: JSONObject) -> JSONValue? {
        guard let reference = schema["$ref"]?.string, reference.hasPrefix("#/$defs/") else { return nil }
        return catalog["$defs"]?[String(reference.dropFirst(8))]
    }
}

/// The catalogs that a surface may use.
package struct CatalogScope: Sendable {
    package var catalogs: [String: Catalog]
    /// The catalog of components and calls without one.
    package var defaultID: String?
    package var version: ProtocolVersion
    /// The catalog that stands for every other one, where messages are judged without a surface.
    package var only: Catalog?

    package init(
        catalogs: [String: Catalog],
        defaultID: String? = nil,
        version: ProtocolVersion,
        only: Catalog? = nil
    ) {
        (self.catalogs, self.defaultID, self.version, self.only) = (catalogs, defaultID, version, only)
    }

    /// The catalog of a component or a call.
    ///
    /// - Throws: a catalog error for an unknown one, one of another version, and none at all.
    package func catalog(_ id: String?) throws(A2UIError) -> Catalog {
        if let only { return only }
        guard let id = id ?? defaultID else {
            throw A2UIError(
                .catalog,
                "no_catalog",
                "The surface has no default catalogId; name one here or in createSurface."
            )
        }
        guard let catalog = catalogs[id] else {
            throw A2UIError(.catalog, "unknown_catalog", "Catalog not found: \(id.excerpt(upTo: 200)).")
        }
        guard catalog.version.isCompatible(with: version) else {
            throw A2UIError(
                .catalog,
                "version_mismatch",
                "Catalog not found for \(version.family): \(id.excerpt(upTo: 200)) is one of \(catalog.version.family)."
            )
        }
        return catalog
    }

    /// The function of a call. Before 1.0, a call's own catalog doesn't count.
    func function(_ name: String, catalog id: String?) throws(A2UIError) -> Function {
        let catalog = try catalog(version.isOne ? id : nil)
        guard let function = catalog.functions[name] else {
            let near =
                Suggestion.nearest(to: name, among: catalog.functions.keys.sorted()).map { "; do you mean \($0)?" }
                ?? "."
            throw A2UIError(.expression, "unrecognized_function", "Unrecognized function \(name.quoted)\(near)")
        }
        return function
    }
}
