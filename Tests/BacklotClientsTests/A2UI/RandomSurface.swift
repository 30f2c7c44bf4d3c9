import Backlot
import BacklotHTTP

@testable import A2UI

/// Random messages that clients accept, made from the tables of the basic catalog: all components with any of their properties, and all
/// functions with any of their arguments.
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

    /// The surroundings of a value: the levels of components and of calls around it, and whether a template repeats it.
    private struct Place {
        var depth = 0
        var calls = 0
        var isRepeated = false
    }

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
        _ = component(Place(), id: "root")
        let catalog = version.isOne ? Catalog.basic1_0.id : Catalog.basic0_9.id
        var creation: JSONObject = ["surfaceId": .string(id), "catalogId": .string(catalog)]
        if chance(0.5) { creation["sendDataModel"] = true }
        if !version.isOne, chance(0.3) { creation["theme"] = ["primaryColor": "#00bFfF", "agentDisplayName": word()] }
        if version.isOne, chance(0.2) { creation["metadata"] = Self.extensions }
        let model: JSONValue = [
            "name": word(), "note": word(), "flag": .bool(chance(0.5)), "count": JSONValue(number(0...9)),
            "chosen": ["a"], "day": "2026-11-24", "place": ["city": word()],
            "items": .array((0..<number(0...3)).map { _ in item(parts: number(0...2)) }),
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

    private mutating func item(parts: Int = 0) -> JSONValue {
        [
            "title": word(), "done": .bool(chance(0.5)), "n": JSONValue(number(0...99)), "tags": ["x", word()],
            "parts": .array((0..<parts).map { _ in item() }),
        ]
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
                    let isRepeated = old["id"]?.string?.hasPrefix("t") == true
                    new[property.name] = value(of: property, Place(isRepeated: isRepeated))
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

    private static let extensions: JSONValue = ["extensions": ["com_example": ["any": [1, nil]]]]

    private static func isReference(_ type: PropertyType) -> Bool {
        switch type {
        case .child, .children: true
        case .list(let element, _): isReference(element)
        case .object(let properties): properties.contains { isReference($0.type) }
        default: false
        }
    }

    /// Adds a component with all below it.
    private mutating func component(_ place: Place, id: String? = nil) -> String {
        counter += 1
        let ends = version.isOne ? ["", "_a", "é"] : ["", "-a", ".b", " c"]
        let id = id ?? "\(place.isRepeated ? "t" : "c")\(counter)\(one(of: ends))"
        let tables = Catalog.basicComponents(version)
        let leaves = tables.filter { table in !table.properties.contains { Self.isReference($0.type) } }
        let inner = tables.filter { ["Row", "Column", "List"].contains($0.name) }
        let table = place.depth == 0 ? one(of: inner) : place.depth > 3 ? one(of: leaves) : one(of: tables)
        var object: JSONObject = ["id": .string(id), "component": .string(table.name)]
        let index = components.count
        components.append(object)
        for property in table.properties where property.isRequired || property.name == "value" || chance(0.4) {
            object[property.name] = value(of: property, place)
        }
        let mark = version == .v1_0 ? "@" : ""
        if table.isCheckable, chance(0.3) {
            object["\(mark)checks"] = .array((0..<number(0...2)).map { _ in check(place) })
        }
        if chance(0.2) {
            var accessibility: JSONObject = ["label": text(place)]
            if chance(0.5) { accessibility["description"] = text(place) }
            if version.isOne, chance(0.5) { accessibility["live"] = .string(one(of: ["off", "polite", "assertive"])) }
            if version.isOne, chance(0.5) { accessibility["hidden"] = flag(place) }
            object["\(mark)accessibility"] = .object(accessibility)
        }
        if version.isOne, chance(0.1) { object["\(mark)catalogId"] = .string(Catalog.basic1_0.id) }
        if version.isOne, chance(0.1) { object["\(mark)metadata"] = Self.extensions }
        components[index] = object
        return id
    }

    private mutating func check(_ place: Place) -> JSONValue {
        let isCall = chance(0.8)
        var check: JSONObject = ["condition": isCall ? call([.boolean, .validationResult], place) : binding("/flag")]
        if !version.isOne, chance(0.1) { check["condition"] = true }
        if !version.isOne || chance(0.7) { check["message"] = "Please." }
        return .object(check)
    }

    private mutating func value(of property: Property, _ place: Place) -> JSONValue {
        guard property.name != "value" else { return input(property.type, place) }
        return value(of: property.type, place)
    }

    /// A binding of the right type for an input.
    private mutating func input(_ type: PropertyType, _ place: Place) -> JSONValue {
        switch type {
        case .dynamic(.boolean): binding(place.isRepeated ? "done" : one(of: Self.flags))
        case .dynamic(.number): binding(place.isRepeated ? "n" : one(of: Self.numbers))
        case .dynamic(.stringList): binding(place.isRepeated ? "tags" : "/chosen")
        case .dynamic: binding(place.isRepeated ? "title" : one(of: Self.texts + ["/day"]))
        default: word()  // an option's value
        }
    }

    private mutating func value(of type: PropertyType, _ place: Place) -> JSONValue {
        switch type {
        case .any: return value(of: .dynamic(.value), place)
        case .string: return word()
        case .boolean: return .bool(chance(0.5))
        case .number: return JSONValue(number(1...9))
        case .integer(let least): return JSONValue(number(least...(least + 5)))
        case .url: return "https://example.com/a"
        case .color: return "#00bFfF"
        case .oneOf(let names): return .string(one(of: names))
        case .dateTime:
            let dates = ["2026-12-31", "09:30:00Z", "2026-12-31T09:30:00+01:00"]
            return chance(0.5) ? .string(one(of: dates)) : binding("/day")
        case .binding: return binding("/name")
        case .dynamic(.string): return text(place)
        case .dynamic(.url): return chance(0.7) ? "https://example.com/b" : binding("/note")
        case .dynamic(.number):
            if version.isOne, place.isRepeated, chance(0.2) { return call("@index", ["offset": 1]) }
            return chance(0.5) ? JSONValue(number(-1...9)) : binding(place.isRepeated ? "n" : "/count")
        case .dynamic(.boolean): return flag(place)
        case .dynamic(.stringList): return chance(0.5) ? ["a", "b"] : binding("/chosen")
        case .dynamic(.value):
            switch number(0...6) {
            case 0: return text(place)
            case 1: return flag(place)
            case 2: return value(of: .dynamic(.number), place)
            case 3: return ["a", 1, true]
            case 4 where version.isOne: return ["key": word(), "path": "/name"]
            default: return binding(one(of: Self.texts + Self.numbers + ["/chosen", "/place", "/none"]))
            }
        case .child: return .string(component(below(place)))
        case .children:
            if chance(0.3) {
                var inner = below(place)
                inner.isRepeated = true
                return ["componentId": .string(component(inner)), "path": place.isRepeated ? "parts" : "/items"]
            }
            let count = number(place.depth == 0 ? 2...5 : 0...3)
            return .array((0..<count).map { _ in .string(component(below(place))) })
        case .action: return action(place)
        case .object(let properties):
            var object = JSONObject()
            for property in properties { object[property.name] = value(of: property.type, place) }
            return .object(object)
        case .list(let element, let least):
            return .array((0..<number(least...(least + 2))).map { _ in value(of: element, place) })
        case .either(let types): return value(of: one(of: types), place)
        }
    }

    private func below(_ place: Place) -> Place { Place(depth: place.depth + 1, isRepeated: place.isRepeated) }

    private mutating func text(_ place: Place) -> JSONValue {
        switch number(0...5) {
        case 4 where place.calls < 3, 5 where place.calls < 3: return call([.string], place)
        case 3: return binding(place.isRepeated && chance(0.7) ? "title" : one(of: Self.texts))
        default: return word()
        }
    }

    private mutating func flag(_ place: Place) -> JSONValue {
        switch number(0...5) {
        case 0: return .bool(chance(0.5))
        case 1...3 where place.calls < 3: return call([.boolean, .validationResult], place)
        default: return binding(place.isRepeated && chance(0.7) ? "done" : one(of: Self.flags))
        }
    }

    private mutating func action(_ place: Place) -> JSONValue {
        if chance(0.15) { return ["functionCall": call([.void], place)] }
        var context = JSONObject()
        if chance(0.7) { context["text"] = text(place) }
        if chance(0.5) { context["flag"] = flag(place) }
        if chance(0.3), version.isOne, place.isRepeated { context["index"] = call("@index", ["offset": 1]) }
        if chance(0.3) { context["value"] = value(of: .any, place) }
        var event: JSONObject = ["name": .string(one(of: ["book", "take", "go_on"]))]
        if chance(0.9) { event["context"] = .object(context) }
        if version.isOne, chance(0.3) { event["userMessage"] = text(place) }
        return ["event": .object(event)]
    }

    // MARK: Bindings and calls

    private func binding(_ path: String) -> JSONValue { [version.pathKey: .string(path)] }

    private func call(_ name: String, _ arguments: JSONObject) -> JSONValue {
        [version.callKey: .string(name), "args": .object(arguments)]
    }

    /// A call of any function with such a result.
    private mutating func call(_ results: Set<Function.ResultType>, _ place: Place) -> JSONValue {
        let catalog = version.isOne ? Catalog.basic1_0 : .basic0_9
        let function = one(
            of: catalog.functions.values.filter { results.contains($0.result) }.sorted { $0.name < $1.name }
        )
        let needed = function.alternatives.isEmpty ? "" : one(of: function.alternatives)
        var inner = place
        inner.calls += 1
        var arguments = JSONObject()
        for parameter in function.parameters where parameter.isRequired || parameter.name == needed || chance(0.3) {
            arguments[parameter.name] = argument(parameter, of: function.name, inner)
        }
        var call = call(function.name, arguments).object ?? [:]
        if version.isOne, chance(0.1) { call["catalogId"] = .string(catalog.id) }
        if !version.isOne, chance(0.2) { call["returnType"] = .string(function.result.rawValue) }
        return .object(call)
    }

    private mutating func argument(_ parameter: Property, of function: String, _ place: Place) -> JSONValue {
        switch (function, parameter.name) {
        case ("formatString", "value"):
            let path = one(of: Self.texts)
            let count = "${pluralize(value: /count, one: 'one', other: 'many')}"
            return .string(one(of: ["Hi ${\(path)}", "${/count} of \(count)", "\\${/name} costs $5"]))
        case ("formatDate", "value"):
            return chance(0.3) ? binding("/day") : .string(one(of: ["2026-11-24T09:30:00Z", "2026-02-30"]))
        case ("formatDate", "format"): return .string(one(of: ["ISO", "d MMMM yyyy", "EEEE, HH:mm"]))
        case (_, "currency"): return .string(one(of: ["EUR", "USD"]))
        case (_, "pattern"): return .string(one(of: ["^[a-z ]+$", "[0-9]"]))
        case (_, "decimals"): return JSONValue(number(0...3))
        default: return value(of: parameter.type, place)
        }
    }
}

extension JSONValue {
    fileprivate init(_ number: Int) { self = .number(JSONNumber(Int64(number))) }
}
