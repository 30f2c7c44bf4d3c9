import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct CrudTests {
    private static let users = [
        "api/users.crud.yaml": """
        rows:
          - {name: Ann, age: 41, city: Bonn}
          - {name: Bob, age: 23, city: Cairo}
          - {name: Cem, age: 41, city: Bonn}
        schema:
          required: [name]
          properties:
            id: {type: integer}
            name: {type: string, minLength: 1}
            age: {type: integer}
            city: {type: string}
            email: {format: email}
        """
    ]
    private static let json: HTTPFields = [.contentType: "application/json", .cookie: "session=ann"]

    private func names(_ mocks: Mocks, _ query: String) async throws -> [String] {
        let response = try await mocks.ask(.get, "/api/users\(query)", headers: Self.json)
        #expect(response.status == .ok && response.headers[.contentType] == "application/json")
        return try JSONValue(parsing: response.text).array?.compactMap { $0["name"]?.string } ?? []
    }

    @Test(arguments: [
        ("", ["Ann", "Bob", "Cem"]),
        ("?city=Bonn", ["Ann", "Cem"]),
        ("?age=41&name=Cem", ["Cem"]),
        ("?name=Bob&name=Cem", ["Bob", "Cem"]),
        ("?city=Rome", []),
        ("?sort=-name", ["Cem", "Bob", "Ann"]),
        ("?sort=age,-name", ["Bob", "Cem", "Ann"]),
        ("?sort=-age", ["Ann", "Cem", "Bob"]),
        ("?page=2&per_page=2", ["Cem"]),
        ("?per_page=1", ["Ann"]),
        ("?page=9&per_page=2", []),
        ("?city=Bonn&sort=-name&page=1&per_page=1", ["Cem"]),
    ])
    func `Lists are filtered, sorted and paged`(_ query: String, _ names: [String]) async throws {
        try await withMocks(Self.users) { mocks in
            let found = try await self.names(mocks, query)
            #expect(found == names)
        }
    }

    @Test(arguments: [(HTTPRequest.Method.post, ""), (.put, "/1"), (.patch, "/1")])
    func `A row that is too large is refused, however many members it has`(
        _ method: HTTPRequest.Method,
        _ path: String
    ) async throws {
        let members = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        try await withMocks(Self.users) { mocks in
            let body = "{\"name\":\"Dee\",\(members)}"
            let response = try await mocks.ask(method, "/api/users\(path)", headers: Self.json, body: body)
            #expect(response.status == .contentTooLarge)
            #expect(response.text.contains("may take at most 262144 bytes"), "\(response.text)")
        }
    }

    @Test func `Many rows with keys of their own are read`() async throws {
        let rows = (0..<30_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
        let text = #"{"limits":{"bytes":16777216,"rows":30000},"rows":[\#(rows)]}"#
        try await withMocks(["a.crud.json": text]) { mocks in
            let found = try await mocks.ask(.get, "/a/29999", headers: Self.json).text
            #expect(found == #"{"id":29999}"#)
        }
        let found = try await problems("a.crud.yaml", "rows: [{id: 7}, {id: 8}, {id: '7'}]")
        #expect(found.count == 1, "\(found)")
    }

    /// A comparison of the key's text with each row would take longer than the time limit.
    @Test func `A row may have a long list as its key`() throws {
        var content = DataContent(value: .array((0..<20_000).map { ["id": .number(JSONNumber(Int64($0)))] }))
        let key = JSONValue.array(Array(repeating: 0, count: 300_000))
        #expect(try content.append(["id": key], key: "id", .counter)["id"] == key)
        for taken in [key, 7, "7"] {
            let error = #expect(throws: DataError.self) { try content.append(["id": taken], key: "id", .counter) }
            #expect(error?.status == .conflict)
        }
        #expect(content.rows.count == 20_001)
    }

    @Test(arguments: [(200, "200 []"), (201, "a list takes at most 200 parameters")])
    func `A list takes at most 200 parameters`(count: Int, text: String) async throws {
        let query = (0..<count).map { "city=\($0)" }.joined(separator: "&")
        try await withMocks(Self.users) { mocks in
            let response = try await mocks.text(.get, "/api/users?\(query)", headers: Self.json)
            #expect(response.hasPrefix(count == 200 ? text : "400 ") && response.contains(text), "\(response)")
        }
    }

    @Test func `A page says how many rows there are, and where the other pages are`() async throws {
        try await withMocks(Self.users, configure: { $0.path = "/mock/" }) { mocks in
            let response = try await mocks.ask(.get, "/mock/api/users?sort=-name&per_page=1&page=2")
            #expect(response.headers[HTTPField.Name("X-Total-Count")!] == "3")
            let path = "/mock/api/users?sort=-name&page="
            #expect(
                response.headers[HTTPField.Name("Link")!]
                    == "<\(path)1&per_page=1>; rel=\"first\", <\(path)1&per_page=1>; rel=\"prev\", "
                    + "<\(path)3&per_page=1>; rel=\"next\", <\(path)3&per_page=1>; rel=\"last\""
            )
            let all = try await mocks.ask(.get, "/mock/api/users")
            #expect(all.headers[HTTPField.Name("X-Total-Count")!] == "3")
            #expect(all.headers[HTTPField.Name("Link")!] == nil)
            let made = try await mocks.ask(.post, "/mock/api/users", body: #"{"name":"Dan"}"#)
            #expect(made.headers[.location] == "/mock/api/users/4")
            #expect(made.headers[.setCookie]?.hasPrefix("session=") == true)
        }
    }

    @Test func `A row is made, read, replaced, patched and deleted`() async throws {
        try await withMocks(Self.users) { mocks in
            let made = try await mocks.ask(.post, "/api/users", headers: Self.json, body: #"{"name":"Dan","age":7}"#)
            #expect(made.status == .created && made.text == #"{"id":4,"name":"Dan","age":7}"#)
            #expect(made.headers[.location] == "/api/users/4")
            try await mocks.expect(#"200 {"id":4,"name":"Dan","age":7}"#, .get, "/api/users/4", headers: Self.json)
            let renamed = #"{"name":"Dana","city":"Oslo"}"#
            try await mocks.expect(
                #"200 {"id":4,"name":"Dana","city":"Oslo"}"#,
                .put,
                "/api/users/4",
                headers: Self.json,
                body: renamed
            )
            var headers = Self.json
            headers[.contentType] = "application/merge-patch+json; charset=utf-8"
            let patch = #"{"city":null,"tags":{"a":1,"b":null}}"#
            try await mocks.expect(
                #"200 {"id":4,"name":"Dana","tags":{"a":1}}"#,
                .patch,
                "/api/users/4",
                headers: headers,
                body: patch
            )
            try await mocks.expect("204 ", .delete, "/api/users/4", headers: Self.json)
            #expect(try await names(mocks, "") == ["Ann", "Bob", "Cem"])
            // A key is never given twice.
            let next = try await mocks.ask(.post, "/api/users", headers: Self.json, body: #"{"name":"Eve"}"#)
            #expect(next.headers[.location] == "/api/users/5")
            // Another client sees what the file says.
            try await mocks.expect(.notFound, .get, "/api/users/5")
        }
    }

    private static let refusals: [(HTTPRequest.Method, String, String, String, Int, String)] = [
        (.get, "/api/users/9", "", "", 404, #"no row of 'users' has the id "9""#),
        (.delete, "/api/users/9", "", "", 404, #"no row of 'users' has the id "9""#),
        (.patch, "/api/users/9", "application/json", "{}", 404, #"no row of 'users' has the id "9""#),
        (.delete, "/api/users", "", "", 405, "DELETE is not answered here; allowed: GET, HEAD, POST"),
        (.post, "/api/users/1", "", "{}", 405, "POST is not answered here; allowed: GET, HEAD, PUT, PATCH, DELETE"),
        (.post, "/api/users", "application/json", #"{"id":2,"name":"x"}"#, 409, "there is a row with the id 2 already"),
        (
            .put, "/api/users/1", "application/json", #"{"id":2,"name":"x"}"#, 409,
            "the id of a row can't be changed: the path says 1, the body 2"
        ),
        (.post, "/api/users", "text/plain", "{}", 415, #""text/plain" is not read here; send application/json"#),
        (
            .patch, "/api/users/1", "application/json-patch+json", "[]", 415,
            #""application/json-patch+json" is not read here; send application/json or application/merge-patch+json"#
        ),
        (.post, "/api/users", "application/json", "[]", 422, "the body must be an object, not a list"),
        (
            .post, "/api/users", "application/json", "{}", 422,
            #"a row of 'users' doesn't fit its schema: the value lacks "name""#
        ),
        (
            .patch, "/api/users/1", "application/json", #"{"name":null}"#, 422,
            #"a row of 'users' doesn't fit its schema: the value lacks "name""#
        ),
        (.get, "/api/users?nmae=x", "", "", 400, "the rows of 'users' have no field 'nmae'; did you mean 'name'?"),
        (.get, "/api/users?sort=nmae", "", "", 400, "the rows of 'users' have no field 'nmae'; did you mean 'name'?"),
        (
            .get, "/api/users?sort=" + Array(repeating: "name", count: 21).joined(separator: ","), "", "", 400,
            "sort names at most 20 fields"
        ),
        (.get, "/api/users?page=0", "", "", 400, #"page is "0"; write a number from 1 to 1000000"#),
        (.get, "/api/users?per_page=9999", "", "", 400, #"per_page is "9999"; write a number from 1 to 1000"#),
    ]

    @Test(arguments: refusals.indices)
    func `What can't be done is refused with a problem document`(_ index: Int) async throws {
        let (method, path, type, body, status, detail) = Self.refusals[index]
        try await withMocks(Self.users) { mocks in
            let headers: HTTPFields = type.isEmpty ? [:] : [.contentType: type]
            let response = try await mocks.ask(method, path, headers: headers, body: body)
            #expect(response.status.code == status)
            #expect(response.headers[.contentType] == "application/problem+json")
            let problem = try JSONValue(parsing: response.text)
            #expect(
                problem["status"] == .number(JSONNumber(Int64(status))) && problem["detail"]?.string == detail,
                "\(problem)"
            )
            #expect(status != 405 || response.headers[.allow]?.hasPrefix("GET, HEAD") == true)
        }
    }

    @Test func `A problem document lists all that doesn't fit the schema`() async throws {
        try await withMocks(Self.users) { mocks in
            let body = #"{"name":"","age":"x","email":"a"}"#
            let response = try await mocks.ask(.post, "/api/users", headers: Self.json, body: body)
            let problem = try JSONValue(parsing: response.text)
            #expect(
                problem["errors"] == [
                    ["pointer": "/name", "detail": "must have at least 1 character, not 0"],
                    ["pointer": "/age", "detail": "must be a whole number, not a string"],
                    ["pointer": "/email", "detail": "must be an email address, not \"a\""],
                ]
            )
            #expect(try await names(mocks, "") == ["Ann", "Bob", "Cem"])
        }
    }

    /// Requests with their responses, by one client: `GET /a → 200 []`.
    private func play(_ files: [String: String], _ script: String) async throws {
        try await withMocks(files) { mocks in
            var headers: HTTPFields = [.contentType: "application/json"]
            for line in script.split(separator: "\n") {
                let parts = line.split(separator: " → ").map(String.init)
                let words = parts[0].split(separator: " ", maxSplits: 2).map(String.init)
                let method = try #require(HTTPRequest.Method(rawValue: words[0]))
                let body = words.count > 2 ? words[2] : ""
                let response = try await mocks.ask(method, words[1], headers: headers, body: body)
                if let set = response.headers[.setCookie] { headers[.cookie] = String(set.prefix { $0 != ";" }) }
                let detail = (try? JSONValue(parsing: response.text))?["detail"]?.string
                #expect("\(response.status.code) \(detail ?? response.text)" == parts[1], "\(line)")
            }
        }
    }

    @Test(arguments: ["", "schema: {properties: {id: {}, user: {type: integer}, text: {}}}\n"])
    func `The rows of a list below a parameter are those with its value`(_ schema: String) async throws {
        let rows = "rows: [{id: 1, user: 7, text: a}, {id: 2, user: 8, text: b}]\nwhere: {user: '{{path.user}}'}\n"
        try await play(
            ["users/[user]/notes.crud.yaml": rows + schema],
            #"""
            GET /users/7/notes → 200 [{"id":1,"user":7,"text":"a"}]
            GET /users/9/notes → 200 []
            GET /users/8/notes?text=a → 200 []
            POST /users/9/notes {"text":"c"} → 201 {"id":3,"text":"c","user":9}
            GET /users/9/notes → 200 [{"id":3,"text":"c","user":9}]
            POST /users/9/notes {"text":"d","user":"9"} → \#(schema.isEmpty ? #"201 {"id":4,"text":"d","user":"9"}"# : "422 a row of 'notes' doesn't fit its schema: /user must be a whole number, not a string")
            POST /users/9/notes {"text":"e","user":7} → 409 the user of rows is "9" here, but 7 in the body
            GET /users/7/notes/1 → 200 {"id":1,"user":7,"text":"a"}
            GET /users/8/notes/1 → 404 no row of 'notes' has the id "1" and the user "8"
            DELETE /users/8/notes/1 → 404 no row of 'notes' has the id "1" and the user "8"
            PUT /users/7/notes/1 {"text":"A"} → 200 {"id":1,"text":"A","user":7}
            PATCH /users/7/notes/1 {"user":8} → 409 the user of rows is "7" here, but 8 in the body
            PATCH /users/7/notes/1 {"user":null,"text":"B"} → 409 the user of rows is "7" here, but null in the body
            DELETE /users/7/notes/1 → 204 
            GET /users/7/notes → 200 []
            """#
        )
    }

    @Test func `A row gets a key that no row has as a text either`() async throws {
        try await play(
            ["items.crud.json": #"[{"id":"1","t":"a"},{"id":"2","t":"b"}]"#],
            #"""
            POST /items {"t":"c"} → 201 {"id":3,"t":"c"}
            GET /items/3 → 200 {"id":3,"t":"c"}
            GET /items/1 → 200 {"id":"1","t":"a"}
            POST /items {"id":"7","t":"d"} → 201 {"id":"7","t":"d"}
            POST /items {"t":"e"} → 201 {"id":8,"t":"e"}
            """#
        )
    }

    @Test func `A list may be that of the user, or of several values`() async throws {
        let files = [
            "log-in.post.yaml": "logIn: ann",
            "notes.crud.yaml":
                "where: {owner: '{{session.user}}', kind: note}\nrows: [{id: 1, owner: bob, kind: note}]",
            "all.get.yaml": "jsonBody: \"{{{filter data.notes 'owner' 'ann'}}}\"",
        ]
        try await play(
            files,
            #"""
            POST /log-in → 200 
            GET /notes → 200 []
            POST /notes {"text":"a"} → 201 {"id":2,"text":"a","owner":"ann","kind":"note"}
            GET /notes/1 → 404 no row of 'notes' has the id "1" and the owner "ann" and the kind "note"
            GET /all → 200 [{"id":2,"text":"a","owner":"ann","kind":"note"}]
            """#
        )
    }

    @Test func `Keys can be UUIDs, and a file may name data that another declares`() async throws {
        let files = [
            "data/notes.json": #"{"scope":"shared","ids":"uuid","key":"uid","rows":[]}"#,
            "notes.crud.yaml": "bucket: notes",
            "first.get.yaml": "body: \"{{data.notes.0.uid}}\"",
            "users/[id]/notes.crud.yaml": "bucket: notes",
        ]
        try await withMocks(files) { mocks in
            let made = try await mocks.ask(.post, "/notes", body: #"{"text":"hi"}"#)
            let location = try #require(made.headers[.location])
            #expect(StubID(String(location.dropFirst("/notes/".count))) != nil)
            #expect(made.headers[.setCookie] == nil)
            try await mocks.expect("200 \(location.dropFirst("/notes/".count))", .get, "/first")
            try await mocks.expect(.ok, .get, location)
            try await mocks.expect(.ok, .get, "/users/7\(location)")
        }
    }

    @Test(arguments: [
        (
            "{bucket: a, rows: []}",
            "a.crud.yaml:1:13: data/a.yaml declares the data; move this there, or leave out 'bucket'"
        ),
        (
            "value: {}",
            #"a.crud.yaml:1:1: A crud file has no key "value", so mocks refuse this. REST routes are about rows; write them under rows:"#
        ),
        ("{rows: [], where: [1]}", #"a.crud.yaml:1:19: "where" is an array, but must be an object of values"#),
        ("{rows: [], where: {b: '{{pth.b}}'}}", "a.crud.yaml:1:23: {{pth.b}} begins with none of"),
        ("rowz: []", #"a.crud.yaml:1:1: A crud file has no key "rowz", so mocks refuse this. Write "rows", if"#),
    ])
    func `Mistakes in a crud file have their place`(_ text: String, _ problem: String) async throws {
        let found = try await problems("a.crud.yaml", text)
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    @Test func `A route file with the same path comes first, and leaves the rest to the rows`() async throws {
        let files = [
            "users.crud.yaml": "rows: [{id: 1}]",
            "users.get.yaml":
                "request: {queryParameters: {page: {not: {matches: '[0-9]+'}, absent: false}}}\nstatus: 400",
            "users/[id].delete.yaml": "status: 403",
        ]
        try await withMocks(files) { mocks in
            for (method, target, expected) in [
                (HTTPRequest.Method.get, "/users?page=x", "400 "), (.get, "/users", #"200 [{"id":1}]"#),
                (.delete, "/users/1", "403 "),
                (.get, "/users/1", #"200 {"id":1}"#),
            ] {
                let response = try await mocks.ask(method, target)
                #expect("\(response.status.code) \(response.text)" == expected, "\(method) \(target)")
            }
        }
    }

    @Test func `Two crud files with one path are refused`() async throws {
        let found = try await problems("users.crud.yaml", "rows: []", others: ["users.crud.json": "[]"])
        #expect(found.count == 1 && found[0].contains("the rows at GET /users is answered by"), "\(found)")
        #expect(found.first?.hasSuffix("already; remove one of the two") == true, "\(found)")
    }

    @Test func `Two crud files that declare one name of data are told to share it`() async throws {
        let other = ["orders.crud.yaml": "rows: []"]
        let found = try await problems("users/[userId]/orders.crud.yaml", "rows: []", others: other)
        #expect(
            found == [
                "users/[userId]/orders.crud.yaml:1:1: the data 'orders' is declared by orders.crud.yaml already; declare it in data/orders.yaml alone and write 'bucket: orders' into crud files, or rename one of the two"
            ]
        )
    }

    @Test func `A crud file has only the methods that it names, and rows get their defaults`() async throws {
        let text = """
            methods: [GET, POST, PUT]
            defaults: {state: new, at: 5}
            parameters: [cursor]
            schema: {required: [state, at], properties: {state: {}, at: {}}}
            rows: [{id: 1, state: old, at: 1}]
            """
        try await withMocks(["orders.crud.yaml": text]) { mocks in
            for (method, target, body, expected) in [
                (HTTPRequest.Method.post, "/orders", #"{"at":6}"#, #"201 {"id":2,"at":6,"state":"new"}"#),
                (.put, "/orders/1", #"{"at":7}"#, #"200 {"id":1,"at":7,"state":"old"}"#),
                (.get, "/orders/1", "", #"200 {"id":1,"state":"old","at":1}"#),
            ] {
                let response = try await mocks.ask(method, target, body: body)
                #expect("\(response.status.code) \(response.text)" == expected, "\(method) \(target)")
            }
            for (target, expected) in [
                ("/orders?cursor=1&limit=1", #"200 [{"id":1,"state":"old","at":1}]"#), ("/orders?offset=1", "200 []"),
                ("/orders?limit=0", "200 []"),
            ] {
                let response = try await mocks.ask(.get, target)
                #expect("\(response.status.code) \(response.text)" == expected, "\(target)")
            }
            let odd = try await mocks.ask(.get, "/orders?offset=-1")
            #expect(odd.status == .badRequest && odd.text.contains("write a number from 0 to 1000000"))
            let refused = try await mocks.ask(.delete, "/orders/1")
            #expect(refused.status == .methodNotAllowed && refused.headers[.allow] == "GET, HEAD, PUT")
        }
        let found = try await problems("a.crud.yaml", "methods: [GET, TRACE]")
        #expect(found.count == 1 && found[0].contains("TRACE"), "\(found)")
    }

    @Test func `A client's rows are its own over HTTP/1.1 and HTTP/2`() async throws {
        try await withMocks(["notes.crud.yaml": "rows: []"]) { mocks in
            try await withServer(mocks.handler) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send("POST /notes HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n\r\n{\"text\":\"a\"}")
                let response = try await client.receive(responseTo: "POST")
                #expect(response.status == 201 && response.text == #"{"id":1,"text":"a"}"#)
                let cookie = String(try #require(response["Set-Cookie"]).prefix { $0 != ";" })
                #expect(try await HTTP2Request("/notes/1", [("cookie", cookie)]).status(at: address) == 200)
                #expect(try await HTTP2Request("/notes/1").status(at: address) == 404)
                let deletion = HTTP2Request(method: "DELETE", "/notes/1", [("cookie", cookie)])
                #expect(try await deletion.status(at: address) == 204)
                #expect(try await HTTP2Request("/notes/1", [("cookie", cookie)]).status(at: address) == 404)
            }
        }
    }
}
