import Applin
import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import TestSupport
import Testing

/// Findings of a crawl about pages, rpcs and cookies.
@Suite(.timeLimit(.minutes(5))) struct CrawlFindingTests {
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
    func `What is wrong with a response`(response: Response, expected: String) async throws {
        let backend = Backend.leading()
        backend.on("/next") { _ in response }
        let report = try await backend.crawl()
        #expect(report.pageRules == (expected.isEmpty ? [] : [expected]))
    }

    @Test func `An expected finding isn't reported`() async throws {
        let backend = Backend.leading()
        backend.on("/next") { _ in .text("gone", status: .notFound) }
        let all = try await backend.crawl { $0.expected = try? ExpectedFindings(["dead-link:/next"]) }
        #expect(all.pageRules == ["/ dead-link"])
        let clean = try await backend.crawl { $0.expected = try? ExpectedFindings(["dead-link:/"]) }
        #expect(clean.isClean && clean.json["errors"]?.number?.int64 == 0)
    }

    @Test func `A dead link is told where it stands, at every place`() async throws {
        let backend = Backend("/", Backend.button("Go", #""push:/gone""#), Backend.button("Next", #""push:/next""#))
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

    @Test func `A page whose POST responds with 422 is shown as an error`() async throws {
        let backend = Backend()
        let page = Backend.form([#"{"typ":"textfield","var_name":"a"}"#])
        backend.on("/") { request in
            request.method == .get ? .page(page) : .text("Too short.", status: .unprocessableContent)
        }
        #expect(try await backend.crawl().pageRules == ["/ page-refused"])
    }

    @Test func `A variable has one type on all pages`() async throws {
        let backend = Backend.leading()
        backend.form("/", #"{"typ":"textfield","var_name":"a"}"#, Backend.button("Go", Backend.push))
        backend.form("/next", #"{"typ":"checkbox","var_name":"a"}"#)
        let report = try await backend.crawl()
        #expect(report.pageRules == ["/next variable-of-two-types"])
        #expect(
            report.findings.first?.message
                == #"The variable "a" is a boolean here and a text on /: once one page has set it, clients send nothing "#
                + "for the other."
        )
        backend.form("/next", #"{"typ":"selector","var_name":"a","options":["1"],"initial_string":"1"}"#)
        #expect(try await backend.crawl().isClean)
    }

    @Test func `Pictures of the same server are asked for, once each`() async throws {
        let backend = Backend()
        func image(_ url: String) -> String {
            #"{"typ":"image","url":"\#(url)","aspect_ratio":1,"disposition":"fit"}"#
        }
        backend.form(
            "/travel/",
            image("/a.png"),
            image("/gone.png"),
            image("/gone.png"),
            image("b.png"),
            image("/page"),
            image("http://example.com/c.png"),
            image("data:,x"),
            #"{"typ":"nav_button","text":"A","photo_url":"/gone2.png","actions":[]}"#
        )
        for path in ["/a.png", "/travel/b.png"] {
            backend.on(path) { _ in Response(headers: [.contentType: "image/png"], body: .bytes([1])) }
        }
        backend.on("/page") { _ in .text("No picture.") }
        let report = try await backend.crawl(at: "/travel/")
        #expect(
            report.findings.map { "\($0.rule) \($0.message)" } == [
                #"dead-image The picture is at "/gone.png", which answers 404 Not Found, so clients show a placeholder."#,
                #"dead-image The picture is at "/page", which is text/plain and no picture, so clients show a "#
                    + "placeholder.",
                #"dead-image The picture is at "/gone2.png", which answers 404 Not Found, so clients show a placeholder."#,
            ]
        )
        #expect(backend.log.count == 6)
    }

    @Test(arguments: [
        (HTTPResponse.Status.notFound, "Correct the URL: nothing is there."),
        (.gone, "Correct the URL: nothing is there."),
        (.unauthorized, "Correct the link to it; for problems that the user can solve, respond with 422 and a text."),
    ])
    func `For a start page that isn't there, the URL is wrong`(status: HTTPResponse.Status, fix: String) async throws {
        let backend = Backend()
        backend.status("/", status, "no")
        let report = try await backend.crawl()
        #expect(report.findings.map(\.fix) == [fix])
        #expect(report.readers == nil)
    }

    @Test func `A mock server's broken file is a warning with its line`() async throws {
        let backend = Backend.leading()
        let field = try #require(HTTPField.Name("X-Backlot-Broken-File"))
        backend.on("/next") { _ in
            var response = Response.page(Backend.form([]))
            response.headers[field] = "next.page.yaml:3:5"
            return response
        }
        let report = try await backend.crawl()
        #expect(report.pageRules == ["/next broken-mock-file"], "\(report)")
        let finding = try #require(report.findings.first)
        #expect(finding.severity == .warning)
        #expect(
            finding.message
                == "The mock file next.page.yaml:3:5 is broken, so the server sends its last valid version."
        )
        #expect(finding.fix == "Correct the file at this line and column; the server's log names the mistake.")
        backend.on("/next") { _ in Response(status: .notFound, headers: [field: "[id].page.yaml:1:1"]) }
        let missing = try await backend.crawl()
        #expect(Set(missing.pageRules) == ["/ dead-link", "/next broken-mock-file"])
        #expect(missing.findings.map(\.message).contains("The mock file [id].page.yaml:1:1 is broken."))
    }

    @Test func `The text of a 404 is judged too`() async throws {
        let backend = Backend.leading()
        backend.on("/next") { _ in Response(status: .notFound, body: .bytes([0xFF])) }
        #expect(try await Set(backend.crawl().pageRules) == ["/ dead-link", "/next not-utf8"])
        backend.status("/next", .notFound, String(repeating: "x", count: 1001))
        #expect(try await Set(backend.crawl().pageRules) == ["/ dead-link", "/next long-error"])
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .methodNotAllowed, .notImplemented])
    func `A page with inputs that doesn't accept POST is a finding`(status: HTTPResponse.Status) async throws {
        let backend = Backend()
        backend.on("/") { request in
            guard request.method == .get else { return Response(status: status) }
            return .page(Backend.form([#"{"typ":"textfield","var_name":"a"}"#]))
        }
        let report = try await backend.crawl()
        #expect(report.pageRules == ["/ inputs-without-post"])
    }

    @Test func `Two inputs for one variable are a finding`() async throws {
        let backend = Backend("/", #"{"typ":"checkbox","var_name":"a"}"#, #"{"typ":"checkbox","var_name":"a"}"#)
        #expect(try await backend.crawl().pageRules == ["/ duplicate-var-name"])
        #expect(backend.log == ["GET /"])
    }

    @Test func `A mix of dialects is a finding`() async throws {
        let backend = Backend.leading(by: #""push:/next""#)
        backend.form("/next", Backend.button("Back", #"{"typ":"pop"}"#))
        #expect(try await backend.crawl().pageRules == ["/next action-of-other-dialect"])
        #expect(try await backend.crawl { $0.dialect = "objects" }.pageRules == ["/ action-of-other-dialect"])
    }

    @Test func `A rejected page doesn't hide what is behind it, nor a wrong type what is wrong inside`() async throws {
        let backend = Backend()
        backend.on("/") { _ in
            let page =
                #"{"page":{"typ":"nav_page","title":7,"widget":{"typ":"button","text":"B","actions":["push:/gone"]}}}"#
            return Response(headers: [.contentType: "application/json"], body: .bytes(Array(page.utf8)))
        }
        #expect(try await Set(backend.crawl().pageRules) == ["/ wrong-content-type", "/ wrong-type", "/ dead-link"])
    }

    @Test(arguments: [
        (Response.text("done"), "/save wrong-content-type"),
        (.page(#"{"typ":"nav_page","title":"T","widget":{"typ":"empty"}}"#), "/save rpc-with-body"),
        (.text("none", status: .notFound), "/ dead-rpc"),
        (.text("Please", status: .unprocessableContent), ""),
        (.text("broken", status: .internalServerError), "/save server-error"),
    ])
    func `What is wrong with an rpc`(response: Response, expected: String) async throws {
        let backend = Backend("/", Backend.button("Save", #""rpc:/save""#))
        backend.on("/save") { _ in response }
        let report = try await backend.crawl { $0.callsRPCs = true }
        #expect(report.pageRules == (expected.isEmpty ? [] : [expected]))
        #expect(try await backend.crawl().isClean)
    }

    @Test func `Each cookie that clients lose is told once`() async throws {
        let backend = Backend()
        for (path, widgets) in [("/", [Backend.button("Go", Backend.push)]), ("/next", [])] {
            backend.on(path) { _ in
                var response = Response.page(Backend.form(widgets))
                response.headers[.setCookie] = "session=1; Path=/"
                return response
            }
        }
        #expect(try await backend.crawl().pageRules == ["/ cookie-lost-at-restart"])
        #expect(backend.headers.map { $0[.cookie] } == [nil, "session=1"])
    }

    @Test func `A slow page is a finding`() async throws {
        let report = try await Backend.leading().crawl { $0.slow = .zero }
        #expect(report.pageRules == ["/ slow-page", "/next slow-page"])
    }
}
