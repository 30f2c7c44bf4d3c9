import Backlot
import BacklotHTTP

@testable import A2UI

/// A mistake that clients refuse, made at a random place of correct messages.
struct RandomMistake: Sendable {
    let name: String
    /// The rules that find it.
    let rules: Set<String>
    private let make: @Sendable (inout MessageEditor) -> Void

    private init(_ name: String, _ rules: String..., make: @escaping @Sendable (inout MessageEditor) -> Void) {
        (self.name, self.rules, self.make) = (name, Set(rules), make)
    }

    /// The messages with the mistake; nil if they have no place for it.
    func messages(_ messages: [JSONValue], _ version: ProtocolVersion, seed: UInt64) -> [JSONValue]? {
        var editor = MessageEditor(messages, version, seed: seed)
        make(&editor)
        return editor.messages == messages ? nil : editor.messages
    }

    static let all = envelopes + components + references + values

    // MARK: Messages

    private static let envelopes = [
        RandomMistake("no version", "missing-field") { $0.change(.message) { $0["version"] = nil } },
        RandomMistake("an unknown version", "invalid-value") { $0.change(.message) { $0["version"] = "v7" } },
        RandomMistake("two contents", "invalid-value") {
            $0.change(.message) { $0["deleteSurface"] = ["surfaceId": "s"] }
        },
        RandomMistake("no content", "missing-field") {
            $0.change(.message) { $0 = ["version": $0["version"] ?? .null] }
        },
        RandomMistake("an unknown content", "extra-field") {
            $0.change(.message) { message in
                message = ["version": message["version"] ?? .null, "updateComponent": ["surfaceId": "s"]]
            }
        },
        RandomMistake("an unknown key in a message", "extra-field") { $0.change(.content) { $0["colour"] = "red" } },
        RandomMistake("no surface", "missing-field") { $0.change(.content) { $0["surfaceId"] = nil } },
        RandomMistake("a number as surface", "type-mismatch") { $0.change(.content) { $0["surfaceId"] = 7 } },
        RandomMistake("an update of another surface") {
            $0.change(.content, where: { $0["catalogId"] == nil }) { $0["surfaceId"] = "other" }
        },
        RandomMistake("a surface twice", "duplicate-surface") { $0.messages.append($0.messages[0]) },
        RandomMistake("a surface that opens last", "duplicate-surface") { editor in
            editor.messages.append(editor.messages.removeFirst())
        },
        RandomMistake("an unknown catalog", "unknown-catalog") {
            $0.change(.content, where: { $0["catalogId"] != nil }) { $0["catalogId"] = "none" }
        },
        RandomMistake("a catalog of another version", "version-mismatch") { editor in
            let other = editor.version.isOne ? Catalog.basic0_9.id : Catalog.basic1_0.id
            editor.change(.content, where: { $0["catalogId"] != nil }) { $0["catalogId"] = .string(other) }
        },
        RandomMistake("no catalog", "missing-field", "no-catalog") {
            $0.change(.content, where: { $0["catalogId"] != nil }) { $0["catalogId"] = nil }
        },
        RandomMistake("no components", "invalid-value") {
            $0.change(.content, where: { $0["components"] != nil }) { $0["components"] = [] }
        },
        RandomMistake("an object of components", "type-mismatch") {
            $0.change(.content, where: { $0["components"] != nil }) { $0["components"] = [:] }
        },
        RandomMistake("text for sendDataModel", "type-mismatch") {
            $0.change(.content, where: { $0["catalogId"] != nil }) { $0["sendDataModel"] = "maybe" }
        },
        RandomMistake("a theme with the name of a colour", "invalid-value") { editor in
            guard !editor.version.isOne else { return }
            editor.change(.content, where: { $0["catalogId"] != nil }) { $0["theme"] = ["primaryColor": "red"] }
        },
        RandomMistake("a list as the first model", "type-mismatch") {
            $0.change(.content, where: { $0["dataModel"] != nil }) { $0["dataModel"] = [] }
        },
        RandomMistake("no value in 1.0", "missing-field") { editor in
            guard editor.version.isOne else { return }
            editor.change(.content, where: { $0["value"] != nil }) { $0["value"] = nil }
        },
        RandomMistake("a number as a path of the model", "type-mismatch") {
            $0.change(.content, where: { $0["value"] != nil }) { $0["path"] = 7 }
        },
        RandomMistake("a path of the model with an unknown escape", "invalid-pointer") {
            $0.change(.content, where: { $0["value"] != nil }) { $0["path"] = "/a~2b" }
        },
        RandomMistake("a path through a text", "type-mismatch") { editor in
            editor.messages.append(editor.write("/name", "Ada"))
            editor.messages.append(editor.write("/name/first", "Ada"))
        },
        RandomMistake("a path with a name into a list", "type-mismatch") { editor in
            editor.messages.append(editor.write("/items", []))
            editor.messages.append(editor.write("/items/first", "Ada"))
        },
        RandomMistake("a name of an extension that isn't an identifier", "extra-field") { editor in
            guard editor.version.isOne else { return }
            editor.change(.content, where: { $0["catalogId"] != nil }) {
                $0["metadata"] = ["extensions": ["com.example": 1]]
            }
        },
    ]

