import Backlot
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Lists of rows in a document become data that POST adds to, and DELETE removes from.
@Suite(.timeLimit(.minutes(5))) struct OpenAPICollectionTests {
    private static let document = #"""
        openapi: 3.1.0
        paths:
          /pets:
            get:
              parameters: [{name: kind, in: query, schema: {enum: [cat, dog]}}, {name: limit, in: query, schema: {type: integer}}, {name: expand, in: query}]
              responses: {'200': {description: '', content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}
            post:
              requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewPet'}}}}
              responses: {'201': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
          /pets/{petId}:
            parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
            get:
              responses:
                '200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
                '404': {description: '', content: {application/json: {example: {message: unknown}}}}
            put: {responses: {'200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}
            delete: {responses: {'204': {description: ''}}}
          /shop/orders:
            get:
              responses:
                '200':
                  description: ''
                  headers: {X-Rate: {example: 9}}
                  content: {application/json: {example: {total: 9, items: [{code: A1, sum: 3}, {code: A2, sum: 4}, {code: A1, sum: 5}], next: null}}}
            post:
              responses: {'202': {description: '', content: {application/json: {example: {code: A9, state: taken}}}}}
          /shop/orders/{code}:
            get: {responses: {'200': {description: '', content: {application/json: {example: {order: {code: A1, sum: 3}}}}}}}
            patch: {responses: {'204': {description: ''}}}
            delete: {responses: {'200': {description: '', content: {application/json: {example: {deleted: true}}}}}}
        components:
          schemas:
            NewPet: {type: object, required: [name], properties: {name: {type: string, minLength: 2}, kind: {enum: [cat, dog]}}}
            Pet:
              allOf:
                - $ref: '#/components/schemas/NewPet'
                - required: [id, born]
                  properties: {id: {type: integer, readOnly: true, minimum: 10}, born: {type: string, format: date, readOnly: true}}
        """#

    private func play(_ document: String, _ script: String) async throws -> [MockFileError] {
        let made = try OpenAPIImport(Array(document.utf8), file: "api.yaml")
        try await withMocks(made.texts) { mocks, files in
            #expect(files.scan().warnings.isEmpty)
            var cookie = ""
            for line in script.split(separator: "\n") {
                let parts = line.split(separator: " → ")
                let words = parts[0].split(separator: " ", maxSplits: 2)
                var headers = HTTPFields()
                if !cookie.isEmpty { headers[.cookie] = cookie }
                let method = try #require(HTTPRequest.Method(rawValue: String(words[0])))
                let body = words.count > 2 ? String(words[2]) : ""
                let response = try await mocks.ask(method, String(words[1]), headers: headers, body: body)
                if let set = response.headers[.setCookie] { cookie = String(set.prefix { $0 != ";" }) }
                #expect("\(response.status.code) \(response.text)" == parts[1].description, "\(line)")
            }
        }
        return made.remarks
    }

    @Test func `Rows are listed, added, changed and removed, as the document says`() async throws {
        let remarks = try await play(
            Self.document,
            #"""
            GET /pets → 200 [{"name":"string","kind":"cat","id":10,"born":"2026-05-17"},{"name":"string","kind":"cat","id":11,"born":"2026-05-17"},{"name":"string","kind":"cat","id":12,"born":"2026-05-17"}]
            GET /pets?kind=cow → 400 {"error":"The query parameter 'kind' must be cat or dog."}
            POST /pets {"kind":"dog"} → 400 {"error":"The body must be JSON that fits its schema NewPet in the OpenAPI document."}
            POST /pets {"name":"Rex","kind":"dog"} → 201 {"id":13,"name":"Rex","kind":"dog","born":"2026-05-17"}
            GET /pets?kind=dog → 200 [{"id":13,"name":"Rex","kind":"dog","born":"2026-05-17"}]
            PUT /pets/13 {"name":"Rexi"} → 200 {"id":13,"name":"Rexi","born":"2026-05-17"}
            GET /pets/x → 400 {"error":"The path parameter 'petId' must be an integer."}
            PATCH /pets/13 {"name":"Max"} → 405 {"type":"about:blank","title":"Method Not Allowed","status":405,"detail":"PATCH is not answered here; allowed: GET, HEAD, PUT, DELETE"}
            GET /pets?kind=dog&limit=0&expand=all → 200 []
            GET /pets?limit=x → 400 {"error":"The query parameter 'limit' must be an integer."}
            DELETE /pets/13 → 204 
            GET /pets/13 → 404 {"message":"unknown"}
            GET /pets?kind=dog → 200 []
            """#
        )
        #expect(
            remarks.map(\.description) == [
                "api.yaml:19:5: the example of the list has elements that don't fit its schema, or that have the same code; they are left out"
            ]
        )
    }

    @Test func `Rows stand where the document has them, and its statuses count`() async throws {
        _ = try await play(
            Self.document,
            #"""
            GET /shop/orders → 200 {"total":2,"items":[{"code":"A1","sum":3},{"code":"A2","sum":4}],"next":null}
            POST /shop/orders {"code":"B1","sum":7} → 202 {"code":"B1","state":"taken"}
            GET /shop/orders/B1 → 200 {"order":{"code":"B1","sum":7}}
            PATCH /shop/orders/B1 {"sum":8} → 204 
            DELETE /shop/orders/A1 → 200 {"deleted":true}
            GET /shop/orders/A1 → 404 
            GET /shop/orders → 200 {"total":2,"items":[{"code":"A2","sum":4},{"code":"B1","sum":8}],"next":null}
            """#
        )
    }

    /// A list of things, and what differs in it.
    private static func things(_ list: String, at path: String = "/things", parameter: String = "id") -> String {
        """
        openapi: 3.1.0
        paths:
          \(path):
            get: {responses: {'200': {description: '', content: {application/json: \(list)}}}}
            post: {responses: {'201': {description: ''}}}
          \(path)/{\(parameter)}:
            delete: {responses: {'204': {description: ''}}}
        """
    }

    @Test(arguments: [
        (
            "{schema: {type: object, properties: {a: {type: string}}}}", "/things", "id",
            "its response isn't a list of objects"
        ),
        ("{example: [1, 2]}", "/things", "id", "its response isn't a list of objects"),
        ("{example: [{a: 1}]}", "/things", "number", "no property of its elements is called number or id"),
        ("{example: []}", "/users/{user}/things", "id", "lists below a parameter are not kept"),
    ])
    func `A list that can't be kept is remarked and stays an example`(
        _ list: String,
        _ path: String,
        _ parameter: String,
        _ reason: String
    ) throws {
        let made = try OpenAPIImport(Array(Self.things(list, at: path, parameter: parameter).utf8), file: "a.yaml")
        #expect(made.remarks.map(\.text) == ["POST doesn't add to the list of GET: \(reason)"])
        let stem = try OpenAPIPath(path).stem
        #expect(
            Set(made.texts.keys) == ["\(stem).get.yaml", "\(stem).post.yaml", "\(stem)/[\(parameter)].delete.yaml"]
        )
    }

    @Test(arguments: [
        ("/things", "things.crud.yaml", nil), ("/a/b-c", "a/b-c.crud.yaml", nil),
        ("/v1.0/a.b", "v1.0/a.b.crud.yaml", "data/a_b.yaml"), ("/", "index.crud.yaml", nil),
    ])
    func `The crud file has the path of the list`(_ path: String, _ file: String, _ data: String?) async throws {
        let list = Self.things("{example: [{id: 1}]}", at: path).replacing("//{id}", with: "/{id}")
        let made = try OpenAPIImport(Array(list.utf8), file: "a.yaml")
        #expect(Set(made.texts.keys) == Set([file] + (data.map { [$0] } ?? [])))
        _ = try await play(
            list,
            "POST \(path) {\"a\":1} → 201 {\"id\":2,\"a\":1}\nGET \(path) → 200 [{\"id\":1},{\"id\":2,\"a\":1}]"
        )
    }

    @Test func `Two lists with one name have data of their own`() async throws {
        let (first, second) = (
            Self.things("{example: [{id: 1}]}", at: "/a/x"), Self.things("{example: [{id: 5}]}", at: "/b/x")
        )
        let document = first + second.replacing("openapi: 3.1.0\npaths:", with: "")
        _ = try await play(document, "DELETE /a/x/1 → 204 \nGET /a/x → 200 []\nGET /b/x → 200 [{\"id\":5}]")
    }

    @Test(arguments: [
        ("{type: string, format: uuid}", "ids: uuid"), ("{type: string, pattern: '^P[0-9]+$'}", "ids: none"),
        ("{type: string}", "ids: uuid"), ("{type: integer}", ""),
    ])
    func `Added rows get keys that fit the schema`(_ schema: String, _ line: String) throws {
        let list = "{schema: {type: array, items: {type: object, properties: {id: \(schema), a: {type: string}}}}}"
        let made = try OpenAPIImport(Array(Self.things(list).utf8), file: "a.yaml")
        let text = try #require(made.texts["things.crud.yaml"])
        #expect(text.split(separator: "\n").first { $0.hasPrefix("ids:") } ?? "" == line)
        let rows = try YAMLDocument(text, file: "").value["rows"]?.array ?? []
        #expect(rows.count == 3 && Set(rows.map { $0["id"]?.description ?? "" }).count == 3)
    }
}
