import Backlot

/// The keys of conditions on requests.
enum RequestKeys {
    static let kinds = [
        Kind("request", as: [.ownRequest], ownMeaning, misnomers: ownURLs, keys: conditions + ownKeys),
        Kind("request", as: [.request], meaning, misnomers: programs, groups: [oneURL], keys: urls + conditions),
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
        .optional("whenData", .map(pattern), "Matchers for buckets of data, or for parts such as cart.items."),
    ]
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

    /// The roles of conditions: a key that is passed over there would let a stub answer more than it should.
    static let roles: [Role] = [.ownRequest, .request, .matcher, .values, .part, .credentials]

    private static let meaning = "The requests that are answered."
    private static let ownMeaning = "The requests that are answered, of those for the file's path."
    private static let oneURL = KeyGroup.atMostOne(RequestPattern.urlKeys)
    private static let ownURLs = Dictionary(
        uniqueKeysWithValues: (["method"] + RequestPattern.urlKeys).map {
            ($0, "The file's name says which requests it answers: remove this key, or move it to a file of its own.")
        }
    )
    private static let noProgram = "Matchers are no programs here: write the conditions themselves."
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
        .optional("url", .string, "The path and the query, as they are sent."),
        .optional("urlPattern", .string, "A regular expression for the path and the query."),
        .optional("urlPath", .string, "The path; the query doesn't matter."),
        .optional("urlPathPattern", .string, "A regular expression for the path."),
        .optional("urlPathTemplate", .string, "The path with parameters, such as /users/{id}."),
    ]

    private static let conditions: [Key] = [
        .optional("headers", values, "Conditions on header fields, by their names."),
        .optional("cookies", values, "Conditions on cookies, by their names."),
        .optional("queryParameters", values, "Conditions on the query's parameters, by their names."),
        .optional("pathParameters", values, "Conditions on the path's parameters, by their names."),
        .optional("formParameters", values, "Conditions on the fields of a form, by their names."),
        .optional("variables", .map(.any), "The client's variables: a matcher for each, or its value."),
        .optional("json", .any, "What the body holds as JSON; other members may stand beside."),
        .optional("bodyPatterns", .array(pattern), "Conditions on the body, all of which must be met."),
        .optional("multipartPatterns", .objects(.part), "Conditions on the parts of a form with files."),
        .optional("basicAuth", .object(.credentials), "The user and the password of HTTP's basic authentication."),
        .optional("basicAuthCredentials", .object(.credentials), "The same as basicAuth."),
        .optional("scheme", .names(["http": "Without TLS.", "https": "With TLS."]), "The scheme of the URL."),
        .optional("host", pattern, "A condition on the host's name."),
        .optional("port", .integer(1...65_535), "The port."),
        .optional("clientIp", pattern, "A condition on the client's address."),
    ]

}