    // MARK: Components

    private static let components = [
        RandomMistake("a component without an id", "missing-field") { $0.change(.component) { $0["id"] = nil } },
        RandomMistake("a number as id", "type-mismatch") { $0.change(.component) { $0["id"] = 7 } },
        RandomMistake("a component without a type", "missing-field") {
            $0.change(.component) { $0["component"] = nil }
        },
        RandomMistake("an unknown component", "unrecognized-component") {
            $0.change(.component) { $0["component"] = "Txt" }
        },
        RandomMistake("a component with the name Surface", "invalid-value") {
            $0.change(.component) { $0["component"] = "Surface" }
        },
        RandomMistake("an unknown property", "extra-field") { $0.change(.component) { $0["colour"] = "red" } },
        RandomMistake("a property of another version", "extra-field") { editor in
            let others =
                editor.version.isOne
                ? ["TextField": "validationRegexp"]
                : ["TextField": "placeholder", "Video": "posterUrl", "Slider": "steps", "Text": "@accessibility"]
            editor.change(.component, where: { others[$0["component"]?.string ?? ""] != nil }) { component in
                if let key = others[component["component"]?.string ?? ""] { component[key] = "a" }
            }
        },
        RandomMistake("a heading of 0.9 in 1.0", "invalid-value") { editor in
            guard editor.version.isOne else { return }
            editor.change(.component, where: { $0["component"] == "Text" }) { $0["variant"] = "h1" }
        },
        RandomMistake("a missing property", "missing-field") { editor in
            editor.changeProperty(where: \.isRequired) { _, _ in nil }
        },
        RandomMistake("a property of another type", "type-mismatch", "invalid-value") { editor in
            editor.changeProperty { property, _ in wrong(property.type) }
        },
        RandomMistake("a number in quotes", "type-mismatch") { editor in
            editor.changeProperty(where: { if case .number = $0.type { true } else { false } }) { _, _ in "7" }
        },
        RandomMistake("null as a property", "type-mismatch", "invalid-value") { editor in
            editor.changeProperty { _, _ in .null }
        },
        RandomMistake("a name out of the list", "invalid-value") { editor in
            editor.changeProperty(where: { if case .oneOf = $0.type { true } else { false } }) { _, _ in "huge" }
        },
        RandomMistake("no tabs", "invalid-value") {
            $0.change(.component, where: { $0["tabs"] != nil }) { $0["tabs"] = [] }
        },
        RandomMistake("a number of steps below 1", "invalid-value") {
            $0.change(.component, where: { $0["steps"] != nil }) { $0["steps"] = 0 }
        },
        RandomMistake("a text as date", "type-mismatch", "invalid-value") {
            $0.change(.component, where: { $0["component"] == "DateTimeInput" }) { $0["min"] = "soon" }
        },
        RandomMistake("an option with an unknown key", "type-mismatch", "extra-field") {
            $0.change(.value, where: { $0["label"] != nil && $0["value"] != nil && $0["id"] == nil }) {
                $0["icon"] = "add"
            }
        },
        RandomMistake("an option without a value", "missing-field") {
            $0.change(.value, where: { $0["label"] != nil && $0["value"] != nil && $0["id"] == nil }) {
                $0["value"] = nil
            }
        },
        RandomMistake("an action with two effects", "type-mismatch") {
            $0.change(.value, where: { $0["event"] != nil }) { $0["functionCall"] = ["call": "openUrl"] }
        },
        RandomMistake("an action without an effect", "type-mismatch", "missing-field") {
            $0.change(.component, where: { $0["action"] != nil }) { $0["action"] = [:] }
        },
        RandomMistake("an event without a name", "type-mismatch", "missing-field") {
            $0.change(.value, where: isEvent) { $0["name"] = nil }
        },
        RandomMistake("an event with an unknown key", "type-mismatch", "extra-field") {
            $0.change(.value, where: isEvent) { $0["delay"] = 1 }
        },
        RandomMistake("a check without a condition", "missing-field") {
            $0.change(.value, where: { $0["condition"] != nil }) { $0["condition"] = nil }
        },
        RandomMistake(
            "a literal condition in 1.0, or a check without a message before",
            "type-mismatch",
            "missing-field"
        ) {
            editor in
            let isOne = editor.version.isOne
            editor.change(.value, where: { $0["condition"] != nil }) { check in
                if isOne { check["condition"] = true } else { check["message"] = nil }
            }
        },
        RandomMistake("an unknown attribute of accessibility in 1.0", "extra-field") { editor in
            guard editor.version.isOne else { return }
            let key = editor.version == .v1_0 ? "@accessibility" : "accessibility"
            editor.change(.component) { $0[key] = ["role": "button"] }
        },
        RandomMistake("a number as the label of accessibility", "type-mismatch") { editor in
            let key = editor.version == .v1_0 ? "@accessibility" : "accessibility"
            editor.change(.component) { $0[key] = ["label": 7] }
        },
        RandomMistake("a component of an unknown catalog", "unknown-catalog") { editor in
            guard editor.version.isOne else { return }
            let key = editor.version == .v1_0 ? "@catalogId" : "catalogId"
            editor.change(.component) { $0[key] = "none" }
        },
    ]

