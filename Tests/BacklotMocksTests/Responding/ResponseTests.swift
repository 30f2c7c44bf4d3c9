import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
    static let page = #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"empty"}}}"#

    @Test func `A template whose answer would be too large is 500, and named`() async throws {
        let body =
            "{{#variables.a}}{{#variables.a}}{{#variables.a}}0123456789{{/variables.a}}{{/variables.a}}{{/variables.a}}"
        let files = [
            "list.post.yaml": "body: \"\(body)\"\n", "field.post.yaml": "headers: {X-Text: \"{{request.body}}\"}\n",
            "in.post.yaml": "logIn: \"{{request.body}}\"\n",
        ]
        try await withMocks(files, configure: { $0.templateLimit = 20_000 }) { mocks in
            let list = "{\"a\":[\(String(repeating: "1,", count: 999))1]}"
            let refusal = "filling in the template for this request takes more than 20000 bytes, which is the limit"
            try await mocks.expect(prefix: "500 list.post.yaml:1: \(refusal)", .post, "/list", body: list)
            try await mocks.expect(
                "200 " + String(repeating: "0123456789", count: 8),
                .post,
                "/list",
                body: "{\"a\":[1,2]}"
            )
            let text = String(repeating: "t", count: 20_001)
            try await mocks.expect(prefix: "500 field.post.yaml:1: \(refusal)", .post, "/field", body: text)
            let other = refusal.replacing("the template for this request", with: "the template of logIn")
            try await mocks.expect("500 \(other)", .post, "/in", body: text)
            try await mocks.expect("200 ", .post, "/in", body: "ada")
        }
    }

    @Test(arguments: [
        ("GET /missing", 404), ("POST /missing", 404), ("POST /save", 413), ("GET /save", 404), ("POST /users/7", 413),
        ("POST /__admin/missing", 404), ("POST /__admin/mappings", 413),
    ])
    func `A body that is too large is refused where somebody would read it`(line: String, status: Int) async throws {
        try await withMocks(["save.post.json": "{}", "users/[id].post.json": "{}"]) { mocks in
            try await withServer(mocks.handler) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send("\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n")
                let response = try await client.receive()
                #expect(response.status == status)
                #expect(response["Connection"] == "close")
                await client.close()
                let parts = line.split(separator: " ").map(String.init)
                let request = HTTP2Request(
                    method: parts[0],
                    parts[1],
                    [("content-length", "999999999")],
                    isWhole: false
                )
                let found = try await request.status(at: address)
                #expect(found == status)
            }
        }
    }

    @Test func `The path is the URL, and the kind the method`() async throws {
        let files = [
            "index.get.json": "{\"at\":\"root\"}", "users/index.get.json": "[1]", "users/me.get.json": "\"me\"",
            "users/[id].get.json": "{\"id\":\"{{path.id}}\"}", "users/[id].delete.yaml": "status: 204",
            "users/[id]/edit.put.json": "1", "README.md": "x", ".hidden.get.json": "broken", "logo.get.svg": "<svg/>",
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect("200 {\"at\":\"root\"}", .get, "/")
            try await mocks.expect("200 [1]", .get, "/users")
            try await mocks.expect("200 [1]", .get, "/users/")
            try await mocks.expect("200 \"me\"", .get, "/users/me")
            try await mocks.expect("200 {\"id\":\"7\"}", .get, "/users/7?x=y")
            try await mocks.expect("200 {\"id\":\"a/b\\\"\"}", .get, "/users/a%2Fb%22")
            try await mocks.expect("204 ", .delete, "/users/7")
            try await mocks.expect("200 1", .put, "/users/7/edit")
            try await mocks.expect(.ok, .head, "/users")
            let fields1 = try await mocks.ask(.get, "/logo").headers
            #expect(fields1[.contentType] == "image/svg+xml")
            let fields2 = try await mocks.ask(.get, "/users").headers
            #expect(fields2[.contentType] == "application/json")
            try await mocks.expect(.notFound, .post, "/users")
            try await mocks.expect(.notFound, .get, "/.hidden")
            try await mocks.expect(.notFound, .get, "/README")
        }
    }

    @Test(arguments: [
        ("home.page.json", page),
        ("home.page.json", #"{"typ":"nav_page","title":"A","widget":{"typ":"empty"}}"#),
        ("home.page.yaml", "typ: nav_page\ntitle: A\nwidget: {typ: empty}\n"),
        ("home.page.yaml", "page:\n  typ: nav_page\n  title: A\n  widget: {typ: empty}\n"),
        ("home.page.yaml", "jsonBody:\n  page:\n    typ: nav_page\n    title: A\n    widget: {typ: empty}\n"),
    ])
    func `A page answers GET and POST with the protocol's type`(name: String, text: String) async throws {
        try await withMocks([name: text]) { mocks in
            for method in [HTTPRequest.Method.get, .post] {
                let response = try await mocks.ask(method, "/home", body: method == .post ? "{}" : "")
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "application/vnd.applin_response")
                #expect(response.text == Self.page)
            }
        }
    }

    @Test func `Several responses are asked in their order`() async throws {
        let text = """
            responses:
              - request:
                  variables: {agree: false}
                status: 422
                body: Please accept the terms.
              - request:
                  headers: {X-Plan: {matches: "gold|silver"}}
                  queryParameters: {q: {absent: true}}
                status: 201
                headers: {X-Kind: "{{headers.X-Plan}}"}
              - priority: 1
                request: {cookies: {a: "1"}}
                response: {status: 202}
              - {}
            """
        try await withMocks(["save.rpc.yaml": text]) { mocks in
            try await mocks.expect("422 Please accept the terms.", .post, "/save", body: #"{"agree":false}"#)
            try await mocks.expect("200 ", .post, "/save", body: #"{"agree":true}"#)
            let gold = try await mocks.ask(.post, "/save", headers: [.plan: "gold"])
            #expect(gold.status == .created)
            #expect(gold.headers[.kind] == "gold")
            try await mocks.expect("200 ", .post, "/save?q", headers: [.plan: "gold"])
            #expect(
                try await mocks.text(.post, "/save", headers: [.cookie: "a=1"], body: #"{"agree":false}"#) == "202 "
            )
            try await mocks.expect(prefix: "404 No mock answers GET /save. The nearest:", .get, "/save")
        }
    }

    @Test func `Mocks below a path see paths without it`() async throws {
        let files = ["index.get.json": "0", "a.get.json": "{\"p\":\"{{request.path}} {{request.url}}\"}"]
        try await withMocks(files, configure: { $0.path = "/mock/" }) { mocks in
            try await mocks.expect("200 {\"p\":\"/a /a?b=1\"}", .get, "/mock/a?b=1")
            try await mocks.expect("200 0", .get, "/mock/")
            try await mocks.expect("200 0", .get, "/mock")
            try await mocks.expect(prefix: "404 nothing answers at /a", .get, "/a")
            try await mocks.expect(prefix: "404 nothing answers", .get, "/mocks/a")
        }
    }

    @Test func `What was added while it runs goes first, and reset takes it back`() async throws {
        try await withMocks(["a.get.json": "1"]) { mocks in
            let stub = try mocks.backend.stub(
                json: [
                    "request": ["method": "GET", "urlPath": "/a"], "response": ["status": 201, "extra": 1], "extra": 2,
                ]
            )
            mocks.backend.stubs.add(stub)
            try await mocks.expect("201 ", .get, "/a")
            #expect(stub.json["extra"] == 2)
            #expect(stub.json["id"] == .string("\(stub.id)"))
            let low = try mocks.backend.stub(json: [
                "priority": 9, "request": ["urlPath": "/a"], "response": ["status": 202],
            ])
            mocks.backend.stubs.add(low)
            try await mocks.expect("201 ", .get, "/a")
            mocks.backend.stubs.remove(stub.id)
            try await mocks.expect("200 1", .get, "/a")
            mocks.backend.stubs.removeAll()
            try await mocks.expect(.notFound, .get, "/a")
            mocks.backend.reset()
            try await mocks.expect("200 1", .get, "/a")
            #expect(mocks.backend.stubs.count == 1)
        }
    }

    @Test func `A request that nothing matches is told the nearest three and what they miss`() async throws {
        let files = [
            "users/[id].get.json": "1", "users/index.get.json": "1", "orders/index.get.json": "1",
            "users/[id].put.yaml": "request: {headers: {X-A: b}}", "a/b/c/d.get.json": "1",
        ]
        try await withMocks(files) { mocks in
            let text = try await mocks.text(.get, "/user/7")
            #expect(
                text == """
                    404 No mock answers GET /user/7. The nearest:
                      GET /users/{id} (users/[id].get.json:1)
                        url: "/users/{id}" is expected, but it is "/user/7"
                      GET /users (users/index.get.json:1)
                        url: "/users" is expected, but it is "/user/7"
                      PUT /users/{id} (users/[id].put.yaml:1)
                        method: PUT is expected, but it is GET
                        url: "/users/{id}" is expected, but it is "/user/7"
                        header X-A: "b" is expected, but there is none

                    """
            )
        }
    }

    @Test func `WireMock's files are read as they are`() async throws {
        let files = [
            "mappings/one.json": """
            {"id": "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7", "request": {"method": "GET", "url": "/one"},
             "response": {"status": 200, "bodyFileName": "sub/one.txt", "headers": {"Content-Type": "text/plain", "X": ["a", "b"]}},
             "postServeActions": []}
            """,
            "__files/sub/one.txt": "{{not a tag}}",
            "mappings/more/two.json": """
            {"mappings": [
              {"request": {"urlPathPattern": "/two/.*"}, "response": {"body": "{{request.pathSegments.[1]}} {{request.query.a.1}} {{{request.headers.X-A}}}", "transformers": ["response-template"]}},
              {"priority": 1, "request": {"urlPath": "/two/b"}, "response": {"jsonBody": {"a": null}}}
            ], "meta": {"total": 2}}
            """,
            "mappings/notes.txt": "x",
        ]
        try await withMocks(files) { mocks in
            let one = try await mocks.ask(.get, "/one")
            #expect(one.text == "{{not a tag}}")
            #expect(one.headers[values: .x] == ["a", "b"])
            let fields: HTTPFields = [.xA: "<x>"]
            try await mocks.expect("200 x 2 <x>", .get, "/two/x?a=1&a=2", headers: fields)
            try await mocks.expect("200 {\"a\":null}", .get, "/two/b")
            let id = try #require(StubID("8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"))
            #expect(mocks.backend.stubs.stub(id) != nil)
            #expect(mocks.backend.stubs.count == 3)
        }
    }

    @Test func `Keys that WireMock's files have and nobody knows are warned of`() async throws {
        try await withMocks([:]) { mocks in
            try mocks.folder.write(#"{"request":{"url":"/a"},"response":{"bdy":"x"}}"#, to: "mappings/a.json")
            let report = mocks.files.scan()
            #expect(report.problems.isEmpty)
            #expect(report.warnings.count == 1)
            #expect(
                report.warnings.first?.description
                    == #"mappings/a.json:1:37: A response has no key "bdy", so mocks ignore it. Write "body", if that is what you mean, or remove it."#
            )
            try await mocks.expect(.ok, .get, "/a")
        }
    }

    @Test func `No path leads out of the folder`() async throws {
        try await withMocks(["in/a.get.json": "1"]) { mocks in
            try mocks.folder.write("2", to: "../outside-\(mocks.folder.path.hashValue).get.json")
            try mocks.folder.makeLink("link.get.json", to: "/etc/hostname")
            try mocks.folder.makeLink("folder", to: "/etc")
            try mocks.folder.makeFIFO("fifo.get.json")
            #expect(mocks.files.scan().problems.isEmpty)
            for path in ["/link", "/folder/hostname", "/fifo", "/in/../../etc/hostname", "/in/%2e%2e/in/a", "/..%2fa"] {
                try await mocks.expect(.notFound, .get, path)
            }
            try mocks.folder.makeLink("__files", to: "/etc")
            try mocks.folder.write("bodyFileName: hostname\n", to: "b.get.yaml")
            #expect(mocks.files.scan().problems.map(\.file) == ["b.get.yaml"])
        }
    }
}

extension HTTPField.Name {
    fileprivate static let plan = named("X-Plan")
    fileprivate static let kind = named("X-Kind")
    fileprivate static let x = named("X")
    fileprivate static let xA = named("X-A")

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name") }
        return name
    }
}
