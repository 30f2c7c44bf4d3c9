import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct DataTests {
    private static let shop = [
        "data/cart.yaml": """
        rows: []
        limits: {rows: 3, bytes: 4096}
        schema:
          required: [good]
          properties: {good: {type: string}, amount: {type: integer, minimum: 1}}
        """,
        "data/visits.yaml": "{scope: shared, value: {count: 0, pages: [], last: null}}",
        "cart.get.yaml": "jsonBody: {rows: \"{{{data.cart}}}\"}",
        "first.get.yaml": "body: \"{{data.cart.0.good}}\"",
        "visits.get.yaml": "jsonBody: {all: \"{{{data.visits}}}\"}",
        "add.post.yaml": """
        data:
          - insert: {into: cart, value: {good: "{{variables.good}}", amount: "{{{variables.amount}}}"}}
          - patch: {in: visits, value: {last: "{{variables.good}}"}}
          - insert: {into: visits, path: pages, value: "{{request.path}}"}
        body: "added {{data.visits.last}}"
        """,
        "goods/[good].put.yaml": """
        data:
          - patch:
              in: cart
              where: {good: "{{path.good}}"}
              value: {amount: "{{{variables.amount}}}", before: "{{{row.amount}}}"}
              orInsert: {good: "{{path.good}}", amount: 1}
        """,
        "goods/[good].delete.yaml": "data: {remove: {from: cart, where: {good: \"{{path.good}}\"}}}",
        "goods/[good].post.yaml": "data: {update: {in: cart, where: {good: \"{{path.good}}\"}, value: {good: new}}}",
        "clear.post.yaml": "data: [{remove: {from: cart}}, {update: {in: visits, path: pages.0, value: gone}}]",
        "empty.get.yaml": """
        responses:
          - {request: {whenData: {cart: {equalToJson: []}}}, body: empty}
          - {request: {whenData: {cart: {matchesJsonPath: "$[?(@.good == 'tea')]"}, visits.last: tea}}, body: tea}
        """,
    ]

    private let ann: HTTPFields = [.cookie: "session=ann"]
    private let bob: HTTPFields = [.cookie: "session=bob"]

    @Test func `Routes change data, for each client by itself, and templates read it`() async throws {
        try await withMocks(Self.shop) { mocks in
            try await mocks.expect(#"200 {"rows":[]}"#, .get, "/cart", headers: ann)
            try await mocks.expect("200 added tea", .post, "/add", headers: ann, body: #"{"good":"tea","amount":2}"#)
            try await mocks.expect(#"200 {"rows":[{"id":1,"good":"tea","amount":2}]}"#, .get, "/cart", headers: ann)
            try await mocks.expect("200 tea", .get, "/first", headers: ann)
            try await mocks.expect(#"200 {"rows":[]}"#, .get, "/cart", headers: bob)
            try await mocks.expect("200 ", .put, "/goods/tea", headers: ann, body: #"{"amount":5}"#)
            try await mocks.expect(
                #"200 {"rows":[{"id":1,"good":"tea","amount":5,"before":2}]}"#,
                .get,
                "/cart",
                headers: ann
            )
            try await mocks.expect("200 ", .put, "/goods/jam", headers: ann, body: #"{"amount":5}"#)
            try await mocks.expect("200 ", .post, "/goods/jam", headers: ann)
            try await mocks.expect("200 ", .delete, "/goods/tea", headers: ann)
            try await mocks.expect(#"200 {"rows":[{"good":"new","id":2}]}"#, .get, "/cart", headers: ann)
            try await mocks.expect(
                #"200 {"all":{"count":0,"pages":["/add"],"last":"tea"}}"#,
                .get,
                "/visits",
                headers: bob
            )
            try await mocks.expect("200 ", .post, "/clear", headers: ann)
            try await mocks.expect(#"200 {"rows":[]}"#, .get, "/cart", headers: ann)
            try await mocks.expect(#"200 {"all":{"count":0,"pages":["gone"],"last":"tea"}}"#, .get, "/visits")
        }
    }

    @Test func `Two phones without a cookie never share a cart`() async throws {
        try await withMocks(Self.shop) { mocks in
            let responses = [
                try await mocks.ask(.post, "/add", body: #"{"good":"tea","amount":1}"#),
                try await mocks.ask(.post, "/add", body: #"{"good":"jam","amount":1}"#),
            ]
            let cookies = try responses.map { String(try #require($0.headers[.setCookie]).prefix { $0 != ";" }) }
            try await mocks.expect("200 tea", .get, "/first", headers: [.cookie: cookies[0]])
            try await mocks.expect("200 jam", .get, "/first", headers: [.cookie: cookies[1]])
            try await mocks.expect("200 ", .get, "/first")
            #expect(try await mocks.ask(.get, "/first").headers[.setCookie] == nil)
        }
        try await withMocks(Self.shop, configure: { $0.sharesState = true }) { mocks in
            let response = try await mocks.ask(.post, "/add", body: #"{"good":"tea","amount":1}"#)
            #expect(response.headers[.setCookie] == nil)
            try await mocks.expect("200 tea", .get, "/first", headers: bob)
        }
    }

    @Test func `The data chooses the response`() async throws {
        try await withMocks(Self.shop) { mocks in
            try await mocks.expect("200 empty", .get, "/empty", headers: ann)
            try await mocks.expect("200 added tea", .post, "/add", headers: ann, body: #"{"good":"tea","amount":2}"#)
            try await mocks.expect("200 tea", .get, "/empty", headers: ann)
            try await mocks.expect("200 empty", .get, "/empty", headers: bob)
            try await mocks.expect("200 ", .post, "/goods/tea", headers: ann)
            let report = try await mocks.text(.get, "/empty", headers: ann)
            #expect(
                report.contains("data cart: ")
                    && report.contains("is expected, but it is [{\"good\":\"new\",\"id\":1}]"),
                "\(report)"
            )
        }
    }

    @Test func `Changes are made together or not at all, and each failure says why`() async throws {
        try await withMocks(Self.shop) { mocks in
            try await mocks.expect("404 no row of 'cart' has the good \"tea\"", .delete, "/goods/tea", headers: ann)
            let wrong = #"{"good":"tea","amount":0}"#
            try await mocks.expect(
                "422 a row of 'cart' doesn't fit its schema: /amount must be at least 1, not 0",
                .post,
                "/add",
                headers: ann,
                body: wrong
            )
            for _ in 0..<3 {
                try await mocks.expect(
                    "200 added tea",
                    .post,
                    "/add",
                    headers: ann,
                    body: #"{"good":"tea","amount":1}"#
                )
            }
            let full = "507 the data 'cart' may have at most 3 rows; remove some"
            try await mocks.expect(full, .post, "/add", headers: ann, body: #"{"good":"jam","amount":1}"#)
            // The changes before and after the one that failed are missing too.
            try await mocks.expect(
                #"200 {"all":{"count":0,"pages":["/add","/add","/add"],"last":"tea"}}"#,
                .get,
                "/visits"
            )
            let long = String(repeating: "x", count: 5000)
            try await mocks.expect(
                "413 the data 'cart' may take at most 4096 bytes",
                .post,
                "/add",
                headers: bob,
                body: "{\"good\":\"\(long)\",\"amount\":1}"
            )
            try await mocks.expect("200 added tea", .post, "/add", headers: bob, body: #"{"good":"tea","amount":1}"#)
        }
    }

    @Test func `A change that fails leaves the scenario where it was, and logs nobody in`() async throws {
        let files = [
            "data/a.yaml": "rows: []",
            "go.rpc.yaml": """
            scenarioName: s
            newScenarioState: gone
            logIn: ann
            data: {remove: {from: a, where: {id: 7}}}
            """,
        ]
        try await withMocks(files) { mocks in
            let response = try await mocks.ask(.post, "/go", headers: ann)
            #expect(response.status == .notFound && response.headers[.setCookie] == nil)
            #expect(mocks.backend.scenarios.state(of: "s", in: .session("ann")) == "Started")
        }
    }

    @Test func `The path of a change may have tags`() async throws {
        let files = [
            "data/settings.yaml": "value: {theme: light, users: {u7x: {name: Ann}}}",
            "all.get.yaml": "jsonBody: {all: \"{{{data.settings}}}\"}",
            "set/[name].put.yaml": "data: {update: {in: settings, path: \"{{path.name}}\", value: dark}}",
            "users/[id].put.yaml": "data: {update: {in: settings, path: \"users.u{{path.id}}x.name\", value: Bob}}",
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect("200 ", .put, "/set/theme", headers: ann)
            try await mocks.expect("200 ", .put, "/users/7", headers: ann)
            try await mocks.expect(
                #"200 {"all":{"theme":"dark","users":{"u7x":{"name":"Bob"}}}}"#,
                .get,
                "/all",
                headers: ann
            )
        }
    }

    @Test func `A log-in takes along the client's own data`() async throws {
        let files = Self.shop.merging(["log_in.rpc.yaml": "logIn: \"{{variables.username}}\""]) { first, _ in first }
        try await withMocks(files) { mocks in
            try await mocks.expect("200 added tea", .post, "/add", headers: ann, body: #"{"good":"tea","amount":1}"#)
            let logIn = try await mocks.ask(.post, "/log_in", headers: ann, body: #"{"username":"ann"}"#)
            let cookie = String(try #require(logIn.headers[.setCookie]).prefix { $0 != ";" })
            try await mocks.expect("200 tea", .get, "/first", headers: [.cookie: cookie])
            try await mocks.expect("200 ", .get, "/first", headers: ann)
        }
    }

    @Test func `Requests at the same time lose nothing`() async throws {
        let files = [
            "data/log.yaml": "{scope: shared, rows: [], limits: {rows: 1000}}",
            "log.post.yaml": "data: {insert: {into: log, value: {n: \"{{variables.n}}\"}}}",
        ]
        try await withMocks(files) { mocks in
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask { try await mocks.expect("200 ", .post, "/log", body: "{\"n\":\(number)}") }
                }
                try await group.waitForAll()
            }
            let rows = try #require(mocks.backend.data.value("log")?.array)
            #expect(Set(rows.compactMap { $0["id"]?.number?.int64 }) == Set(1...100))
        }
    }

    // MARK: Bounds

    @Test func `Clients that have used their data least recently lose it`() async throws {
        let files = [
            "data/a.yaml": "rows: []", "a.post.yaml": "data: {insert: {into: a, value: {text: \"{{variables.x}}\"}}}",
        ]
        try await withMocks(files, configure: { $0.dataLimits.clients = 10 }) { mocks in
            let backend = mocks.backend
            for number in 0..<30 {
                try await mocks.expect(
                    "200 ",
                    .post,
                    "/a",
                    headers: [.cookie: "session=\(number)"],
                    body: #"{"x":"y"}"#
                )
                #expect(backend.data.clients <= 10)
                #expect(backend.data.value("a", in: .session("0"))?.array?.count == 1)
            }
            #expect(backend.data.value("a", in: .session("1"))?.array?.count == 0)
        }
    }

    @Test func `All data together is bounded, and a client that wants more takes it from those who have left`()
        async throws
    {
        let files = [
            "data/a.yaml": "rows: []", "data/b.yaml": "{scope: shared, rows: []}",
            "a.post.yaml": "data: {insert: {into: a, value: {text: \"{{variables.x}}\"}}}",
            "b.post.yaml": "data: {insert: {into: b, value: {text: \"{{variables.x}}\"}}}",
        ]
        try await withMocks(files, configure: { $0.dataLimits.bytes = 20_000 }) { mocks in
            let body = "{\"x\":\"\(String(repeating: "x", count: 3000))\"}"
            for number in 0..<20 {
                try await mocks.expect("200 ", .post, "/a", headers: [.cookie: "session=\(number)"], body: body)
                #expect(mocks.backend.data.bytes <= 20_000)
            }
            #expect(mocks.backend.data.value("a", in: .session("19"))?.array?.count == 1)
            for _ in 0..<6 { try await mocks.expect("200 ", .post, "/b", headers: ann, body: body) }
            try await mocks.expect("507 all data may take at most 20000 bytes; remove some", .post, "/b", body: body)
            mocks.backend.reset()
            #expect(mocks.backend.data.bytes == 0)
            try await mocks.expect("200 ", .post, "/b", body: body)
        }
    }

    @Test func `Data of several megabytes is changed too`() async throws {
        let files = [
            "data/a.yaml": "{rows: [], limits: {bytes: 4000000, rows: 10}}",
            "a.post.yaml":
                "{data: {insert: {into: a, value: {text: \"{{variables.x}}\"}}}, body: \"{{data.a.length}}\"}",
        ]
        try await withMocks(files) { mocks in
            let body = "{\"x\":\"\(String(repeating: "x", count: 300_000))\"}"
            for _ in 0..<10 { #expect(try await mocks.ask(.post, "/a", headers: ann, body: body).status == .ok) }
            try await mocks.expect(
                "507 the data 'a' may have at most 10 rows; remove some",
                .post,
                "/a",
                headers: ann,
                body: "{}"
            )
        }
    }

    // MARK: Files

    @Test func `A reload keeps clients' data unless the initial rows have changed`() async throws {
        try await withMocks(Self.shop) { mocks in
            try await mocks.expect("200 added tea", .post, "/add", headers: ann, body: #"{"good":"tea","amount":1}"#)
            try mocks.folder.write("{rows: [], limits: {rows: 1}}", to: "data/cart.yaml")
            _ = mocks.files.scan()
            try await mocks.expect("200 tea", .get, "/first", headers: ann)
            try await mocks.expect(
                "507 the data 'cart' may have at most 1 rows; remove some",
                .post,
                "/add",
                headers: ann,
                body: #"{"good":"tea","amount":0}"#
            )
            try mocks.folder.write("rows: [{good: jam}]", to: "data/cart.yaml")
            _ = mocks.files.scan()
            try await mocks.expect("200 jam", .get, "/first", headers: ann)
            try mocks.folder.remove("data/cart.yaml")
            _ = mocks.files.scan()
            try await mocks.expect("500 there is no data 'cart'; declare it in data/cart.yaml", .delete, "/goods/tea")
        }
    }

    @Test(
        arguments: cases(
            """
            rows: {a: 1} → data/a.yaml:1:7: "rows" is an object, but must be an array of objects: mocks refuse this.
            rows: [1] → data/a.yaml:1:8: "rows"[0] is the number 1, but must be an object of values: mocks refuse this.
            {rows: [], value: 1} → data/a.yaml:1:1: The keys "rows" and "value" contradict each other. Keep one of them.
            rows:⏎  - {id: 1}⏎  - {id: 1} → data/a.yaml:3:5: there is a row with the id 1 already
            schema: {properties: {a: {type: integr}}}⏎rows: [] → data/a.yaml:1:33: "integr" is not a type
            schema: {required: [a]}⏎rows: [{b: 1}] → data/a.yaml:2:8: the value lacks "a"
            schema: {properties: {a: {maximum: 1}}}⏎rows: [{a: 2}] → data/a.yaml:2:12: /a must be at most 1, not 2
            row: [] → data/a.yaml:1:1: A data file has no key "row", so mocks refuse this. Write "rows", if
            {scope: clients, rows: []} → \
            data/a.yaml:1:9: "scope" is "clients", which is unknown: mocks refuse this. Write "client", if
            {rows: [], limits: {rows: 0}} → \
            data/a.yaml:1:27: "rows" is 0, but must be a whole number from 1 to 100000: mocks refuse this.
            {rows: [{}, {}], limits: {rows: 1}} → data/a.yaml:1:1: the data 'a' may have at most 1 rows; remove some
            """
        )
    )
    func `Mistakes in a file of data have their place`(_ text: String, _ problem: String) async throws {
        let found = try await problems("data/a.yaml", text)
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    @Test(
        arguments: cases(
            """
            data: {insrt: {into: a}} → x.post.yaml:1:8: A change has no key "insrt", so mocks refuse this. Write "insert", if
            data: {insert: {in: a, value: {}}} → \
            x.post.yaml:1:17: An insert has no key "in", so mocks refuse this. Remove it; mocks read only into, path, value here.
            data: {insert: {value: {}}} → \
            x.post.yaml:1:16: An insert needs "into"; without it, mocks refuse this. Add "into" with a string.
            data: {insert: {into: a}} → x.post.yaml:1:16: An insert needs "value"; without it, mocks refuse this.
            data: {patch: {in: a, path: b..c, value: 1}} → x.post.yaml:1:29: a step is empty
            data: {patch: {in: a, value: "{{nothing}}"}} → x.post.yaml:1:31: {{nothing}} begins with none of
            request: {whenData: {a: {equalsTo: 1}}} → \
            x.post.yaml:1:26: A matcher has no key "equalsTo", so mocks refuse this. Write "equalTo", if
            """
        )
    )
    func `Mistakes in a route's changes have their place`(_ text: String, _ problem: String) async throws {
        let found = try await problems("x.post.yaml", text)
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    /// A value of any depth ended the server.
    @Test(arguments: [(32, true), (33, false), (5000, false)])
    func `The path of a change has at most 32 steps`(count: Int, isPath: Bool) async throws {
        let path = Array(repeating: "a", count: count).joined(separator: ".")
        let file = "data: {update: {in: cart, path: \(path), value: 1}}"
        let found = try await problems("x.post.yaml", file, others: ["data/cart.yaml": "value: {}"])
        let problem = "x.post.yaml:1:33: a step is empty, or there are more than 32; write a path such as address.city"
        #expect(found == (isPath ? [] : [problem]))
    }

    @Test func `Data that no file declares is warned of once`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("body: hi\ndata: {remove: {from: crt}}", to: "a.post.yaml")
            try folder.write("rows: []", to: "data/cart.yaml")
            try folder.write("bucket: goods", to: "goods.crud.yaml")
            try folder.write("{\"a\": \"{{#each data.cart}}{{data.crat}}{{/each}}\"}", to: "b.get.json")
            try folder.write("data: {insert: {into: cart, value: {a: \"{{data.cort}}\"}}}", to: "c.post.yaml")
            let files = try RouteFiles(folder.path, backend: MockBackend())
            let warnings = files.scan().warnings.map(\.description)
            #expect(
                warnings.first
                    == "a.post.yaml:1:1: no file declares the data 'crt'; did you mean 'cart'?; write data/crt.yaml, with rows: or value:"
            )
            #expect(
                warnings.dropFirst().map { String($0.prefix { $0 != ";" }) } == [
                    "b.get.json:1:1: no file declares the data 'crat'",
                    "c.post.yaml:1:1: no file declares the data 'cort'",
                    "goods.crud.yaml:1:1: no file declares the data 'goods'",
                ]
            )
            try folder.write("value: {}", to: "data/other.yaml")
            #expect(files.scan().warnings.isEmpty)
        }
    }
}
