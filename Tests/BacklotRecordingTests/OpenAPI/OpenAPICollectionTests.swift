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
        ("{example: [{id: 1}]}", "/users/{a}-{b}/things", "id", "a parameter of its path shares a segment with a text"),
        (
            "{schema: {type: array, items: {type: object, additionalProperties: false, properties: {id: {type: integer}}}}}",
            "/users/{user}/things", "id",
            "its rows can't have 'user' of its path: /user isn't allowed here"
        ),
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

    private static let nested = #"""
        openapi: 3.1.0
        paths:
          /users/{userId}/orders/{orderId}/lines:
            parameters: [{name: userId, in: path, required: true, schema: {type: integer}}, {name: orderId, in: path, required: true, schema: {type: integer}}]
            get:
              responses:
                '200': {description: '', content: {application/json: {schema: {type: object, required: [total, lines], properties: {total: {type: integer}, lines: {type: array, items: {$ref: '#/components/schemas/Line'}}}}}}}
            post: {responses: {'200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Line'}}}}}}
          /users/{userId}/orders/{orderId}/lines/{no}:
            parameters: [{name: userId, in: path, required: true, schema: {type: integer}}, {name: orderId, in: path, required: true, schema: {type: integer}}]
            get: {responses: {'200': {description: '', content: {application/json: {schema: {type: object, required: [line], properties: {line: {$ref: '#/components/schemas/Line'}}}}}}}}
            put: {responses: {'204': {description: ''}}}
          /users/{userId}/orders:
            parameters: [{name: userId, in: path, required: true, schema: {type: integer}}]
            get:
              responses:
                '200': {description: '', content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}
                '404': {description: '', content: {application/json: {example: {message: no such user}}}}
            post:
              requestBody: {content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}}
              responses: {'201': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
          /users/{userId}/orders/{orderId}:
            get:
              responses:
                '200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
                '404': {description: '', content: {application/json: {example: {message: no such order}}}}
            put: {responses: {'200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}}
            patch: {responses: {'200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}}
            delete: {responses: {'204': {description: ''}}}
          /users:
            get: {responses: {'200': {description: '', content: {application/json: {example: [{id: 10}, {id: 11}]}}}}}
            post: {responses: {'201': {description: ''}}}
          /users/{id}:
            delete: {responses: {'204': {description: ''}}}
        components:
          schemas:
            Order: {type: object, required: [id, user_id, text], properties: {id: {type: integer, minimum: 100}, user_id: {type: integer}, text: {type: string, example: tea}}}
            Line: {type: object, required: [no, count], properties: {no: {type: integer, minimum: 1}, count: {type: integer, example: 2}}}
        """#

    @Test func `A list below a parameter has the rows of the parameter's value`() async throws {
        let remarks = try await play(
            Self.nested,
            #"""
            GET /users/10/orders → 200 [{"id":100,"user_id":10,"text":"tea"},{"id":102,"user_id":10,"text":"tea"}]
            GET /users/11/orders → 200 [{"id":101,"user_id":11,"text":"tea"}]
            GET /users/12/orders → 404 {"message":"no such user"}
            GET /users/x/orders → 400 {"error":"The path parameter 'userId' must be an integer."}
            POST /users/11/orders {"text":"nuts"} → 201 {"id":103,"text":"nuts","user_id":11}
            POST /users/11/orders {"txt":"nuts"} → 400 {"error":"The body must be JSON that fits its schema in the OpenAPI document."}
            GET /users/11/orders → 200 [{"id":101,"user_id":11,"text":"tea"},{"id":103,"text":"nuts","user_id":11}]
            GET /users/11/orders/103 → 200 {"id":103,"text":"nuts","user_id":11}
            GET /users/10/orders/103 → 404 {"message":"no such order"}
            PUT /users/11/orders/103 {"text":"figs"} → 200 {"id":103,"text":"figs","user_id":11}
            PATCH /users/11/orders/103 {"text":"rice"} → 200 {"id":103,"text":"rice","user_id":11}
            DELETE /users/11/orders/101 → 204 
            GET /users/11/orders → 200 [{"id":103,"text":"rice","user_id":11}]
            GET /users/11/orders/101 → 404 {"message":"no such order"}
            POST /users {} → 201 {"id":12}
            GET /users/12/orders → 200 []
            """#
        )
        #expect(
            remarks.map(\.text) == [
                "rows have the member 'userId' too, which the document lacks",
                "rows have the member 'orderId' too, which the document lacks",
            ]
        )
    }

    @Test func `Lists below two parameters respond as the document says`() async throws {
        _ = try await play(
            Self.nested,
            #"""
            GET /users/10/orders/100/lines → 200 {"total":1,"lines":[{"no":1,"count":2,"userId":10,"orderId":100}]}
            GET /users/11/orders/101/lines → 200 {"total":1,"lines":[{"no":2,"count":2,"userId":11,"orderId":101}]}
            GET /users/11/orders/100/lines → 200 {"total":0,"lines":[]}
            POST /users/11/orders/100/lines {"count":5} → 200 {"no":4,"count":5,"userId":11,"orderId":100}
            GET /users/11/orders/100/lines → 200 {"total":1,"lines":[{"no":4,"count":5,"userId":11,"orderId":100}]}
            PUT /users/11/orders/100/lines/4 {"count":6} → 204 
            GET /users/11/orders/100/lines/4 → 200 {"line":{"count":6,"no":4,"userId":11,"orderId":100}}
            GET /users/10/orders/100/lines/4 → 404 
            PUT /users/10/orders/100/lines/4 {"count":7} → 404 no row of 'lines' has the no "4" and the userId "10" and the orderId "100"
            """#
        )
    }

    @Test(arguments: [
        ("{schema: {type: integer, example: 7}}", "7"), ("{example: eu, schema: {type: string}}", "eu"), ("{}", "1"),
    ])
    func `Without a list above, rows belong to the example of the parameter`(
        _ more: String,
        _ value: String
    ) async throws {
        let list = Self.things("{example: [{id: 1, a: 2}]}", at: "/shops/{shop}/things").replacing(
            "  /shops/{shop}/things:",
            with:
                "  /shops/{shop}/things:\n    parameters: [{name: shop, in: path, required: true, \(more.dropFirst().dropLast())}]"
        )
        let shown = Int(value) == nil || more == "{}" ? "\"\(value)\"" : value
        _ = try await play(
            list,
            """
            GET /shops/\(value)/things → 200 [{"id":1,"a":2,"shop":\(shown)}]
            GET /shops/3/things → 200 []
            POST /shops/3/things {"a":5} → 201 {"id":2,"a":5,"shop":\(shown == value ? "3" : "\"3\"")}
            DELETE /shops/3/things/2 → 204 
            GET /shops/3/things → 200 []
            """
        )
    }

    @Test(arguments: [
        ("/things", "things.crud.yaml", nil),
        ("/a/b-c", "a/b-c.crud.yaml", nil),
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