    /// A value of another type.
    private static func wrong(_ type: PropertyType) -> JSONValue {
        switch type {
        case .boolean, .number, .integer, .children, .dynamic(.number), .dynamic(.boolean), .dynamic(.stringList):
            "maybe"
        case .object, .list, .action: "a"
        default: [7]
        }
    }

    // MARK: References

    private static let references = [
        RandomMistake("an id twice", "duplicate-id") { editor in
            editor.changeComponents { $0.append($0[Int.random(in: 0..<$0.count, using: &$1)]) }
        },
        RandomMistake("a reference to nothing", "dangling-reference") { editor in
            editor.changeComponents { components, random in
                guard components.count > 1 else { return }
                components.remove(at: Int.random(in: 1..<components.count, using: &random))
            }
        },
        RandomMistake("no root", "missing-root") {
            $0.change(.component, where: { $0["id"] == "root" }) { $0["id"] = "top" }
        },
        RandomMistake("a component without a parent") { editor in
            editor.changeComponents { components, _ in
                components.append(["id": "alone", "component": "Text", "text": "?"])
            }
        },
        RandomMistake("a component in itself", "self-reference") {
            $0.change(.component, where: { $0["child"] != nil }) { $0["child"] = $0["id"] }
        },
        RandomMistake("a circle", "circular-reference") {
            $0.change(.component, where: { $0["child"] != nil }) { $0["child"] = "root" }
        },
        RandomMistake("a circle by way of a template", "circular-reference", "self-reference") {
            $0.change(.value, where: { $0["componentId"] != nil }) { $0["componentId"] = "root" }
        },
        RandomMistake("a number as a child", "type-mismatch") {
            $0.change(.component, where: { $0["children"]?.array != nil }) { $0["children"] = [7] }
        },
        RandomMistake("a template without a path", "type-mismatch", "missing-field") {
            $0.change(.value, where: { $0["componentId"] != nil }) { $0["path"] = nil }
        },
        RandomMistake("a template with an unknown key", "type-mismatch", "extra-field") {
            $0.change(.value, where: { $0["componentId"] != nil }) { $0["key"] = "id" }
        },
        RandomMistake("a path of a template with an unknown escape", "invalid-pointer") {
            $0.change(.value, where: { $0["componentId"] != nil }) { $0["path"] = "/a~b" }
        },
        RandomMistake("components 60 deep") { editor in
            editor.nestCards(60)
        },
        RandomMistake("components 110 deep", "too-deep") { editor in editor.nestCards(110) },
    ]

