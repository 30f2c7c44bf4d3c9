import Backlot
public import BacklotJSON
import HTTPTypes

extension RequestPattern {
    /// The keys about a request's URL.
    static let urlKeys = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]
    /// The keys of all other conditions but the method.
    static let matcherKeys = [
        "headers", "cookies", "queryParameters", "pathParameters", "variables", "json", "bodyPatterns",
    ]

    /// Reads a pattern in WireMock's form, such as `{"method": "GET", "urlPath": "/things"}`. Unknown keys are
    /// ignored.
    ///
    /// - Throws: `StubProblem`, with the way to what is wrong.
    public init(json: JSONValue) throws(StubProblem) {
        var reading = StubReading(.passedOver)
        try self.init(Field(json), &reading)
    }

    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        try reading.check(field, knows: ["method"] + Self.urlKeys + Self.matcherKeys)
        if let method = field["method"] { methods = try Self.methods(method) }
        url = try Self.url(field, &reading)
        try readMatchers(field, &reading)
    }

    private static func methods(_ field: Field) throws(StubProblem) -> [HTTPRequest.Method] {
        let text = try field.string().uppercased()
        if text == "ANY" { return [] }
        guard let method = HTTPRequest.Method(text) else {
            throw field.problem("'\(text)' is no method; write one such as GET, or ANY")
        }
        return [method]
    }

    private static func url(_ field: Field, _ reading: inout StubReading) throws(StubProblem) -> URLPattern {
        let found = urlKeys.compactMap { field[$0] }
        guard let first = found.first, let key = first.path.last else { return .any }
        if found.count > 1 {
            throw found[1].problem("there is a URL already; keep one of \(urlKeys.alternatives)")
        }
        let text = try first.string()
        switch key {
        case .key("url"): return .url(text)
        case .key("urlPattern"): return .urlMatching(try TextPattern(first, &reading))
        case .key("urlPath"): return .path(text)
        case .key("urlPathPattern"): return .pathMatching(try TextPattern(first, &reading))
        default:
            guard let template = try? PathPattern(text, as: .mock) else {
                throw first.problem("'\(text)' is no path with parameters; write one such as /users/{id}")
            }
            return .template(template)
        }
    }

    /// Reads all but method and URL.
    mutating func readMatchers(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        let parts: [(String, Part)] = [
            ("headers", .header), ("cookies", .cookie), ("queryParameters", .query), ("pathParameters", .pathParameter),
        ]
        for (key, part) in parts {
            for (name, member) in try field[key]?.members() ?? [] {
                if part == .header, HTTPField.Name(name) == nil {
                    throw StubProblem(
                        "'\(name)' can't be the name of a header field",
                        at: member.path,
                        isAboutKey: true
                    )
                }
                conditions.append(.values(part, name, try MultiValuePattern(member, &reading)))
            }
        }
        for (name, member) in try field["variables"]?.members() ?? [] {
            conditions.append(.variable(name, try Self.variable(member, &reading)))
        }
        if let json = field["json"] {
            conditions.append(.body(.equalToJson(json.value, JSONComparison(ignoresExtraElements: true))))
        }
        for element in try field["bodyPatterns"]?.elements() ?? [] {
            conditions.append(.body(try ContentPattern(element, &reading)))
        }
    }

    /// A variable's matcher: operators, or the value itself.
    private static func variable(_ field: Field, _ reading: inout StubReading) throws(StubProblem) -> ContentPattern {
        if case .object = field.value { return try ContentPattern(field, &reading) }
        return .value(field.value)
    }
}
