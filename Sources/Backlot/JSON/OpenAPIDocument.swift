/// An OpenAPI 3.1 description of a router's typed routes: those with handlers that return values
/// (https://spec.openapis.org/oas/v3.1.0).
public struct OpenAPIDocument: Sendable {
    /// The document.
    public let json: JSONValue
    /// The gaps in the document, each with the type or route and advice; for example types with unknown keys. Empty for a complete
    /// description.
    public let gaps: [String]

    /// The document as a response: `router.get("/openapi.json") { _ in document.response }`.
    public var response: Response { Response(json: json) }
}

extension Router {
    /// Describes the typed routes that the router has now. It reads schemas from `Codable` types with example values;
    /// ``OpenAPIDescribed`` types provide their own. Other routes, such as pages, are left out.
    ///
    /// ```swift
    /// let document = router.openAPI(title: "Garden", version: "1")
    /// router.get("/openapi.json") { _ in document.response }
    /// ```
    /// - Parameters:
    ///   - title: the name of the API.
    ///   - version: the version of the API.
    public func openAPI(title: String, version: String) -> OpenAPIDocument {
        let schemas = SchemaWriter()
        var paths = JSONObject()
        var securitySchemes = JSONObject()
        for route in routes {
            guard var operation = route.operation, let pattern = try? PathPattern(route.path) else { continue }
            for middleware in middlewares { operation.pass(middleware) }
            let path = pattern.segments.map { segment in
                switch segment {
                case .literal(let text): "/\(PercentEncoding.encode(text, keeping: "-._~"))"
                case .parameter(let name): "/{\(name)}"
                case .rest(let name):
                    schemas.note(
                        "\(route.path): OpenAPI has no parameter for the rest of a path; {\(name)} stands for one segment",
                        "/{\(name)}"
                    )
                }
            }.joined()
            var item = paths[path.isEmpty ? "/" : path]?.object ?? JSONObject()
            let id = ([route.method.rawValue.lowercased()] + pattern.segments.map(\.word)).joined(separator: "-")
            item[route.method.rawValue.lowercased()] = operation.json(id, pattern.segments.compactMap(\.name), schemas)
            paths[path.isEmpty ? "/" : path] = .object(item)
            if let scheme = operation.security {
                securitySchemes[scheme] = ["type": "http", "scheme": .string(scheme)]
            }
        }
        var components = JSONObject()
        if schemas.components.count > 0 { components["schemas"] = .object(schemas.components) }
        if securitySchemes.count > 0 { components["securitySchemes"] = .object(securitySchemes) }
        var document: JSONObject = [
            "openapi": "3.1.0", "info": ["title": .string(title), "version": .string(version)], "paths": .object(paths),
        ]
        if components.count > 0 { document["components"] = .object(components) }
        return OpenAPIDocument(json: .object(document), gaps: schemas.gaps)
    }
}

extension PathPattern.Segment {
    /// The segment's part in the id of an operation.
    fileprivate var word: String { name ?? { if case .literal(let text) = self { text } else { "" } }() }
}

/// The OpenAPI description of a typed route.
struct RouteOperation: Sendable {
    private let summary: String?
    private let status: HTTPResponse.Status
    private let isOptional: Bool
    private let isText: Bool
    private let output: @Sendable (SchemaWriter) -> JSONValue
    /// Writes the schema of a JSON body.
    var body: (@Sendable (SchemaWriter) -> JSONValue)?
    /// Finds the parameters of the query.
    var query: (@Sendable (SchemaWriter) -> [SchemaWriter.Property])?
    private var hasJSONErrors = false
    /// The scheme of HTTP authentication that clients use.
    private(set) var security: String?

    init<Value: Encodable & Sendable>(_ type: Value.Type, _ summary: String?, _ status: HTTPResponse.Status) {
        self.summary = summary
        self.status = status
        isOptional = type is any OptionalType.Type
        isText = type == String.self
        output = { $0.schema(of: Value.self) }
    }

    /// Notes the effect on clients of a middleware before the route.
    mutating func pass(_ middleware: any Middleware) {
        switch middleware {
        case is JSONErrors: hasJSONErrors = true
        case is BearerAuthentication: security = "bearer"
        case is BasicAuthentication: security = "basic"
        default: break
        }
    }

    func json(_ id: String, _ names: [String], _ schemas: SchemaWriter) -> JSONValue {
        var operation: JSONObject = ["operationId": .string(id)]
        operation["summary"] = summary.map { .string($0) }
        let path: [JSONValue] = names.map { name in
            ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string"]]
        }
        let query: [JSONValue] = (self.query?(schemas) ?? []).map { property in
            [
                "name": .string(property.name), "in": "query", "required": .bool(property.isRequired),
                "schema": property.schema,
            ]
        }
        if !(path + query).isEmpty { operation["parameters"] = .array(path + query) }
        if let body {
            operation["requestBody"] = ["required": true, "content": ["application/json": ["schema": body(schemas)]]]
        }
        let content: JSONValue = [isText ? "text/plain" : "application/json": ["schema": output(schemas)]]
        let description = HTTPResponse.Status.standard(status.code).reasonPhrase
        var responses: JSONObject = [
            "\(status.code)": ["description": .string(description), "content": content]
        ]
        if isOptional { responses["404"] = ["description": "Not Found"] }
        if hasJSONErrors {
            responses["default"] = [
                "description": "An error (RFC 9457)",
                "content": ["application/problem+json": ["schema": schemas.problemDetails]],
            ]
            if isOptional { responses["404"] = responses["default"] }
        }
        operation["responses"] = .object(responses)
        if let security { operation["security"] = [[security: []]] }
        return .object(operation)
    }
}
