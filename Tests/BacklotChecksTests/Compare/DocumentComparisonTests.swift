import Backlot
import BacklotClients
import Testing

@testable import BacklotChecks
@testable import BacklotMocks
@testable import BacklotRecording

/// A mock's document, compared with those of two passes.
@Suite(.timeLimit(.minutes(5))) struct DocumentComparisonTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mock: JSONValue
        let first: JSONValue
        let second: JSONValue
        let expected: [String]
        var values = false

        init(
            _ description: String,
            _ mock: JSONValue,
            _ first: JSONValue,
            then second: JSONValue? = nil,
            values: Bool = false,
            _ expected: String...
        ) {
            testDescription = description
            (self.mock, self.first, self.second) = (mock, first, second ?? first)
            self.expected = expected
            self.values = values
        }
    }

    private static func page(_ widgets: JSONValue...) -> JSONValue {
        ["page": ["typ": "nav_page", "title": "T", "widget": ["typ": "form", "widgets": .array(widgets)]]]
    }

    private static func text(_ text: String) -> JSONValue { ["typ": "text", "text": .string(text)] }

    private static func link(_ text: String, _ page: String) -> JSONValue {
        ["typ": "nav_button", "text": .string(text), "actions": [["typ": "push", "page": .string(page)]]]
    }

    private static func button(_ actions: JSONValue...) -> JSONValue {
        ["typ": "form_button", "text": "B", "actions": .array(actions)]
    }

    static let cases: [Case] = [
        Case(
            "one among its like",
            page(text("a"), text("b"), text("c")),
            page(text("a"), text("x"), text("b"), text("c")),
            "widget-added /page/widget/widgets/1"
        ),
        Case(
            "the first of many goes",
            page(text("a"), text("b"), text("c")),
            page(text("b"), text("c")),
            "widget-removed /page/widget/widgets/0"
        ),
        Case(
            "more rows",
            page(link("a", "/b/1"), link("b", "/b/2")),
            page(link("c", "/b/7"), link("d", "/b/8"), link("e", "/b/9"))
        ),
        Case("no rows", page(text("a"), link("a", "/b/1"), link("b", "/b/2")), page(text("a"))),
        Case(
            "a link is no row",
            page(text("a"), link("a", "/b/1")),
            page(text("a")),
            "widget-removed /page/widget/widgets/1"
        ),
        Case(
            "rows of another route",
            page(link("a", "/b/1")),
            page(link("a", "/c/1")),
            "target-changed /page/widget/widgets/0/actions/0/page"
        ),
        Case("an id of another day", page(link("a", "/b/1/edit")), page(link("a", "/b/17/edit"))),
        Case(
            "widgets that change their order",
            page(text("a")),
            page(text("a"), button()),
            then: page(button(), text("a")),
            "widget-added /page/widget/widgets/1"
        ),
        Case("widgets that come and go", page(text("a")), page(text("a"), button()), then: page(text("a"))),
        Case(
            "a key that comes and goes",
            page(text("a")),
            page(["typ": "text", "text": "a", "x": 1]),
            then: page(text("a"))
        ),
        Case(
            "null is nothing to clients",
            page(["typ": "textfield", "var_name": "a", "label": nil]),
            page(["typ": "textfield", "var_name": "a"])
        ),
        Case(
            "actions as texts",
            page(button("rpc:/a", "poll")),
            page(button("rpc:/b", "pop")),
            "target-changed /page/widget/widgets/0/actions/0",
            "action-changed /page/widget/widgets/0/actions/1"
        ),
        Case(
            "another variable",
            page(["typ": "textfield", "var_name": "a"], ["typ": "textfield", "var_name": "b"]),
            page(["typ": "textfield", "var_name": "a"], ["typ": "textfield", "var_name": "c"]),
            "variable-changed /page/widget/widgets/1/var_name"
        ),
        Case(
            "a variable is gone",
            page(["typ": "textfield", "var_name": "a"], ["typ": "textfield", "var_name": "b"]),
            page(["typ": "textfield", "var_name": "b"]),
            "variable-removed /page/widget/widgets/0"
        ),
        Case(
            "a variable that is required at once",
            page(),
            page(["typ": "textfield", "var_name": "a", "min_chars": 1]),
            "variable-added /page/widget/widgets/0",
            "variable-required /page/widget/widgets/0/min_chars"
        ),
        Case("other texts", page(text("a")), page(text("b"))),
        Case(
            "other texts count",
            page(text("a")),
            page(text("b")),
            values: true,
            "value-changed /page/widget/widgets/0/text"
        ),
        Case("texts that change don't", page(text("a")), page(text("b")), then: page(text("c")), values: true),
        Case(
            "types",
            ["a": 1, "b": "x", "c": nil, "d": [1]],
            ["a": "1", "b": nil, "c": 3, "d": ["x"]],
            "type-changed /a",
            "type-changed /b",
            "type-changed /d/0"
        ),
        Case("a type that comes and goes", ["a": 1], ["a": nil], then: ["a": 2]),
        Case("rows of data", ["r": [["a": 1, "b": 1], ["a": 2]]], ["r": [["a": 9], ["a": 8], ["a": 7]]]),
        Case(
            "a key in all rows",
            ["r": [["a": 1], ["a": 2]]],
            ["r": [["b": 9], ["b": 8]]],
            "key-removed /r/0/a",
            "key-added /r/0/b"
        ),
        Case("an empty list says nothing", ["r": [["a": 1]]], ["r": []]),
        Case("lists in lists", ["r": [[1, 2], [3]]], ["r": [["x"]]], "type-changed /r/0/0"),
        Case("an object for a list", ["r": []], ["r": [:]], "type-changed /r"),
    ]

    @Test(arguments: cases)
    func `A comparison finds the expected differences of each pair`(_ own: Case) {
        let language = AppProtocol.known.language(of: own.mock)
        func document(_ value: JSONValue) -> ComparedDocument { ComparedDocument(value, language) }
        let terms = ComparisonTerms(
            depth: own.values ? .values : .structure,
            route: RouteKeys(MockBackend()).route
        )
        func differences(_ one: JSONValue, _ other: JSONValue) -> [Difference] {
            DocumentComparison(document(own.mock), document(one), again: document(other), terms).differences
        }
        let found = Difference.lasting([differences(own.first, own.second), differences(own.second, own.first)])
        #expect(found.map { "\($0.rule) \($0.pointer)" } == own.expected)
    }

    @Test(
        arguments: [
            (page(text("a"), .null), page(text("a"), text("b")), "widget-added /page/widget/widgets/1"),
            (["a": .null], ["a": "x"], "type-changed /a"),
            (["a": [.null]], ["a": [1]], "type-changed /a/0"),
            (["a": .null], ["a": .null], nil),
        ] as [(JSONValue, JSONValue, String?)]
    )
    func `Between deployments, null is another value than a part or a value`(
        one: JSONValue,
        two: JSONValue,
        expected: String?
    ) {
        let language = AppProtocol.known.language(of: two)
        func found(_ depth: ComparisonTerms.Depth) -> [String] {
            let terms = ComparisonTerms(depth: depth, route: { $0 })
            let comparison = DocumentComparison(ComparedDocument(one, language), ComparedDocument(two, language), terms)
            return comparison.differences.map { "\($0.rule) \($0.pointer)" }
        }
        #expect(found(.all) == [expected].compactMap(\.self))
        #expect(found(.structure) == [])
    }

    @Test func `Ignored differences don't count towards the limit`() {
        func document(_ mark: String) -> ComparedDocument {
            let value = (0..<300).reduce(into: JSONObject()) { $0["k\($1)"] = .string("\(mark)\($1)") }
            return ComparedDocument(.object(value), nil)
        }
        func comparison(_ ignoring: @escaping (Difference) -> Bool) -> DocumentComparison {
            let terms = ComparisonTerms(depth: .values, most: 10, route: { $0 })
            return DocumentComparison(document("a"), document("b"), terms, ignoring: ignoring)
        }
        let all = comparison { _ in false }
        #expect(all.differences.count == 10)
        #expect(all.dropped == 290)
        let last = comparison { $0.pointer != "/k299" }
        #expect(last.differences.map(\.pointer) == ["/k299"])
        #expect(last.dropped == 0)
    }

    @Test func `Objects with many members are compared in a time in proportion to their number`() {
        var pairs = (0..<100_000).map { ("k\($0)", JSONValue.string("a\($0)")) }
        let one = JSONValue.object(JSONObject(pairs: pairs))
        pairs[99_999] = ("k99999", 1)
        let two = JSONValue.object(JSONObject(pairs: pairs))
        func pointers(_ one: JSONValue, _ two: JSONValue) -> [String] {
            let terms = ComparisonTerms(depth: .structure, route: { $0 })
            let comparison = DocumentComparison(ComparedDocument(one, nil), ComparedDocument(two, nil), terms)
            return comparison.differences.map(\.pointer)
        }
        #expect(pointers(one, two) == ["/k99999"])
        #expect(pointers([one], [two]) == ["/0/k99999"])
        let copy = two.mapTexts { $0 }
        // Without the values in the test's output.
        let isSame = copy == two
        #expect(isSame)
    }

    @Test func `A list of a thousand rows equals itself`() {
        let list = ComparedDocument(.array((0..<1000).map { ["typ": .string("\($0)")] }), nil)
        #expect(DocumentComparison(list, list, ComparisonTerms(route: { $0 })).differences.isEmpty)
    }
}
