import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// What is told about files beside their own mistakes: what fits no other file, and files that break while they are served.
@Suite(.timeLimit(.minutes(5))) struct UnusedPartTests {
    private func page(_ push: String) -> String {
        #"{"typ":"nav_page","title":"A","widget":{"typ":"form","widgets":["# + "\n"
            + #"{"typ":"nav_button","text":"B","actions":[{"typ":"push","page":""# + push + #""}]}]}}"#
    }

    @Test(arguments: [
        (
            [
                "a.get.yaml": "scenarioName: s\nnewScenarioState: lent\n",
                "b.get.yaml": "scenarioName: s\nrequiredScenarioState: lnet\n",
            ],
            [
                "a.get.yaml:2:19: no response of the scenario 's' is for the state 'lent'; did you mean 'lnet'?",
                "b.get.yaml:2:24: the scenario 's' never gets into the state 'lnet', so this response is never sent; did you mean 'lent'?",
            ]
        ),
        (
            [
                "a.get.yaml":
                    "responses:\n  - {scenarioName: s, requiredScenarioState: a, newScenarioState: b}\n  - {scenarioName: s, requiredScenarioState: b, newScenarioState: a}\n"
            ],
            [
                "a.get.yaml:2:46: the scenario 's' never gets into the state 'a', so this response is never sent",
                "a.get.yaml:3:46: the scenario 's' never gets into the state 'b', so this response is never sent",
            ]
        ),
        (
            [
                "mappings/a.json":
                    "{\"request\":{\"url\":\"/a\"},\n\"scenarioName\":\"s\",\"requiredScenarioState\":\"startet\"}"
            ],
            [
                "mappings/a.json:2:44: the scenario 's' never gets into the state 'startet', so this response is never sent; did you mean 'Started'?"
            ]
        ),
        (
            [
                "a.get.yaml":
                    "responses:\n  - {scenarioName: s, requiredScenarioState: Started, newScenarioState: b}\n  - {scenarioName: s, requiredScenarioState: b, newScenarioState: Started}\n"
            ], []
        ),
    ])
    func `States that a scenario never gets into are told at the start`(
        files: [String: String],
        expected: [String]
    ) async throws {
        #expect(try await warnings(files) == expected)
    }

    @Test func `A push that leads nowhere is told at the start`() async throws {
        let found = try await warnings([
            "a.page.json": page("/b"), "c.page.json": page("/a"), "d.page.json": page("/x/{{path.id}}"),
        ])
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix(
                "a.page.json:2:64: form › nav_button \"B\" › push \"/b\": push goes to \"/b\", but nothing is there"
            ) == true,
            "\(found)"
        )
        #expect(try await warnings(["a.page.json": page("/b?c=1"), "b.page.json": page("/a")]).isEmpty)
    }

    @Test func `Many dead links are told in a hundred files, and the others are counted`() async throws {
        let files = (100..<230).map { ("f\($0).page.json", page("/nowhere")) }
        let found = try await warnings(Dictionary(uniqueKeysWithValues: files))
        #expect(found.count == 101)
        #expect(
            found.last
                == "f200.page.json:1:1: this and later files, 30 in all, have links that lead nowhere too; `check` names them"
        )
    }

    @Test(
        arguments: triples(
            """
            a.get.yaml → body: "one⏎status: 200⏎ → \
            a.get.yaml:1:7: this isn't YAML: the quote has no end; write another one after the text
            a.get.yaml → headers: {X: "one}⏎body: "two"⏎ → a.get.yaml:1:14: this isn't YAML: the quote has no end on its line:␣
            a.get.json → {"a": "one,⏎ "b": 2} → \
            a.get.json:1:7: this is no JSON: the quote has no end on its line; write " after the text
            mappings/a.json → {"request":{"url":"/a},⏎"response":{}} → \
            mappings/a.json:1:19: this is no JSON: the quote has no end on its line
            a.get.yaml → bodyFileName: optning.json⏎ → \
            a.get.yaml:1:15: __files/optning.json is not there, or is no regular file of at most 33554432 bytes that may be read; links are not followed; did you mean 'opening.json'?
            a.get.yaml → bodyFileName: bad.json⏎ → a.get.yaml:1:15: __files/bad.json:2:20: {{pth.id}} begins with none of
            """
        )
    )
    func `Mistakes are told where they begin`(name: String, text: String, message: String) async throws {
        let others = ["__files/opening.json": "{}", "__files/bad.json": "{\n \"\":\"{{path.x}}\", \"{{pth.id}}\":1}"]
        let found = try await problems(name, text, others: others).joined(separator: "\n")
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test func `All that is wrong with a page is told, each at its line`() async throws {
        let text =
            "typ: nav_page\ntitle: A\nwidget:\n  typ: form\n  widgets:\n    - typ: txt\n    - typ: text\n      text: 7\n"
        let found = try await problems("a.page.yaml", text)
        let places = found.map { String($0.prefix(15)) }
        #expect(places == ["a.page.yaml:6:1", "a.page.yaml:8:1"], "\(found)")
        let two = try await problems("b.get.yaml", "responses:\n  - {status: 2000}\n  - {status: 1}\n")
        let others = two.map { String($0.prefix(15)) }
        #expect(others == ["b.get.yaml:2:14", "b.get.yaml:3:14"], "\(two)")
    }

    @Test func `A byte order mark is accepted in JSON and YAML, and bytes stay bytes`() async throws {
        let mark = "\u{FEFF}"
        let files = [
            "a.get.json": mark + #"{"a":"{{query.x}}"}"#, "b.get.yaml": mark + "body: b\n", "c.get.txt": mark + "c",
            "mappings/d.json": mark + #"{"request":{"url":"/d"},"response":{"body":"d"}}"#,
        ]
        try await withMocks(files) { mocks in
            try await mocks.expect(#"200 {"a":"1"}"#, .get, "/a?x=1")
            try await mocks.expect("200 b", .get, "/b")
            try await mocks.expect("200 \(mark)c", .get, "/c")
            try await mocks.expect("200 d", .get, "/d")
        }
    }

    @Test func `A file that breaks while it is served is named, and so is a new one`() async throws {
        try await withMocks(["a.get.yaml": "body: one\n"]) { mocks in
            let field = try #require(BrokenFiles.field)
            #expect(try await mocks.ask(.get, "/a").headers[field] == nil)
            try mocks.folder.write("body: one\nsttus: 200\n", to: "a.get.yaml")
            try mocks.folder.write("body: [\n", to: "b/[id].get.yaml")
            _ = mocks.files.scan()
            let response = try await mocks.ask(.get, "/a")
            #expect(response.text == "one")
            #expect(response.headers[field] == "a.get.yaml:2:1")
            let missing = try await mocks.ask(.get, "/b/7")
            #expect(missing.status == .notFound)
            #expect(missing.headers[field] == "b/[id].get.yaml:2:1")
            #expect(
                missing.text.contains("\nA file is broken and can't answer: b/[id].get.yaml:2:1: this isn't YAML"),
                "\(missing.text)"
            )
            #expect(try await mocks.ask(.get, "/c").headers[field] == nil)
            #expect(
                try await health(of: mocks)["brokenFiles"]?.array?.compactMap { $0["file"]?.string } == [
                    "a.get.yaml", "b/[id].get.yaml",
                ]
            )
            try mocks.folder.write("body: three\n", to: "a.get.yaml")
            try mocks.folder.write("body: two\n", to: "b/[id].get.yaml")
            _ = mocks.files.scan()
            #expect(try await mocks.ask(.get, "/a").headers[field] == nil)
            try await mocks.expect("200 two", .get, "/b/7")
            #expect(try await health(of: mocks)["brokenFiles"] == [])
        }
    }

    private func health(of mocks: Mocks) async throws -> JSONValue {
        try JSONValue(parsing: try await mocks.ask(.get, "/__admin/health").text)
    }

    @Test func `A template that takes long gives its counters once`() async throws {
        let text = "body: \"{{counter}}{{#each (range 1 9000)}}................................{{/each}}\"\n"
        try await withMocks(["a.get.yaml": text]) { mocks in
            for count in 1...2 {
                let body = try await mocks.text(.get, "/a")
                #expect(body.hasPrefix("200 \(count)."))
                let length = 5 + 9000 * 32
                #expect(body.utf8.count == length)
            }
        }
    }

    private func warnings(_ files: [String: String]) async throws -> [String] {
        try await withMocks(files) { mocks in
            for name in files.keys { try mocks.folder.write((files[name] ?? "") + "\n", to: name) }
            let first = mocks.files.scan()
            // What was said once isn't said again.
            #expect(first.warnings.isEmpty)
            let backend = MockBackend(mocks.backend.configuration, logger: mocks.backend.logger)
            return try RouteFiles(mocks.folder.path, backend: backend).scan().warnings.map(\.description)
        }
    }
}
