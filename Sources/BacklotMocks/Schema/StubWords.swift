import Backlot
import BacklotHTTP
import BacklotJSON

/// What each key of a stub means, for the JSON Schemas of route files and mappings. Which keys there are, and where, the readers say.
enum StubWords {
    /// The words under some keys of a reader.
    static func keys(_ names: [String], _ words: [Key]) -> [Key] {
        names.map { name in words.first { $0.name == name } ?? .optional(name, .any, "") }
    }

    // MARK: Stubs and files

    static let stub: [Key] = [
        .optional("id", .string, "The stub's UUID; a new one without the key."),
        .optional("uuid", .string, "The stub's UUID, under WireMock's other name."),
        .optional("name", .string, "A name for people."),
        .optional("priority", .integer(1...1_000_000), "The order in which stubs are asked, 1 first.", default: 5),
        .optional("scenarioName", .string, "The scenario: a machine of named states, which begins in Started."),
        .optional(
            "expect",
            .either([.string, .array(.string)]),
            "The rules that the page breaks on purpose, such as duplicate-var-name: check reports those that it keeps."
        ),
        .optional("requiredScenarioState", .string, "The state in which the stub answers; without it, any."),
        .optional("newScenarioState", .string, "The state of the scenario afterwards; without it, the same."),
        .optional("persistent", .bool, "Whether the stub is written into a file when stubs are saved.", default: false),
        .optional("metadata", .map(.any), "Anything, for the tools that read stubs."),
        .optional("serveEventListeners", .objects(.hook), "Requests that are sent after the answer."),
        .optional("postServeActions", .objects(.hook), "Requests that are sent after the answer, under a former name."),
        .optional(
            "data",
            .either([.objects(.change), .object(.change)]),
            "What changes in the data before the answer."
        ),
        .optional("responses", .objects(.item), "Several answers, of which the first is taken whose request matches."),
    ]

    static let hook: [Key] = [
        .required("name", .names(["webhook": "An HTTP request."]), "The kind of what is done."),
        .required("parameters", .object(.webhook), "The request."),
        .optional("requestPhases", .array(.string), "When it is sent: AFTER_COMPLETE."),
    ]

    static let webhook: [Key] = [
        .optional("method", .string, "The method.", default: "GET"),
        .required("url", .string, "The address, which begins with http:// or https:// and may have tags."),
        .optional("headers", headerValues, "The header fields."),
        .optional("body", .any, "The body, which may have tags."),
        .optional("base64Body", .string, "The body in base64."),
        .optional("delay", .object(.distribution), "How long it waits after the answer."),
        .optional("extraParameters", .map(.any), "Values for tags."),
    ]

    // MARK: Data

    static let data: [Key] = [
        .optional("bucket", .string, "The data of data/NAME.yaml that the routes are about."),
        .optional(
            "scope",
            .oneOf(DataBucket.Sharing.allCases.map { Name(text: $0.rawValue) }, ifUnknown: .refusal),
            "Whether each client has its own, or all share one.",
            default: "client"
        ),
        .optional("rows", .array(.map(.any)), "The rows at the beginning; it is a list of rows then."),
        .optional("value", .any, "The document at the beginning, where it is no list of rows."),
        .optional("schema", .either([.map(.any), .bool]), "The JSON Schema that each row, or the document, must fit."),
        .optional("limits", .object(.limits), "How much it may hold."),
        .optional("key", .string, "The member of a row that tells it from the others.", default: "id"),
        .optional(
            "ids",
            .oneOf(DataBucket.Keys.allCases.map { Name(text: $0.rawValue) }, ifUnknown: .refusal),
            "What rows that are added get as their key."
        ),
    ]

    static let limits: [Key] = [
        .optional("bytes", .integer(1...16 * 1024 * 1024), "How many bytes it may take.", default: 262_144),
        .optional("rows", .integer(1...100_000), "How many rows it may have.", default: 1000),
    ]

    // MARK: Requests

    private static let values = ValueType.map(.either([.string, .number, .bool, .object(.values)]))
    private static let pattern = ValueType.either([.string, .number, .bool, .object(.matcher)])

    static let request: [Key] = [
        .optional(
            "method",
            .either([.string, .map(.array(.string))]),
            "The method, such as GET, or ANY; or {\"oneOf\": […]} or {\"noneOf\": […]}.",
            default: "ANY"
        ),
        .optional("url", .string, "The path and the query, as they are sent."),
        .optional("urlPattern", .string, "A regular expression for the path and the query."),
        .optional("urlPath", .string, "The path; the query doesn't matter."),
        .optional("urlPathPattern", .string, "A regular expression for the path."),
        .optional("urlPathTemplate", .string, "The path with parameters, such as /users/{id}."),
        .optional("headers", values, "Conditions on header fields, by their names."),
        .optional("cookies", values, "Conditions on cookies, by their names."),
        .optional("queryParameters", values, "Conditions on the query's parameters, by their names."),
        .optional("query", values, "Conditions on the query's parameters, by their names."),
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
        .optional(
            "whenData",
            .map(pattern),
            "Conditions on data: a matcher for a bucket, or for a part such as cart.items."
        ),
    ]

