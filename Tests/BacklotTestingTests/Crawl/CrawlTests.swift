import Applin
import Backlot
import BacklotJSON
import BacklotTesting
import TestSupport
import Testing

/// Crawls of small backends, each with what it is to find.
struct CrawlTests {
    private static let push = #"{"typ":"push","page":"/next"}"#

    /// A backend whose first page pushes `/next`.
    private func backend(_ action: String = push) -> Backend {
        let backend = Backend()
        backend.form("/", Backend.button("Go", action))
        backend.form("/next", #"{"typ":"text","text":"There"}"#)
        return backend
    }

    private func rules(_ report: CrawlReport) -> [String] {
        report.findings.map { "\($0.path.page) \($0.rule)" }
    }

    // MARK: What is followed

    @Test(arguments: [
        #""push:/next""#, #""replace_all:/next""#, push, #"{"typ":"replace_all","page":"/next"}"#,
        #"{"typ":"modal","title":"T","buttons":[{"text":"B","actions":[{"typ":"push","page":"/next"}]}]}"#,
    ])
    func `It follows push and replace_all`(action: String) async throws {
        let backend = backend(action)
        let report = try await backend.crawl()
        #expect(backend.log == ["GET /", "GET /next"])
        #expect(report.isClean, "\(report)")
        #expect(report.visited == 2)
        #expect(report.requests == 2)
    }

    @Test(arguments: [
        #"{"typ":"nav_button","text":"N","actions":[ACTION]}"#, #"{"typ":"button","text":"N","actions":[ACTION]}"#,
        #"{"typ":"checkbox","var_name":"c","actions":[ACTION]}"#,
        #"{"typ":"grouped_row_table","row_groups":[[[null,{"typ":"button","text":"N","actions":[ACTION]}]]]}"#,
    ])
    func `It follows the actions of every widget`(widget: String) async throws {
        let backend = backend()
        backend.form("/", widget.replacing("ACTION", with: Self.push))
        let report = try await backend.crawl()
        #expect(backend.log.contains("GET /next"))
        #expect(report.isClean, "\(report)")
    }

    @Test func `It follows the back button`() async throws {
        let backend = backend()
        backend.form("/", more: #""start":{"typ":"back_button","actions":[\#(Self.push)]}"#)
        #expect(try await backend.crawl().isClean)
        #expect(backend.log == ["GET /", "GET /next"])
    }

    @Test func `Pages below a base path, and what clients make themselves`() async throws {
        let backend = Backend()
        backend.form("/travel/", Backend.button("Go", #""push:/next""#), Backend.button("Help", #""push:/support""#))
        backend.form("/travel/next", Backend.button("Go", #""replace_all:/""#))
        let report = try await backend.crawl(at: "/travel/")
        #expect(backend.log == ["GET /travel/", "GET /travel/next"])
        #expect(report.isClean, "\(report)")
        #expect(report.dialect == .documented)
    }

    @Test func `A page with inputs is refreshed as clients do it`() async throws {
        let backend = Backend()
        backend.form(
            "/",
            #"{"typ":"textfield","var_name":"a","initial_string":"b/c"}"#,
            #"{"typ":"checkbox","var_name":"d#e"}"#
        )
        #expect(try await backend.crawl().isClean)
        #expect(backend.log == ["GET /", #"POST / {"a":"b\/c","d":{"e":false}}"#])
    }

    @Test func `Rpcs are called only when that is asked for, and uploads never`() async throws {
        let backend = Backend()
        backend.form(
            "/",
            #"{"typ":"checkbox","var_name":"a","actions":[{"typ":"rpc","url":"/save"}]}"#,
            Backend.button("Save", #"{"typ":"rpc","url":"/save"}"#),
            Backend.button("Photo", #"{"typ":"choose_photo","url":"/photo"}"#)
        )
        backend.on("/save") { _ in Response() }
        let report = try await backend.crawl()
        #expect(backend.log == ["GET /", #"POST / {"a":false}"#])
        #expect(report.rpcsNotCalled == ["/save"])
        #expect(report.uploads == ["/photo"])
        backend.clearLog()
        let second = try await backend.crawl { $0.callsRPCs = true }
        #expect(backend.log == ["GET /", #"POST / {"a":false}"#, #"POST /save {"a":false}"#])
        #expect(second.isClean, "\(second)")
        #expect(second.rpcsCalled == 1)
    }

    @Test func `403 and 422 are no findings, and are listed`() async throws {
        let backend = backend()
        backend.status("/next", .forbidden, "Please log in.")
        let report = try await backend.crawl()
        #expect(report.isClean)
        #expect(report.refused.map { "\($0.path) \($0.status)" } == ["/next 403"])
        #expect(report.description.contains("refused: 1: /next (403)"))
    }

    // MARK: What is found

    @Test(arguments: [
        (Response.text("x"), "/next wrong-content-type"),
        (Response(), "/next empty-page"),
        (.page(#"{"typ":"nav_page","title":"T","widget":{"typ":"carousel"}}"#), "/next unknown-typ"),
        (.page(#"{"typ":"nav_page","title":7,"widget":{"typ":"empty"}}"#), "/next wrong-type"),
        (.text("gone", status: .notFound), "/ dead-link"),
        (.text("gone", status: .gone), "/ dead-link"),
        (.text("broken", status: .internalServerError), "/next server-error"),
        (Response(status: .notModified), "/next unexpected-status"),
        (.text(String(repeating: "é", count: 1001), status: .forbidden), "/next long-error"),
        (.text(String(repeating: "é", count: 1000), status: .forbidden), ""),
        (Response(status: .unprocessableContent, body: .bytes([0xFF])), "/next not-utf8"),
        (Response(status: .forbidden), "/next empty-error"),
        (Response(status: .seeOther, headers: [.location: "/next"]), "/next bad-redirect"),
        (
            Response(headers: [.contentType: "application/json"], body: .bytes(Array("[]".utf8))),
            "/next wrong-content-type"
        ),
    ])
    func `What is wrong with an answer`(answer: Response, expected: String) async throws {
        let backend = backend()
        backend.on("/next") { _ in answer }
        let report = try await backend.crawl()
        #expect(rules(report) == (expected.isEmpty ? [] : [expected]))
    }

    @Test func `A dead link is told where it stands, at every place`() async throws {
        let backend = Backend()
        backend.form("/", Backend.button("Go", #""push:/gone""#), Backend.button("Next", #""push:/next""#))
        backend.form("/next", Backend.button("Gone", #""replace_all:/gone""#))
        let report = try await backend.crawl()
        #expect(
            report.findings.map(\.path.description) == [
                "/ › scroll › form › form_button \"Go\" › push \"/gone\"",
                "/next › scroll › form › form_button \"Gone\" › replace_all \"/gone\"",
            ]
        )
        #expect(
            report.findings.first?.message
                == #"push leads to "/gone", which answers 404 Not Found, so clients show an error."#
        )
        #expect(report.findings.first?.path.pointer == "/page/widget/widget/widgets/0/actions/0")
    }

    @Test func `The text of a 404 is judged too`() async throws {
        let backend = backend()
        backend.on("/next") { _ in Response(status: .notFound, body: .bytes([0xFF])) }
        #expect(Set(rules(try await backend.crawl())) == ["/ dead-link", "/next not-utf8"])
        backend.status("/next", .notFound, String(repeating: "x", count: 1001))
        #expect(Set(rules(try await backend.crawl())) == ["/ dead-link", "/next long-error"])
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .methodNotAllowed, .notImplemented])
    func `A page with inputs that doesn't answer POST`(status: HTTPResponse.Status) async throws {
        let backend = Backend()
        backend.on("/") { request in
            guard request.method == .get else { return Response(status: status) }
            return .page(Backend.form([#"{"typ":"textfield","var_name":"a"}"#]))
        }
        let report = try await backend.crawl()
        #expect(rules(report) == ["/ inputs-without-post"])
    }

    @Test func `Two inputs for one variable`() async throws {
        let backend = Backend()
        backend.form("/", #"{"typ":"checkbox","var_name":"a"}"#, #"{"typ":"checkbox","var_name":"a"}"#)
        #expect(rules(try await backend.crawl()) == ["/ duplicate-var-name"])
        #expect(backend.log == ["GET /"])
    }

    @Test func `A mix of dialects`() async throws {
        let backend = backend(#""push:/next""#)
        backend.form("/next", Backend.button("Back", #"{"typ":"pop"}"#))
        #expect(rules(try await backend.crawl()) == ["/next action-of-other-dialect"])
        #expect(rules(try await backend.crawl { $0.dialect = .objects }) == ["/ action-of-other-dialect"])
    }

    @Test func `A rejected page doesn't hide what is behind it, nor a wrong type what is wrong inside`() async throws {
        let backend = Backend()
        backend.on("/") { _ in
            let page =
                #"{"page":{"typ":"nav_page","title":7,"widget":{"typ":"button","text":"B","actions":["push:/gone"]}}}"#
            return Response(headers: [.contentType: "application/json"], body: .bytes(Array(page.utf8)))
        }
        #expect(Set(rules(try await backend.crawl())) == ["/ wrong-content-type", "/ wrong-type", "/ dead-link"])
    }

    @Test(arguments: [
        (Response.text("done"), "/save wrong-content-type"),
        (.page(#"{"typ":"nav_page","title":"T","widget":{"typ":"empty"}}"#), "/save rpc-with-body"),
        (.text("none", status: .notFound), "/ dead-rpc"),
        (.text("Please", status: .unprocessableContent), ""),
        (.text("broken", status: .internalServerError), "/save server-error"),
    ])
    func `What is wrong with an rpc`(answer: Response, expected: String) async throws {
        let backend = Backend()
        backend.form("/", Backend.button("Save", #""rpc:/save""#))
        backend.on("/save") { _ in answer }
        let report = try await backend.crawl { $0.callsRPCs = true }
        #expect(rules(report) == (expected.isEmpty ? [] : [expected]))
        #expect(try await backend.crawl().isClean)
    }

    @Test func `Each cookie that clients lose is told once`() async throws {
        let backend = Backend()
        for (path, widgets) in [("/", [Backend.button("Go", Self.push)]), ("/next", [])] {
            backend.on(path) { _ in
                var response = Response.page(Backend.form(widgets))
                response.headers[.setCookie] = "session=1; Path=/"
                return response
            }
        }
        #expect(rules(try await backend.crawl()) == ["/ cookie-lost-at-restart"])
        #expect(backend.headers.map { $0[.cookie] } == [nil, "session=1"])
    }

    @Test func `A slow page`() async throws {
        let report = try await backend().crawl { $0.slow = .zero }
        #expect(rules(report) == ["/ slow-page", "/next slow-page"])
    }

    // MARK: Bounds

    @Test func `Pages without end are bounded, and what is left is told`() async throws {
        let backend = Backend()
        for number in 0..<20 {
            let actions = ["a", "b"].map { #""push:/\#(number)\#($0)""# } + [#""push:/p\#(number + 1)""#]
            backend.form(number == 0 ? "/" : "/p\(number)", Backend.button("Go", actions.joined(separator: ",")))
        }
        let report = try await backend.crawl { $0.maximumPages = 4 }
        #expect(backend.log.count == 4)
        #expect(report.bound == .pages)
        #expect(report.visited == 4)
        #expect(report.notVisited == ["/1a", "/1b", "/p2"].filter { !backend.log.contains("GET \($0)") })
        #expect(report.description.contains("Stopped after 4 pages"))
    }

    @Test func `The time is bounded`() async throws {
        let backend = backend()
        let report = try await backend.crawl { $0.maximumTime = .zero }
        #expect(backend.log == [])
        #expect(report.bound == .time)
        #expect(report.notVisited == ["/"])
    }

    @Test func `10,000 widgets are one finding`() async throws {
        let backend = Backend()
        backend.form("/", Array(repeating: #"{"typ":"text","text":"t"}"#, count: 10_000).joined(separator: ","))
        #expect(rules(try await backend.crawl()) == ["/ many-widgets"])
    }

    @Test func `10,000 mistakes are counted`() async throws {
        let backend = Backend()
        backend.form("/", Array(repeating: #"{"typ":"text"}"#, count: 10_000).joined(separator: ","))
        let report = try await backend.crawl()
        #expect(report.findings.count == 101)
        #expect(report.findings.last?.rule == "more-findings")
    }

    // MARK: Reports

    @Test func `The JSON has every finding`() async throws {
        let backend = backend(#""push:/gone","rpc:/save""#)
        let report = try await backend.crawl()
        let json = try JSONValue(parsing: report.json.bytes)
        #expect(json["url"] == "http://localhost/")
        #expect(json["dialect"] == "documented")
        #expect(json["unreachable"] == .null)
        #expect(json["pages"] == 2)
        #expect(json["requests"] == 2)
        #expect(json["errors"] == 1)
        #expect(json["warnings"] == 0)
        #expect(json["stopped_by"] == .null)
        #expect(json["rpcs_not_called"] == ["/save"])
        #expect(
            json["findings"] == [
                [
                    "page": "/",
                    "path": "/ › scroll › form › form_button \"Go\" › push \"/gone\"",
                    "pointer": "/page/widget/widget/widgets/0/actions/0",
                    "severity": "error",
                    "rule": "dead-link",
                    "message": "push leads to \"/gone\", which answers 404 Not Found, so clients show an error.",
                    "fix": "Correct the path, or add a page there.",
                ]
            ]
        )
    }

    @Test func `Control characters of a backend don't reach the terminal`() async throws {
        let backend = backend("\"push:/a\\u001b[2J\"")
        let report = try await backend.crawl()
        #expect(!"\(report)".unicodeScalars.contains { $0.value == 0x1B })
        #expect(report.findings.count == 1)
    }
}
