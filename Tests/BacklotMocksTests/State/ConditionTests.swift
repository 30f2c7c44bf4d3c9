import Backlot
import BacklotHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// Conditions with tags, messages of one's own, comparisons in lists, and paths that take all that is left.
@Suite(.timeLimit(.minutes(5))) struct ConditionTests {
    private static let gym = [
        "classes.crud.yaml": """
        rows:
          - {id: 1, name: Yoga, seats: 12, start: "2026-12-01"}
          - {id: 2, name: Boxing, seats: 0, start: "2026-12-03"}
          - {id: 3, name: Hot Yoga, seats: 5, start: "2026-12-02"}
        schema:
          properties: {name: {type: string}, seats: {type: integer}, start: {type: string}}
        notFound: There is no such class.
        invalid: A class needs a name and seats.
        """,
        "class/[id].page.yaml": """
        responses:
          - request:
              whenData: {"classes.{{path.id}}": {absent: true}}
            status: 404
            body: This class was cancelled.
          - page: {typ: nav_page, title: A class, widget: {typ: empty}}
        """,
        "full/[id].get.yaml": """
        responses:
          - request:
              whenData: {"classes.{{path.id}}.seats": {equalToNumber: 0}}
            body: full
          - request:
              whenData: {"classes.0.name": {equalTo: "{{query.name}}"}}
            body: first
          - request:
              whenData: {classes: {matchesJsonPath: "$[?(@.seats == {{query.seats}})]"}}
            body: some
          - body: free
        """,
        "book.rpc.yaml": """
        data:
          remove: {from: classes, where: {id: "{{variables.id}}"}}
        """,
        "files/[...rest].get.yaml": "body: 'all {{path.rest}}'",
        "files/[id].get.yaml": "body: one",
        "files/a/b.get.yaml": "body: this",
    ]

    /// A document may describe a body for GET: `mocks verify` asked with POST then.
    @Test func `A probe has the method of its stub, also with a condition on the body`() async throws {
        let files = ["a.get.yaml": "request: {bodyPatterns: [{equalToJson: {x: 1}}]}\nbody: ok"]
        try await withMocks(files) { mocks in #expect(mocks.backend.probes.map(\.method) == [.get]) }
    }

    /// A browser's `/favicon.ico` ended the server: the report looks for the parameters of routes that don't match.
    @Test(arguments: ["/favicon.ico", "/", "/class", "/class/", "/full", "/files", "/class/1/2/3", "/book"])
    func `A path that is shorter or longer than each route's gets a 404 with the nearest`(path: String) async throws {
        try await withMocks(Self.gym) { mocks in
            let request = try MockRequest(.delete, path)
            #expect(!mocks.backend.nearMisses(of: request).isEmpty)
            try await mocks.expect(prefix: "404 No mock answers DELETE \(path)", .delete, path)
        }
    }

    @Test(arguments: [
        ("/class/2", "200 {\"page\":{\"typ\":\"nav_page\",\"title\":\"A class\",\"widget\":{\"typ\":\"empty\"}}}"),
        ("/class/9", "404 This class was cancelled."), ("/full/2", "200 full"), ("/full/1", "200 free"),
        ("/full/1?name=Yoga", "200 first"), ("/full/1?seats=5", "200 some"), ("/full/1?seats=6", "200 free"),
        ("/full/1?seats=)", "200 free"), ("/full/9", "200 free"), ("/files/x", "200 one"),
        ("/files/a/b", "200 this"), ("/files/a/c", "200 all a/c"), ("/files/a/b/c", "200 all a/b/c"),
    ])
    func `Conditions read tags and paths`(path: String, expected: String) async throws {
        try await withMocks(Self.gym) { mocks in try await mocks.expect(expected, .get, path) }
    }

    /// A path, a value, and whether the condition holds for it.
    @Test(arguments: [
        ("$[?(@.name == '{{query.v}}')]", "ann", true), ("$[?(@.name == '{{query.v}}')]", "x' || '1' == '1", false),
        ("$[?(@.name == '{{query.v}}')]", "O'Brien", true), ("$[?(@.name == '{{query.v}}')]", #"a\b"c"#, true),
        ("$[?(@.name == '{{query.v}}')]", #"\"#, false), (#"$[?(@.name == "{{query.v}}")]"#, #"" || "1" == "1"#, false),
        ("$[?(@.age == {{query.v}})]", "7", true), ("$[?(@.age == {{query.v}})]", "7.0", true),
        ("$[?(@.age == {{query.v}})]", "1 || @.age == 7", false), ("$[?(@.age == {{query.v}})]", "@.age", false),
        ("$[?(@.name == {{query.v}})]", "ann", true), ("$[?(@.age != {{query.v}})]", "", false),
        ("$[0].{{query.v}}", "name", true), ("$[0].{{query.v}}", "first-name", true),
        ("$[0].{{query.v}}", "none", false), ("$[0].{{query.v}}", "none || @", false), ("$[0].{{query.v}}", "*", false),
        // Signs that are one character with the one behind them.
        ("$[?(@.name == '{{query.v}}')]", "\u{600}' || @.name != @.y\u{D4E}", false),
        ("$[?(@.name == {{query.v}})]", "\u{600}' || @.name != @.y\u{D4E}", false),
        ("$[0].price_{{query.v}}", "eur", true), ("$[0].price_{{query.v}}", "x || @", false),
        ("$[0].2026-{{query.v}}", "01", true), ("$[0].{{query.v}}", "50%", true), ("$[0].{{query.v}}", "1.5", false),
        ("$[{{query.v}}]", "0", true), ("$[{{query.v}}]", "9", false), ("$[{{query.v}}]", "*", false),
        ("$[0]['{{query.v}}']", "first-name", true), ("$[0]['{{query.v}}']", "x','name", false),
        ("$[?(@.name =~ /a{{query.v}}/)]", "nn", true), ("$[?(@.name =~ /a{{query.v}}/)]", ".*", false),
        ("$[?(@.name =~ /a{{query.v}}/)]", "x/ || '1' == '1' || @.name =~ /", false),
        ("$[?(@.name =~ /^{{query.v}}$/)]", #"a\b"c"#, true),
    ])
    func `A value stays one part of a JSON path`(path: String, value: String, expected: Bool) async throws {
        let rows: JSONValue = [
            ["name": "ann", "age": 7, "first-name": "a", "price_eur": 1, "2026-01": 1, "50%": 1, "1": ["5": 1]],
            ["name": "O'Brien", "age": 8], ["name": #"a\b"c"#, "age": 9],
        ]
        let condition: JSONValue = ["users": ["matchesJsonPath": .string(path)]]
        let other: JSONValue = ["users": ["matchesJsonPath": ["expression": .string(path), "matches": ".*"]]]
        for condition in [condition, other] {
            let files = [
                "data/users.json": "\(JSONValue.object(["value": rows]))",
                "a.get.yaml":
                    "\(JSONValue.object(["responses": [["request": ["whenData": condition], "body": "yes"], ["body": "no"]]]))",
            ]
            try await withMocks(files) { mocks in
                let query = "v=" + value.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                try await mocks.expect(expected ? "200 yes" : "200 no", .get, "/a?\(query)")
            }
        }
    }

    /// A matcher, and a password that doesn't fit it.
    @Test(arguments: [
        (#"{password: "{{variables.password}}", age: "${json-unit.any-number}"}"#, "${json-unit.any-string}"),
        (#"{password: "{{variables.password}}", age: "${json-unit.any-number}"}"#, "#{json-unit.ignore}"),
        (#"'{"password":"{{variables.password}}","age":7}'"#, "${json-unit.any-string}"),
        (
            #"{"{{#if variables.password}}": {password: "{{variables.password}}"}, age: "${json-unit.any-number}"}"#,
            "${json-unit.any-string}"
        ),
    ])
    func `A value is no placeholder`(matcher: String, wrong: String) async throws {
        let files = [
            "data/users.yaml": "value: {ann: {password: secret, age: 7}}",
            "a.post.yaml": """
            responses:
              - request:
                  whenData: {users.ann: {equalToJson: \(matcher)}}
                body: welcome
              - body: no
            """,
        ]
        try await withMocks(files) { mocks in
            for (password, text) in [("secret", "welcome"), (wrong, "no")] {
                try await mocks.expect("200 \(text)", .post, "/a", body: #"{"password":"\#(password)"}"#)
            }
        }
    }

    @Test(arguments: [
        (#""2026-11-28""#, "yes"), (#""2026-11-29""#, "no"), (#"{"anything":true}"#, "no"),
        (#"{"absent":false}"#, "no"),
        (#"{"before":"now","expectedOffset":9223372036854775807,"expectedOffsetUnit":"years"}"#, "no"),
    ])
    func `An object of a request is no matcher`(date: String, text: String) async throws {
        let files = [
            "data/cart.yaml": "value: {date: 2026-11-28}",
            "a.post.yaml": """
            responses:
              - request:
                  whenData: {cart.date: "{{{variables.date}}}"}
                body: yes
              - body: no
            """,
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect("200 \(text)", .post, "/a", body: "{\"date\":\(date)}")
        }
    }

    @Test func `A step of a path may have text behind its tag`() async throws {
        let files = [
            "data/users.yaml": "value: {u7x: {name: ann}}",
            "users/[id].get.yaml": """
            responses:
              - request: {whenData: {"users.u{{path.id}}x.name": ann}}
                body: yes
              - body: no
            """,
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect("200 yes", .get, "/users/7")
            try await mocks.expect("200 no", .get, "/users/8")
        }
    }

    @Test func `Blocks repeat a placeholder`() async throws {
        let files = [
            "data/cart.yaml": "value: [{id: a, n: 1}, {id: b, n: 2}]",
            "a.get.yaml": """
            responses:
              - request:
                  whenData:
                    cart: {equalToJson: [{"{{#each data.cart}}": {id: "{{id}}", n: "${json-unit.any-number}"}}]}
                body: yes
              - body: no
            """,
        ]
        try await withMocks(files) { mocks in try await mocks.expect("200 yes", .get, "/a") }
    }

    @Test(arguments: [
        ("seats_gte=5", [1, 3]), ("seats_gt=5", [1]), ("seats_lte=0", [2]), ("seats_lt=12&seats_gt=0", [3]),
        ("name_ne=Yoga", [2, 3]), ("name_like=yoga", [1, 3]), ("start_gte=2026-12-02", [2, 3]), ("q=YOGA", [1, 3]),
        ("q=12", [1, 2, 3]), ("q=yoga&seats_lt=6", [3]), ("seats_gte=many", []), ("q=none", []),
    ])
    func `Comparisons in lists`(query: String, expected: [Int]) async throws {
        try await withMocks(Self.gym) { mocks in
            let rows = try JSONValue(parsing: try await mocks.ask(.get, "/classes?\(query)").text)
            #expect(rows.array?.compactMap { $0["id"]?.int } == expected)
        }
    }

    @Test func `A field that there isn't can't be compared`() async throws {
        try await withMocks(Self.gym) { mocks in
            let text = try await mocks.text(.get, "/classes?seets_gte=1")
            #expect(text.hasPrefix("400 ") && text.contains("have no field 'seets'"), "\(text)")
        }
    }

    @Test func `Messages of one's own`() async throws {
        try await withMocks(Self.gym) { mocks in
            func detail(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> String? {
                try JSONValue(parsing: try await mocks.ask(method, path, body: body).text)["detail"]?.string
            }
            #expect(try await detail(.get, "/classes/9") == "There is no such class.")
            #expect(try await detail(.delete, "/classes/9") == "There is no such class.")
            #expect(try await detail(.post, "/classes", #"{"name":5}"#) == "A class needs a name and seats.")
            try await mocks.expect("404 There is no such class.", .post, "/book", body: #"{"id":9}"#)
            try await mocks.expect("200 ", .post, "/book", body: #"{"id":2}"#)
        }
    }

    @Test(arguments: [
        ("a.get.yaml", "request: {whenData: {'cart.{{nosuch x}}': absent}}", "nosuch"),
        ("[...a]/b.get.yaml", "body: x", "stands behind the rest of the path"),
        ("[...].get.yaml", "body: x", "isn't a parameter"), ("a.get.yaml", "body: \"{{random 'Nope.no'}}\"", "Nope.no"),
        ("a.get.yaml", "jsonBody: {'{{#each data.cart}}': {a: 1}}", "would write the key 'a' once for each element"),
        ("a.get.yaml", "body: '{{nosuch x}}'", "nosuch"),
        ("a.get.yaml", "request: {headers: {A: {contains: '{{query.b}}'}}}", "write the condition under 'whenData'"),
        ("a.get.yaml", "request: {whenData: {cart: {matchesJsonPath: '$[({{query.b}}'}}}", "isn't a known JSON path"),
        ("a.get.yaml", "status: '20'", "200 to 599"),
        ("a.get.yaml", "request: {bodyPatterns: [{matchesJsonSchema: {}, schemaVersion: V5}]}", "V5"),
    ])
    func `Refused when they are loaded`(name: String, text: String, message: String) async throws {
        let found = try await problems(name, text, others: ["data/cart.yaml": "value: {}"])
        #expect(found.count == 1 && found[0].contains(message), "\(found)")
    }

    /// A draft, a schema in its words, a value that fits it, and one that doesn't.
    @Test(arguments: [
        ("V4", #"{"minimum":3,"exclusiveMinimum":true}"#, "4", "3"),
        ("V4", #"{"items":[{"type":"string"}],"additionalItems":false}"#, #"["a"]"#, #"["a",1]"#),
        ("V6", #"{"dependencies":{"a":["b"]}}"#, #"{"a":1,"b":2}"#, #"{"a":1}"#),
        ("V7", ##"{"$ref":"#/definitions/n","minimum":5,"definitions":{"n":{"type":"integer"}}}"##, "1", "1.5"),
        ("V201909", #"{"dependencies":{"a":{"required":["b"]}}}"#, #"{"a":1,"b":2}"#, #"{"a":1}"#),
        (
            "V201909", ##"{"properties":{"next":{"$recursiveRef":"#"}},"required":["v"]}"##,
            ##"{"v":1,"next":{"v":2}}"##, ##"{"v":1,"next":{}}"##
        ),
        ("V202012", #"{"prefixItems":[{"type":"string"}],"items":false}"#, #"["a"]"#, #"["a",1]"#),
    ])
    func `Drafts of JSON Schema differ`(draft: String, schema: String, good: String, bad: String) async throws {
        let files = [
            "mappings/a.json": """
            {"request":{"method":"POST","url":"/a","bodyPatterns":[{"matchesJsonSchema":\(schema),"schemaVersion":"\(draft)"}]},
             "response":{"status":"201"}}
            """
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect("201 ", .post, "/a", body: good)
            #expect(try await mocks.ask(.post, "/a", body: bad).status == .notFound)
        }
    }
}