    // MARK: Bindings and calls

    private static let values = [
        RandomMistake("a number as a path", "type-mismatch") { editor in
            let key = editor.version.pathKey
            editor.changeProperty(where: isDynamic) { _, _ in [key: 7] }
        },
        RandomMistake("a number as a path in an argument of any type in 1.0", "type-mismatch") { editor in
            guard editor.version.isOne else { return }
            editor.changeArgument(where: isAny) { _ in ["@path": 7] }
        },
        RandomMistake("a path with an unknown escape", "invalid-pointer") { editor in
            let key = editor.version.pathKey
            editor.change(.binding) { $0[key] = "/a~2b" }
        },
        RandomMistake("a binding with an unknown key", "type-mismatch", "extra-field") { editor in
            let key = editor.version.pathKey
            editor.changeProperty(where: isDynamic) { _, _ in [key: "/name", "default": "a"] }
        },
        RandomMistake("a binding of 1.0 in 0.9", "type-mismatch", "invalid-value") { editor in
            guard !editor.version.isOne else { return }
            editor.changeProperty(where: isText) { _, _ in
                ["@path": "/name"]
            }
        },
        RandomMistake("a binding of 0.9 in 1.0", "type-mismatch", "invalid-value") { editor in
            guard editor.version.isOne else { return }
            editor.changeProperty(where: isText) { _, _ in
                ["path": "/name"]
            }
        },
        RandomMistake("an unknown function", "unrecognized-function") { editor in
            let key = editor.version.callKey
            editor.change(.call) { $0[key] = "formatTxt" }
        },
        RandomMistake("a call without arguments", "missing-field", "type-mismatch") { editor in
            editor.change(.call, where: { $0["@call"] != "@index" }) { $0["args"] = nil }
        },
        RandomMistake("a missing argument", "missing-field", "type-mismatch") { editor in
            editor.changeArgument(where: \.isRequired) { _ in nil }
        },
        RandomMistake("an argument of another type", "type-mismatch", "invalid-value") { editor in
            editor.changeArgument(where: { !isAny($0) }) { wrong($0.type) }
        },
        RandomMistake("an unknown argument", "extra-field", "type-mismatch") {
            $0.change(.call) { $0["args"] = .object(($0["args"]?.object ?? [:]) + ["colour": "red"]) }
        },
        RandomMistake("a call with an unknown key", "extra-field", "type-mismatch") {
            $0.change(.call) { $0["arguments"] = [:] }
        },
        RandomMistake("a list of arguments", "type-mismatch") { $0.change(.call) { $0["args"] = [] } },
        RandomMistake("another type of result", "type-mismatch", "invalid-value") { editor in
            guard !editor.version.isOne else { return }
            editor.changeProperty(where: isText) { _, _ in
                ["call": "formatString", "args": ["value": "a"], "returnType": "array"]
            }
        },
        RandomMistake("another type of result in a context", "type-mismatch", "invalid-value") { editor in
            guard !editor.version.isOne else { return }
            editor.change(.value, where: isEvent) {
                $0["context"] = ["a": ["call": "formatString", "args": ["value": "a"], "returnType": "array"]]
            }
        },
        RandomMistake("a call of an unknown catalog", "unknown-catalog") { editor in
            guard editor.version.isOne else { return }
            editor.change(.call, where: { $0["@call"] != "@index" }) { $0["catalogId"] = "none" }
        },
        RandomMistake("an unknown function of the protocol", "unrecognized-function") { editor in
            guard editor.version.isOne else { return }
            editor.change(.call) { $0["@call"] = "@position" }
        },
        RandomMistake("an index outside of a template", "invalid-value") { editor in
            guard editor.version.isOne else { return }
            let key = editor.version == .v1_0 ? "@accessibility" : "accessibility"
            editor.change(.component, where: { $0["id"] == "root" }) { $0[key] = ["label": ["@call": "@index"]] }
        },
        RandomMistake("calls too deep", "too-deep") { editor in
            let key = editor.version.callKey
            let call = (0..<7).reduce(JSONValue.string("a")) { inner, _ in
                [key: "formatString", "args": ["value": inner]]
            }
            editor.changeProperty(where: isText) { _, _ in
                call
            }
        },
        RandomMistake("a value too deep", "too-deep") { editor in
            let value = (0..<60).reduce(JSONValue.array([])) { inner, _ in [inner] }
            editor.change(.value, where: isEvent) { $0["context"] = ["a": value] }
        },
        RandomMistake("a reserved key in a context in 1.0", "type-mismatch", "extra-field") { editor in
            guard editor.version.isOne else { return }
            editor.change(.value, where: isEvent) { $0["context"] = ["a": ["@value": 1]] }
        },
        RandomMistake("a reserved key in an argument in 1.0", "extra-field") { editor in
            guard editor.version.isOne else { return }
            editor.changeArgument(where: isAny) { _ in ["list": [["@value": 1]]] }
        },
    ]

