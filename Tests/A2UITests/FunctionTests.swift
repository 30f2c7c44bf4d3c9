import Backlot
import Testing

@testable import A2UI

@Suite(.timeLimit(.minutes(1))) struct FunctionTests {
    private func call(
        _ name: String,
        _ arguments: JSONObject,
        _ version: ProtocolVersion
    ) throws(A2UIError) -> JSONValue? {
        let catalog = version.isOne ? Catalog.basic1_0 : .basic0_9
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: catalog.id, version: version)
        var evaluator = Evaluator(DataModel(["name": "Ada", "list": [1, 2], "none": nil]), scope)
        return try evaluator.call(name, arguments)
    }

    /// A search for each key among all others would take longer than the time limit.
    @Test func `A literal may have many keys`() throws {
        let prefix = String(repeating: "x", count: 100)
        let object = JSONObject(pairs: (100_000..<180_000).map { ("\(prefix)\($0)", "a") } + [("@@b", 1)])
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: Catalog.basic1_0.id, version: .v1_0)
        var evaluator = Evaluator(DataModel([:]), scope)
        let value = evaluator.value(of: .object(object))?.object
        #expect(value?.count == 80_001 && value?.keys.last == "@b")
    }

    static let checks: [(String, JSONObject, Bool)] = [
        ("required", ["value": nil], false), ("required", ["value": []], false), ("required", ["value": false], true),
        ("regex", ["value": "abc", "pattern": "b"], true), ("regex", ["value": "abc", "pattern": "^b"], false),
        ("length", ["value": "äöü", "max": 3], true), ("length", ["value": [1], "min": 2], false),
        ("numeric", ["value": "7.5", "min": 7], true), ("numeric", ["value": "seven", "min": 0], false),
        ("email", ["value": "ada@example.org"], true), ("email", ["value": "ada@example.o"], false),
        ("email", ["value": "ada@@example.org"], false), ("email", ["value": ""], false),
    ]

    @Test(arguments: checks)
    func `A check gives a boolean in 0_9 and a result in 1_0`(name: String, arguments: JSONObject, isValid: Bool) throws
    {
        #expect(try call(name, arguments, .v0_9) == .bool(isValid))
        #expect(try call(name, arguments, .v1_0)?["valid"] == .bool(isValid))
    }

    static let texts: [(String, JSONObject, JSONValue)] = [
        ("formatNumber", ["value": 1234567.5], "1,234,567.5"),
        ("formatNumber", ["value": 1234567.5, "grouping": false], "1234567.5"),
        ("formatNumber", ["value": 0.12345], "0.123"),
        ("formatNumber", ["value": 2.5, "decimals": 0], "2"),
        ("formatNumber", ["value": 3.5, "decimals": 0], "4"),
        ("formatNumber", ["value": 99.99, "decimals": 1], "100.0"),
        ("formatNumber", ["value": -1e21], "-1,000,000,000,000,000,000,000"),
        ("formatNumber", ["value": 1e-7, "decimals": 8], "0.00000010"),
        ("formatCurrency", ["value": -1234, "currency": "eur"], "-€1,234.00"),
        ("formatCurrency", ["value": 5, "currency": "CHF", "decimals": 0], "CHF\u{A0}5"),
        ("formatDate", ["value": "2024-02-29T23:59:58.5+01:00", "format": "ISO"], "2024-02-29T22:59:58.500Z"),
        ("formatDate", ["value": "2024-12-31T23:30:00-01:00", "format": "ISO"], "2025-01-01T00:30:00.000Z"),
        ("formatDate", ["value": "2024-02-29", "format": "EEEE, d MMMM ''yy"], "Thursday, 29 February '24"),
        ("formatDate", ["value": "2024-02-29T00:05", "format": "h:mm a 'o''clock'"], "12:05 AM oclock"),
        ("formatDate", ["value": "2023-02-29", "format": "yyyy"], ""),
        ("formatDate", ["value": 5, "format": "yyyy"], ""),
        ("pluralize", ["value": 1, "one": "one day", "other": "days"], "one day"),
        ("pluralize", ["value": 1.5, "one": "one day", "other": "days"], "days"),
        ("pluralize", ["value": 0, "one": "one day", "other": "days"], "days"),
        ("formatString", ["value": "Hi ${/name}, ${/list}${/none}${/nobody}!"], "Hi Ada, [1,2]!"),
        ("formatString", ["value": "${formatNumber(value: 1000)} ${unknown()}."], "1,000 ."),
        ("and", ["values": [1, "x"]], true), ("or", ["values": [0, ""]], false), ("not", ["value": nil], true),
    ]

    /// A short format may name a long value often, in many components.
    @Test func `All texts of a tree together have a bound`() throws {
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: Catalog.basic0_9.id, version: .v0_9)
        let long = JSONValue.string(String(repeating: "y", count: 1_000_000))
        var evaluator = Evaluator(DataModel(["long": long, "short": "s"]), scope)
        func text(_ format: String) -> JSONValue? {
            evaluator.value(of: ["call": "formatString", "args": ["value": .string(format)]])
        }
        let lengths = (0..<100).map { _ in text("${/long}${/long}")?.string?.utf8.count ?? 0 }
        #expect(lengths.first != 0)
        #expect(lengths.reduce(0, +) <= 16_000_000)
        #expect(evaluator.errors.last?.code == "too_large")
        #expect(text(String(repeating: "${/long}", count: 990)) == nil)
    }

    @Test(arguments: texts)
    func `A function gives the same in both versions`(name: String, arguments: JSONObject, result: JSONValue) throws {
        #expect(try call(name, arguments, .v0_9_1) == result)
        #expect(try call(name, arguments, .v1_0) == result)
    }

    static let errors: [(String, JSONObject)] = [
        ("regex", ["value": "a", "pattern": "("]), ("formatNumber", ["value": "many"]), ("pluralize", ["value": nil]),
        ("openUrl", ["url": "javascript:alert(1)"]), ("openUrl", ["url": "/relative"]), ("and", ["values": [true]]),
        ("unknown", [:]), ("formatString", ["value": "${"]),
    ]

    @Test(arguments: errors)
    func `Wrong arguments are an error`(name: String, arguments: JSONObject) {
        #expect { try call(name, arguments, .v1_0) } throws: { error in
            [.expression, .parse].contains((error as? A2UIError)?.category)
        }
    }

    @Test func `A catalog brings functions of its own`() throws {
        let shout = Function(
            "shout",
            "A loud text.",
            returns: .string,
            parameters: [
                Property("value", .dynamic(.string), required: true, "The text.")
            ]
        ) { arguments, _ throws(A2UIError) in .string((arguments["value"]?.string ?? "").uppercased()) }
        let catalog = try Catalog("example", version: .v0_9, components: [], functions: [shout])
        var evaluator = Evaluator(
            DataModel(["a": "hi"]),
            CatalogScope(catalogs: ["example": catalog], defaultID: "example", version: .v0_9)
        )
        #expect(evaluator.value(of: ["call": "shout", "args": ["value": ["path": "/a"]]]) == "HI")
        #expect(evaluator.value(of: ["call": "whisper"]) == nil)
        #expect(evaluator.errors.map(\.code) == ["unrecognized_function"])
    }

    @Test func `Bindings and calls are written otherwise in 1_0`() {
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: Catalog.basic1_0.id, version: .v1_0)
        var evaluator = Evaluator(
            DataModel(["rows": [["n": 4]]]),
            scope,
            scope: DataScope(path: DataPath("/rows/0"), index: 0)
        )
        #expect(evaluator.value(of: ["@path": "n"]) == 4)
        #expect(evaluator.value(of: ["@call": "@index", "args": ["offset": 1]]) == 1)
        #expect(
            evaluator.value(of: ["path": "/rows", "call": "x", "@@raw": 1]) == [
                "path": "/rows", "call": "x", "@raw": 1,
            ]
        )
        evaluator.scope = .root
        #expect(evaluator.value(of: ["@call": "@index"]) == nil)
    }

    @Test func `An offset that leads past the largest number is an error`() {
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: Catalog.basic1_0.id, version: .v1_0)
        var evaluator = Evaluator(DataModel(), scope, scope: DataScope(index: 1))
        let offset = JSONValue.number(JSONNumber(Int64.max))
        #expect(evaluator.value(of: ["@call": "@index", "args": ["offset": offset]]) == nil)
        #expect(evaluator.errors.map(\.code) == ["invalid_value"])
    }

    /// A format that evaluates another one 20 times.
    private static func format(of path: String) -> JSONValue {
        .string(String(repeating: "${formatString(value:\(path))}", count: 20))
    }

    /// A format that evaluates itself, and a short chain of formats with many parts each.
    static let endless: [(String, JSONValue)] = [
        ("too_deep", ["x0": "${formatString(value:/x0)}"]),
        (
            "too_many_parts",
            ["x0": format(of: "/x1"), "x1": format(of: "/x2"), "x2": format(of: "/x3"), "x3": format(of: "/x4")]
        ),
    ]

    @Test(arguments: endless)
    func `A limit ends a whole format, also the formats around it`(code: String, model: JSONValue) {
        let scope = CatalogScope(catalogs: Catalog.basics, defaultID: Catalog.basic1_0.id, version: .v1_0)
        var evaluator = Evaluator(DataModel(model), scope)
        let format: JSONValue = ["@call": "formatString", "args": ["value": ["@path": "/x0"]]]
        #expect(evaluator.value(of: format) == nil)
        #expect(evaluator.errors.map(\.code) == [code])
        #expect(evaluator.errors.map(\.category) == [.recursion])
        // The next value begins anew.
        #expect(evaluator.value(of: ["@call": "formatString", "args": ["value": "a ${'b'}"]]) == "a b")
    }
}
