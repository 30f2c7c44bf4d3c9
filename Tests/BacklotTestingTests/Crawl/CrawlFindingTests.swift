import Applin
import Backlot
import BacklotChecks
import BacklotJSON
import BacklotTesting
import TestSupport
import Testing

/// What a crawl finds wrong with pages, rpcs and cookies.
struct CrawlFindingTests {
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
        let backend = Backend.leading()
        backend.on("/next") { _ in answer }
        let report = try await backend.crawl()
        #expect(report.pageRules == (expected.isEmpty ? [] : [expected]))
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
        let backend = Backend.leading()
        backend.on("/next") { _ in Response(status: .notFound, body: .bytes([0xFF])) }
        #expect(try await Set(backend.crawl().pageRules) == ["/ dead-link", "/next not-utf8"])
        backend.status("/next", .notFound, String(repeating: "x", count: 1001))
        #expect(try await Set(backend.crawl().pageRules) == ["/ dead-link", "/next long-error"])
    }

    @Test(arguments: [HTTPResponse.Status.notFound, .methodNotAllowed, .notImplemented])
    func `A page with inputs that doesn't answer POST`(status: HTTPResponse.Status) async throws {
        let backend = Backend()
        backend.on("/") { request in
            guard request.method == .get else { return Response(status: status) }
            return .page(Backend.form([#"{"typ":"textfield","var_name":"a"}"#]))
        }
        let report = try await backend.crawl()
        #expect(report.pageRules == ["/ inputs-without-post"])
    }

    @Test func `Two inputs for one variable`() async throws {
        let backend = Backend()
        backend.form("/", #"{"typ":"checkbox","var_name":"a"}"#, #"{"typ":"checkbox","var_name":"a"}"#)
        #expect(try await backend.crawl().pageRules == ["/ duplicate-var-name"])
        #expect(backend.log == ["GET /"])
    }

    @Test func `A mix of dialects`() async throws {
        let backend = Backend.leading(by: #""push:/next""#)
        backend.form("/next", Backend.button("Back", #"{"typ":"pop"}"#))
        #expect(try await backend.crawl().pageRules == ["/next action-of-other-dialect"])
        #expect(try await backend.crawl { $0.dialect = .objects }.pageRules == ["/ action-of-other-dialect"])
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
    func `What is wrong with an rpc`(answer: Response, expected: String) async throws {
        let backend = Backend()
        backend.form("/", Backend.button("Save", #""rpc:/save""#))
        backend.on("/save") { _ in answer }
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

    @Test func `A slow page`() async throws {
        let report = try await Backend.leading().crawl { $0.slow = .zero }
        #expect(report.pageRules == ["/ slow-page", "/next slow-page"])
    }
}
