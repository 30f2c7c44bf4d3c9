import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks

/// A pattern, a request, and whether they match.
struct PatternCase: Sendable, CustomTestStringConvertible {
    let pattern: String
    /// Method and target.
    let line: String
    let headers: [(String, String)]
    let body: String
    let matches: Bool

    var testDescription: String { "\(pattern) \(matches ? "takes" : "refuses") \(line) \(headers) \(body)" }

    init(
        _ pattern: String,
        _ line: String = "GET /",
        _ headers: [(String, String)] = [],
        body: String = "",
        matches: Bool
    ) {
        (self.pattern, self.line, self.headers, self.body, self.matches) = (pattern, line, headers, body, matches)
    }

    static func takes(
        _ pattern: String,
        _ line: String = "GET /",
        _ headers: [(String, String)] = [],
        body: String = ""
    ) -> PatternCase {
        PatternCase(pattern, line, headers, body: body, matches: true)
    }

    static func refuses(
        _ pattern: String,
        _ line: String = "GET /",
        _ headers: [(String, String)] = [],
        body: String = ""
    ) -> PatternCase {
        PatternCase(pattern, line, headers, body: body, matches: false)
    }

    func request() throws -> MockRequest {
        var fields = HTTPFields()
        for (name, value) in headers {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let parts = line.split(separator: " ", maxSplits: 1)
        let method = try #require(HTTPRequest.Method(String(parts[0])))
        return try MockRequest(method, String(parts[1]), headers: fields, body: Array(body.utf8))
    }
}
