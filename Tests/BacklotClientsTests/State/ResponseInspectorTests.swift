import Applin
import Backlot
import ClientTestSupport
import Testing

@testable import BacklotClients

/// A client's results for responses, and the findings about them.
@Suite(.timeLimit(.minutes(5))) struct ResponseInspectorTests {
    private static let pageType = "application/vnd.applin_response"
    private static let goodPage = #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"text","text":"a"}}}"#

    private func judge(_ dialect: Dialect? = nil) throws -> ResponseInspector {
        ResponseInspector(dialect: dialect, base: try HTTPURL("http://h/app/"), app: nil, limits: ClientLimits())
    }

    private func response(_ code: Int, _ type: String? = pageType, _ body: String) -> ClientResponse {
        var headers: HTTPFields = [:]
        if let type { headers[.contentType] = type }
        return ClientResponse(status: HTTPResponse.Status(code: code), headers: headers, body: Array(body.utf8))
    }

    private func kind(_ verdict: ResponseInspector.Verdict) -> ShownErrorKind? {
        if case .failure(let error) = verdict.result { error.kind } else { nil }
    }

    @Test(
        arguments: [
            (200, pageType, goodPage, nil, []),
            (201, "Application/Vnd.Applin_Response; charset=utf-8", goodPage, nil, []),
            (200, pageType, "", .server, ["empty-page"]),
            (200, "text/html", goodPage, .server, ["wrong-content-type"]),
            (200, nil, goodPage, .server, ["wrong-content-type"]),
            (200, pageType, "<html>", .server, ["not-json"]),
            (200, pageType, "{}", .server, ["not-a-page"]),
            (
                200, pageType, #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"carousel"}}}"#, .server,
                ["unknown-typ"]
            ),
            (200, pageType, String(repeating: "[", count: 513), .server, ["deep-nesting"]),
            (200, pageType, String(repeating: "[", count: 65), .server, ["not-json"]),
            // A page with a mistake that comes out later only is shown.
            (
                200, pageType,
                #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"button","text":" ","actions":[]}}}"#,
                nil, ["blank-button-text"]
            ),
            (304, nil, "", .server, ["unexpected-status"]),
            (400, "text/plain", "the variable 'a' is missing", .app, ["app-error"]),
            (404, "text/plain", "", .app, ["app-error"]),
            (403, "text/plain", "Please log in.", .user, []),
            (422, "text/plain", "Too short.", .user, []),
            (422, "text/plain", "", .user, ["empty-error"]),
            (422, "text/html; charset=utf-8", "No.", .user, ["html-error"]),
            (403, "text/plain", "\n<p>No.</p>", .user, ["html-error"]),
            (403, "text/plain", "<3 characters", .user, []),
            (422, "text/plain", String(repeating: "é", count: 1001), .user, ["long-error"]),
            (500, "text/plain", "oh", .server, ["server-error"]),
            (503, nil, "", .server, ["server-error"]),
            (302, nil, "", .server, ["unexpected-status"]),
        ] as [(Int, String?, String, ShownErrorKind?, [String])]
    )
    func `A page's response is judged`(
        code: Int,
        type: String?,
        body: String,
        kind: ShownErrorKind?,
        rules: [String]
    ) throws {
        let verdict = try judge().page(response(code, type, body), path: "/a")
        #expect(self.kind(verdict) == kind)
        #expect(verdict.findings.map(\.rule) == rules)
        #expect(verdict.findings.allSatisfy { $0.path.page == "/a" && !$0.fix.isEmpty })
    }

    @Test(
        arguments: [
            (200, nil, "", nil, []),
            (204, nil, "", nil, []),
            (200, pageType, goodPage, nil, ["rpc-with-body"]),
            (200, "text/plain", "ok", .server, ["wrong-content-type"]),
            (200, pageType, "ok", .server, ["rpc-with-body", "not-json"]),
            (422, "text/plain", "No.", .user, []),
            (500, nil, "", .server, ["server-error"]),
        ] as [(Int, String?, String, ShownErrorKind?, [String])]
    )
    func `An rpc's response is judged`(
        code: Int,
        type: String?,
        body: String,
        kind: ShownErrorKind?,
        rules: [String]
    ) throws {
        let verdict = try judge().rpc(response(code, type, body), path: "/a")
        #expect(self.kind(verdict) == kind)
        #expect(verdict.findings.map(\.rule) == rules)
    }

    @Test func `Nobody looks into the response to an upload`() throws {
        let verdict = try judge().upload(response(200, "text/plain", "thanks"), path: "/a")
        #expect(kind(verdict) == nil)
        #expect(verdict.findings == [])
        #expect(try kind(judge().upload(response(413, nil, "too large"), path: "/a")) == .app)
    }

    @Test func `A text for the user is cut where clients cut it`() throws {
        let long = String(repeating: "é", count: 1200)
        guard case .failure(let error) = try judge().rpc(response(422, nil, long), path: "/a").result else {
            Issue.record("no error")
            return
        }
        #expect(error.text == String(long.prefix(1000)))
    }

    @Test(arguments: [403, 404, 500])
    func `Errors that are not UTF-8 crash clients`(code: Int) throws {
        var response = response(code, "text/plain", "")
        response.body = [0x4E, 0xFF]
        let findings = try judge().page(response, path: "/a").findings
        #expect(findings.contains { $0.rule == "not-utf8" && $0.severity == .error })
    }

    @Test(arguments: [
        (ClientError.cutShort(bodyBytes: 3), "answer-cut-short"), (.bodyTooLarge(limit: 1), "answer-too-large"),
        (.headTooLarge(limit: 1), "answer-too-large"), (.timedOut("x"), "answer-too-late"),
        (.badRedirect(nil), "bad-redirect"), (.malformed("x"), "malformed-answer"),
        (.undecodable("x"), "undecodable-answer"), (.notConnected("x"), "no-answer"),
    ])
    func `Without a response the client shows a network error`(failure: ClientError, rule: String) throws {
        let verdict = try judge().nothing(failure, path: "/a")
        #expect(kind(verdict) == .network)
        #expect(verdict.findings.map(\.rule) == [rule])
        #expect(verdict.findings.first?.message.hasSuffix(".") == true)
    }

    @Test func `The dialect is the page's own where none is given`() throws {
        func page(_ actions: String) -> ClientResponse {
            let button = #"{"typ":"button","text":"Go","actions":\#(actions)}"#
            return response(200, Self.pageType, #"{"page":{"typ":"plain_page","widget":\#(button)}}"#)
        }
        let (documented, objects) = (page(#"["poll"]"#), page(#"[{"typ":"poll"}]"#))
        for response in [documented, objects] {
            #expect(try judge().page(response, path: "/a").findings == [])
        }
        #expect(try kind(judge(.objects).page(documented, path: "/a")) == .server)
        #expect(try kind(judge(.documented).page(objects, path: "/a")) == .server)
        #expect(try kind(judge(.documented).page(documented, path: "/a")) == nil)
    }

    @Test func `Every rule that leaves a page usable is one that there is`() throws {
        let widgets = #"""
            [{"typ":"textfield","var_name":"a"},{"typ":"textfield","var_name":"a"},{"typ":"textfield","var_name":"a#b"},
            {"typ":"button","text":"","actions":[{"typ":"push","page":"x"},{"typ":"push","page":"/a"},
            {"typ":"push","page":"/no"},{"typ":"rpc","url":"/no"},{"typ":"take_photo","url":"/no"},
            {"typ":"modal","title":"","buttons":[{"text":"Cancel","actions":[]},{"text":"Cancel","actions":[]}]}]},
            {"typ":"image","aspect_ratio":0,"url":"/i","disposition":"fit"},{"typ":"back_button","actions":[]}]
            """#
        let body = #"{"page":{"typ":"nav_page","title":"A","widget":{"typ":"form","widgets":\#(widgets)}}}"#
        let app = RouteLookup { $0 == "/a" || $0 == "a" ? [.get] : [] }
        var rules: Set<String> = []
        for path in ["/a", "a"] {
            let document = try JSONValue(parsing: body)
            let findings = ApplinRules.findings(in: document, path: path, dialect: .objects, app: app)
            #expect(findings.filter(\.isRejection) == [])
            rules.formUnion(findings.filter { $0.severity == .error }.map(\.rule))
        }
        let expected: Set<String> = [
            "aspect-ratio-not-positive", "blank-button-text", "colliding-var-names", "dead-link", "dead-rpc",
            "dead-upload", "duplicate-var-name", "inputs-without-post", "link-without-slash", "misplaced-back-button",
            "page-path-without-slash", "push-of-itself", "two-cancel-buttons",
        ]
        #expect(rules == expected)
    }
}
