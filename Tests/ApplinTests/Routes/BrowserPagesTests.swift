import Applin
import Backlot
import Testing

/// HTML and an Applin page at one path.
@Suite(.timeLimit(.minutes(5))) struct BrowserPagesTests {
    @Test(
        arguments: [
            (nil, false), ("application/vnd.applin_response", false), ("*/*", false), ("text/html", true),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true), ("text/html;q=0, */*", false),
            ("text/html;q=0", false), ("application/vnd.applin_response;q=0, */*", true),
            ("text/html;q=0.5, application/vnd.applin_response", false), ("Text/HTML ; Q=0.5", true), ("text/*", true),
            ("text/html;q=x", false), (",;", false),
        ] as [(String?, Bool)]
    )
    func `The request's Accept chooses between them`(accept: String?, isHTML: Bool) async throws {
        let router = Router()
        router.applin("/travel/") { app in
            app.group(BrowserPages { "<!doctype html><p>Get the app for \($0.path)" }) { app in
                app.page("/") { _ in navPage("Travel") { empty() } }
            }
        }
        let handler = router.handler()
        let headers: HTTPFields = accept.map { [.accept: $0] } ?? [:]
        let response = try await handler(Request(.get, "/travel/", headers: headers))
        #expect(
            response.headers[.contentType] == (isHTML ? "text/html; charset=utf-8" : "application/vnd.applin_response")
        )
        #expect(response.bodyText.hasPrefix(isHTML ? "<!doctype html><p>Get the app for /travel/" : #"{"page":"#))
        #expect(response.headers[.vary] == "Accept, Cookie")
        let refresh = try await handler(Request(.post, "/travel/", headers: headers, body: Array("{}".utf8)))
        #expect(refresh.headers[.contentType] == "application/vnd.applin_response")
    }
}