    private static func isDynamic(_ property: Property) -> Bool {
        if case .dynamic = property.type { true } else { false }
    }
    private static func isText(_ property: Property) -> Bool {
        if case .dynamic(.string) = property.type { true } else { false }
    }
    private static func isAny(_ property: Property) -> Bool {
        switch property.type {
        case .any, .dynamic(.value): true
        default: false
        }
    }
    private static func isEvent(_ object: JSONObject) -> Bool { object["name"] != nil && object["context"] != nil }
}

/// Messages that change at a random place.
private struct MessageEditor {
    /// The objects to choose from.
    enum Kind {
        case message, content, component
        /// Any object in a component's properties.
        case value
        case binding, call
    }

    let version: ProtocolVersion
    var messages: [JSONValue]
    private var random: SplitMix64

    init(_ messages: [JSONValue], _ version: ProtocolVersion, seed: UInt64) {
        (self.messages, self.version, random) = (messages, version, SplitMix64(seed: seed))
    }

    func write(_ path: String, _ value: JSONValue) -> JSONValue {
        [
            "version": .string(version.rawValue),
            "updateDataModel": ["surfaceId": "s", "path": .string(path), "value": value],
        ]
    }

    /// Changes one of the objects of a kind.
    mutating func change(
        _ kind: Kind,
        where fits: (JSONObject) -> Bool = { _ in true },
        _ change: (inout JSONObject) -> Void
    ) {
        var found: [[String]] = []
        visit(.array(messages), []) { object, path in
            let isWithin = path.count > 4 && path[2] == "components"
            let isOfKind =
                switch kind {
                case .message: path.count == 1
                case .content: path.count == 2
                case .component: path.count == 4 && path[2] == "components"
                case .value: isWithin
                case .binding: isWithin && object.count == 1 && object[version.pathKey] != nil
                case .call: isWithin && object[version.callKey] != nil
                }
            if isOfKind, fits(object) { found.append(path) }
        }
        guard let path = found.randomElement(using: &random) else { return }
        messages = Self.changed(.array(messages), path[...], change).array ?? []
    }

