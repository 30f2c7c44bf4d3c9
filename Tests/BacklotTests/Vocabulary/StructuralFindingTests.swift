import Backlot
import Testing

/// What a vocabulary alone finds in a document.
@Suite(.timeLimit(.minutes(5))) struct StructuralFindingTests {
    struct Case: CustomTestStringConvertible {
        let item: JSONValue
        let finding: String
        var audience = Menu.rich
        var testDescription: String { finding }
    }

    @Test(arguments: cases)
    func `A wrong item has one finding`(example: Case) {
        #expect(Menu.findings(inItem: example.item, example.audience).map(\.details) == [example.finding])
    }

    @Test(
        arguments: [
            (9_223_372_036_854_775_807, true), (9_223_372_036_854_775_808, false), (9_223_372_036_854_776_832, false),
        ] as [(UInt64, Bool)]
    )
    func `A whole number of a document has 64 bits`(number: UInt64, isAllowed: Bool) {
        #expect(Bounds(whole: 1...Int64.max).allow(JSONNumber(number)) == isAllowed)
    }

    static let cases: [Case] = [
        Case(
            item: ["type": "dish", "id": "a", "nmae": "A"],
            finding: """
                warning: /m › dish "a"
                  A dish has no key "nmae", so clients ignore it.
                  Fix: Write "name", if that is what you mean, or remove it.
                  [unknown-key] at /items/0/nmae
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "x/~y": 1],
            finding: """
                warning: /m › dish "a"
                  A dish has no key "x/~y", so clients ignore it.
                  Fix: Remove it; clients read only type, id, name, price, size, level, color, weight, tags, space, \
                texts, halal, old here.
                  [unknown-key] at /items/0/x~1~0y
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "cost": 5],
            finding: """
                warning: /m › dish "a"
                  A dish has no key "cost", so clients ignore it.
                  Fix: Write "price", in cents.
                  [unknown-key] at /items/0/cost
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "cl": 5],
            finding: """
                warning: /m › dish "a"
                  A dish has no key "cl", which belongs to others, so clients ignore it.
                  Fix: Remove it; clients read only type, id, name, price, size, level, color, weight, tags, space, \
                texts, halal, old here.
                  [foreign-key] at /items/0/cl
                """
        ),
        Case(
            item: ["type": "dish"],
            finding: """
                error: /m › dish
                  A dish needs "id"; without it, clients refuse the whole menu.
                  Fix: Add "id" with a string.
                  [missing-key] at /items/0
                """
        ),
        Case(
            item: ["type": "dish", "id": nil],
            finding: """
                error: /m › dish
                  A dish needs "id"; without it, clients refuse the whole menu.
                  Fix: Add "id" with a string.
                  [missing-key] at /items/0
                """
        ),
        Case(
            item: ["type": "dish", "id": 5],
            finding: """
                error: /m › dish
                  "id" is the number 5, but must be a string: clients refuse the whole menu.
                  Fix: Make "id" a string.
                  [wrong-type] at /items/0/id
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "price": 10_001],
            finding: """
                error: /m › dish "a"
                  "price" is 10001, but must be a whole number from 0 to 10000: clients refuse the whole menu.
                  Fix: Make "price" a whole number from 0 to 10000.
                  [number-out-of-range] at /items/0/price
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "price": 1.5],
            finding: """
                error: /m › dish "a"
                  "price" is 1.5, but must be a whole number from 0 to 10000: clients refuse the whole menu.
                  Fix: Make "price" a whole number from 0 to 10000.
                  [number-out-of-range] at /items/0/price
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "weight": 0],
            finding: """
                error: /m › dish "a"
                  "weight" is 0, but must be a number above 0: clients refuse the whole menu.
                  Fix: Make "weight" a number above 0.
                  [number-out-of-range] at /items/0/weight
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "size": "lagre"],
            finding: """
                warning: /m › dish "a"
                  "size" is "lagre", which is unknown: clients serve a small one.
                  Fix: Write "large", if that is what you mean.
                  [unknown-value] at /items/0/size
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "level": "cold"],
            finding: """
                error: /m › dish "a"
                  "level" is "cold", which is unknown: clients refuse the whole menu.
                  Fix: Write one of "hot", "mild".
                  [unknown-value] at /items/0/level
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "color": "red"],
            finding: """
                error: /m › dish "a"
                  "color" is "red", but must be a colour, such as #FF8800: clients refuse the whole menu.
                  Fix: Make "color" a colour, such as #FF8800.
                  [malformed-color] at /items/0/color
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "tags": ["b", 5]],
            finding: """
                warning: /m › dish "a"
                  "tags"[1] is the number 5, but must be a string: clients drop all of them.
                  Fix: Make "tags"[1] a string.
                  [wrong-type] at /items/0/tags/1
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "tags": [nil]],
            finding: """
                warning: /m › dish "a"
                  "tags" holds null at index 0, but must not: clients drop all of them.
                  Fix: Remove the null.
                  [null-in-array] at /items/0/tags/0
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "space": [1, 2, 3]],
            finding: """
                error: /m › dish "a"
                  "space" has 3 elements, but must be an array of numbers, with 1 or 2 elements: clients refuse the \
                whole menu.
                  Fix: Make "space" an array of numbers, with 1 or 2 elements.
                  [wrong-count] at /items/0/space
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "space": 5],
            finding: """
                error: /m › dish "a"
                  "space" is the number 5, but must be an array of numbers, with 1 or 2 elements or a place: clients \
                refuse the whole menu.
                  Fix: Make "space" an array of numbers, with 1 or 2 elements or a place.
                  [wrong-type] at /items/0/space
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "space": ["topp": 5]],
            finding: """
                warning: /m › dish "a" › place
                  A place has no key "topp", so clients ignore it.
                  Fix: Write "top", if that is what you mean, or remove it.
                  [unknown-key] at /items/0/space/topp
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "texts": ["en/us": 1]],
            finding: """
                error: /m › dish "a"
                  "texts"["en/us"] is the number 1, but must be a string: clients refuse the whole menu.
                  Fix: Make "texts"["en/us"] a string.
                  [wrong-type] at /items/0/texts/en~1us
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "vegan": true],
            finding: """
                warning: /m › dish "a"
                  The key "vegan" of a dish is unknown to clients before 2.2, so they ignore it.
                  Fix: Remove it, or serve the app to other versions only.
                  [key-of-other-version] at /items/0/vegan
                """
        ),
        Case(
            item: ["type": "dish", "id": "a", "halal": true],
            finding: """
                warning: /m › dish "a"
                  The key "halal" of a dish is unknown to clients up to 1.9, so they ignore it.
                  Fix: Remove it, or serve the menu in the rich dialect.
                  [key-of-other-dialect] at /items/0/halal
                """,
            audience: Menu.plain
        ),
        Case(
            item: ["type": "offer"],
            finding: """
                error: /m › offer
                  The item offer is unknown to clients up to 1.9, so they refuse the whole menu.
                  Fix: Use another item, or serve the menu in the rich dialect.
                  [item-of-other-dialect] at /items/0
                """,
            audience: Menu.plain
        ),
        Case(
            item: ["type": "news"],
            finding: """
                error: /m › news
                  The item news is unknown to clients before 2.3, so they refuse the whole menu.
                  Fix: Use another item, or serve the app to other versions only.
                  [item-of-other-version] at /items/0
                """
        ),
        Case(
            item: ["type": "drnik"],
            finding: """
                error: /m › drnik
                  There is no item "drnik", so clients refuse the whole menu.
                  Fix: Write "drink", if that is what you mean.
                  [unknown-type] at /items/0/type
                """
        ),
        Case(
            item: ["type": "plate"],
            finding: """
                error: /m › plate
                  There is no item "plate", so clients refuse the whole menu.
                  Fix: Write "dish": that is its name today.
                  [unknown-type] at /items/0/type
                """
        ),
        Case(
            item: ["id": "a"],
            finding: """
                error: /m › item "a"
                  This item has no "type", so clients refuse the whole menu.
                  Fix: Add "type" with the name of an item, such as "dish".
                  [missing-type] at /items/0
                """
        ),
        Case(
            item: ["type": 5],
            finding: """
                error: /m › item
                  "type" is the number 5, but must be a string: clients refuse the whole menu.
                  Fix: Make "type" a string.
                  [wrong-type] at /items/0/type
                """
        ),
        Case(
            item: "sauce:7",
            finding: """
                error: /m › sauce "7"
                  There is no item "sauce", so clients refuse the whole menu.
                  Fix: Write one of dish, drink, offer.
                  [unknown-type] at /items/0
                """
        ),
        Case(
            item: ["type": "drink"],
            finding: """
                error: /m › drink
                  A drink needs "id" or "name".
                  Fix: Add "id" or "name".
                  [missing-key] at /items/0
                """
        ),
        Case(
            item: ["type": "drink", "id": "a", "cl": 1, "oz": 1],
            finding: """
                error: /m › drink "a"
                  The keys "cl" and "oz" contradict each other.
                  Fix: Keep one of them.
                  [contradicting-keys] at /items/0
                """
        ),
        Case(
            item: ["type": "drink", "id": "a", "class": "wine", "data": [:]],
            finding: """
                error: /m › drink "a" › detail
                  A wine needs "year"; without it, clients refuse the whole menu.
                  Fix: Add "year" with a whole number from 1 to 3000.
                  [missing-key] at /items/0/data
                """
        ),
        Case(
            item: ["type": "drink", "id": "a", "class": "wime", "data": [:]],
            finding: """
                error: /m › drink "a"
                  "class" is "wime", which is unknown: clients refuse the whole menu.
                  Fix: Write "wine", if that is what you mean.
                  [unknown-value] at /items/0/class
                """
        ),
        Case(
            item: ["type": "drink", "id": "a", "width": 5],
            finding: """
                warning: /m › drink "a"
                  A drink has no key "width", which belongs to others, so clients ignore it.
                  Fix: Remove it; clients read only type, id, name, cl, oz, class, data, next here.
                  [foreign-key] at /items/0/width
                """
        ),
    ]

    @Test func `A rule can name a place inside of what stands under a key`() {
        let judge = DocumentInspector<Void>(
            Menu.vocabulary,
            rules: [{ $1.warning("rule", at: $0.root, "a/b", "0", "~", message: "Wrong.", fix: "Mend it.") }]
        )
        let findings = judge.findings(in: ["items": []], as: Menu.root, name: "/m", for: Menu.rich, facts: ())
        #expect(findings.map(\.path.pointer) == ["/a~1b/0/~0"])
    }

    @Test func `A key of another kind must have its type all the same`() {
        let findings = Menu.findings(inItem: ["type": "drink", "id": "a", "price": "much"])
        #expect(findings.map(\.rule) == ["foreign-key", "wrong-type"])
        #expect(findings.map(\.isRejection) == [false, true])
    }

    @Test func `What stands under a foreign key must have the right types, and nothing else`() {
        let inner: JSONValue = [
            "type": "drink", "speed": 1, "next": ["type": "tea", "cl": "much", "next": ["id": "b"]],
        ]
        let findings = Menu.findings(inItem: ["type": "dish", "id": "a", "next": inner])
        #expect(
            findings.map { "\($0.rule) \($0.path.pointer)" } == [
                "foreign-key /items/0/next", "wrong-type /items/0/next/next/cl", "missing-type /items/0/next/next/next",
            ]
        )
    }

    @Test func `Only some kinds may stand under a key`() {
        let findings = Menu.findings(["items": [], "start": ["type": "dish", "id": "a", "price": 1]])
        let expected = """
            error: /m › dish "a"
              A drink may stand under "start", but this is a dish, so clients refuse the whole menu.
              Fix: Write a drink here, or remove "start".
              [bad-start-item] at /start
            """
        #expect(findings.map(\.details) == [expected])
    }

    @Test(arguments: [nil, 5, "menu", []] as [JSONValue])
    func `A document that isn't an object is rejected`(document: JSONValue) {
        let findings = Menu.findings(document)
        #expect(findings.map(\.rule) == ["not-an-object"])
        #expect(findings.map(\.isRejection) == [true])
    }

    @Test func `Elements may be null where the vocabulary says so, and must be objects`() {
        let findings = Menu.findings(["items": [], "tables": [[nil, ["type": "beer"], 5], nil]])
        #expect(
            findings.map { "\($0.rule) \($0.path.pointer)" } == [
                "wrong-type /tables/0/2", "null-in-array /tables/1", "unknown-type /tables/0/1/type",
            ]
        )
    }

    @Test func `A finding has its line of the file`() throws {
        let text = """
            {"items": [
                {"type": "dish", "id": "a", "price": 1},
                {
                    "type": "dish", "id": "b",
                    "price": -1
                }
            ]}
            """
        let findings = Menu.findings(try JSONValue(parsing: text), lines: SourceLines(ofJSON: Array(text.utf8)))
        #expect(findings.map(\.path.line) == [5])
        #expect(findings.first?.details.hasSuffix("[number-out-of-range] at /items/1/price, line 5") == true)
    }

    @Test func `Parts that look the same are numbered`() {
        let findings = Menu.findings(["items": ["dish:a", "dish:b", "dish:a", ["type": "x"], ["type": "x"]]])
        #expect(findings.map(\.path.description) == ["/m › x #1", "/m › x #2"])
        let tree = DocumentInspector<Void>(Menu.vocabulary, rules: [])
            .tree(of: ["items": ["dish:a", "dish:b", "dish:a"]], as: Menu.root, for: Menu.rich)
        #expect(tree.nodes.map(\.step) == ["", "dish \"a\" #1", "dish \"b\"", "dish \"a\" #2"])
    }
}
