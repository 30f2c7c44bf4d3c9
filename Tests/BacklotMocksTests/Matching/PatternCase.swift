import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks

/// A pattern, a request, and whether they match.
struct PatternCase: Sendable, CustomTestStringConvertible {
    let pattern: String
    var method = "GET"
    var target = "/"
    var headers: [(String, String)] = []
    var body = ""
    let matches: Bool

    var testDescription: String { "\(pattern) \(matches ? "takes" : "refuses") \(method) \(target) \(headers) \(body)" }

    func request() throws -> MockRequest {
        var fields = HTTPFields()
        for (name, value) in headers {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return try MockRequest(
            try #require(HTTPRequest.Method(method)),
            target,
            headers: fields,
            body: Array(body.utf8)
        )
    }
}

extension PatternCase {
    static func takes(
        _ pattern: String,
        _ method: String = "GET",
        _ target: String = "/",
        _ headers: [(String, String)] = [],
        body: String = ""
    ) -> PatternCase {
        PatternCase(pattern: pattern, method: method, target: target, headers: headers, body: body, matches: true)
    }

    static func refuses(
        _ pattern: String,
        _ method: String = "GET",
        _ target: String = "/",
        _ headers: [(String, String)] = [],
        body: String = ""
    ) -> PatternCase {
        PatternCase(pattern: pattern, method: method, target: target, headers: headers, body: body, matches: false)
    }
}
