import Backlot
public import BacklotJSON
import HTTPTypes

extension RequestPattern {
    /// The keys about a request's URL.
    static let urlKeys = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]
    private static let parts: [(key: String, part: Part)] = [
        ("headers", .header), ("cookies", .cookie), ("queryParameters", .query), ("pathParameters", .pathParameter),
        ("formParameters", .form),
    ]

    /// Reads a pattern in WireMock's form, such as `{"method": "GET", "urlPath": "/things"}`.
    ///
    /// - Throws: `StubProblem`, with the way to what is wrong; for an unknown key too.
    public init(json: JSONValue) throws(StubProblem) {
        var reading = MockReader(isForeign: true)
        try self.init(LocatedValue(json), &reading)
    }

    init(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        try reading.check(field, as: .request)
        if let method = field["method"] { try readMethod(method, &reading) }
        url = try Self.url(field)
        try readMatchers(field, &reading)
    }

    private mutating func readMethod(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        guard case .object = field.value else {
            let text = try field.string().uppercased()
            methods = text == "ANY" ? [] : text == "GET_OR_HEAD" ? [.get, .head] : [try Self.method(field)]
            return
        }
        try reading.refuse(field, but: ["oneOf", "noneOf"])
        var listed: [HTTPRequest.Method] = []
        guard let list = field["oneOf"] ?? field["noneOf"] else {
            throw field.problem("write a method such as GET, ANY, or {\"oneOf\": [\"GET\", \"PUT\"]}")
        }
        for element in try list.elements() { listed.append(try Self.method(element)) }
        guard !listed.isEmpty else { throw list.problem("the list is empty; write at least one method") }
        if field["oneOf"] != nil { methods = listed } else { conditions.append(.otherMethod(listed)) }
    }

    private static func method(_ field: LocatedValue) throws(StubProblem) -> HTTPRequest.Method {
        let text = try field.string().uppercased()
        guard let method = HTTPRequest.Method(text) else {
            throw field.problem("'\(text)' is no method; write one such as GET, or ANY")
        }
        return method
    }

    private static func url(_ field: LocatedValue) throws(StubProblem) -> URLPattern {
        let found = urlKeys.compactMap { field[$0] }
        guard let first = found.first else { return .any }
        let text = try first.string()
        switch first.path.last {
        case .key("url"): return .url(text)
        case .key("urlPattern"): return .urlMatching(try first.pattern())
        case .key("urlPath"): return .path(text)
        case .key("urlPathPattern"): return .pathMatching(try first.pattern())
        default:
            guard let template = try? PathPattern(text, as: .mock) else {
                throw first.problem("'\(text)' is no path with parameters; write one such as /users/{id}")
            }
            return .template(template)
        }
    }

    /// Reads all but method and URL.
    mutating func readMatchers(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        try checkPathParameters(field, &reading)
        for (key, part) in Self.parts {
            for (name, member) in try field[key]?.members() ?? [] {
                if part == .header, HTTPField.Name(name) == nil {
                    throw member.keyProblem("'\(name)' can't be the name of a header field")
                }
                conditions.append(.values(part, name, try MultiValuePattern(member, &reading)))
            }
        }
        for (name, member) in try field["variables"]?.members() ?? [] {
            // A variable has a matcher, or the value itself.
            let isMatcher = member.value.object != nil
            if isMatcher { try reading.check(member, as: .matcher) }
            let pattern = isMatcher ? try ContentPattern(member, &reading) : .value(member.value)
            conditions.append(.fact(.variable(name), pattern))
        }
        if let json = field["json"] {
            var comparison = JSONComparison(ignoresExtraElements: true)
            try comparison.prepare(json)
            conditions.append(.fact(.body, .equalToJson(json.value, comparison)))
        }
        for element in try field["bodyPatterns"]?.elements() ?? [] {
            conditions.append(.fact(.body, try ContentPattern(element, &reading)))
        }
        for element in try field["multipartPatterns"]?.elements() ?? [] {
            conditions.append(.multipart(try MultipartPattern(element, &reading)))
        }
        try readFacts(field, &reading)
    }

    private mutating func readFacts(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        for key in ["basicAuth", "basicAuthCredentials"] {
            guard let credentials = field[key]?.value else { continue }
            let (user, password) = (credentials["username"]?.string ?? "", credentials["password"]?.string ?? "")
            let value = "Basic \(Base64.encode("\(user):\(password)"))"
            conditions.append(.values(.header, "Authorization", MultiValuePattern(.equalTo(value))))
        }
        if let scheme = field.value["scheme"]?.string { conditions.append(.fact(.scheme, .equalTo(scheme))) }
        if let port = field.value["port"]?.int { conditions.append(.fact(.port, .equalTo("\(port)"))) }
        for (key, fact) in [("host", Fact.host), ("clientIp", .clientIp)] {
            if let member = field[key] { conditions.append(.fact(fact, try ContentPattern(member, &reading))) }
        }
    }

    /// In WireMock's form the names must be those of the URL's template.
    private func checkPathParameters(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        guard reading.isForeign, let parameters = field["pathParameters"] else { return }
        guard case .template(let template) = url else {
            throw parameters.keyProblem("pathParameters go with urlPathTemplate")
        }
        let names = template.segments.compactMap(\.name)
        for (name, member) in try parameters.members() where !names.contains(name) {
            let hint = Suggestion.hint(for: name, among: names)
            throw member.keyProblem("'\(name)' is no parameter of \(template.text)\(hint)")
        }
    }
}
