import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Other answers in files whose other words stay.
@Suite(.timeLimit(.minutes(5))) struct RouteFileUpdateTests {
    /// A file, the answer that replaces one of its answers, and what is in the file then.
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let text: String
        var index = 0
        var status = 200
        var type = "application/vnd.applin_response"
        var cookies: [String] = []
        let response: String
        /// The file's new text; nil where it stays, for a reason that has these words.
        let expected: String?
        var reason = ""

        var testDescription: String { "\(file) \(reason)" }
    }

    private static func page(_ text: String) -> String {
        #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"text","text":"\#(text)"}}}"#
    }

    static let cases = [
        Case(file: "a.page.json", text: page("old"), response: page("new"), expected: page("new")),
        Case(
            file: "a.page.json",
            text: """
                {"typ": "nav_page", "title": "T", "widget": {"typ": "empty"}}
                """,
            response: page("new"),
            expected: #"{"typ":"nav_page","title":"T","widget":{"typ":"text","text":"new"}}"# + "\n"
        ),
        Case(
            file: "a.page.yaml",
            text: """
                # A comment.
                responses:
                  - request:
                      variables: {a: "1"}  # kept
                    scenarioName: s
                    requiredScenarioState: Started
                    page:
                      typ: nav_page
                      title: T
                      widget: {typ: empty}
                  # Another comment.
                  - page:
                      typ: nav_page
                      title: Other
                      widget: {typ: empty}

                """,
            response: page("new"),
            expected: """
                # A comment.
                responses:
                  - request:
                      variables: {a: "1"}  # kept
                    scenarioName: s
                    requiredScenarioState: Started
                    page:
                      typ: nav_page
                      title: T
                      widget:
                        typ: text
                        text: new
                  # Another comment.
                  - page:
                      typ: nav_page
                      title: Other
                      widget: {typ: empty}

                """
        ),
        Case(
            file: "a.page.yaml",
            text: """
                responses:
                  - request: {variables: {a: "1"}}
                    page: {typ: nav_page, title: T, widget: {typ: empty}}
                  - page: {typ: nav_page, title: T, widget: {typ: empty}}  # the usual one
                """,
            index: 1,
            status: 404,
            type: "text/plain; charset=utf-8",
            response: "It is gone.",
            expected: """
                responses:
                  - request: {variables: {a: "1"}}
                    page: {typ: nav_page, title: T, widget: {typ: empty}}
                  - status: 404
                    body: It is gone.
                """
        ),
        Case(
            file: "a.get.yaml",
            text: "status: 201\nheaders: {X-A: b, Content-Type: text/html}\nbody: <p>\n",
            type: "application/json",
            response: #"{"a":1}"#,
            expected: "jsonBody:\n  a: 1\n"
        ),
        Case(
            file: "a.get.yaml",
            text: """
                headers:
                  Set-Cookie: ["sid=abc; Path=/", "theme=x; Path=/"]  # kept
                jsonBody:
                  a: 1

                """,
            type: "application/json",
            cookies: ["sid=q7w; Path=/; Secure", "theme=y; Path=/; Domain=backend.example"],
            response: #"{"a":2}"#,
            expected: """
                headers:
                  Set-Cookie: ["sid=abc; Path=/", "theme=x; Path=/"]  # kept
                jsonBody:
                  a: 2

                """
        ),
        Case(
            file: "a.get.yaml",
            text: """
                headers:
                  Set-Cookie: ["sid=abc; Path=/", "theme=x; Path=/"]
                jsonBody: [1]

                """,
            type: "application/json",
            cookies: ["theme=y; Path=/; HttpOnly; Secure", "session=q7w; Path=/; Secure"],
            response: "[1]",
            expected: """
                headers:
                  Set-Cookie: ["theme=x; Path=/; HttpOnly", "recorded-session=q7w; Path=/"]
                jsonBody: [1]

                """
        ),
        Case(
            file: "a.get.yaml",
            text: "responses:\n  - {status: 422, body: No., request: {query: {a: \"1\"}}}\n  - {body: Yes.}\n",
            status: 400,
            type: "text/plain",
            response: "Never.",
            expected: """
                responses:
                  - status: 400
                    body: Never.
                    request:
                      query:
                        a: "1"
                  - body: Yes.

                """
        ),
        Case(
            file: "a.get.yaml",
            text: "# Why.\nresponses:\n  - {status: 422, body: No.}  # a comment\n",
            response: "Yes.",
            expected: nil,
            reason: "its comments would get lost"
        ),
        Case(
            file: "a.get.json",
            text: #"{"a":"{{now}}"}"#,
            type: "application/json",
            response: #"{"b":1}"#,
            expected: nil,
            reason: "its body has tags"
        ),
        Case(
            file: "a.get.json",
            text: #"{"a":1}"#,
            status: 404,
            response: "{}",
            expected: nil,
            reason: "contains only a body"
        ),
        Case(
            file: "a.get.json",
            text: #"{"a":1}"#,
            type: "application/json",
            response: #"{"a":"{{now}}"}"#,
            expected: nil,
            reason: "would take for a tag"
        ),
        Case(
            file: "a.page.json",
            text: page("old"),
            response: #"{"page":{"typ":"nav_page","title":"T"}}"#,
            expected: nil,
            reason: "mocks would reject"
        ),
    ]

    @Test(arguments: cases)
    func `An update replaces the response and keeps the rest of the file`(_ own: Case) async throws {
        try await withTemporaryFolder { folder in
            try folder.write(own.text, to: own.file)
            let backend = MockBackend(MockConfiguration(formats: [.applin()]))
            try RouteFiles(folder.path, backend: backend).load()
            var update = try #require(RouteFileUpdate(backend))
            let cookies = own.cookies.map { HTTPField(name: .setCookie, value: $0) }
            let exchange = RecordedExchange(
                .get,
                "/a",
                status: own.status,
                responseHeaders: HTTPFields([HTTPField(name: .contentType, value: own.type)] + cookies),
                responseBody: Array(own.response.utf8)
            )
            do throws(MessageError) {
                try update.replace(StubID(name: "\(own.file)#\(own.index)"), with: exchange)
            } catch {
                #expect(own.expected == nil && "\(error)".contains(own.reason), "\(error)")
                return
            }
            #expect(update.files.map { String(decoding: $0.bytes, as: UTF8.self) } == [own.expected])
            #expect(update.files.map(\.path) == [own.file])
        }
    }
}
