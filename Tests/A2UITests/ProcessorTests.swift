import Backlot
import Testing

@testable import A2UI

@Suite(.timeLimit(.minutes(2))) struct ProcessorTests {
    private static let basic = JSONValue.string(Catalog.basic1_0.id)

    /// A client with a surface `s` of 1.0.
    private func make(
        _ components: [JSONValue],
        _ model: JSONValue = [:],
        strictness: Processor.Strictness = .schema
    ) -> Processor {
        var client = Processor(strictness: strictness)
        let surface: JSONValue = [
            "surfaceId": "s", "catalogId": Self.basic, "components": .array(components), "dataModel": model,
            "sendDataModel": true,
        ]
        #expect(client.apply(["version": "1.0", "createSurface": surface]) == [])
        return client
    }

    private func update(_ components: JSONValue...) -> JSONValue {
        ["version": "1.0", "updateComponents": ["surfaceId": "s", "components": .array(components)]]
    }

    private func text(_ id: String, _ text: JSONValue) -> JSONValue {
        ["id": .string(id), "component": "Text", "text": text]
    }

    @Test func `A template has a node for each element, and inner templates too`() throws {
        let client = make(
            [
                ["id": "root", "component": "List", "children": ["componentId": "row", "path": "/days"]],
                ["id": "row", "component": "Row", "children": ["componentId": "slot", "path": "slots"]],
                text("slot", ["@path": "time"]),
            ],
            ["days": [["slots": [["time": "9:00"], ["time": "9:30"]]], ["slots": [["time": "14:00"]]]]]
        )
        let nodes = try #require(client.nodes(of: "s"))
        #expect(nodes.order.count == 6)
        let slot = try #require(nodes.nodes["root/children/1/children/0"])
        #expect(slot.scope.path.description == "/days/1/slots/0")
        #expect(slot.properties["text"] == .value("14:00", path: DataPath("/days/1/slots/0/time")))
        #expect(nodes.errors == [])
    }

    @Test func `A template over something else than a list is an error`() throws {
        let client = make(
            [
                ["id": "root", "component": "List", "children": ["componentId": "row", "path": "/a"]], text("row", "x"),
            ],
            ["a": "b"]
        )
        let nodes = try #require(client.nodes(of: "s"))
        #expect(nodes.order == ["root"])
        #expect(nodes.errors.map(\.category) == [.data])
    }

    @Test func `A tap sends the context as it is now, and not while a check fails`() throws {
        let call: JSONValue = ["@call": "required", "args": ["value": ["@path": "/name"]]]
        var client = make(
            [
                [
                    "id": "root", "component": "Button", "child": "label",
                    "@checks": [["condition": call, "message": "A name."]],
                    "action": ["event": ["name": "book", "context": ["who": ["@path": "/name"], "path": "/name"]]],
                ],
                text("label", "Book"),
            ]
        )
        func tap() throws -> Processor.Tap? {
            client.tap(try #require(client.nodes(of: "s")?.nodes["root"]), on: "s", at: "2026-01-01T00:00:00Z")
        }
        #expect(try tap() == nil)
        #expect(
            client.failures(of: try #require(client.nodes(of: "s")?.nodes["root"]), on: "s").map(\.message) == [
                "A name."
            ]
        )
        try client.write("Ada", at: DataPath("/name"), surface: "s")
        let message = try #require(try tap()?.message)
        #expect(message.json["action"]?["context"] == ["who": "Ada", "path": "/name"])
        #expect(message.json["action"]?["sourceComponentId"] == "root")
        #expect(client.dataModels(.v1_0) == ["version": "1.0", "surfaces": ["s": ["name": "Ada"]]])
        #expect(client.dataModels(.v0_9) == nil)
    }

    @Test func `A call in an action is for the client to carry out`() throws {
        let client = make(
            [
                [
                    "id": "root", "component": "Button", "child": "label",
                    "action": ["functionCall": ["@call": "openUrl", "args": ["url": ["@path": "/url"]]]],
                ],
                text("label", "Open"),
            ],
            ["url": "https://example.org"]
        )
        let tap = client.tap(try #require(client.nodes(of: "s")?.nodes["root"]), on: "s", at: "")
        #expect(tap?.effects == [Evaluator.Effect(name: "openUrl", arguments: ["url": "https://example.org"])])
        #expect(tap?.message == nil)
    }

    static let errors: [(String, JSONValue)] = [
        ("duplicate_surface", ["version": "1.0", "createSurface": ["surfaceId": "s"]]),
        ("unknown_catalog", ["version": "1.0", "createSurface": ["surfaceId": "t", "catalogId": "none"]]),
        ("unknown_surface", ["version": "1.0", "updateDataModel": ["surfaceId": "gone", "value": 1]]),
        ("version_mismatch", ["version": "v0.9", "updateDataModel": ["surfaceId": "s", "value": 1]]),
        ("type_mismatch", ["version": "1.0", "updateDataModel": ["surfaceId": "s", "path": "/a/b", "value": 1]]),
        (
            "model_too_large",
            [
                "version": "1.0",
                "updateDataModel": [
                    "surfaceId": "s", "path": "/b", "value": .string(String(repeating: "x", count: 10_000_001)),
                ],
            ]
        ),
    ]

    @Test(arguments: errors)
    func `A message that can't be applied changes nothing, and the others count`(code: String, message: JSONValue) {
        var client = make([text("root", "Hello")], ["a": 1])
        let good: JSONValue = [
            "version": "1.0", "updateDataModel": ["surfaceId": "s", "path": "/good", "value": true],
        ]
        let errors = client.apply([message, good])
        #expect(errors.map(\.code) == [code])
        #expect(errors[0].path.hasPrefix("/messages/0"))
        #expect(client.surfaces["s"]?.model.value == ["a": 1, "good": true])
        #expect(client.surfaces["s"]?.components.count == 1)
        let reports = client.takeOutbox().compactMap { $0.json["error"]?["code"] }
        #expect(reports == [code == "unknown_catalog" ? "CATALOG_ERROR" : "VALIDATION_FAILED"])
        #expect(client.outbox.isEmpty)
    }

    /// Each row of a template has a copy of the literals.
    @Test(arguments: [(20, false), (2000, true)])
    func `The values of a surface have at most a million elements`(count: Int, isTooLarge: Bool) throws {
        let option: JSONValue = ["label": "x", "value": "x"]
        let client = make(
            [
                ["id": "root", "component": "List", "children": ["componentId": "row", "path": "/rows"]],
                [
                    "id": "row", "component": "ChoicePicker", "value": ["@path": "/v"],
                    "options": .array(Array(repeating: option, count: count)),
                ],
            ],
            ["rows": .array(Array(repeating: 0, count: count)), "v": []],
            strictness: .lenient
        )
        let nodes = try #require(client.nodes(of: "s"))
        #expect(nodes.order.count == count + 1)
        #expect(nodes.errors.first?.code == (isTooLarge ? "too_large" : nil))
        let text = "The values have more than 1000000 elements and pieces of 16 bytes."
        #expect(nodes.errors.first?.message == (isTooLarge ? text : nil))
    }

    @Test func `The nulls that fill lists before a far index count for the model's size`() {
        var client = make([text("root", "Hello")])
        let indices = String(repeating: "/\(DataModel.indexLimit)", count: DataPath.segmentLimit - 1)
        func write(_ value: JSONValue, at path: String) -> [String] {
            let content: JSONValue = ["surfaceId": "s", "path": .string(path), "value": value]
            return client.apply(["version": "1.0", "updateDataModel": content]).map(\.code)
        }
        #expect(write(1, at: "/a\(indices)") == [])
        let model = client.surfaces["s"]?.model
        #expect(write(1, at: "/b\(indices)") == ["model_too_large"])
        #expect(client.surfaces["s"]?.model == model)
        // A write within a list and a deletion fill nothing.
        #expect(write(2, at: "/a\(indices)") == [])
        #expect(write(nil, at: "/b\(indices)") == [])
    }

    static let updates: [(String, [JSONValue])] = [
        (
            "duplicate_id",
            [["id": "a", "component": "Text", "text": "1"], ["id": "a", "component": "Text", "text": "2"]]
        ),
        ("self_reference", [["id": "a", "component": "Card", "child": "a"]]),
        (
            "circular_reference",
            [["id": "a", "component": "Card", "child": "b"], ["id": "b", "component": "Card", "child": "a"]]
        ),
        ("circular_reference", [["id": "child", "component": "Card", "child": "root"]]),
        ("unrecognized_component", [["id": "a", "component": "Txt", "text": "1"]]),
        ("missing_field", [["id": "a", "component": "Text"]]),
        ("missing_field", [["id": "a"]]),
        ("extra_field", [["id": "a", "component": "Text", "text": "1", "colour": "red"]]),
        ("extra_field", [["id": "a", "component": "Text", "text": "1", "accessibility": [:]]]),
        ("unrecognized_function", [["id": "a", "component": "Text", "text": ["@call": "formatStrin"]]]),
        ("unknown_catalog", [["id": "a", "component": "Text", "text": "1", "@catalogId": "none"]]),
        ("too_deep", [["id": "a", "component": "Text", "text": nested(7)]]),
    ]

    /// Calls within calls.
    private static func nested(_ depth: Int) -> JSONValue {
        depth == 0 ? "x" : ["@call": "formatString", "args": ["value": nested(depth - 1)]]
    }

    @Test(arguments: updates)
    func `All components of a message are checked before one counts`(code: String, components: [JSONValue]) {
        var client = make([["id": "root", "component": "Card", "child": "child"], text("child", "Hello")])
        let before = client.surfaces["s"]?.components
        let errors = client.apply([
            "version": "1.0",
            "updateComponents": ["surfaceId": "s", "components": .array([text("fine", "Fine")] + components)],
        ])
        #expect(errors.map(\.code) == [code])
        #expect(client.surfaces["s"]?.components == before)
    }

    static let incomplete: [(String, [JSONValue])] = [
        ("missing_root", [["id": "a", "component": "Text", "text": "1"]]),
        ("dangling_reference", [["id": "root", "component": "Card", "child": "a"]]),
        (
            "orphan",
            [["id": "root", "component": "Text", "text": "1"], ["id": "a", "component": "Text", "text": "1"]]
        ),
        ("invalid_value", [["id": "root", "component": "Text", "text": ["@call": "@index"]]]),
        (
            "invalid_value",
            [["id": "root", "component": "Card", "child": "a-b"], ["id": "a-b", "component": "Text", "text": ""]]
        ),
    ]

    @Test(arguments: incomplete)
    func `A strict client wants a complete tree`(code: String, components: [JSONValue]) {
        let message: JSONValue = [
            "version": "1.0",
            "createSurface": ["surfaceId": "s", "catalogId": Self.basic, "components": .array(components)],
        ]
        var client = Processor(strictness: .strict)
        #expect(client.apply(message).map(\.code) == [code])
        if code != "invalid_value" {
            var lenient = Processor()
            #expect(lenient.apply(message) == [])
        }
    }

    @Test func `An update replaces a component, and leaves out what it leaves out`() {
        var client = make([["id": "root", "component": "Text", "text": "1", "variant": "caption"]])
        #expect(client.apply(update(text("root", "2"))) == [])
        #expect(client.surfaces["s"]?.components["root"]?.properties["variant"] == nil)
    }

    /// Components come in any order, in messages of any size, and with the values in between: the tree is the same.
    @Test(arguments: 0..<40)
    func `The order of components doesn't count`(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let ids = (0..<12).map { $0 == 0 ? "root" : "c\($0)" }
        var children: [String: [JSONValue]] = [:]
        for index in 1..<ids.count {
            children[ids[Int.random(in: 0..<index, using: &numbers)], default: []].append(.string(ids[index]))
        }
        let components = ids.map { id in
            children[id].map { ["id": .string(id), "component": "Column", "children": .array($0)] }
                ?? text(id, ["@path": "/\(id)"])
        }
        let values = ids.map { id -> JSONValue in
            ["version": "1.0", "updateDataModel": ["surfaceId": "s", "path": .string("/\(id)"), "value": .string(id)]]
        }
        func tree(_ messages: [JSONValue]) throws -> NodeTree {
            var client = Processor(strictness: .schema)
            let creation: JSONValue = ["version": "1.0", "createSurface": ["surfaceId": "s", "catalogId": Self.basic]]
            for message in [creation] + messages { #expect(client.apply(message) == []) }
            return try #require(client.nodes(of: "s"))
        }
        let expected = try tree(components.map { update($0) } + values)
        var messages: [JSONValue] = []
        var rest = components.shuffled(using: &numbers)[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Int.random(in: 1...4, using: &numbers)))
            rest = rest.dropFirst(part.count)
            messages.append(["version": "1.0", "updateComponents": ["surfaceId": "s", "components": .array(part)]])
        }
        let found = try tree((messages + values).shuffled(using: &numbers))
        #expect(found.order == expected.order)
        #expect(found.nodes == expected.nodes)
    }

    @Test func `Large surfaces end in time`() throws {
        let count = 20_000
        var client = Processor()
        var components: [JSONValue] = [
            ["id": "root", "component": "Column", "children": .array((0..<count).map { .string("c\($0)") })]
        ]
        components += (0..<count).map { text("c\($0)", "x") }
        let message: JSONValue = [
            "version": "1.0",
            "createSurface": ["surfaceId": "s", "catalogId": Self.basic, "components": .array(components)],
        ]
        #expect(client.apply(message) == [])
        #expect(client.nodes(of: "s")?.order.count == count + 1)
        // Each of 20 components names the next one twice: 2²⁰ nodes.
        let doubled = (0..<20).map { level -> JSONValue in
            let next = JSONValue.string("d\(level + 1)")
            return ["id": .string(level == 0 ? "root" : "d\(level)"), "component": "Row", "children": [next, next]]
        }
        let wide = make(doubled + [text("d20", "x")])
        let nodes = try #require(wide.nodes(of: "s"))
        #expect(nodes.order.count == NodeTree.limit)
        #expect(nodes.errors.map(\.category) == [.recursion])
        let deep = (0..<200).map {
            ["id": .string($0 == 0 ? "root" : "d\($0)"), "component": "Card", "child": .string("d\($0 + 1)")]
                as JSONValue
        }
        var other = Processor()
        let creation: JSONValue = [
            "version": "1.0", "createSurface": ["surfaceId": "s", "catalogId": Self.basic, "components": .array(deep)],
        ]
        #expect(other.apply(creation).map(\.category) == [.recursion])
        #expect(other.surfaces.isEmpty)
    }

    @Test func `A server may call only what is meant for it`() throws {
        var open = Function("now", "The time.", returns: .string, parameters: []) { _, _ throws(A2UIError) in "12:00" }
        open.callers = .rendererOrAgent
        let own = Function("secret", "Not for servers.", returns: .string, parameters: []) { _, _ throws(A2UIError) in
            ""
        }
        let clock = try Catalog("clock", components: [], functions: [open, own])
        var client = Processor(catalogs: ["clock": clock])
        for (function, catalog) in [("now", "clock"), ("secret", "clock"), ("later", "clock"), ("now", "none")] {
            let call: JSONValue = ["@call": .string(function), "catalogId": .string(catalog)]
            #expect(
                client.apply(["version": "1.0", "callRendererFunction": ["functionCallId": "1", "callFunction": call]])
                    == []
            )
        }
        let responses = client.takeOutbox().map { $0.json["rendererFunctionResponse"] }
        #expect(responses[0] == ["functionCallId": "1", "value": "12:00"])
        #expect(responses.dropFirst().allSatisfy { $0?["error"]?["code"] == "INVALID_FUNCTION_CALL" })
    }
}
