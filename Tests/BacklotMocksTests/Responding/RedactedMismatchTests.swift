import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// A 404 names what the nearest stubs expect; secrets of it are for those who may look at the stubs. Over sockets.
@Suite(.timeLimit(.minutes(5))) struct RedactedMismatchTests {
    private static let secret = "geheim-f00dBabe77"

    @Test(arguments: [
        #""headers": {"Authorization": {"equalTo": "Bearer SECRET"}}"#,
        #""headers": {"X-Api-Key": {"contains": "SECRET"}}"#,
        #""headers": {"Ocp-Apim-Subscription-Key": {"equalTo": "SECRET"}}"#,
        #""headers": {"Cookie": {"matches": "a=SECRET"}}"#,
        #""cookies": {"a": {"equalTo": "SECRET"}}"#, #""queryParameters": {"token": {"equalTo": "SECRET"}}"#,
        #""formParameters": {"password": {"equalTo": "SECRET"}}"#,
        #""bodyPatterns": [{"equalToJson": {"user": "ann", "password": "SECRET"}}]"#,
        #""bodyPatterns": [{"matchesJsonPath": {"expression": "$.password", "equalTo": "SECRET"}}]"#,
        #""bodyPatterns": [{"matchesJsonPath": "$[?(@.password == 'SECRET')]"}]"#,
        #""bodyPatterns": [{"equalTo": "user=ann&password=SECRET"}]"#,
        #""bodyPatterns": [{"contains": "see ghp_abcdefghijSECRET"}]"#,
        #""bodyPatterns": [{"matchesXPath": {"expression": "//password/text()", "equalTo": "SECRET"}}]"#,
    ])
    func `Expected secrets are shown to whom administration is open`(condition: String) async throws {
        let log = LogRecorder()
        let app = AdminApp(logger: log.logger)
        let condition = condition.replacing("SECRET", with: Self.secret)
        let text = #"{"request": {"method": "POST", "urlPath": "/x", \#(condition)}, "response": {}}"#
        try await app.add(JSONValue(parsing: text))
        try await withServer(app.handler) { address in
            for version in HTTPVersions.each {
                func ask(_ fields: HTTPFields = [:], host: String = "localhost") async throws -> String {
                    let body = Array("<a/>".utf8)
                    let response = try await address.exchange(version, .post, "/x", fields, host: host, body: body)
                    #expect(response.status == .notFound && response.text.contains("\n  POST /x"))
                    return response.text
                }
                #expect(try await ask().contains(Self.secret))
                let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
                for redacted in [try await ask(host: "192.168.1.7"), try await ask([site: "same-origin"])] {
                    #expect(
                        !redacted.contains(Self.secret) && redacted.contains("(redacted) is expected"),
                        "\(redacted)"
                    )
                }
            }
        }
        let logged = log.lines.joined(separator: "\n")
        #expect(logged.contains("(redacted) is expected") && !logged.contains(Self.secret), "\(logged)")
    }

    @Test func `A secret in a query is hidden, and a condition without one is shown`() async throws {
        let app = AdminApp(access: LocalAccess(host: "0.0.0.0", token: "t"))
        let request: JSONValue = [
            "url": .string("/x?api_key=\(Self.secret)"), "headers": ["Accept": ["equalTo": "text/csv"]],
        ]
        app.backend.stubs.add(try app.backend.stub(json: ["request": request, "response": [:]]))
        try await withServer(app.handler) { address in
            let text = try await address.exchange(.http1, "/x?api_key=1").text
            #expect(!text.contains(Self.secret) && text.contains("\n  ANY /x ("), "\(text)")
            #expect(text.contains(#"header Accept: "text/csv" is expected, but there is none"#), "\(text)")
            let shown = try await address.exchange(.http1, "/x?api_key=1", [.authorization: "Bearer t"]).text
            #expect(shown.contains("ANY /x?api_key=\(Self.secret) ("), "\(shown)")
        }
    }
}
