import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

@Suite(.timeLimit(.minutes(5))) struct OpenAPISampleTests {
    @Test(arguments: [
        (#"^[A-Z]{3}-\d{4}$"#, 0, 100), (#"^\d{5}(-\d{4})?$"#, 0, 100), (#"^[a-z]+$"#, 12, 12),
        (#"^(red|green|blue)$"#, 0, 100),
        (#"^#[0-9a-fA-F]{6}$"#, 0, 100), (#"^\+?[1-9]\d{1,14}$"#, 0, 100), (#"^[^\s@]+@[^\s@]+\.[a-z]{2,}$"#, 0, 100),
        (#"[0-9]"#, 8, 8), (#"^.*$"#, 0, 0), (#"^(?:a|b)*?c++$"#, 0, 100),
        (#"^(?<year>\d{4})-(?P<month>0[1-9]|1[0-2])$"#, 0, 100),
        (#"^[\w.-]+\/[A-C]$"#, 0, 100), (#"^a{0}b{2,3}$"#, 0, 100),
        (#"^[]a]$"#, 0, 9),
        (#"^\^\$\.\|\?\*\+\(\)\[\]\{\}$"#, 0, 100), (#"^x{3"#, 0, 9), ("", 4, 9),
        (#"^é+$"#, 2, 2),
    ])
    func `A text is made for a pattern`(_ pattern: String, _ least: Int, _ most: Int) throws {
        let regex = try PCRERegex(pattern, syntax: .ecma)
        for variant in 0..<3 {
            let text = try #require(PatternSample.text(pattern, lengths: least...most, variant: variant))
            var time = PCRERegex.time(forBytes: 100)
            #expect(
                regex.search(text, within: &time) == .matches && (least...most).contains(text.unicodeScalars.count),
                "\(text)"
            )
        }
    }

    @Test(arguments: [
        "(", "[a", #"\"#, #"(a)\1"#, "^(?=b)a$", "^(?i)a$", "^a{1000000}$", "^((a{900}){900}){900}$",
        "^(){1000000000}x{2000}$",
        #"^\p{L}$"#,
        "^a{3,2}$", String(repeating: "(", count: 100) + String(repeating: ")", count: 100), "a$b", "[^ -~]",
        "^(a+)+b\\b!$c",
    ])
    func `No text is made for a pattern that can't be followed`(_ pattern: String) {
        #expect(PatternSample.text(pattern, lengths: 0...1000, variant: 0) == nil)
    }

    @Test func `Random pieces of patterns end in a text that matches, or in none`() {
        let pieces = [
            "a", "[b-d]", #"\d"#, "(", ")", "|", "*", "+", "?", "{2}", "{1,}", "^", "$", ".", #"\w"#, "(?:", "[^x]",
            "-", #"\."#,
        ]
        var generator = SeededGenerator(seed: 46)
        var made = 0
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...9, using: &generator)
            let pattern = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard
                let text = PatternSample.text(
                    pattern,
                    lengths: 0...50,
                    variant: Int.random(in: 0...9, using: &generator)
                )
            else { continue }
            made += 1
            var time = PCRERegex.time(forBytes: 100)
            #expect(
                (try? PCRERegex(pattern, syntax: .ecma))?.search(text, within: &time) == .matches,
                "\(pattern): \(text)"
            )
        }
        #expect(made > 200)
    }

    @Test(arguments: [
        (
            "{type: array, minItems: 3, items: {type: object, properties: {id: {type: integer}, n: {type: integer}}}}",
            #"[{"id":1,"n":1},{"id":2,"n":1},{"id":3,"n":1}]"#
        ),
        (
            "{type: array, minItems: 3, items: {type: object, properties: {id: {type: integer, maximum: 2}}}}",
            #"[{"id":1},{"id":2},{"id":1}]"#
        ),
        (
            "{type: array, minItems: 2, items: {example: {id: a-09}, properties: {id: {type: string}}}}",
            #"[{"id":"a-09"},{"id":"a-10"}]"#
        ),
        (
            "{type: array, minItems: 2, items: {properties: {uuid: {type: string, format: uuid}}}}",
            #"[{"uuid":"6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4e"},{"uuid":"6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4f"}]"#
        ),
        (
            "{type: array, minItems: 2, items: {properties: {id: {type: string, pattern: '^P[0-9]{2}$'}}}}",
            #"[{"id":"P01"},{"id":"P12"}]"#
        ),
        ("{type: array, minItems: 2, items: {properties: {id: {enum: [x, y]}}}}", #"[{"id":"x"},{"id":"y"}]"#),
        ("{type: array, minItems: 3, uniqueItems: true, items: {type: string}}", #"["string","string-2","string-3"]"#),
        ("{type: array, minItems: 3, uniqueItems: true, items: {type: string, enum: [a, b]}}", #"["a","b"]"#),
        (
            "{type: array, minItems: 2, items: {type: array, minItems: 2, items: {properties: {id: {type: integer}}}}}",
            #"[[{"id":1},{"id":2}],[{"id":3},{"id":4}]]"#
        ),
        ("{type: string, pattern: '^[a-c]{2}$', format: hue}", #""ab""#),
        ("{type: string, format: date, pattern: '^x$'}", #""2026-05-17""#),
    ])
    func `The elements of a list have ids of their own`(_ schema: String, _ expected: String) throws {
        let document =
            "openapi: 3.1.0\npaths: {/a: {get: {responses: {200: {content: {application/json: {schema: \(schema)}}}}}}}\n"
        let made = try OpenAPIImport(Array(document.utf8), file: "a.yaml")
        #expect(
            try YAMLDocument(try #require(made.texts["a.get.yaml"]), file: "").value["jsonBody"]?.description
                == expected
        )
    }

    @Test func `The elements of deep lists have bounded variants`() throws {
        let first = Array(repeating: "true", count: 19).joined(separator: ",")
        let item = #"""
            {"properties": {
            "id": {"type": "integer"}, "guid": {"type": "string", "pattern": "^P[0-9]{2}$"}, "_id": {"enum": ["x", "y"]}
            }}
            """#
        let schema = (0..<16).reduce(item) { items, _ in
            #"{"type": "array", "minItems": 20, "prefixItems": [\#(first)], "items": \#(items)}"#
        }
        let document = #"""
            {"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json": {
            "schema": \#(schema)
            }}}}}}}}
            """#
        let made = try OpenAPIImport(Array(document.utf8), file: "a.json")
        var value = try YAMLDocument(try #require(made.texts["a.get.yaml"]), file: "").value["jsonBody"]
        while let last = value?.array?.last { value = last }
        #expect(value?.description == #"{"id":1000000000,"guid":"P90","_id":"y"}"#)
    }

    @Test(arguments: [
        (
            "{type: integer, minimum: 1, maximum: 9}", "must be an integer from 1 to 9", "a=0 a=10 a=x a=1.5 a=",
            "a=1 a=9"
        ),
        ("{type: number, exclusiveMinimum: 0}", "must be a number above 0", "a=0 a=x", "a=0.5"),
        (
            "{type: number, maximum: 2, multipleOf: 0.5}", "must be a number of at most 2, a multiple of 0.5", "a=0.7",
            "a=1.5"
        ),
        ("{type: boolean}", "must be true or false", "a=yes", "a=true a=false"),
        ("{type: string, enum: [a, b, c]}", "must be a, b or c", "a=d", "a=b"),
        ("{type: integer, enum: [1, 2]}", "must be 1 or 2", "a=3", "a=1"),
        ("{type: string, minLength: 2}", "must be a text of at least 2 characters", "a=x", "a=xy"),
        ("{type: array, items: {type: integer}}", "must be an integer", "a=1&a=x", "a=1&a=2"),
    ])
    func `A query parameter that doesn't fit is named, with what is expected`(
        _ schema: String,
        _ expected: String,
        _ bad: String,
        _ good: String
    ) async throws {
        for isRequired in [false, true] {
            let parameter = "{name: a, in: query, required: \(isRequired), schema: \(schema)}"
            let document =
                "openapi: 3.1.0\npaths: {/x: {get: {parameters: [\(parameter)], responses: {204: {description: ''}}}}}\n"
            let made = try OpenAPIImport(Array(document.utf8), file: "a.yaml")
            try await withMocks(made.texts) { mocks, _ in
                for query in bad.split(separator: " ") {
                    let text = "The query parameter 'a' \(isRequired ? "is required, and " : "")\(expected)."
                    let response = try await mocks.ask(.get, "/x?\(query)")
                    #expect(response.text == #"{"error":"\#(text)"}"#, "\(query)")
                }
                for query in good.split(separator: " ") {
                    let status = try await mocks.ask(.get, "/x?\(query)").status
                    #expect(status == .noContent, "\(query)")
                }
                let status = try await mocks.ask(.get, "/x").status
                #expect(status == (isRequired ? .badRequest : .noContent))
            }
        }
    }

    @Test func `The document's error names the parameter`() async throws {
        for (type, example, expected) in [
            ("application/json", "{code: 1, message: no}", #"{"code":1,"message":"T"}"#),
            ("application/json", "{error: {message: no, id: 1}}", #"{"error":{"message":"T","id":1}}"#),
            ("application/problem+json", "{title: no}", #"{"title":"no","detail":"T"}"#),
            ("application/json", "{a: 1}", #"{"a":1}"#),
        ] {
            let document = """
                openapi: 3.1.0
                paths:
                  /x:
                    get:
                      parameters: [{name: a, in: query, required: true, schema: {}}]
                      responses: {204: {description: ''}, 400: {content: {\(type): {example: \(example)}}}}

                """
            let made = try OpenAPIImport(Array(document.utf8), file: "a.yaml")
            try await withMocks(made.texts) { mocks, _ in
                let text = try await mocks.ask(.get, "/x").text
                #expect(text == expected.replacing("T", with: "The query parameter 'a' is required."))
            }
            #expect(made.texts["x.get.yaml"]?.contains("log:") == (example == "{a: 1}"))
        }
    }
}
