import Backlot
import Testing

@Suite(.timeLimit(.minutes(5))) struct DocumentTreeTests {
    private func tree(_ document: JSONValue) -> DocumentTree {
        DocumentInspector<Void>(Menu.vocabulary, rules: []).tree(of: document, as: Menu.root, for: Menu.rich)
    }

    @Test func `A tree finds nodes by kind, their contents and members`() throws {
        let tree = tree([
            "items": [["type": "dish", "id": "a", "price": 5, "tags": ["x", 1]], "dish:b", ["type": "drink"]],
            "place": ["top": 1.5],
        ])
        #expect(tree.nodes.map(\.name) == ["menu", "dish", "dish", "drink", "place"])
        #expect(tree.nodes(Menu.drink, Menu.dish).map(\.index) == [1, 2, 3])
        #expect(tree.contents(of: tree.nodes[0], under: "items").map(\.index) == [1, 2, 3])
        let dish = tree.nodes[1]
        #expect((dish.integer("price"), dish.number("price"), dish.strings("tags") ?? []) == (5, 5, ["x"]))
        #expect(dish.string("price") == nil && dish.bool("price") == nil && dish.has("price") && !dish.has("x"))
        #expect(tree.nodes[2].string("id") == "b" && tree.nodes[2].text == "dish:b")
        #expect(tree.parent(of: dish)?.index == 0 && tree.parent(of: tree.nodes[0]) == nil)
        #expect(tree.path(to: tree.nodes[4], "/top", page: "/m").pointer == "/place/top")
    }

    @Test func `What clients pass over is no node of its kind`() {
        let tree = tree(["items": [["type": "dish", "id": "a", "next": ["type": "drink", "id": "b"]]]])
        #expect(tree.nodes.map(\.isRead) == [true, true, false])
        #expect(tree.nodes(Menu.drink).isEmpty)
    }

    /// Freeing so deep a value costs stack, so it is kept for as long as the tests run.
    private static let deep: JSONValue = {
        var item: JSONValue = ["type": "drink"]
        for _ in 0..<50_000 { item = ["type": "drink", "id": "a", "next": item] }
        return ["items": [item]]
    }()

    @Test func `A deep document costs no stack`() {
        #expect(Menu.findings(Self.deep).map(\.rule) == ["missing-key"])
    }

    @Test(arguments: Menu.vocabulary.kinds.filter { $0.roles[0] === Menu.item }.map(\.name), [true, false])
    func `Documents made from the vocabulary have no findings`(name: String, isFull: Bool) throws {
        let newest = Menu.rich.narrowed(to: "2.4"..."2.4")
        let kind = try #require(Menu.vocabulary.kind(name, as: Menu.item))
        let object = Menu.vocabulary.example(of: kind, as: Menu.item, for: newest) { isFull || $0.isNeeded }
        #expect(Menu.findings(["items": [.object(object)]], newest).map(\.details) == [])
    }

    @Test(
        arguments: [
            ("0.34", "0.34"), ("0.34.0", "0.34"), ("0.34.1", "0.34.1"), ("2", "2.0"), ("", nil), ("1.2.3.4", nil),
            ("1.x", nil), ("-1", nil), ("1..2", nil), ("+1", nil),
        ] as [(String, String?)]
    )
    func `A client version is read if it has one to three numbers`(text: String, description: String?) {
        #expect(ClientVersion(text)?.description == description)
    }

    @Test func `Versions compare by number`() {
        #expect(ClientVersion("0.9") < "0.10" && !(ClientVersion("1.0") < "1") && ClientVersion("1.0.1") > "1.0")
    }
}
