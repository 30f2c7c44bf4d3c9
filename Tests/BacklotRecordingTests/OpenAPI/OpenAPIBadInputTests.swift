import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

@Suite(.timeLimit(.minutes(5))) struct OpenAPIBadInputTests {
    @Test(
        arguments: cases(
            """
            ∅ → api.yaml:1:1: this isn't an OpenAPI document: it has no key 'openapi', such as openapi: 3.1.0
            [] → api.yaml:1:1: this isn't an OpenAPI document: it has no key 'openapi', such as openapi: 3.1.0
            {"log": {"entries": []}} → api.yaml:1:1: this isn't an OpenAPI document: it has no key 'openapi', such as openapi: 3.1.0
            info: {}⏎swagger: '2.0'⏎ → \
            api.yaml:2:10: this is Swagger 2.0, not OpenAPI 3; convert it first: npx swagger2openapi api.yaml -o openapi.yaml, or "Convert to OpenAPI 3" at editor.swagger.io
            openapi: 4.0.0⏎ → api.yaml:1:10: OpenAPI 4.0.0 is not supported; 3.0 and 3.1 are
            {"openapi": "3.1.0", } → api.yaml:1:20: this is no JSON: a comma stands before the end of the array or object; remove it
            """
        )
    )
    func `A file that isn't an OpenAPI document is refused with its place`(_ text: String, _ problem: String) {
        let error = #expect(throws: MockFileErrors.self) { try OpenAPIImport(Array(text.utf8), file: "api.yaml") }
        #expect(error?.list.map(\.description) == [problem])
    }

    @Test func `Broken YAML is refused with its line`() {
        let error = #expect(throws: MockFileErrors.self) {
            try OpenAPIImport(Array("openapi: 3.0.0\npaths:\n  /a: [1\n  /b: {}\n".utf8), file: "api.yaml")
        }
        #expect(error?.list.map(\.line) == [4])
    }

    @Test func `A file that isn't UTF-8 is refused`() {
        let error = #expect(throws: MockFileErrors.self) { try OpenAPIImport([0x6F, 0xFF], file: "api.yaml") }
        #expect(error?.list.map(\.text) == ["the file is not UTF-8; save it as UTF-8"])
    }

    @Test(arguments: [
        "paths: 7", "paths: {}", "paths: {/a: 7}", "paths: {/a: {get: 7}}", "paths: {/a: {get: {responses: 7}}}",
        "paths: {/a: {get: {responses: {'200': 7}}}}",
        "paths: {/a: {get: {responses: {'200': {content: [], headers: 7}}}}}",
        "paths: {/a: {get: {parameters: [7, {name: 1, in: 2}, {name: a, in: body, required: true}]}}}",
        "paths: {/a: {post: {requestBody: {content: {application/json: {schema: {type: strng}}}}}}}",
        "paths: {/a: {post: {requestBody: {content: {application/json: {schema: [7]}}}}}}",
        "paths: {/a: {$ref: '#/paths/~1a'}}", "paths: {/a: {$ref: '#/%zz'}}", "paths: {a: {get: {}}}",
        "paths: {/a?b=c: {get: {}}}", "paths: {/a/{b: {get: {}}}", "paths: {'/a/{b': {get: {}}, '/{}': {get: {}}}",
        "paths: {/mappings/a: {get: {}}, '/a/[b]': {get: {}}, '/a//b': {get: {}}, '/a/%2F': {get: {}}}",
        "components: {schemas: {A: {$ref: '#/components/schemas/A'}}}\npaths: {/a: {get: {responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}",
        "components: {schemas: {A: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/A'}}}}}\npaths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}",
        "paths: {/a: {get: {responses: {200: {headers: {'a b': {example: 1}, X: {example: \"a\\nb\"}}, content: {application/json: {schema: {type: integer, minimum: 1e300, maximum: -1e300, multipleOf: -1}}}}}}}}",
        "paths: {/a: {get: {responses: {200: {content: {application/json: {schema: {type: array, minItems: 1000000000, items: {type: string, minLength: 1e18}}}}}}}}}",
    ])
    func `Odd parts of a document are remarked, and the rest is served`(_ text: String) async throws {
        let document = "openapi: 3.0.3\n\(text)\n"
        guard let made = try? OpenAPIImport(Array(document.utf8), file: "api.yaml") else {
            // Only one of them is no YAML.
            #expect(text.hasSuffix("{/a/{b: {get: {}}}"))
            return
        }
        #expect(!made.remarks.isEmpty)
        try await withMocks(made.texts) { mocks, _ in
            for file in made.files where file.path.hasSuffix(".get.yaml") {
                let status = try await mocks.ask(.get, "/\(file.path.dropLast(".get.yaml".count))").status
                #expect(status == .ok)
            }
        }
    }

    @Test func `Mutated documents are imported or refused`() async throws {
        var generator = Steps(state: 7)
        for text in [OpenAPIDocuments.library, OpenAPIDocuments.parcels] {
            let bytes = Array(text.utf8)
            for _ in 0..<25 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: changed.indices, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: changed[place] = changed.randomElement(using: &generator) ?? 0
                    case 1: changed.removeSubrange(place..<min(changed.count, place + 12))
                    default: changed.insert(contentsOf: changed[place..<min(changed.count, place + 9)], at: place)
                    }
                }
                guard let made = try? OpenAPIImport(changed, file: "api") else { continue }
                try await withMocks(made.texts) { _, _ in }
            }
        }
    }

    /// A document whose response has a schema.
    private static func document(_ schema: String, _ components: String = "{}") -> [UInt8] {
        let media = #"{"application/json": {"schema": \#(schema)}}"#
        let operation = #"{"responses": {"200": {"description": "OK", "content": \#(media)}}}"#
        let text = #"{"openapi": "3.1.0", "paths": {"/a": {"get": \#(operation)}}, "components": \#(components)}"#
        return Array(text.utf8)
    }

    @Test(arguments: [2000, 2001, 20_000])
    func `An example has at most 2000 required members, and a remark says so`(count: Int) throws {
        let names = (0..<count).map { "\"r\($0)\"" }.joined(separator: ",")
        let made = try OpenAPIImport(Self.document(#"{"type": "object", "required": [\#(names)]}"#), file: "api.json")
        let text = try #require(made.texts["a.get.yaml"])
        #expect(try YAMLDocument(text, file: "").value["jsonBody"]?.object?.count == 2000)
        let remark = "the example has only the first 2000 of the required members"
        #expect(made.remarks.contains { $0.text.hasPrefix(remark) } == (count > 2000), "\(made.remarks)")
    }

    /// A search for a free name for each would take longer than the time limit.
    @Test(.timeLimit(.minutes(1))) func `Many references may end in the same word`() throws {
        let count = 3200
        let parts = (0..<count).map { #""S\#($0)": {"properties": {"id": {"type": "integer"}}}"# }
        let references = (0..<count).map { ##""p\##($0)": {"$ref": "#/components/schemas/S\##($0)/properties/id"}"## }
        let schema = #"{"type": "object", "properties": {\#(references.joined(separator: ","))}}"#
        let components = #"{"schemas": {\#(parts.joined(separator: ","))}}"#
        let document = try OpenAPIDocument(Self.document(schema, components), file: "api.json")
        let media = document.root["paths"]?["/a"]?["get"]?["responses"]?["200"]?["content"]?["application/json"]
        let node = try #require(media?["schema"])
        let made = OpenAPISchema.translated(node, isForRequest: false)
        #expect(made?["$defs"]?.object?.count == count)
        #expect(made?["properties"]?["p0"] == ["$ref": "#/$defs/id"])
        #expect(made?["properties"]?["p1"] == ["$ref": "#/$defs/id2"])
        #expect(made?["properties"]?["p3199"] == ["$ref": "#/$defs/id3200"])
    }

    @Test func `Deeply nested schemas are imported`() async throws {
        var schema = #"{"type": "string"}"#
        for _ in 0..<27 { schema = #"{"type": "object", "properties": {"a": \#(schema)}}"# }
        let operation = ##"{"requestBody": {"$ref": "#/x"}, "responses": {"200": {"$ref": "#/x"}}}"##
        let shared = #"{"content": {"application/json": {"schema": \#(schema)}}}"#
        let text = #"{"openapi": "3.1.0", "paths": {"/a": {"post": \#(operation)}}, "x": \#(shared)}"#
        let made = try OpenAPIImport(Array(text.utf8), file: "api.json")
        #expect(made.files.count == 1)
        #expect(made.remarks.count == 1)
        try await withMocks(made.texts) { mocks, _ in
            let status = try await mocks.ask(.post, "/a", body: "{}").status
            #expect(status == .ok)
        }
    }

    // Few in YAML, which is read more slowly: a test that takes seconds keeps others from their sockets.
    @Test(arguments: [("{", 10_000), ("# Paths\n{", 1_000)]) func `Thousands of paths are imported`(
        _ opening: String,
        _ count: Int
    ) throws {
        let operations = ##"{"get": {"responses": {"200": {"$ref": "#/components/responses/A"}}}, "trace": {}}"##
        let paths = (0..<count).map { "\"/p\($0)/{id}\": \(operations)" }.joined(separator: ",\n")
        let components =
            #"{"responses": {"A": {"description": "OK", "content": {"application/json": {"example": 7}}}}}"#
        let members = #""openapi": "3.1.0", "paths": {\#(paths)}, "components": \#(components)}"#
        // What begins with a comment is YAML.
        let text = opening + members
        let made = try OpenAPIImport(Array(text.utf8), file: "api")
        #expect(made.files.count == count)
        #expect(
            made.files.last == RecordedFile(path: "p\(count - 1)/[id].get.yaml", bytes: Array("jsonBody: 7\n".utf8))
        )
        #expect(made.remarks.count == 1)
        #expect(made.remarks.first?.text.hasSuffix("is left out (here, and at \(count - 1) more places)") == true)
    }

    @Test(arguments: [
        #"{"":{"a":[]},"b c":[[1,[2]],{"x":{}}],"null":null,"-":"- a","n":[1.5,1e30,-2]}"#,
        ##"["yes","no","~","","1","0x1","a: b","a #b","#","'","\"","\\","\t\n\r","\u0000\u007f\u0085\u00a0\u2028\ufeff\uffff","é😀"," a","a ","- ","{{a}}","[","*a","&a","!a","%","@","`"]"##,
        #""text""#, "[]", "{}", "7", "null",
    ])
    func `Values keep their types in YAML`(_ json: String) throws {
        let value = try JSONValue(parsing: json)
        let read = try YAMLDocument(YAMLText.of(value), file: "a.yaml").value
        #expect(read == value)
        let long: JSONValue = .object([String(repeating: "k", count: 2_000): value])
        let readLong = try YAMLDocument(YAMLText.of(long), file: "a.yaml").value
        #expect(readLong == long)
    }
}

/// The same numbers in each run.
private struct Steps: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
