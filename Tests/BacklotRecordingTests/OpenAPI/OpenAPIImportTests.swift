import BacklotJSON
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

@Suite(.timeLimit(.minutes(5))) struct OpenAPIImportTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let title: String
        /// What stands below `paths`, indented by two blanks.
        let paths: String
        var schemas = ""
        var version = "3.1.0"
        let files: [String: String]
        var remarks: [String] = []

        var testDescription: String { title }

        var document: String {
            "openapi: \(version)\npaths:\n\(paths)\n"
                + (schemas.isEmpty ? "" : "components:\n  schemas:\n\(schemas)\n")
        }
    }

    @Test(arguments: cases) func `A document becomes its files and remarks`(_ example: Case) async throws {
        let made = try OpenAPIImport(Array(example.document.utf8), file: "api.yaml")
        #expect(made.texts == example.files)
        #expect(made.remarks.map(\.description) == example.remarks)
        try await withMocks(made.texts) { _, files in #expect(files.scan().warnings.isEmpty) }
    }

    static let cases = [
        Case(
            title: "an example as it is given",
            paths: """
                  /users/{id}:
                    get:
                      operationId: user
                      summary: One of the users
                      responses: {'200': {description: OK, content: {application/json: {example: {id: 7, name: Ann}}}}}
                """,
            files: ["users/[id].get.yaml": "# user: One of the users\njsonBody:\n  id: 7\n  name: Ann\n"]
        ),
        Case(
            title: "an example that is made of a schema",
            paths: """
                  /all:
                    put:
                      responses:
                        201:
                          description: OK
                          content:
                            application/json:
                              schema:
                                type: object
                                properties:
                                  day: {type: string, format: date}
                                  code: {type: string, minLength: 8, maxLength: 9}
                                  short: {type: string, maxLength: 2}
                                  even: {type: integer, minimum: 3, multipleOf: 2}
                                  low: {type: number, maximum: -2}
                                  above: {type: integer, exclusiveMinimum: 4}
                                  kind: {enum: [null, a]}
                                  flag: {type: [boolean, 'null']}
                                  none: {type: array, maxItems: 0, items: {type: string}}
                                  two: {type: array, minItems: 2, items: {type: number}}
                                  any: {}
                """,
            files: [
                "all.put.yaml": """
                status: 201
                jsonBody:
                  day: "2026-05-17"
                  code: stringst
                  short: st
                  even: 4
                  low: -2
                  above: 5
                  kind: a
                  flag: true
                  none: []
                  two: [1, 1]
                  any: {}

                """
            ]
        ),
        Case(
            title: "words of 3.0 in those of 2020-12",
            paths: """
                  /p:
                    post:
                      requestBody:
                        required: true
                        content:
                          application/json:
                            schema:
                              type: object
                              properties:
                                a: {type: integer, minimum: 1, exclusiveMinimum: true, nullable: true}
                                b: {type: string, nullable: true, enum: [x]}
                                c: {nullable: true, allOf: [{$ref: '#/components/schemas/C'}]}
                                d: {type: number, maximum: 2, exclusiveMaximum: false, example: 1}
                                e: {$ref: '#/components/schemas/C', description: It doesn't count}
                      responses: {'204': {description: Done}}
                """,
            schemas: "    C: {type: object, required: [id, n], properties: {id: {type: integer, readOnly: true}}}",
            version: "3.0.4",
            files: [
                "p.post.yaml": """
                responses:
                  - request:
                      bodyPatterns:
                        - not:
                            matchesJsonSchema:
                              type: object
                              properties:
                                a:
                                  type: [integer, "null"]
                                  exclusiveMinimum: 1
                                b:
                                  type: [string, "null"]
                                  enum: [x, null]
                                c:
                                  anyOf:
                                    - allOf:
                                        - $ref: "#/$defs/C"
                                    - type: "null"
                                d:
                                  type: number
                                  maximum: 2
                                e:
                                  $ref: "#/$defs/C"
                              $defs:
                                C:
                                  type: object
                                  required: ["n"]
                                  properties:
                                    id:
                                      type: integer
                    jsonBody:
                      error: The body must be JSON that fits its schema in the OpenAPI document.
                    status: 400
                  - status: 204

                """
            ]
        ),
        Case(
            title: "what is left out is said",
            paths: """
                  /x:
                    trace: {responses: {}}
                    get:
                      responses:
                        '200':
                          description: OK
                          headers: {Content-Length: {schema: {type: integer}}, X-Obj: {schema: {type: object}}}
                          content: {application/xml: {schema: {type: object}}}
                        '101': {description: No}
                        '404': {$ref: 'https://example.com/errors.yaml#/NotFound'}
                        '500': {$ref: '#/components/responses/Missing'}
                  /.well-known/x: {get: {responses: {'200': {description: OK}}}}
                  /x/: {get: {responses: {'200': {description: OK}}}}
                """,
            files: ["x.get.yaml": "headers:\n  Content-Type: application/xml\nbody: \"\"\n"],
            remarks: [
                "api.yaml:4:5: files can't respond to TRACE; the operation is left out",
                "api.yaml:9:21: Content-Length is written by the server itself; it is left out",
                "api.yaml:9:64: the header field X-Obj has no example that is a text or a number; it is left out",
                "api.yaml:10:21: XML is not made from schemas: the body is empty",
                "api.yaml:11:9: files can't respond with the status \"101\"; it is left out",
                "api.yaml:12:17: \"https://example.com/errors.yaml#/NotFound\" leads to another document, which isn't read; bundle the documents into one first: npx @redocly/cli bundle",
                "api.yaml:13:17: \"#/components/responses/Missing\" leads to nothing, and is left out",
                "api.yaml:14:3: /.well-known/x is left out: files with a leading dot in their names aren't read; write a mapping for this path",
                "api.yaml:15:9: GET /x/ is left out: a file of the same name is for /x",
            ]
        ),
        Case(
            title: "braces in examples are braces",
            paths: """
                  /index:
                    get: {responses: {default: {description: OK, content: {text/plain: {example: '{{a}}'}}}}}
                """,
            files: [
                "index/index.get.yaml": "template: false\nheaders:\n  Content-Type: text/plain\nbody: \"{{a}}\"\n"
            ]
        ),
        Case(
            title: "parameters",
            paths: """
                  /p:
                    parameters: [{name: kept, in: query, required: true, schema: {type: string}}]
                    get:
                      parameters:
                        - {name: code, in: query, required: true, schema: {type: string, pattern: 'a|b', maxLength: 3}}
                        - {name: odd, in: query, required: true, schema: {type: string, pattern: '('}}
                        - {name: state, in: cookie, required: true, schema: {enum: [on, off]}}
                        - {name: Accept, in: header, required: true, schema: {type: string}}
                        - {name: free, in: query, schema: {type: integer}}
                        - {name: map, in: query, required: true, schema: {type: object}}
                      responses:
                        '200': {description: OK, content: {application/json: {example: [1]}}}
                        default: {description: Not so, content: {application/json: {example: no}}}
                """,
            files: [
                "p.get.yaml": """
                responses:
                  - name: Not so
                    request:
                      headers:
                        Prefer:
                          contains: "code=500"
                    status: 500
                    jsonBody: "no"
                  - request:
                      queryParameters:
                        kept:
                          absent: true
                    log: "GET /p: The query parameter 'kept' is required."
                    status: 400
                    jsonBody: "no"
                  - request:
                      queryParameters:
                        code:
                          not:
                            and:
                              - matches: "(?s).*(?:a|b).*"
                              - matches: "(?s).{0,3}"
                    log: "GET /p: The query parameter 'code' is required, and must be a text of at most 3 characters that matches a|b."
                    status: 400
                    jsonBody: "no"
                  - request:
                      queryParameters:
                        odd:
                          absent: true
                    log: "GET /p: The query parameter 'odd' is required."
                    status: 400
                    jsonBody: "no"
                  - request:
                      cookies:
                        state:
                          not:
                            or:
                              - equalTo: "on"
                              - equalTo: "off"
                    log: "GET /p: The cookie 'state' is required, and must be on or off."
                    status: 400
                    jsonBody: "no"
                  - request:
                      queryParameters:
                        free:
                          not:
                            matchesJsonSchema:
                              type: integer
                          absent: false
                    log: "GET /p: The query parameter 'free' must be an integer."
                    status: 400
                    jsonBody: "no"
                  - jsonBody: [1]

                """
            ],
            remarks: [
                "api.yaml:8:50: the parameter's text is not checked: '(?s).*(?:().*' isn't a regular expression: missing closing parenthesis, at character 14",
                "api.yaml:12:11: a parameter that is an object is not checked",
            ]
        ),
        Case(
            title: "parts of segments",
            paths: """
                  /a/{x}.{y}/{x}:
                    get: {responses: {'200': {description: OK}}}
                """,
            files: [
                "a/[x_y]/[x].get.yaml": """
                request:
                  pathParameters:
                    x_y:
                      matches: ".+\\\\..+"

                """
            ]
        ),
    ]
}

extension OpenAPIImport {
    /// The files by their paths.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }
}
