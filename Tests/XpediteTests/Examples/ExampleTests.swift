import Backlot
import Testing

@testable import Xpedite

/// The DSL can make the examples of the reference, and writes the same JSON.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
    @Test func `There are 66, and all but two are whole`() {
        #expect(Example.all.count == 66)
        let broken = Example.all.filter { (try? JSONValue(parsing: $0.json)) == nil }
        #expect(broken.map(\.kind) == [.data, .component])
        #expect(broken.allSatisfy { $0.json.contains("...") })
    }

    @Test(arguments: Example.whole(.component) + Example.whole(.field))
    func `A component goes out as it came`(example: Example) throws {
        let value = try JSONValue(parsing: example.json)
        let object = try #require(value.object)
        let part = try #require(Sample.part(Values(object: object)))
        #expect(example.kind == .field ? part is any FormField : part is any Component)
        #expect(try JSONValue(parsing: part.bytes) == emitted(value))
    }

    /// The JSON that the DSL writes for an example: all headings of a table get the same `scroll`.
    private func emitted(_ value: JSONValue) -> JSONValue {
        guard value["type"] == "table", var object = value.object else { return value }
        object["header"] = .array(
            (object["header"]?.array ?? []).map { heading in
                var heading = heading.object ?? [:]
                heading["scroll"] = "off"
                return .object(heading)
            }
        )
        return .object(object)
    }

    @Test(arguments: Example.whole(.packet))
    func `A packet goes out as it came`(example: Example) throws {
        let value = try JSONValue(parsing: example.json)
        #expect(try Sample.json("page", #require(value.object)) == value)
    }

    @Test(arguments: Example.whole(.topLevel))
    func `An entry of a packet goes out as it came`(example: Example) throws {
        let entry = try #require(try JSONValue(parsing: example.json).object)
        var packet: JSONObject = ["rc": 0, "token": "t", "components": []]
        for member in entry.members { packet[member.key] = member.value }
        #expect(try Sample.json("page", packet) == .object(packet))
    }

    @Test(arguments: Example.whole(.method))
    func `A method goes out as it came`(example: Example) throws {
        let value = try JSONValue(parsing: example.json)
        #expect(try Sample.json("method", #require(value.object)) == value)
    }

    @Test(arguments: Example.all.filter { if case .keys = $0.kind { true } else { false } })
    func `A key goes out as it came`(example: Example) throws {
        guard case .keys(let host) = example.kind else { return }
        let keys = try #require(try JSONValue(parsing: example.json).object)
        var object: JSONObject
        switch host {
        case .label: object = ["type": "label", "text": "x"]
        case .textbox: object = ["type": "textbox", "name": "x"]
        case .select: object = ["type": "select", "name": "x", "options": [:]]
        case .table: object = ["type": "table", "data": ["dynamic": "x"]]
        case .date: object = ["type": "date", "name": "x"]
        case .form: object = ["type": "form", "id": "x", "components": []]
        }
        for member in keys.members { object[member.key] = member.value }
        #expect(try Sample.json(host.rawValue, object) == .object(object))
    }

    @Test(
        arguments: Example.whole(.packet) + Example.whole(.component) + Example.whole(.field) + Example.whole(.topLevel)
    )
    func `It breaks no rule on a page that has what it names`(example: Example) throws {
        let value = try JSONValue(parsing: example.json)
        var packet: JSONObject = [
            "rc": 0, "title": "t", "id": "page", "images": [["id": "logo", "url": "https://my.app/logo.png"]],
        ]
        switch example.kind {
        case .component: packet["components"] = [value]
        case .field:
            packet["components"] = [["type": "form", "id": "form", "components": [value]]]
        default:
            packet["components"] = []
            for member in value.object?.members ?? [] { packet[member.key] = member.value }
        }
        let facts = XpediteFacts(
            methods: [
                "home", "save", "listCustomers", "viewCustomer", "addCustomer", "search", "logout", "saveCustomer",
            ],
            images: [],
            navigations: ["main-menu"]
        )
        let findings = XpediteRules.findings(in: .object(packet), name: "p", facts: facts)
        // The reference's own table leaves "scroll" out in one of two headings.
        let expected = value["type"] == "table" ? ["scroll-left-out"] : []
        #expect(findings.map(\.rule) == expected)
    }
}
