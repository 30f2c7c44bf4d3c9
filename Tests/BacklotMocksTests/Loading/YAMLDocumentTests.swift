import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// YAML texts as JSON.
@Suite(.timeLimit(.minutes(5))) struct YAMLDocumentTests {
    @Test(
        arguments: [
            ("", "null"), ("# nothing\n", "null"), ("---\n...\n", "null"), ("%YAML 1.1\n---\na: 1\n", #"{"a":1}"#),
            ("a: 1\nb:\n  - x\n  - {c: [d, e]}\n", #"{"a":1,"b":["x",{"c":["d","e"]}]}"#),
            (
                "[1, -2.50, 1e3, 0x1F, 012, +1, .5, .inf, 1_000]",
                #"[1,-2.50,1e3,"0x1F","012","+1",".5",".inf","1_000"]"#
            ),
            ("[true, True, yes, no, on, null, ~, Null, '']", #"[true,true,"yes","no","on",null,null,null,""]"#),
            (
                #"['1', "true", "a\tb\x00\u263A", 'it''s', !!str 7, ! 8, !!int "9"]"#,
                #"["1","true","a\tb\u0000☺","it's","7","8",9]"#
            ),
            ("!!map {a: !!seq [!!null '', !!bool true]}", #"{"a":[null,true]}"#),
            ("a: |\n  one\n  two\nb: >-\n  one\n  two\n", #"{"a":"one\ntwo\n","b":"one two"}"#),
            (
                "a: &x [1, {b: 2}]\nc: *x\nd: [*x, *x]\n",
                #"{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":[[1,{"b":2}],[1,{"b":2}]]}"#
            ),
            ("- &x 1\n- &x 2\n- *x\n", "[1,2,2]"), ("? a\n: 1\n", #"{"a":1}"#), ("naïve: 🚲\n", #"{"naïve":"🚲"}"#),
            ("$schema: s\na: 1\n", #"{"a":1}"#),
        ]
    )
    func `What a text means`(text: String, json: String) throws {
        #expect(try YAMLDocument(text, file: "a").value == JSONValue(parsing: json))
    }

    @Test(
        arguments: [
            ("a: 1\nb: 2\n\"a\": 3\n", "3:1: the key a is written twice; remove one of the two"),
            ("[{a: 1, b: 2, a: 3}]", "1:15: the key a is written twice"),
            ("a: *x\n", "1:4: the alias *x has no anchor &x before it"),
            ("a: &x [*x]\n", "1:8: the alias *x has no anchor &x before it"),
            ("a: 1\n--- \nb: 2\n", "2:1: a file has one document; put what follows --- into another file"),
            ("[a]: 1\n", "1:1: a key is a text here"), ("? {a: 1}\n: 2\n", "1:3: a key is a text here"),
            ("ab: \u{1}\n", "1:5: this isn't YAML: control characters are not allowed; write \\x"),
            ("- ü\u{7}\n", "1:4: this isn't YAML: control characters are not allowed"),
            ("a: [1\n", "2:1: this isn't YAML: did not find expected ',' or ']'; check the indentation"),
            ("a: @b\n", "1:4: this isn't YAML: found character that cannot start any token"),
            ("a:\n\tb: 1\n", "2:1: this isn't YAML: found character that cannot start any token"),
            ("%YAML 2.0\n---\n1\n", "1:1: this isn't YAML: found incompatible YAML document"),
            ("!x!y a\n", "1:1: this isn't YAML: found undefined tag handle"),
            ("a: &x {b: 1}\nc:\n  <<: *x\n", "3:3: merge keys are not followed"),
            ("- !!set {a}", "1:3: the tag !!set means nothing here; leave it out"),
            ("- !own 1", "1:3: the tag !own means nothing here"),
            ("- !!int [1]", "1:3: the tag !!int means nothing here"),
            ("a: 'one\r\nb: 'two'\r\n", "1:4: this isn't YAML: the quote has no end on its line"),
        ]
    )
    func `What is no YAML`(text: String, problem: String) throws {
        let error = #expect(throws: MockFileError.self) { try YAMLDocument(text, file: "a") }
        #expect(error?.description.hasPrefix("a:\(problem)") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")])
    func `Nesting has a bound`(open: String, close: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        let isKey = open == "? "
        if !isKey { _ = try YAMLDocument(nested(64), file: "a") }
        for depth in [65, 500, 100_000] {
            let error = #expect(throws: MockFileError.self) { try YAMLDocument(nested(depth), file: "a") }
            // A text that is one line too long is told first by libyaml.
            #expect(error?.text.contains("nested too deeply") == true || depth == 100_000, "\(error?.text ?? "")")
        }
    }

    @Test func `Aliases of aliases have a bound`() throws {
        var text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...9 {
            let alias = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(alias)]\n"
        }
        let error = #expect(throws: MockFileError.self) { try YAMLDocument(text, file: "a") }
        #expect(error?.text.contains("the document is too large") == true)
    }

    @Test func `What aliases repeat has a bound in bytes`() throws {
        func text(_ length: Int, _ count: Int) -> String {
            "body:\n- &a \(String(repeating: "x", count: length))\n- [\(Array(repeating: "*a", count: count).joined(separator: ","))]\n"
        }
        let error = #expect(throws: MockFileError.self) { try YAMLDocument(text(100_000, 35_000), file: "a.get.yaml") }
        let expected =
            "a.get.yaml:2:3: the aliases of this file repeat more than 16 MB of text; use fewer aliases of what is long"
        #expect(error?.description == expected)
        _ = try YAMLDocument(text(100_000, 160), file: "a")
        // Without aliases, a text may be as long as its file.
        _ = try YAMLDocument("body: \(String(repeating: "x", count: 17 << 20))\n", file: "a")
    }

    @Test func `A file whose aliases repeat too much says so, and others respond`() async throws {
        let aliases = Array(repeating: "*a", count: 35_000).joined(separator: ",")
        let broken = "body:\n- &a \(String(repeating: "x", count: 100_000))\n- [\(aliases)]\n"
        try await withMocks(["b.get.json": "1"]) { mocks in
            try mocks.folder.write(broken, to: "a.get.yaml")
            _ = mocks.files.scan()
            try await withServer(mocks.handler) { address in
                for version in HTTPVersions.each {
                    #expect(try await address.exchange(version, "/b").text == "1")
                    let response = try await address.exchange(version, "/a")
                    #expect(
                        response.text.contains("a.get.yaml:2:3: the aliases of this file repeat"),
                        "\(response.text)"
                    )
                }
            }
        }
    }

    @Test func `A part or its nearest parent has its place`() throws {
        let document = try YAMLDocument("a: 1\nüb:\n  - x\n  - {c: [d, e]}\n", file: "a")
        let cases: [([StubError.Step], Bool, TextPosition)] = [
            ([], false, TextPosition(line: 1, column: 1)), ([.key("a")], true, TextPosition(line: 1, column: 1)),
            ([.key("a")], false, TextPosition(line: 1, column: 4)),
            ([.key("üb"), .index(1)], false, TextPosition(line: 4, column: 5)),
            ([.key("üb"), .index(1), .key("c")], true, TextPosition(line: 4, column: 6)),
            ([.key("üb"), .index(1), .key("c"), .index(1)], false, TextPosition(line: 4, column: 13)),
            // The nearest part.
            ([.key("üb"), .index(2)], false, TextPosition(line: 3, column: 3)),
            ([.key("z")], false, TextPosition(line: 1, column: 1)),
        ]
        for (path, key, position) in cases { #expect(document.position(of: path, key: key) == position, "\(path)") }
    }

    @Test func `Whatever is broken, there is a response`() throws {
        let text = "a: &x [1, 'two', \"th\\x41ree\"]\nb: {c: *x, ? d : |\n  e}\n- f\n--- !!t g\n...\n%Y # h\n"
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            var scalars = Array(text.unicodeScalars)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: scalars.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: scalars.remove(at: index)
                case 1: scalars.insert(scalars.randomElement(using: &random) ?? "a", at: index)
                default:
                    scalars[index] =
                        ["\0", "\n", "\t", "\u{85}", "é", "🚲", "[", "}"].randomElement(using: &random) ?? "a"
                }
            }
            var broken = String.UnicodeScalarView()
            broken.append(contentsOf: scalars)
            do {
                _ = try YAMLDocument(String(broken), file: "a")
            } catch {
                #expect(error.line >= 1 && error.column >= 1 && !error.text.isEmpty)
            }
        }
    }
}