    static let credentials: [Key] = [
        .required("username", .string, "The user's name."), .required("password", .string, "The password."),
    ]

    static let part: [Key] = [
        .optional("name", .string, "The name of the field."),
        .optional("fileName", .string, "The name of the file."),
        .optional(
            "matchingType",
            .names(["ALL": "Each part meets the conditions.", "ANY": "One part meets the conditions."]),
            "Which parts must meet the conditions.",
            default: "ANY"
        ),
        .optional("headers", values, "Conditions on the part's header fields."),
        .optional("bodyPatterns", .array(pattern), "Conditions on the part's body."),
    ]

    static let matcher: [Key] = [
        .optional("equalTo", .either([.string, .number, .bool]), "The text itself."),
        .optional("caseInsensitive", .bool, "Whether upper and lower case are the same.", default: false),
        .optional("contains", .string, "A part of the text."),
        .optional("doesNotContain", .string, "What is no part of the text."),
        .optional("matches", .string, "A regular expression that matches the whole text."),
        .optional("doesNotMatch", .string, "A regular expression that doesn't match the whole text."),
        .optional("absent", .bool, "Whether the value must be missing."),
        .optional("anything", .any, "Any value will do."),
        .optional("equalToJson", .any, "The JSON value, or a text that holds it."),
        .optional("ignoreArrayOrder", .bool, "Whether the order of arrays doesn't count.", default: false),
        .optional("ignoreExtraElements", .bool, "Whether there may be more members and elements.", default: false),
        .optional(
            "matchesJsonPath",
            .either([.string, .map(.any)]),
            "A path that leads to something; or {\"expression\": PATH} with a matcher beside it."
        ),
        .optional("expression", .string, "The path."),
        .optional("matchesJsonSchema", .any, "A JSON Schema that the value fits, or a text that holds it."),
        .optional("schemaVersion", .string, "The version of the JSON Schema, such as V202012."),
        .optional("equalToXml", .string, "The XML document."),
        .optional(
            "enablePlaceholders",
            .bool,
            "Whether ${xmlunit.ignore} and its like stand for values.",
            default: false
        ),
        .optional("placeholderOpeningDelimiterRegex", .string, "How placeholders begin."),
        .optional("placeholderClosingDelimiterRegex", .string, "How placeholders end."),
        .optional("exemptedComparisons", .array(.string), "The differences that don't count."),
        .optional("ignoreOrderOfSameNode", .bool, "Whether the order of equal elements doesn't count.", default: false),
        .optional("namespaceAwareness", .string, "STRICT, LEGACY or NONE."),
        .optional(
            "matchesXPath",
            .either([.string, .map(.any)]),
            "An XPath that leads to something; or {\"expression\": PATH} with a matcher beside it."
        ),
        .optional("xPathNamespaces", .map(.string), "The namespaces of the XPath, by their prefixes."),
        .optional("binaryEqualTo", .string, "The bytes, in base64."),
        .optional("before", .string, "A date and time that comes later, such as now +1 days."),
        .optional("after", .string, "A date and time that comes earlier."),
        .optional("equalToDateTime", .string, "The date and time."),
        .optional("actualFormat", .string, "How the date is written, such as dd/MM/yyyy."),
        .optional("truncateExpected", .string, "To what the expected time is rounded down, such as first hour of day."),
        .optional("truncateActual", .string, "To what the time that was sent is rounded down."),
        .optional(
            "expectedOffset",
            .integer(Int64(Int32.min)...Int64(Int32.max)),
            "What is added to the expected time."
        ),
        .optional("expectedOffsetUnit", .string, "The unit of expectedOffset, such as DAYS."),
        .optional("applyTruncationLast", .bool, "Whether times are rounded after the offset is added.", default: false),
        .optional("and", .array(pattern), "Matchers that must all match."),
        .optional("or", .array(pattern), "Matchers of which one must match."),
        .optional("not", pattern, "A matcher that must not match."),
        .optional("hasExactly", .array(pattern), "A matcher for each value, in any order."),
        .optional("includes", .array(pattern), "Matchers for some of the values."),
        .optional("equalToNumber", .number, "The number."),
        .optional("greaterThanNumber", .number, "A number below it."),
        .optional("greaterThanEqualNumber", .number, "A number that is not above it."),
        .optional("lessThanNumber", .number, "A number above it."),
        .optional("lessThanEqualNumber", .number, "A number that is not below it."),
    ]

    // MARK: Answers

    private static let headerValues = ValueType.map(
        .either([.string, .number, .bool, .array(.either([.string, .number, .bool]))])
    )
    private static let longest = Int64(AnswerDelay.longest)

