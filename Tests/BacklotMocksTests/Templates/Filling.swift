import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import Backlot
@testable import BacklotMocks

/// A template that a test fills in.
struct Filling {
    var dialect = TemplateDialect.own
    var isJSON = false
    var target = "/things/7?q=a%20b&n=1&n=2&n=3&e="
    var body = "{}"
    var seed: UInt64 = 1
    var limit = 100_000
    var parameters: JSONValue?
    var data: [String: JSONValue] = [:]

    var context: TemplateContext {
        get throws {
            let host = try #require(HTTPField.Name("Host"))
            let list = try #require(HTTPField.Name("X-List"))
            var headers: HTTPFields = [.cookie: "c=\"v\"", .userAgent: "tests\"1\"", host: "example.com:8080"]
            headers.append(HTTPField(name: list, value: "one"))
            headers.append(HTTPField(name: list, value: "two"))
            let request = try MockRequest(.post, target, headers: headers, body: Array(body.utf8))
            var context = TemplateContext(
                request: request,
                pathParameters: PathParameters(try PathPattern("/things/{id}", as: .mock), in: request.pathSegments),
                user: "bob",
                sources: TemplateSources(seed: seed)
            )
            context.parameters = parameters
            context.data = DataView(values: data)
            return context
        }
    }

    func text(_ template: String) throws -> String {
        try String(
            decoding: Template(template, dialect: dialect, isJSON: isJSON).bytes(context, limit: limit),
            as: UTF8.self
        )
    }

    func text(of document: JSONValue) throws -> String {
        try String(decoding: Template(document: document, dialect: dialect).bytes(context, limit: limit), as: UTF8.self)
    }
}
