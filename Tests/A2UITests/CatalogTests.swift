import Backlot
import Testing

@testable import A2UI

@Suite(.timeLimit(.minutes(1))) struct CatalogTests {
    /// A surface of 0.9 with a component of a catalog.
    private func errors(_ component: JSONValue, _ catalog: Catalog, _ version: String = "v0.9") -> [String] {
        var client = Processor(catalogs: [catalog.id: catalog], strictness: .schema)
        return client.apply([
            ["version": .string(version), "createSurface": ["surfaceId": "s", "catalogId": .string(catalog.id)]],
            ["version": .string(version), "updateComponents": ["surfaceId": "s", "components": [component]]],
        ]).map(\.code)
    }

    @Test func `A catalog that Swift declares is the same after its JSON`() throws {
        for version in [ProtocolVersion.v0_9, .v1_0] {
            let gauge = Catalog.Component(
                "Gauge",
                "A value on a scale.",
                properties: [
                    Property("value", .dynamic(.number), required: true, "The value."),
                    Property("below", .child, "What stands below."),
                ]
            )
            let declared = try Catalog("https://example.org/gauges", version: version, components: [gauge])
            let read = try Catalog(.object(declared.json), version: version)
            #expect(read.json == declared.json)
            for catalog in [declared, read] {
                let name = version.rawValue
                #expect(errors(["id": "root", "component": "Gauge", "value": 1, "below": "x"], catalog, name) == [])
                #expect(errors(["id": "root", "component": "Gauge", "value": "1"], catalog, name) == ["type_mismatch"])
                #expect(errors(["id": "root", "component": "Gauge"], catalog, name) == ["missing_field"])
                #expect(
                    errors(["id": "root", "component": "Gauge", "value": 1, "x": 1], catalog, name) == ["extra_field"]
                )
                let tree = ComponentTree(
                    components: [:],
                    scope: CatalogScope(catalogs: [catalog.id: catalog], defaultID: catalog.id, version: version)
                )
                let component = Component(id: "root", type: "Gauge", properties: ["below": "x", "value": "y"])
                #expect(tree.children(of: component).map(\.id) == ["x"])
            }
        }
    }

    @Test func `References are found in lists of objects, and nowhere else`() throws {
        let json: JSONValue = [
            "catalogId": "deck",
            "components": [
                "Deck": [
                    "type": "object",
                    "properties": [
                        "cards": ["type": "array", "items": ["$ref": "#/$defs/Card"]], "back": ["type": "string"],
                    ],
                ]
            ],
            "$defs": [
                "Card": [
                    "type": "object",
                    "properties": [
                        "name": ["type": "string"], "face": ["$ref": "common_types.json#/$defs/ComponentId"],
                    ],
                ]
            ],
        ]
        let deck = try Catalog(json)
        let tree = ComponentTree(
            components: [:],
            scope: CatalogScope(catalogs: ["deck": deck], defaultID: "deck", version: .v0_9)
        )
        let component = Component(
            id: "root",
            type: "Deck",
            properties: ["cards": [["name": "a", "face": "b"], ["face": "c"]], "back": "d"]
        )
        #expect(tree.children(of: component).map(\.id) == ["b", "c"])
    }

    static let wrong: [JSONValue] = [
        [:], ["catalogId": 1], ["catalogId": "c", "components": []],
        ["catalogId": "c", "components": ["Surface": [:]]],
        ["catalogId": "c", "components": ["A": ["allowedParents": "B"]]], ["catalogId": "c", "protocolVersion": "7"],
        ["catalogId": "c", "components": ["A": ["type": "objekt"]]], ["catalogId": "c", "functions": 1],
        ["catalogId": "c", "components": ["A": ["properties": ["a": ["$ref": "#/$defs/None"]]]]],
    ]

    @Test(arguments: wrong)
    func `A wrong catalog is an error`(json: JSONValue) {
        #expect { try Catalog(json) } throws: { ($0 as? A2UIError)?.category == .catalog }
    }

    @Test func `Parents and children may be restricted`() throws {
        let catalog = try Catalog([
            "catalogId": "table", "protocolVersion": "1.0",
            "components": [
                "Table": [
                    "allowedChildren": ["Line"],
                    "properties": ["children": ["$ref": "common_types.json#/$defs/ChildList"]],
                ],
                "Line": ["allowedParents": ["Table"]], "Note": [:],
            ],
        ])
        #expect(errors(["id": "root", "component": "Line"], catalog, "1.0") == ["UNALLOWED_PARENT"])
        var client = Processor(catalogs: ["table": catalog], strictness: .schema)
        let errors = client.apply([
            "version": "1.0",
            "createSurface": [
                "surfaceId": "s", "catalogId": "table",
                "components": [
                    ["id": "root", "component": "Table", "children": ["n"]], ["id": "n", "component": "Note"],
                ],
            ],
        ])
        #expect(errors.map(\.wireCode) == ["UNALLOWED_CHILD"])
    }

    /// Values of properties of the basic catalog, and whether 0.9 and 1.0 accept them.
    static let values: [(String, String, JSONValue, Bool, Bool)] = [
        ("Text", "variant", "h1", true, false), ("Text", "variant", "h9", false, false),
        ("Text", "weight", 2, true, true),
        ("TextField", "placeholder", "x", false, true), ("TextField", "validationRegexp", "x", true, false),
        ("Slider", "steps", 3, false, true), ("Slider", "steps", 0, false, false), ("Slider", "min", "0", false, false),
        ("Icon", "name", "star", true, true), ("Icon", "name", "stars", false, false),
        ("Icon", "name", ["svgPath": "M0"], true, true), ("Tabs", "tabs", [], false, false),
        ("DateTimeInput", "min", "2026-01-01", true, true), ("DateTimeInput", "min", "soon", false, false),
        ("ChoicePicker", "value", "a", false, false), ("ChoicePicker", "options", [], true, true),
        ("Image", "fit", "cover", true, true), ("Video", "posterUrl", "x", false, true),
    ]

    @Test(arguments: values)
    func `The basic catalog knows its versions`(type: String, key: String, value: JSONValue, is0_9: Bool, is1_0: Bool) {
        let required: [String: JSONObject] = [
            "Text": ["text": "x"], "TextField": ["label": "x"], "Slider": ["value": 1, "max": 2],
            "Icon": ["name": "star"],
            "Tabs": ["tabs": [["title": "x", "child": "y"]]], "DateTimeInput": ["value": ""],
            "ChoicePicker": ["options": [], "value": []], "Image": ["url": "x"], "Video": ["url": "x"],
        ]
        for (catalog, isRight) in [(Catalog.basic0_9, is0_9), (Catalog.basic1_0, is1_0)] {
            var component = required[type] ?? [:]
            component["id"] = "a"
            component["component"] = .string(type)
            component[key] = value
            #expect(
                catalog.mistakes(in: .object(component), as: "component:\(type)").isEmpty == isRight,
                "\(catalog.id)"
            )
        }
    }

    @Test func `A client tells its catalogs`() {
        let client = Processor()
        let id = JSONValue.string(Catalog.basic0_9.id)
        #expect(client.capabilities(.v0_9) == ["v0.9": ["supportedCatalogIds": [id]]])
        let inline = client.capabilities(.v0_9, isInline: true)["v0.9"]?["inlineCatalogs"]?[0]
        #expect(inline?["functions"]?.array?.count == 14)
        #expect(inline?["theme"]?["primaryColor"] != nil)
    }
}
