import TestSupport
import Testing

/// `demo-server swift`, without a server.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SwiftCommandProcessTests {
    private func write(_ arguments: String...) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["swift"] + arguments).outcome()
    }

    private static let expected = #"""
        navPage("A \"page\" \\(x)") {
            form {
                textfield("Name", varName: "name")
                formButton("Save", rpc("/save"))
            }
        }

        """#

    @Test func `A page in JSON, a response and a mock route become the same code`() async throws {
        let page = #"""
            {"typ": "nav_page", "title": "A \"page\" \\(x)", "widget": {"typ": "form", "widgets": [
            {"typ": "textfield", "var_name": "name", "label": "Name"},
            {"typ": "form_button", "text": "Save", "align": "center", "actions": ["rpc:/save"]}]}}
            """#
        let yaml = #"""
            typ: nav_page
            title: A "page" \(x)
            widget:
              typ: form
              widgets:
                - {typ: textfield, var_name: name, label: Name}
                - {typ: form_button, text: Save, actions: ["rpc:/save"]}
            """#
        try await withTemporaryFolder { folder in
            let files = [
                try folder.write(page, to: "page.json"), try folder.write(#"{"page": \#(page)}"#, to: "answer.json"),
                try folder.write(yaml, to: "form.page.yaml"),
            ]
            for file in files {
                let outcome = try write(file).withStatus(0)
                #expect(outcome.output == Self.expected)
                #expect(outcome.errors == "")
            }
        }
    }

    @Test func `What is left out is said with its line`() async throws {
        try await withTemporaryFolder { folder in
            let json = """
                {"typ": "plain_page",
                 "version": 2,
                 "widget": {"typ": "empty"}}
                """
            let file = try folder.write(json, to: "page.json")
            let outcome = try write(file).withStatus(0)
            #expect(
                outcome.output == "// Left out, as clients don't read it here: \"version\": 2\nplainPage { empty() }\n"
            )
            #expect(outcome.errors == "\(file):2: /version: left out, as clients don't read it here\n")
            let yaml = try folder.write("typ: plain_page\nwidget:\n  typ: empty\n  x: 1\n", to: "a.page.yaml")
            #expect(try write(yaml).errors == "\(yaml):4: /page/widget/x: left out, as clients don't read it here\n")
        }
    }

    @Test func `What can't be written is refused with its place`() async throws {
        let deep = #"{"typ":"plain_page","widget":"# + String(repeating: #"{"typ":"scroll","widget":"#, count: 10_000)
        let cases: [(name: String, text: String, problem: String)] = [
            (
                "a.json", "{\n\"typ\": \"nav_page\",\n\"title\": 5}",
                ":3: /title is the number 5, but must be a string\n"
            ),
            ("a.json", "{\n,", ":2: this is no JSON: found ',' where a key in double quotes belongs\n"),
            ("a.json", deep, ":1: more than 512 arrays and objects stand in each other"),
            ("a.json", #"{"views": []}"#, ":1: the document isn't an Applin page, and only those have a form in Swift"),
            (
                "a.page.yaml", "typ: nav_page\ntitle: A\nwidget:\n  typ: textt\n",
                ":4:8: textt: There is no widget \"textt\""
            ),
            ("a.yaml", "typ: nav_page\n", ":1:1: the name says no kind"),
        ]
        try await withTemporaryFolder { folder in
            for (name, text, problem) in cases {
                let file = try folder.write(text, to: name)
                let outcome = try write(file).withStatus(1)
                #expect(outcome.output == "")
                #expect(outcome.errors.hasPrefix(file + problem), "\(outcome.errors)")
            }
            let missing = try write("\(folder.path)/none.yaml").withStatus(64)
            #expect(
                missing.errors.contains("none.yaml' can't be read: name an existing file, or - for standard input.")
            )
        }
    }
}
