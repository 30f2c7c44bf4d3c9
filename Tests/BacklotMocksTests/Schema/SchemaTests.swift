import Applin
import Backlot
import Testing
import Xpedite

@testable import BacklotMocks

/// The JSON Schemas of files, and the key by which files name them.
@Suite(.timeLimit(.minutes(5))) struct SchemaTests {
    @Test(arguments: ["page", "route", "mapping", "data", "crud", "settings", "method"])
    func `Each schema is one, and names what it is for`(files: String) throws {
        let schema = try #require(MockVocabulary.schema(of: files, formats: [.applin(), .xpedite()]))
        #expect(throws: Never.self) { try JSONSchema(schema) }
        #expect(schema["title"]?.string?.contains(files == "settings" ? "settings" : "NAME") == true)
    }

    @Test func `Files that no schema is for have none`() {
        #expect(MockVocabulary.schema(of: "method", formats: [.applin()]) == nil)
    }

    @Test func `Without pages, a route's schema takes anything as one`() throws {
        let schema = try #require(MockVocabulary.schema(of: "route", formats: []))
        #expect(schema["$defs"]?["route_file_object"]?["properties"]?["page"]?["type"] == nil)
    }

    @Test(arguments: [
        (##"{"$schema": "a.json", "page": 1}"##, ##"{                     "page": 1}"##),
        ("{\n  \"$schema\" : \"a\\\"b\"\n}", "{\n                    \n}"),
        (##"{"page": 1, "$schema": "a"}"##, ##"{"page": 1, "$schema": "a"}"##),
        (##"{"$schema": 5}"##, ##"{"$schema": 5}"##),
        (##"{"$schema": "a"##, ##"{"$schema": "a"##),
        (##"["$schema"]"##, ##"["$schema"]"##),
        ("", ""),
    ])
    func `The key is blanked where it begins a file`(text: String, expected: String) {
        #expect(String(decoding: SchemaKey.blanked(Array(text.utf8)), as: UTF8.self) == expected)
    }

    @Test(arguments: [##""}"##, ##"", "page": 1}"##])
    func `The key stays where its value isn't UTF-8`(rest: String) {
        let bytes = Array(##"{"$schema":""##.utf8) + [0xFF] + Array(rest.utf8)
        #expect(SchemaKey.blanked(bytes) == bytes)
    }

    @Test func `A page's file may name its schema, and clients don't see that`() async throws {
        let page = ##"{"typ": "nav_page", "title": "T", "widget": {"typ": "empty"}}"##
        let files = [
            "a.page.json": ##"{"$schema": "x.json", "page": \##(page)}"##,
            "b.page.yaml": "$schema: x.json\npage: \(page)",
            "c.page.json": ##"{"$schema": "x.json", \##(page.dropFirst())"##,
            "d.get.json": ##"{"$schema": "x.json"}"##,
        ]
        try await withMocks(files) { mocks in
            for path in ["/a", "/b", "/c"] {
                let body = try JSONValue(parsing: try await mocks.ask(.get, path).text)
                #expect(body == ["page": try JSONValue(parsing: page)], "\(path)")
            }
            // The body of another route is nobody's business.
            try await mocks.expect(##"200 {"$schema": "x.json"}"##, .get, "/d")
        }
    }
}