    private func visit(_ value: JSONValue, _ path: [String], _ body: (JSONObject, [String]) -> Void) {
        switch value {
        case .array(let elements): for (index, part) in elements.enumerated() { visit(part, path + ["\(index)"], body) }
        case .object(let object):
            body(object, path)
            for member in object.members { visit(member.value, path + [member.key], body) }
        default: break
        }
    }

    private static func changed(
        _ value: JSONValue,
        _ path: ArraySlice<String>,
        _ change: (inout JSONObject) -> Void
    ) -> JSONValue {
        switch value {
        case .array(var elements):
            guard let index = path.first.flatMap({ Int($0) }) else { return value }
            elements[index] = changed(elements[index], path.dropFirst(), change)
            return .array(elements)
        case .object(var object):
            if let key = path.first {
                object[key] = object[key].map { changed($0, path.dropFirst(), change) }
            } else {
                change(&object)
            }
            return .object(object)
        default: return value
        }
    }

    /// Changes the list of components.
    mutating func changeComponents(_ change: (inout [JSONValue], inout SplitMix64) -> Void) {
        var random = random
        self.change(.content, where: { $0["components"] != nil }) { content in
            var components = content["components"]?.array ?? []
            change(&components, &random)
            content["components"] = .array(components)
        }
        self.random = random
    }

    /// Gives one property of a component another value.
    mutating func changeProperty(
        where fits: (Property) -> Bool = { _ in true },
        _ value: (Property, JSONObject) -> JSONValue?
    ) {
        let tables = Catalog.basicComponents(version)
        func candidates(_ component: JSONObject) -> [Property] {
            let table = tables.first { $0.name == component["component"]?.string }
            return (table?.properties ?? []).filter { component[$0.name] != nil && fits($0) }
        }
        var random = random
        change(.component, where: { !candidates($0).isEmpty }) { component in
            guard let property = candidates(component).randomElement(using: &random) else { return }
            component[property.name] = value(property, component)
        }
        self.random = random
    }

    /// Gives one argument of a call another value.
    mutating func changeArgument(where fits: (Property) -> Bool, _ value: (Property) -> JSONValue?) {
        let (functions, key) = ((version.isOne ? Catalog.basic1_0 : .basic0_9).functions, version.callKey)
        func candidates(_ call: JSONObject) -> [Property] {
            let function = call[key]?.string.flatMap { functions[$0] }
            return (function?.parameters ?? []).filter { call["args"]?[$0.name] != nil && fits($0) }
        }
        var random = random
        change(.call, where: { !candidates($0).isEmpty }) { call in
            guard let parameter = candidates(call).randomElement(using: &random) else { return }
            var arguments = call["args"]?.object ?? [:]
            arguments[parameter.name] = value(parameter)
            call["args"] = .object(arguments)
        }
        self.random = random
    }

    /// Puts cards around the content of a card.
    mutating func nestCards(_ count: Int) {
        changeComponents { components, _ in
            guard let index = components.firstIndex(where: { $0["component"] == "Card" }),
                var card = components[index].object, let child = card["child"]
            else { return }
            card["child"] = "n1"
            components[index] = .object(card)
            for number in 1...count {
                let next = number == count ? child : .string("n\(number + 1)")
                components.append(["id": .string("n\(number)"), "component": "Card", "child": next])
            }
        }
    }
}
