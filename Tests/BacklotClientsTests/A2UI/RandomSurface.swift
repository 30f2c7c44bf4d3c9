import A2UI
import Backlot
import BacklotHTTP

/// Random messages that clients accept, made from the tables of the basic catalog: all components with any of their properties.
struct RandomSurface {
    let version: ProtocolVersion
    private var random: SplitMix64

    /// The source of chance, for choices of the caller.
    var generator: SplitMix64 {
        get { random }
        set { random = newValue }
    }
    private var components: [JSONObject] = []
    private var counter = 0

    /// The values that components are bound to.
    private static let texts = ["/name", "/note", "/items/0/title", "/place/city"]
    private static let numbers = ["/count", "/items/1/n"]
    private static let flags = ["/flag", "/items/0/done"]

    init(_ version: ProtocolVersion, seed: UInt64) {
        (self.version, random) = (version, SplitMix64(seed: seed))
    }

    mutating func chance(_ share: Double) -> Bool { random.fraction() < share }
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func one<Element>(of list: [Element]) -> Element { list[number(0...(list.count - 1))] }
    private mutating func word() -> JSONValue {
        .string(one(of: ["Ada", "", "two words", "ß–✓", "1.5", "a/b~c", "\"q\"", "$5", "false"]))
    }

    // MARK: Messages

    private func message(_ key: String, _ body: JSONObject) -> JSONValue {
        ["version": .string(version.rawValue), key: .object(body)]
    }

    /// The messages that open a surface with a model and components.
    mutating func opening(_ id: String) -> [JSONValue] {
        components = []
        _ = component(depth: 0, inTemplate: false, id: "root")
        let catalog = version.isOne ? Catalog.basic1_0.id : Catalog.basic0_9.id
        var creation: JSONObject = ["surfaceId": .string(id), "catalogId": .string(catalog)]
        if chance(0.5) { creation["sendDataModel"] = true }
        let model: JSONValue = [
            "name": word(), "note": word(), "flag": .bool(chance(0.5)), "count": JSONValue(number(0...9)),
            "chosen": ["a"], "day": "2026-11-24", "place": ["city": word()],
            "items": .array((0..<number(0...3)).map { _ in item() }),
        ]
        var messages: [JSONValue] = []
        let isAtOnce = version.isOne && chance(0.3)
        if isAtOnce {
            creation["components"] = .array(components.map(JSONValue.object))
            creation["dataModel"] = model
        }
        messages.append(message("createSurface", creation))
        if !isAtOnce {
            var parts = [
                message("updateDataModel", ["surfaceId": .string(id), "value": model]),
                message(
                    "updateComponents",
                    ["surfaceId": .string(id), "components": .array(components.map(JSONValue.object))]
                ),
            ]
            if chance(0.5) { parts.reverse() }
            messages += parts
        }
        return messages
    }

    private mutating func item() -> JSONValue {
        ["title": word(), "done": .bool(chance(0.5)), "n": JSONValue(number(0...99)), "tags": ["x", word()]]
    }

    /// Messages that change an open surface.
    mutating func update(_ id: String) -> [JSONValue] {
        (0..<number(1...3)).map { _ in
            if chance(0.3), let old = components.randomElement(using: &random) {
                var new = old
                // Another value for each property that names no component.
                let table = Catalog.basicComponents(version).first { $0.name == old["component"]?.string }
                for property in table?.properties ?? [] where !Self.isReference(property.type) {
                    guard old[property.name] != nil, property.name != "value", property.name != "action" else {
                        continue
                    }
                    new[property.name] = value(of: property, depth: 9, inTemplate: isInTemplate(old))
                }
                return message("updateComponents", ["surfaceId": .string(id), "components": [.object(new)]])
            }
            let writes: [(String, JSONValue?)] = [
                ("/name", word()), ("/note", nil), ("/flag", .bool(chance(0.5))), ("/count", JSONValue(number(-5...5))),
                ("/items", .array((0..<number(0...4)).map { _ in item() })), ("/items/0/title", word()),
                ("/items/1", item()), ("/new/deep/0", word()), ("/place", ["city": word()]), ("/place/city", nil),
            ]
            let (path, value) = one(of: writes)
            var body: JSONObject = ["surfaceId": .string(id), "path": .string(path)]
            if let value { body["value"] = value } else if version.isOne { body["value"] = .null }
            return message("updateDataModel", body)
        }
    }

    // MARK: Components

    private func isInTemplate(_ component: JSONObject) -> Bool { component["id"]?.string?.hasPrefix("t") == true }

    private static func isReference(_ type: PropertyType) -> Bool {
        switch type {
        case .child, .children: true
        case .list(let element, _): isReference(element)
        case .object(let properties): properties.contains { isReference($0.type) }
        default: false
        }
    }

    private mutating func component(depth: Int, inTemplate: Bool, id: String? = nil) -> String {
        counter += 1
        let id = id ?? "\(inTemplate ? "t" : "c")\(counter)"
        let tables = Catalog.basicComponents(version)
        let leaves = tables.filter { table in !table.properties.contains { Self.isReference($0.type) } }
        let inner = tables.filter { ["Row", "Column", "List"].contains($0.name) }
        let table = depth == 0 ? one(of: inner) : depth > 3 ? one(of: leaves) : one(of: tables)
        var object: JSONObject = ["id": .string(id), "component": .string(table.name)]
        let index = components.count
        components.append(object)
        for property in table.properties where property.isRequired || property.name == "value" || chance(0.4) {
            object[property.name] = value(of: property, depth: depth, inTemplate: inTemplate)
        }
        let mark = version == .v1_0 ? "@" : ""
        if table.isCheckable, chance(0.3) {
            let condition = chance(0.5) ? call("required", ["value": text(inTemplate)]) : flag(inTemplate, isCall: true)
            object["\(mark)checks"] = [["condition": condition, "message": "Please."]]
        }
        if chance(0.2) { object["\(mark)accessibility"] = ["label": text(inTemplate)] }
        components[index] = object
        return id
    }

