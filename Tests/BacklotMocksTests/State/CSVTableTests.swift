import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

/// Rows in CSV, and as a list.
@Suite(.timeLimit(.minutes(5))) struct CSVTableTests {
    @Test(arguments: [
        ("a,b\n1,x\n", #"[{"a":1,"b":"x"}]"#),
        ("\u{FEFF}a;b\r\n1,5;x\r\n\r\n;y", #"[{"a":"1,5","b":"x"},{"a":"","b":"y"}]"#),
        ("n,ok\n1,true\n,false\n-2.5e1,\n", #"[{"n":1,"ok":true},{"n":null,"ok":false},{"n":-25,"ok":null}]"#),
        ("zip\n01234\n5\n", #"[{"zip":"01234"},{"zip":"5"}]"#), ("a\tb\n1\t2\r3\t4", #"[{"a":1,"b":2},{"a":3,"b":4}]"#),
        ("a,b\n\"x, \"\"y\"\"\nz\",\"\"\n", #"[{"a":"x, \"y\"\nz","b":""}]"#), ("a\n", "[]"),
        ("\"a\"\n\"\"\n\"7\"", #"[{"a":null},{"a":7}]"#),
    ])
    func `Rows`(text: String, expected: String) throws {
        let rows = try CSVTable(Array(text.utf8)).rows
        #expect(JSONValue.array(rows.map { .object($0.row) }) == (try JSONValue(parsing: Array(expected.utf8))))
    }

    @Test(arguments: [
        ("", 1, "names the fields"), ("\n\n", 1, "names the fields"), ("a,\n", 1, "the field 2 has no name"),
        ("a,a\n", 1, "two fields have the name"),
        ("a,b\n1,2\n\n3\n", 4, "1 fields stand here, but the first line names 2"),
        ("a\n\"x\ny\n", 2, "don't end"), ("a\n\"x\"y\n", 2, "follows the quotes"),
    ])
    func `What is no table`(text: String, line: Int, message: String) {
        #expect {
            try CSVTable(Array(text.utf8))
        } throws: { error in
            let error = error as? CSVTable.ReadingError
            return error?.line == line && error?.text.contains(message) == true
        }
    }

    /// A search for each name among all others would take longer than the time limit.
    @Test func `A table may have many fields`() throws {
        let prefix = String(repeating: "x", count: 20)
        let names = (100_000..<160_000).map { "\(prefix)\($0)" }
        let header = names.joined(separator: ",")
        let rows = try CSVTable(Array("\(header)\n\(names.map { _ in "1" }.joined(separator: ","))\n".utf8)).rows
        #expect(rows.count == 1 && rows[0].row.keys == names)
        #expect(throws: CSVTable.ReadingError(line: 1, text: "two fields have the name \(names[7].shown); rename one"))
        {
            try CSVTable(Array("\(header),\(names[7])\n".utf8))
        }
    }

    @Test func `Bytes that are no UTF-8, and 100 MB`() {
        #expect(throws: CSVTable.ReadingError(line: 2, text: "the text isn't UTF-8; save the file as UTF-8")) {
            try CSVTable(Array("a\n".utf8) + [0xFF, 0x0A])
        }
        #expect(throws: CSVTable.ReadingError.self) { try CSVTable(Array(repeating: 0x61, count: 100 << 20)) }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `Any texts come back`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = ["a", "b c", "d"]
        let rows = (0..<20).map { _ in
            names.map { _ in
                "x"
                    + String(
                        (0..<Int.random(in: 0...6, using: &random)).map { _ in
                            Array("\",;\t\n é1").randomElement(using: &random) ?? "z"
                        }
                    )
            }
        }
        let text = ([names] + rows).map { $0.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") }
            .joined(separator: "\r\n")
        let found = try CSVTable(Array(text.utf8)).rows.map { row in names.map { row.row[$0]?.string ?? "" } }
        #expect(found == rows)
    }

    @Test func `Files of rows alone`() async throws {
        let files = [
            "data/classes.csv": "id,name,seats\n1,Yoga,12\n2,\"Boxing, hot\",0\n",
            "members.crud.json": #"[{"name": "Ann"}, {"name": "Bob"}]"#,
            "data/days.yaml": "- {day: Monday}\n- {day: Friday}\n",
            "classes/[id].get.yaml":
                "body: \"{{#with (find data.classes 'id' path.id)}}{{name}} {{seats}}{{/with}} {{size data.days}}\"",
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect("200 Boxing, hot 0 2", .get, "/classes/2")
            try await mocks.expect(#"200 [{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]"#, .get, "/members")
            #expect(try await mocks.ask(.post, "/members", body: #"{"name":"Eve"}"#).status.code == 201)
        }
    }

    @Test func `A list in YAML may have many rows`() async throws {
        let rows = (1...30_000).map { "- {id: \($0), a: x, b: y}\n" }.joined()
        try await withMocks(["data/days.yaml": rows, "count.get.yaml": "body: '{{size data.days}}'"]) { mocks in
            try await mocks.expect("200 30000", .get, "/count")
        }
    }

    @Test(arguments: [
        ("data/a.csv", "id,x\n1,2\n1,3\n", "data/a.csv:3"), ("data/a.csv", "id,x\n1\n", "data/a.csv:2"),
        ("data/a.json", "[\n{},\n5]", "data/a.json:3"), ("a.crud.yaml", "- {id: 1}\n- {id: 1}\n", "a.crud.yaml:2"),
    ])
    func `Mistakes have their line`(name: String, text: String, expected: String) async throws {
        let found = try await problems(name, text)
        #expect(found.count == 1 && found[0].hasPrefix(expected), "\(found)")
    }
}
