public import Backlot

extension RequestPattern {
    /// The keys about a request's URL.
    static let urlKeys = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]
    private static let parts: [(key: String, part: Part)] = [
        ("headers", .header), ("cookies", .cookie), ("queryParameters", .query), ("pathParameters", .pathParameter),
        ("formParameters", .form),
    ]

    /// Reads a pattern in WireMock's form, such as `{"method": "GET", "urlPath": "/things"}`.
    ///
    /// - Throws: `StubError`, with the way to the mistake, such as an unknown key.
    public init(json: JSONValue) throws(StubError) {
        var reading = MockReader(isForeign: true)
        try self.init(LocatedValue(json), &reading)
    }

    init(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
        try reading.check(field, as: .request)
        if let method = field["method"] { try readMethod(method, &reading) }
        url = try Self.url(field)
        try readMatchers(field, &reading)
    }

    private mutating func readMethod(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
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

    private static func method(_ field: LocatedValue) throws(StubError) -> HTTPRequest.Method {
        let text = try field.string().uppercased()
        guard let method = HTTPRequest.Method(text) else {
            throw field.problem("'\(text)' isn't a method; write one such as GET, or ANY")
        }
        return method
    }

    private static func url(_ field: LocatedValue) throws(StubError) -> URLPattern {
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
                throw first.problem("'\(text)' isn't a path with parameters; write one such as /users/{id}")
            }
            return .template(template)
        }
    }

    /// Reads all conditions except method and URL.
    mutating func readMatchers(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
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
        conditions += try field["bodyPatterns"]?.matchers(&reading).map { .fact(.body, $0) } ?? []
        for element in try field["multipartPatterns"]?.elements() ?? [] {
            conditions.append(.multipart(try MultipartPattern(element, &reading)))
        }
        try readFacts(field, &reading)
    }

    private mutating func readFacts(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
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
    private func checkPathParameters(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
        guard reading.isForeign, let parameters = field["pathParameters"] else { return }
        guard case .template(let template) = url else {
            throw parameters.keyProblem("pathParameters go with urlPathTemplate")
        }
        let names = template.segments.compactMap(\.name)
        for (name, member) in try parameters.members() where !names.contains(name) {
            let hint = Suggestion.hint(for: name, among: names)
            throw member.keyProblem("'\(name)' isn't a parameter of \(template.text)\(hint)")
        }
    }
}

/// The keys of conditions on requests.
extension RequestPattern {
    static let kinds = [
        Kind("request", as: [.ownRequest], ownMeaning, misnomers: ownURLs, keys: conditionKeys + ownKeys),
        Kind("request", as: [.request], meaning, misnomers: programs, groups: [oneURL], keys: urls + conditionKeys),
        Kind("matcher", as: [.matcher], "A condition on a value.", keys: ContentPattern.keys),
        Kind(
            "values",
            as: [.values],
            "A condition on values.",
            noun: "a matcher",
            keys: ContentPattern.keys + valuesKeys
        ),
        Kind("part", as: [.part], "Conditions on a part of a form.", keys: partKeys),
        Kind("credentials", as: [.credentials], "A user and a password.", keys: credentialsKeys),
    ]
    private static let ownKeys: [Key] = [
        .optional("query", values, "Conditions on the query's parameters, by their names."),
        whenData,
    ]
    static let whenData = Key.optional(
        "whenData",
        .map(pattern),
        "Matchers for buckets of data, or for parts such as cart.items."
    )
    private static let credentialsKeys: [Key] = [
        .required("username", .string, "The user's name."), .required("password", .string, "The password."),
    ]
    private static let partKeys: [Key] = [
        .optional("name", .string, "The name of the field."),
        .optional("fileName", .string, "The name of the file."),
        .optional(
            "matchingType",
            .names(["ALL": "Each part.", "ANY": "One part."]),
            "Which parts must match.",
            default: "ANY"
        ),
        .optional("headers", values, "Conditions on the part's header fields."),
        .optional("bodyPatterns", .array(pattern), "Conditions on the part's body."),
    ]

    /// The roles of conditions: if a key there were ignored, a stub would match more requests than it should.
    static let conditionRoles: [Role] = [.ownRequest, .request, .matcher, .values, .part, .credentials]

    private static let meaning = "The requests that it matches."
    private static let ownMeaning = "The requests that it matches, among those for the file's path."
    private static let oneURL = KeyGroup.atMostOne(urlKeys)
    private static let ownURLs = Dictionary(
        uniqueKeysWithValues: (["method"] + urlKeys).map {
            ($0, "The file's name determines its requests: remove this key, or move it to another file.")
        }
    )
    private static let noProgram = "Matchers can't be programs here: write the conditions themselves."
    private static let programs = ["customMatcher": noProgram, "custom": noProgram]
    private static let valuesKeys: [Key] = [
        .optional("hasExactly", .array(pattern), "A matcher for each value, in any order."),
        .optional("includes", .array(pattern), "Matchers for some of the values."),
    ]
    private static let values = ValueType.map(.either([.string, .number, .bool, .object(.values)]))
    private static let pattern = ValueType.either([.string, .number, .bool, .object(.matcher)])

    private static let urls: [Key] = [
        .optional(
            "method",
            .either([.string, .map(.array(.string))]),
            "GET and so on, ANY, {\"oneOf\": […]} or {\"noneOf\": […]}.",
            default: "ANY"
        ),
        .optional("url", .string, "The path and the query, as sent."),
        .optional("urlPattern", .string, "A regular expression for the path and the query."),
        .optional("urlPath", .string, "The path; the query doesn't matter."),
        .optional("urlPathPattern", .string, "A regular expression for the path."),
        .optional("urlPathTemplate", .string, "The path with parameters, such as /users/{id}."),
    ]

    private static let conditionKeys: [Key] = [
        .optional("headers", values, "Conditions on header fields, by their names."),
        .optional("cookies", values, "Conditions on cookies, by their names."),
        .optional("queryParameters", values, "Conditions on the query's parameters, by their names."),
        .optional("pathParameters", values, "Conditions on the path's parameters, by their names."),
        .optional("formParameters", values, "Conditions on the fields of a form, by their names."),
        .optional("variables", .map(.any), "The client's variables: a matcher for each, or its value."),
        .optional("json", .any, "The JSON in the body; other members may be beside it."),
        .optional("bodyPatterns", .array(pattern), "Conditions on the body; all must be met."),
        .optional("multipartPatterns", .objects(.part), "Conditions on the parts of a form with files."),
        .optional("basicAuth", .object(.credentials), "The user and the password of HTTP's basic authentication."),
        .optional("basicAuthCredentials", .object(.credentials), "The same as basicAuth."),
        .optional("scheme", .names(["http": "Without TLS.", "https": "With TLS."]), "The scheme of the URL."),
        .optional("host", pattern, "A condition on the host's name."),
        .optional("port", .integer(1...65_535), "The port."),
        .optional("clientIp", pattern, "A condition on the client's address."),
    ]

}