    static let answer: [Key] = [
        .optional("status", .integer(200...599), "The status.", default: 200),
        .optional("statusMessage", .string, "The reason phrase, which HTTP/1.1 sends."),
        .optional("headers", headerValues, "The header fields: a value each, or a list; values may have tags."),
        .optional("body", .any, "The body as a text, which may have tags."),
        .optional("jsonBody", .any, "The body as JSON, whose texts may have tags."),
        .optional("base64Body", .string, "The body in base64."),
        .optional("bodyFileName", .string, "The file in __files that holds the body."),
        .optional(
            "fixedDelayMilliseconds",
            .integer(0...longest),
            "How long the answer waits, in milliseconds.",
            default: 0
        ),
        .optional("delayDistribution", .object(.distribution), "A random delay."),
        .optional("chunkedDribbleDelay", .object(.dribble), "Sends the body in pieces, over some time."),
        .optional(
            "fault",
            .oneOf(ConnectionFault.allCases.map { Name(text: $0.rawValue) }, ifUnknown: .refusal),
            "How the connection misbehaves instead of an answer."
        ),
        .optional("proxyBaseUrl", .string, "The backend that answers instead, such as http://127.0.0.1:9000."),
        .optional("proxyUrlPrefixToRemove", .string, "What is removed from the beginning of the path."),
        .optional("additionalProxyRequestHeaders", headerValues, "Header fields for that backend."),
        .optional("removeProxyRequestHeaders", .array(.string), "Header fields that backend doesn't get."),
        .optional("transformers", .array(.string), "response-template, to fill in tags."),
        .optional("transformerParameters", .map(.any), "Values for tags."),
        .optional("fromConfiguredStub", .any, "Nothing: WireMock writes it."),
        .optional("wasConfigured", .any, "Nothing: WireMock writes it."),
        .optional("gzipDisabled", .any, "Nothing here."),
        .optional("originalProxiedRequest", .any, "Nothing: WireMock writes it."),
        .optional("template", .bool, "Whether tags are filled in.", default: true),
        .optional("logIn", .string, "The user who is logged in afterwards, such as {{variables.username}}."),
        .optional("logOut", .bool, "Whether nobody is logged in afterwards.", default: false),
        .optional(
            "requiresLogin",
            .either([.bool, .string]),
            "Whether a user must be logged in; or the text of the answer 403 for others.",
            default: false
        ),
    ]

    static let changes: [Key] = [
        .optional("insert", .object(.insert), "Adds a row."),
        .optional("update", .object(.update), "Replaces rows, or a part of the document."),
        .optional("patch", .object(.update), "Merges into rows, or into a part of the document."),
        .optional("remove", .object(.remove), "Removes rows, or a part of the document."),
    ]

    /// The words of one kind of change.
    static func change(_ kind: DataChange.Kind) -> [Key] {
        keys(
            kind.keys,
            [
                .required(kind.preposition, .string, "The name of the data, such as cart."),
                .optional("path", .either([.string, .number]), "The part that is meant, such as address.city."),
                .optional("where", .map(.any), "The rows that are meant, by their values; without it, all."),
                .required("value", .any, "What is written."),
                .optional("orInsert", .any, "The row that is added where there is none."),
                .optional("optional", .bool, "Whether it is in order that no such row is there.", default: false),
            ]
        )
    }

    static let distributions: [Key] = [
        .required(
            "type",
            .names([
                "uniform": "Any delay from lower to upper.", "lognormal": "Around the median, with a long tail.",
                "fixed": "Always the same.",
            ]),
            "How delays are drawn."
        ),
        .optional("lower", .integer(0...longest), "The shortest, in milliseconds."),
        .optional("upper", .integer(0...longest), "The longest, in milliseconds."),
        .optional("median", .number(0...Double(longest)), "Half of the delays are shorter; in milliseconds."),
        .optional("sigma", .number(0...10), "How far the delays are spread."),
        .optional("maxValue", .integer(0...longest), "The longest, in milliseconds."),
        .optional("milliseconds", .integer(0...longest), "The delay, in milliseconds."),
    ]

    static let dribble: [Key] = [
        .required("numberOfChunks", .integer(1...10_000), "How many pieces."),
        .required("totalDuration", .integer(0...longest), "How long they take together, in milliseconds."),
    ]
}

extension Role {
    static let mapping = Role("mapping")
    static let routeFile = Role("route file")
    static let item = Role("response")
    static let ownRequest = Role("request")
    static let request = Role("mapping request")
    static let ownAnswer = Role("answer")
    static let answer = Role("mapping response")
    static let matcher = Role("matcher")
    static let values = Role("value matcher")
    static let part = Role("part")
    static let credentials = Role("credentials")
    static let dataFile = Role("data file")
    static let crudFile = Role("crud file")
    static let limits = Role("limits")
    static let change = Role("change")
    static let insert = Role("insert")
    static let update = Role("update")
    static let remove = Role("remove")
    static let hook = Role("listener")
    static let webhook = Role("webhook")
    static let distribution = Role("distribution")
    static let dribble = Role("dribble")
}
