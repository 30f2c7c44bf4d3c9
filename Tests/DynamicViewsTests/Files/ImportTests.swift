import Backlot
import TestSupport
import Testing

@testable import DynamicViews

/// Documents as people have written them.
@Suite(.timeLimit(.minutes(5))) struct ImportTests {
    @Test(arguments: [
        ("{}", "{}", 0),
        ("[1,]", "[1]", 1),
        (#"{"a":1,}"#, #"{"a":1}"#, 1),
        ("[[1,],\n{\"a\":[2 , ] ,\t}\r\n,]", #"[[1],{"a":[2]}]"#, 4),
        (#"["a,]",]"#, #"["a,]"]"#, 1),
        (#"["a\",]","\\",]"#, #"["a\",]","\\"]"#, 1),
        (#"[{},[],"",true,null,]"#, #"[{},[],"",true,null]"#, 1),
    ])
    func `A trailing comma is removed`(text: String, json: String, count: Int) throws {
        let imported = try ImportedDocument(parsing: text)
        #expect(imported.value.description == json)
        #expect(imported.changes.count == count)
        #expect(try ImportedDocument(parsing: imported.json).changes == [])
    }

    @Test(arguments: [
        ("[,]", 1, 2), ("{,}", 1, 2), ("[1,,]", 1, 4), (",", 1, 1), ("[1],", 1, 4), (#"{"a":,}"#, 1, 6),
        ("[1,]\n[2,]", 2, 1), (#"["a,]"#, 1, 2), ("", 1, 1), ("[1 2,]", 1, 4), ("// x\n[]", 1, 1),
    ])
    func `What is no document is refused with line and column`(text: String, line: Int, column: Int) {
        let error = #expect(throws: JSONParseError.self) { try ImportedDocument(parsing: text) }
        #expect(error.map { [$0.line, $0.column] } == [line, column])
    }

    @Test func `Types of earlier days get their names of today, wherever they stand`() throws {
        let imported = try ImportedDocument(
            parsing: """
                {"configuration": {"style": "list", "type": "purchases"}, "widgets": [
                  {"type": "purchases", "id": "1", "kept": {"type": "purchases"}},
                  {"type": "section", "id": "2", "header": "h", "items": [
                    {"type": "connectWifi", "id": "1"}, {"type": "developerMode", "id": "2", "items": [
                      {"type": "locationPermission", "id": "1"}]},],
                  },
                  {"type": "version", "id": "3"}, 5
                ]}
                """
        )
        #expect(
            imported.changes.map(\.description) == [
                "line 5, column 50: a trailing comma is removed",
                "line 5, column 52: a trailing comma is removed",
                #"/widgets/0/type: "purchases" becomes "snabble.lastPurchases""#,
                #"/widgets/1/items/0/type: "connectWifi" becomes "snabble.connectWifi""#,
                #"/widgets/1/items/1/items/0/type: "locationPermission" becomes "snabble.locationPermission""#,
                #"/widgets/2/type: "version" becomes "snabble.version""#,
            ]
        )
        #expect(imported.value["configuration"]?["type"] == "purchases")
        #expect(imported.value["widgets"]?[0]?["kept"]?["type"] == "purchases")
        #expect(imported.value["widgets"]?[1]?["items"]?[1]?["items"]?[0]?["type"] == "snabble.locationPermission")
    }

    @Test(arguments: [
        ("\n\n[]", "not-an-object  3"),
        (
            "{\n\"configuration\": {},\n\"widgets\": [\n{\"type\":\"snabble.version\",\n\"id\": 7,},\n],\n}",
            "wrong-type /widgets/0/id 5"
        ),
        (
            "{\"widgets\":\r\n[{\"type\":\"purchases\",\"projectId\":\"p\",\r\n\r\n\"id\":\"1\",\"é\":\r\n1}],\"configuration\":{}}",
            "unknown-key /widgets/0/é 4"
        ),
        (
            "{\"configuration\":{\n},\n\n\"widgets\":[\n{\"type\":\"image\",\n\"id\":\"1\"}]}",
            "missing-key /widgets/0 5"
        ),
    ])
    func `A finding in a file has its line`(text: String, found: String) throws {
        let imported = try ImportedDocument(parsing: text)
        let findings = DynamicViewsRules.findings(in: imported, name: "d")
        #expect(findings.map { "\($0.rule) \($0.path.pointer) \($0.path.line ?? 0)" } == [found])
        #expect(findings.allSatisfy { $0.details.contains(", line ") })
    }

    @Test func `A widget by itself is read too`() throws {
        let imported = try ImportedDocument(parsing: #"{"type":"purchases","id":"1"}"#)
        #expect(imported.changes.map(\.description) == [#"/type: "purchases" becomes "snabble.lastPurchases""#])
        #expect(try ImportedDocument(parsing: "[5]").changes == [])
    }

    @Test func `It is written for people, and strictly`() throws {
        let imported = try ImportedDocument(
            parsing: #"{"configuration":{"padding":[30,16,],},"widgets":[{"id":"é\n","values":[{}],"e":[],}]}"#
        )
        #expect(
            imported.json == """
                {
                  "configuration": {
                    "padding": [30, 16]
                  },
                  "widgets": [
                    {
                      "id": "é\\n",
                      "values": [
                        {}
                      ],
                      "e": []
                    }
                  ]
                }

                """
        )
        #expect(try JSONValue(parsing: imported.json) == imported.value)
    }

    @Test func `Mutated documents are read or refused, and nothing traps`() {
        let tokens = [
            "{", "[", "\"", ",", ",]", ",}", "null", "-1", "1e999", "\\u0000", #""type":"purchases""#, #""items":["#,
            #""padding":[1,2,3]"#, #""padding":{"left":"#, #""id":7"#, #""values":[[],{"id":"a.b"}]"#, "\u{FEFF}",
        ].map { Array($0.utf8) }
        let all = EncodingTests.cases.compactMap(\.ios).joined(separator: ",")
        let android = document {
            customerCard(id: "1").text("a").image("b")
            switchEnvironment("a", id: "2") { option("a", id: "b") }
            clientId(id: "3").padding(horizontal: 1, vertical: 2)
            version(id: "4")
        }
        let seeds = [
            Reference.dashboard, Reference.document(Reference.developerMode), Reference.document(all),
            String(decoding: android.bytes(for: .android), as: UTF8.self),
        ]
        var mutator = Mutator(random: SeededGenerator(seed: 9), tokens: tokens)
        var counts = (read: 0, refused: 0, clean: 0)
        for round in 0..<4000 {
            let bytes = mutator.mutate(Array(seeds[round % seeds.count].utf8))
            do throws(JSONParseError) {
                let imported = try ImportedDocument(parsing: bytes)
                counts.read += 1
                // The written JSON is strict, and has the same value.
                let again = try JSONValue(parsing: imported.json)
                if again != imported.value { Issue.record("\(imported.json) is not \(imported.value)") }
                check(imported.value, &counts.clean)
            } catch {
                counts.refused += 1
                #expect((0...bytes.count).contains(error.offset))
            }
        }
        #expect(counts.read > 300)
        #expect(counts.refused > 500)
        #expect(counts.clean > 100)
    }

    /// Reading and judging agree: what breaks no rule can be read, and what can't be read breaks one.
    private func check(_ value: JSONValue, _ clean: inout Int) {
        let hasErrors = DynamicViewsRules.findings(in: value, name: "d").contains { $0.severity == .error }
        let isAndroid = !DynamicViewsRules.findings(in: value, name: "d", dialect: .android).contains {
            $0.severity == .error
        }
        if isAndroid { clean += 1 }
        if isAndroid, (try? Document(value, dialect: .android)) == nil {
            Issue.record("\(value) breaks no rule of Android clients, and can't be read")
        }
        _ = DocumentNames(in: value)
        do throws(DocumentError) {
            let document = try Document(value)
            let again = try Document(try parsed(document.bytes()))
            if again.bytes() != document.bytes() { Issue.record("\(value) is written in two ways") }
            _ = document.bytes(for: .android)
            if !hasErrors { clean += 1 }
        } catch {
            if !hasErrors { Issue.record("\(value) breaks no rule, and can't be read: \(error)") }
        }
    }

    private func parsed(_ bytes: [UInt8]) throws(DocumentError) -> JSONValue {
        do throws(JSONParseError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw DocumentError(pointer: "", problem: "\(error)")
        }
    }
}
