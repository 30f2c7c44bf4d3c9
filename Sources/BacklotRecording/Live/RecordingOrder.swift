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
        "extractBodyCriteria":
            "bodies go into files by themselves where they are large or no text; leave the key out",
        "transformers": "recorded stubs are no input of programs here; leave the key out, and edit the files",
        "transformerParameters": "there are no transformers; leave the key out",
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
        let field = Field(.object(object))
        for (key, reason) in Self.refused.sorted(by: { $0.key < $1.key }) {
            guard let value = field[key], value.value != [], value.value != [:] else { continue }
            throw StubProblem("\(key) is not supported: \(reason)", at: value.path, isAboutKey: true)
        }
        var reading = StubReading(.refused)
        try reading.refuse(field, but: Self.keys + Self.refused.keys)
        if let target = field["targetBaseUrl"] {
            let text = try target.string()
            guard let origin = Origin(text) else {
                throw target.problem("'\(text)' can't be asked; write a URL such as http://127.0.0.1:9000")
            }
            self.origin = origin
        }
        if let filters = field["filters"] { try read(filters) }
        if let headers = field["captureHeaders"] { try captures.read(headers: headers, &reading) }
        if let pattern = field["requestBodyPattern"] { try captures.read(body: pattern, &reading) }
        filter.keepsRepeats = try field["repeatsAsScenarios"]?.bool() ?? true
        isPersistent = try field["persist"]?.bool() ?? true
        if let format = field["outputFormat"] {
            showsStubs = try format.word(of: ["FULL", "IDS", "full", "ids"]).uppercased() == "FULL"
        }
    }

    private mutating func read(_ filters: Field) throws(StubProblem) {
        var object = try filters.object()
        if let list = filters["ids"] {
            var ids: Set<StubID> = []
            for element in try list.elements() {
                let text = try element.string()
                guard let id = StubID(text) else {
                    throw element.problem(
                        "\(JSONValue.string(text).excerpt) is no UUID; write ids of the journal's entries"
                    )
                }
                ids.insert(id)
            }
            self.ids = ids
        }
        takesOwnAnswers = try filters["allowNonProxied"]?.bool() ?? false
        object["ids"] = nil
        object["allowNonProxied"] = nil
        if object.count > 0 {
            do throws(StubProblem) {
                filter.pattern = try RequestPattern(json: AdminCall.completed(pattern: .object(object)))
            } catch {
                throw StubProblem(error.text, at: filters.path + error.path, isAboutKey: error.isAboutKey)
            }
        }
    }
}

/// What recorded requests are matched by, beside what tells their answers apart.
struct RecordedMatchers: Sendable {
    /// How bodies are compared.
    struct Body: Sendable {
        var matcher = "auto"
        var options = JSONObject()
    }

    /// The header fields, each with the options of its matcher.
    private(set) var headers: [(name: HTTPField.Name, options: JSONObject)] = []
    private(set) var body: Body?

    var isEmpty: Bool { headers.isEmpty && body == nil }

    mutating func read(headers field: Field, _ reading: inout StubReading) throws(StubProblem) {
        for (name, member) in try field.members() {
            guard let header = HTTPField.Name(name) else {
                throw StubProblem("'\(name)' can't be the name of a header field", at: member.path, isAboutKey: true)
            }
            try reading.refuse(member, but: ["caseInsensitive"])
            let ignoresCase = try member["caseInsensitive"]?.bool() ?? false
            headers.append((header, ignoresCase ? ["caseInsensitive": true] : [:]))
        }
    }

    mutating func read(body field: Field, _ reading: inout StubReading) throws(StubProblem) {
        try reading.refuse(field, but: ["matcher", "ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"])
        var body = Body()
        body.matcher = try field["matcher"]?.word(of: ["auto", "equalTo", "equalToJson", "equalToXml"]) ?? "auto"
        for key in ["ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"] {
            if let value = try field[key]?.bool() { body.options[key] = .bool(value) }
        }
        self.body = body
    }

    /// The matchers for an exchange's header fields, by their names.
    func headers(of exchange: RecordedExchange) -> [(name: String, matcher: JSONValue)] {
        headers.compactMap { name, options in
            guard let value = exchange.requestHeaders[name] else { return nil }
            var matcher: JSONObject = ["equalTo": .string(value)]
            for member in options.members { matcher[member.key] = member.value }
            return (name.rawName, .object(matcher))
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
        let isXML = exchange.requestType.hasSuffix("xml")
        let matcher = body.matcher == "auto" ? isJSON ? "equalToJson" : isXML ? "equalToXml" : "equalTo" : body.matcher
        var object: JSONObject = [matcher: .string(text)]
        let known =
            switch matcher {
            case "equalToJson": ["ignoreArrayOrder", "ignoreExtraElements"]
            case "equalTo": ["caseInsensitive"]
            default: [String]()
            }
        for member in body.options.members where known.contains(member.key) { object[member.key] = member.value }
        return .object(object)
    }
}