    private mutating func value(of property: Property, depth: Int, inTemplate: Bool) -> JSONValue {
        guard property.name != "value" else { return input(property.type, inTemplate) }
        return value(of: property.type, depth: depth, inTemplate: inTemplate)
    }

    /// A binding of the right type for an input.
    private mutating func input(_ type: PropertyType, _ inTemplate: Bool) -> JSONValue {
        switch type {
        case .dynamic(.boolean): binding(inTemplate ? "done" : one(of: Self.flags))
        case .dynamic(.number): binding(inTemplate ? "n" : one(of: Self.numbers))
        case .dynamic(.stringList): binding(inTemplate ? "tags" : "/chosen")
        case .dynamic: binding(inTemplate ? "title" : one(of: Self.texts + ["/day"]))
        default: word()  // an option's value
        }
    }

    private mutating func value(of type: PropertyType, depth: Int, inTemplate: Bool) -> JSONValue {
        switch type {
        case .any, .string: return word()
        case .boolean: return .bool(chance(0.5))
        case .number: return JSONValue(number(1...9))
        case .integer(let least): return JSONValue(number(least...(least + 5)))
        case .url: return "https://example.com/a"
        case .color: return "#00bFfF"
        case .oneOf(let names): return .string(one(of: names))
        case .dateTime: return chance(0.5) ? "2026-12-31" : binding("/day")
        case .binding: return binding("/name")
        case .dynamic(.string): return text(inTemplate)
        case .dynamic(.url): return chance(0.7) ? "https://example.com/b" : binding("/note")
        case .dynamic(.number): return chance(0.5) ? JSONValue(number(1...9)) : binding(inTemplate ? "n" : "/count")
        case .dynamic(.boolean): return flag(inTemplate)
        case .dynamic(.stringList): return chance(0.5) ? ["a", "b"] : binding("/chosen")
        case .dynamic(.value): return chance(0.5) ? word() : binding("/name")
        case .child: return .string(component(depth: depth + 1, inTemplate: inTemplate))
        case .children:
            if chance(0.3), !inTemplate {
                let row = component(depth: depth + 1, inTemplate: true)
                return ["componentId": .string(row), "path": "/items"]
            }
            let count = number(depth == 0 ? 2...5 : 0...3)
            return .array((0..<count).map { _ in .string(component(depth: depth + 1, inTemplate: inTemplate)) })
        case .action: return action(inTemplate)
        case .object(let properties):
            var object = JSONObject()
            for property in properties {
                object[property.name] = value(of: property.type, depth: depth, inTemplate: inTemplate)
            }
            return .object(object)
        case .list(let element, let least):
            return .array(
                (0..<number(max(1, least)...3)).map { _ in value(of: element, depth: depth, inTemplate: inTemplate) }
            )
        case .either(let types):
            return value(of: one(of: types), depth: depth, inTemplate: inTemplate)
        }
    }

    private func binding(_ path: String) -> JSONValue { [version.isOne ? "@path" : "path": .string(path)] }

    private func call(_ name: String, _ arguments: JSONObject) -> JSONValue {
        [version.isOne ? "@call" : "call": .string(name), "args": .object(arguments)]
    }

    private mutating func text(_ inTemplate: Bool) -> JSONValue {
        switch number(0...5) {
        case 0...2: return word()
        case 3: return binding(inTemplate && chance(0.7) ? "title" : one(of: Self.texts))
        case 4: return call("formatString", ["value": .string("Hi ${\(one(of: Self.texts))}, ${/count} left")])
        default: return call("pluralize", ["value": binding("/count"), "one": "one", "other": word()])
        }
    }

    private mutating func flag(_ inTemplate: Bool, isCall: Bool = false) -> JSONValue {
        switch number(isCall ? 2...5 : 0...5) {
        case 0: return .bool(chance(0.5))
        case 1, 2: return isCall ? call("email", ["value": text(inTemplate)]) : binding("/flag")
        case 3: return call("not", ["value": binding(one(of: Self.flags))])
        case 4: return call("numeric", ["value": binding("/count"), "min": JSONValue(number(0...5))])
        default: return call("or", ["values": [binding("/flag"), call("required", ["value": text(inTemplate)])]])
        }
    }

    private mutating func action(_ inTemplate: Bool) -> JSONValue {
        if chance(0.15) { return ["functionCall": call("openUrl", ["url": "https://example.com/c"])] }
        var context = JSONObject()
        if chance(0.7) { context["text"] = text(inTemplate) }
        if chance(0.5) { context["flag"] = flag(inTemplate) }
        if chance(0.3), version.isOne, inTemplate { context["index"] = call("@index", ["offset": 1]) }
        if chance(0.3) { context["chosen"] = binding("/chosen") }
        var event: JSONObject = ["name": .string(one(of: ["book", "take", "go_on"])), "context": .object(context)]
        if version.isOne, chance(0.3) { event["userMessage"] = "I did it" }
        return ["event": .object(event)]
    }
}

extension JSONValue {
    fileprivate init(_ number: Int) { self = .number(JSONNumber(Int64(number))) }
}
