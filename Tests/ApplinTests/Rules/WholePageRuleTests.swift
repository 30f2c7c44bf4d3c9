import Applin
import Backlot
import Testing

/// Findings beyond single mistakes: documents without a page, several findings at once, unknown routes, bytes.
@Suite(.timeLimit(.minutes(5))) struct WholePageRuleTests {
    private func details(
        _ document: JSONValue,
        _ dialect: Dialect = .objects,
        app: RouteLookup? = nil
    ) -> [String] {
        ApplinRules.findings(in: document, path: "/p", dialect: dialect, app: app).map(\.details)
    }

    @Test(arguments: [([], "an array"), (nil, "null"), ("page", "the string \"page\"")] as [(JSONValue, String)])
    func `A document that is no object has one finding`(document: JSONValue, summary: String) {
        let expected = """
            error: /p
              Clients read an answer here, which is an object, but this document is \(summary).
              Fix: Respond with an object that has "page".
              [not-an-object]
            """
        for dialect in Dialect.allCases {
            #expect(details(document, dialect) == [expected])
        }
    }

    @Test(arguments: [[:], ["page": nil]] as [JSONValue])
    func `A document without a page has one finding`(document: JSONValue) {
        let expected = """
            error: /p
              An answer needs "page"; without it, clients reject the whole page.
              Fix: Add "page" with a page.
              [not-a-page]
            """
        for dialect in Dialect.allCases {
            #expect(details(document, dialect) == [expected])
        }
    }

    @Test func `A page that is no object has one finding`() {
        let expected = """
            error: /p
              "page" is an array, but must be a page: clients reject the whole page.
              Fix: Make "page" a page.
              [not-a-page] at /page
            """
        #expect(details(["page": [1]]) == [expected])
    }

    @Test func `A key beside the page is ignored`() {
        #expect(
            details(["page": ["typ": "plain_page", "widget": ["typ": "empty"]], "title": "Hi"]) == [
                """
                warning: /p
                  An answer has no key "title", so clients ignore it.
                  Fix: Remove it; clients read only page here.
                  [unknown-key] at /title
                """
            ]
        )
    }

    @Test func `Findings are in the order of the page`() {
        let document: JSONValue = [
            "page": [
                "typ": "nav_page", "stream": true,
                "widget": [
                    "typ": "form",
                    "widgets": [
                        ["typ": "button", "text": "", "actions": ["pop"]], ["typ": "text"],
                        ["typ": "form", "widgets": [["typ": "text", "text": 1]]], ["typ": "text"],
                    ],
                ],
            ]
        ]
        let findings = ApplinRules.findings(in: document, path: "/p", dialect: .objects, app: nil)
        #expect(
            findings.map { "\($0.rule) \($0.path)" } == [
                "missing-key /p", "stream-true /p",
                "blank-button-text /p › form › button",
                "action-of-other-dialect /p › form › button › pop",
                "missing-key /p › form › text #1",
                "wrong-type /p › form › form › text",
                "missing-key /p › form › text #2",
            ]
        )
    }

    @Test func `An rpc that is an object becomes two strings`() {
        let rpc: JSONValue = ["typ": "rpc", "url": "/x", "on_user_error_poll": true]
        let document: JSONValue = [
            "page": ["typ": "plain_page", "widget": ["typ": "button", "text": "Go", "actions": [rpc]]]
        ]
        let expected = """
            error: /p › button "Go" › rpc "/x"
              The action rpc is an object, but clients up to 0.30 (the documented dialect) read a string here and \
            reject the whole page.
              Fix: Write "rpc:/x", "on_user_error_poll".
              [action-of-other-dialect] at /page/widget/actions/0
            """
        #expect(details(document, .documented).last == expected)
    }

    @Test func `Nothing is said about paths that aren't known`() throws {
        let document: JSONValue = [
            "page": [
                "typ": "plain_page",
                "widget": [
                    "typ": "form",
                    "widgets": [
                        ["typ": "textfield", "var_name": "a"],
                        ["typ": "button", "text": "Go", "actions": ["rpc:/x", "take_photo:/x", "push:/x"]],
                    ],
                ],
            ]
        ]
        #expect(details(document, .documented, app: RouteLookup { _ in nil }) == [])
        #expect(details(document, .documented, app: RouteLookup { _ in [] }).count == 4)
    }

    @Test func `Names on a path are short and have no control characters`() {
        let document: JSONValue = [
            "page": [
                "typ": "plain_page",
                "widget": [
                    "typ": "form", "title": "\u{1B}[2J\n",
                    "widgets": [["typ": .string(String(repeating: "x", count: 100_000))]],
                ],
            ]
        ]
        let findings = ApplinRules.findings(in: document, path: "/p", dialect: .objects, app: nil)
        #expect(findings.map(\.path.steps).last == ["form \" [2J \"", String(repeating: "x", count: 40) + "…"])
    }

    @Test func `The inspector reads bytes`() {
        let inspector: any PageInspector = ApplinInspector(dialect: .documented, baseURL: "https://example.com/a")
        let good = #"{"page":{"typ":"plain_page","widget":{"typ":"empty"}}}"#
        #expect(inspector.findings(inBody: Array(good.utf8), path: "/p", app: nil) == [])
        let bad =
            #"{"page":{"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:https://example.com/"]}}}"#
        #expect(
            inspector.findings(inBody: Array(bad.utf8), path: "/p", app: nil).map(\.rule) == ["url-outside-base"]
        )
    }

    @Test(arguments: ["", "<html>", "{\"page\":", "\u{FEFF}{}"])
    func `A body that is no JSON is an error`(body: String) throws {
        let findings = ApplinInspector(dialect: .objects).findings(inBody: Array(body.utf8), path: "/p", app: nil)
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.rule == "not-json")
        #expect(finding.severity == .error)
        #expect(
            finding.message.hasPrefix("The body can't be read as JSON in UTF-8, so clients can't use it: ")
        )
    }

    @Test func `A body that isn't UTF-8 is an error`() {
        let findings = ApplinInspector(dialect: .objects).findings(inBody: [0x22, 0xFF, 0x22], path: "/p", app: nil)
        #expect(findings.map(\.rule) == ["not-json"])
    }
}
