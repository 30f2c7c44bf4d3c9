import Backlot
import Testing

@testable import BacklotChecks
@testable import BacklotClients

@Suite(.timeLimit(.minutes(5))) struct CookieRuleTests {
    private func rules(_ field: String, from url: String, base: String) throws -> [String] {
        try CookieRule(base: HTTPURL(base))
            .findings(field, from: HTTPURL(url), page: "/log_in", now: 1_700_000_000).map(\.rule)
    }

    @Test(arguments: [
        ("session=1; Path=/travel/; Max-Age=60", []),
        ("session=1; Path=/; Max-Age=60; HttpOnly; SameSite=Lax", []),
        ("session=1; Path=/travel; Expires=Sun, 06 Nov 2033 08:49:37 GMT", []),
        ("session=1; Path=/travel/; Domain=example.com; Max-Age=60", []),
        ("session=; Path=/travel/; Max-Age=0", []),
        ("session=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure", []),
        ("session=1; Path=/travel/", ["cookie-lost-at-restart"]),
        ("session=1; Path=/travel/; Max-Age=never", ["cookie-lost-at-restart"]),
        ("session=1; Path=/travel/; Expires=Sunday, 06-Nov-33 08:49:37 GMT", ["cookie-date"]),
        ("session=1; Path=/travel/; Expires=tomorrow", ["cookie-date"]),
        ("session=1; Path=/travel/; Expires=tomorrow; Max-Age=60", []),
        ("session=1; Path=/travel/; Max-Age=60; Secure", ["cookie-secure-over-http"]),
        ("session=1; Path=/travel/rpc; Max-Age=60", ["cookie-path"]),
        ("session=1; Max-Age=60", ["cookie-path"]),
        ("session=1; Path=/travel/; Domain=example.org; Max-Age=60", ["cookie-domain"]),
        ("session=1; Path=/other; Secure", ["cookie-secure-over-http", "cookie-path", "cookie-lost-at-restart"]),
        ("session; Path=/", ["cookie-malformed"]),
        ("session=" + String(repeating: "x", count: 4090), ["cookie-too-long"]),
    ])
    func `Cookies that clients don't keep or send back`(field: String, expected: [String]) throws {
        #expect(
            try rules(field, from: "http://example.com/travel/rpc/log_in", base: "http://example.com/travel/")
                == expected
        )
    }

    @Test func `Over https Secure is right`() throws {
        let url = "https://example.com/"
        #expect(try rules("session=1; Path=/; Max-Age=60; Secure", from: url, base: url) == [])
    }

    @Test(arguments: [
        ("https://cdn.example.org/img/a.jpg", "x=1; Path=/img; Secure", []),
        ("https://cdn.example.org/img/a.jpg", "x=1; Path=/img; Domain=example.org", []),
        ("http://www.example.com/", "x=1; Path=/other; Max-Age=60", []),
        ("http://www.example.com/", "x=1; Path=/other; Domain=example.com; Max-Age=60", ["cookie-path"]),
    ])
    func `Cookies of other servers aren't the app's`(url: String, field: String, expected: [String]) throws {
        #expect(try rules(field, from: url, base: "http://example.com/travel/") == expected)
    }
}
