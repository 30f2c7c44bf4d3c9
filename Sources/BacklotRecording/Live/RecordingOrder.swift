import Backlot
import BacklotHTTP
import BacklotJSON
import BacklotMocks
import HTTPTypes

/// What a command wants recorded, in WireMock's form: its "record spec" and "snapshot spec".
struct RecordingOrder: Sendable {
    private static let keys = [
        "targetBaseUrl", "filters", "captureHeaders", "requestBodyPattern", "repeatsAsScenarios", "persist",
        "outputFormat",
    ]
    /// What WireMock knows, with the reason why it isn't taken.
    private static let refused = [
        (
            "extractBodyCriteria",
            "bodies go into files by themselves where they are large or no text; leave the key out"
        ),
        ("transformerParameters", "there are no transformers; leave the key out"),
        ("transformers", "recorded stubs are no input of programs here; leave the key out, and edit the files"),
    ]

    /// The backend; nil in an order for a snapshot.
    private(set) var origin: Origin?
    private(set) var filter = RecordingFilter()
    /// The ids of the journal's entries that count; nil for all.
    private(set) var ids: Set<StubID>?
    /// Whether a snapshot also takes what mocks have answered.
    private(set) var takesOwnAnswers = false
    private(set) var captures = RecordedMatchers()
    /// Whether stubs outlive the server.
    private(set) var isPersistent = true
    /// Whether the answer shows stubs, and not only their ids.
    private(set) var showsStubs = true
    /// Whether all is as usual.
    private(set) var isDefault = true

    init() {}

    /// - Throws: `StubProblem`.
    init(_ object: JSONObject) throws(StubProblem) {
        isDefault = object.members.allSatisfy {
            $0.value.isNull || ["targetBaseUrl", "outputFormat"].contains($0.key)
        }
        let field = LocatedValue(.object(object))
        for (key, reason) in Self.refused {
            guard let value = field[key], value.value != [], value.value != [:] else { continue }
            throw StubProblem("\(key) is not supported: \(reason)", at: value.path, isAboutKey: true)
        }
        try MockReader(.refused).refuse(field, but: Self.keys + Self.refused.map { $0.0 })
        if let target = field["targetBaseUrl"] {
            let text = try target.string()
            origin = Origin(text)
            if origin == nil {
                throw target.problem("'\(text)' can't be asked; write a URL such as http://127.0.0.1:9000")
            }
        }
        if let filters = field["filters"] { try read(filters) }
        if let headers = field["captureHeaders"] { try captures.read(headers: headers) }
        if let pattern = field["requestBodyPattern"] { try captures.read(body: pattern) }
        filter.keepsRepeats = try field["repeatsAsScenarios"]?.bool() ?? true
        isPersistent = try field["persist"]?.bool() ?? true
        if let format = field["outputFormat"] {
            showsStubs = try format.word(of: ["FULL", "IDS", "full", "ids"]).uppercased() == "FULL"
        }
    }

    private mutating func read(_ filters: LocatedValue) throws(StubProblem) {
        var object = try filters.object()
        if let list = filters["ids"] {
            ids = []
            for element in try list.elements() {
                let text = try element.string()
                guard let id = StubID(text) else {
                    throw element.problem(
                        "\(JSONValue.string(text).excerpt) is no UUID; write ids of the journal's entries"
                    )
                }
                ids?.insert(id)
            }
        }
        takesOwnAnswers = try filters["allowNonProxied"]?.bool() ?? false
        object["ids"] = nil
        object["allowNonProxied"] = nil
        guard object.count > 0 else { return }
        do throws(StubProblem) {
            filter.pattern = try RequestPattern(json: AdminCall.completed(pattern: .object(object)))
        } catch {
            throw StubProblem(error.text, at: filters.path + error.path, isAboutKey: error.isAboutKey)
        }
    }
}

/// What recorded requests are matched by, beside what tells their answers apart.
struct RecordedMatchers: Sendable {
    private static let bodyOptions = [
        "equalToJson": ["ignoreArrayOrder", "ignoreExtraElements"], "equalTo": ["caseInsensitive"],
    ]

    /// The header fields, each with the options of its matcher.
    private var headers: [(name: HTTPField.Name, options: JSONObject)] = []
    /// The name of the matcher for bodies, and its options; nil where bodies aren't captured.
    private var body: (matcher: String, options: JSONObject)?

    mutating func read(headers field: LocatedValue) throws(StubProblem) {
        for (name, member) in try field.members() {
            guard let header = HTTPField.Name(name) else {
                throw StubProblem("'\(name)' can't be the name of a header field", at: member.path, isAboutKey: true)
            }
            try MockReader(.refused).refuse(member, but: ["caseInsensitive"])
            let ignoresCase = try member["caseInsensitive"]?.bool() ?? false
            headers.append((header, ignoresCase ? ["caseInsensitive": true] : [:]))
        }
    }

    mutating func read(body field: LocatedValue) throws(StubProblem) {
        let keys = ["ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"]
        try MockReader(.refused).refuse(field, but: ["matcher"] + keys)
        let matcher = try field["matcher"]?.word(of: ["auto", "equalTo", "equalToJson", "equalToXml"])
        var options = JSONObject()
        for key in keys { options[key] = try (field[key]?.bool()).map { .bool($0) } }
        body = (matcher ?? "auto", options)
    }

    /// The matchers for an exchange's header fields, by their names.
    func headers(of exchange: RecordedExchange) -> [(name: String, matcher: JSONValue)] {
        headers.compactMap { name, options in
            guard let value = exchange.requestHeaders[name] else { return nil }
            return (name.rawName, .object((["equalTo": .string(value)] as JSONObject).merging(options)))
        }
    }

    /// The matcher for an exchange's body; nil without one.
    func body(of exchange: RecordedExchange) -> JSONValue? {
        guard let body, !exchange.requestBody.isEmpty, !exchange.requestType.hasPrefix("multipart/") else { return nil }
        let bytes = exchange.requestBody
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ["binaryEqualTo": .string(Base64.encode(bytes: bytes))]
        }
        let isJSON = (try? JSONValue(parsing: bytes)) != nil
        let usual = isJSON ? "equalToJson" : exchange.requestType.hasSuffix("xml") ? "equalToXml" : "equalTo"
        let matcher = body.matcher == "auto" ? usual : body.matcher
        var object: JSONObject = [matcher: .string(text)]
        for member in body.options.members where Self.bodyOptions[matcher]?.contains(member.key) == true {
            object[member.key] = member.value
        }
        return .object(object)
    }
}
