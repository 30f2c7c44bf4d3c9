import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct CrossSiteDefenceTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let rows: [(HTTPRequest.Method, String?, String?, String?, Int)] = [
        // Method, Sec-Fetch-Site, Origin, Content-Type, status.
        (.post, nil, nil, form, 200),
        (.post, "same-origin", "https://evil.example", form, 200),
        (.post, "none", nil, form, 200),
        (.post, "cross-site", nil, form, 403),
        (.post, "same-site", nil, form, 403),
        (.post, "Same-Origin", nil, form, 403),
        (.post, "", nil, form, 403),
        (.post, "cross-site", "https://app.example.com", form, 200),
        (.post, nil, "https://app.example.com", form, 200),
        (.post, nil, "HTTPS://APP.example.com", form, 200),
        (.post, nil, "https://app.example.com.evil.example", form, 403),
        (.post, nil, "http://HOST", form, 200),
        (.post, nil, "https://HOST", form, 403),
        (.post, nil, "http://evil.example", form, 403),
        (.post, nil, "null", form, 403),
        (.post, nil, "", form, 403),
        (.post, "cross-site", "https://evil.example", "text/plain", 403),
        (.post, "cross-site", "https://evil.example", nil, 403),
        (.post, "cross-site", "https://evil.example", "application/json", 200),
        (.post, "cross-site", "https://evil.example", "Application/JSON ; charset=utf-8", 200),
        (.post, "cross-site", "https://evil.example", "text/plain; application/json", 403),
        (.post, "cross-site", "https://evil.example", "application/jsonp", 403),
        (.delete, "cross-site", nil, nil, 403),
        (.get, "cross-site", "https://evil.example", nil, 200),
        (.head, "cross-site", "https://evil.example", nil, 200),
        (.options, "cross-site", "https://evil.example", nil, 200),
    ]

    @Test(arguments: HTTPVersions.each)
    func `What another site's page sends is refused`(version: HTTPVersions) async throws {
        let router = Router()
        router.use(CrossSiteDefence(allowing: ["https://app.example.com"]))
        for method in [HTTPRequest.Method.get, .post, .delete, .options] {
            router.on(method)("/") { _ in .text("done") }
        }
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        try await withServer(router.handler()) { address in
            for (method, fetchSite, origin, type, status) in Self.rows {
                var fields = HTTPFields()
                fields[site] = fetchSite
                fields[.origin] = origin?.replacing("HOST", with: "localhost:\(address.port)")
                fields[.contentType] = type
                let response = try await address.exchange(version, method, "/", fields)
                #expect(response.status.code == status, "\(method) \(fields)")
            }
        }
    }
}
