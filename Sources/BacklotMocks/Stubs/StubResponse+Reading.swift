import Backlot

extension StubResponse {
    static let kind = Kind(
        "response",
        as: [.response],
        "The answer.",
        misnomers: misnomers,
        groups: [oneBody],
        keys: keys + [
            .optional("fromConfiguredStub", .any, "Nothing: WireMock writes it."),
            .optional("wasConfigured", .any, "Nothing: WireMock writes it."),
            .optional("gzipDisabled", .any, "Nothing here."),
            .optional("originalProxiedRequest", .any, "Nothing: WireMock writes it."),
        ]
    )

    private static let bodyKeys = ["body", "jsonBody", "base64Body", "bodyFileName", "page"]
    static let oneBody = KeyGroup.atMostOne(bodyKeys + ["steps"])

    /// The keys that WireMock knows.
    private static let statusText = TextForm(
        "a number from 200 to 599 as a text",
        example: "201",
        pattern: "^[2-5][0-9][0-9]$"
    ) {
        $0.utf8.count == 3 && Int($0).map((200...599).contains) == true
    }
    private static let keys: [Key] =
        [
            .optional("status", .either([.integer(200...599), .text(statusText)]), "The status.", default: 200),
            .optional("statusMessage", .headerText, "The reason phrase, which HTTP/1.1 sends."),
            .optional("headers", .headers, "The header fields: a value each, or a list; values may have tags."),
            .optional("body", .any, "The body as a text, which may have tags."),
            .optional("jsonBody", .any, "The body as JSON; its texts may have tags."),
            .optional("base64Body", .base64, "The body in base64."),
            .optional("bodyFileName", .string, "The file in __files that holds the body."),
            .optional("fixedDelayMilliseconds", .milliseconds, "The delay of the response.", default: 0),
            .optional("delayDistribution", .object(.distribution), "A random delay."),
            .optional("chunkedDribbleDelay", .object(.dribble), "Sends the body in pieces, over some time."),
            .optional("fault", .word(of: ConnectionFault.self), "The fault of the connection instead."),
            .optional("transformers", .array(.names([templates: "Fills in tags."])), "\(templates), to fill in tags."),
            .optional("transformerParameters", .map(.any), "Values for tags."),
        ] + ResponseForwarding.keys
    private static let templates = "response-template"

    /// Keys that people write by mistake, each with the advice about the right one.
    static let misnomers = ["delay": "Write \"fixedDelayMilliseconds\", such as fixedDelayMilliseconds: 2000."]

    /// The keys in our own files, except `page`.
    static let ownKeys: [Key] =
        keys + [
            StreamScript.key,
            .optional("template", .bool, "Whether tags are filled in.", default: true),
            .optional("logIn", .scalar, "The user who is logged in afterwards, such as {{variables.username}}."),
            .optional("logOut", .bool, "Whether nobody is logged in afterwards.", default: false),
            StubSession.loginKey,
        ]

    /// Reads a response with only the keys of its kind.
    ///
    /// - Parameters:
    ///   - isOwn: whether it is one of our own files.
    ///   - form: what its steps make; nil where it can't have any.
    init(
        _ response: LocatedValue,
        isOwn: Bool,
        stream form: StreamScript.Form? = nil,
        _ reader: inout MockReader
    ) throws(StubError) {
        let value = response.value
        if let status = value["status"]?.int ?? value["status"]?.string.flatMap({ Int($0) }) {
            self.status = .standard(status)
        }
        if let reason = value["statusMessage"]?.string {
            status = HTTPResponse.Status(code: status.code, reasonPhrase: reason)
        }
        delay = try ResponseDelay(fixed: value["fixedDelayMilliseconds"], drawn: response["delayDistribution"])
        dribble = ResponseDribble(value["chunkedDribbleDelay"])
        fault = value["fault"]?.word()
        parameters = response["transformerParameters"]?.value
        // In our own files, tags are filled in unless that is switched off; in WireMock's only on request.
        let isTemplate = isOwn ? value["template"]?.bool != false : value["transformers"]?.array?.isEmpty == false
        let tags: TemplateDialect? = isTemplate ? isOwn ? .own : .wireMock : nil
        if isOwn { session = try StubSession(response) }
        forwarding = try ResponseForwarding(response, tags)
        headers = try response.headers("headers", tags)
        if let steps = response["steps"] {
            guard let form else {
                throw steps.keyProblem("steps stand in NAME.sse.yaml and NAME.ws.yaml only; rename the file")
            }
            stream = try StreamScript(steps, form, tags, &reader)
        }
        try readBody(response, tags, &reader)
    }

    private mutating func readBody(
        _ response: LocatedValue,
        _ tags: TemplateDialect?,
        _ reader: inout MockReader
    ) throws(StubError) {
        guard let key = Self.bodyKeys.first(where: { response[$0] != nil }), let part = response[key] else {
            // `jsonBody: null` is a body too.
            guard response.value["jsonBody"] != nil else { return }
            addType("application/json")
            return body = .bytes(Array("null".utf8))
        }
        switch key {
        case "body": body = try part.body(try part.text(), isJSON: headers.holdJSON, tags: tags)
        case "jsonBody":
            addType("application/json")
            body = try part.body(document: part.value, tags: tags)
        case "page":
            guard let format = reader.pages else { throw part.keyProblem(PageFormat.missing) }
            addType(format.contentType)
            let isWrapped = part.value[format.envelope] == nil
            body = try part.body(document: format.response(with: part.value), isWrapped: isWrapped, tags: tags)
        case "base64Body": body = .bytes(part.value.string.flatMap(Base64.decode) ?? [])
        default:
            let isConstant = parameters?["disableBodyFileTemplating"]?.bool ?? false
            let fileTags = isConstant ? nil : tags
            if tags != nil, part.value.string?.contains("{{") == true {
                return body = .file(StubBodyFile(name: try part.template(tags), tags: fileTags))
            }
            body = try part.fileBody(try reader.bodyFile(part), isJSON: headers.holdJSON, fileTags)
        }
    }

    mutating func addType(_ type: String) {
        guard !headers.contains(where: { $0.name == .contentType }) else { return }
        headers.append(Header(name: .contentType, value: Template(constant: type)))
    }
}

extension StubSession {
    init(_ response: LocatedValue) throws(StubError) {
        text = response.value["requiresLogin"]?.string
        refusalStatus = response.value["requiresLogin"]?.number?.int64.map { Int($0) }
        requiresLogin = text != nil || refusalStatus != nil || response.value["requiresLogin"]?.bool == true
        if let logIn = response["logIn"] {
            if logIn.value == "" {
                throw logIn.problem("a user has a name; write one, such as \"{{variables.username}}\"")
            }
            self.logIn = try logIn.template(.own)
        }
        logsOut = response.value["logOut"]?.bool ?? false
        let text = "a response logs in or out; keep one of logIn and logOut"
        if self.logIn != nil, logsOut { throw response.problem(text) }
    }
}

extension LocatedValue {
    /// The header fields below a key; their values may have tags.
    ///
    /// - Parameter refusal: the reason to refuse a field of some name; nil to accept it.
    func headers(
        _ key: String,
        _ tags: TemplateDialect?,
        refusal: (HTTPField.Name) -> String? = { _ in nil }
    ) throws(StubError) -> [StubResponse.Header] {
        var headers: [StubResponse.Header] = []
        for (key, member) in try self[key]?.members() ?? [] {
            guard let name = HTTPField.Name(key) else {
                throw member.keyProblem("'\(key)' can't be the name of a header field")
            }
            if let refusal = refusal(name) { throw member.keyProblem("'\(key)' \(refusal)") }
            for value in member.each {
                guard headers.count < 1000 else { throw value.problem("a message can have at most 1000 header fields") }
                let text = try value.text()
                guard HTTPField.isValidValue(text) else {
                    throw value.problem("\(text.shown) can't be the value of a header field; leave out line breaks")
                }
                headers.append(.init(name: name, value: try value.template(tags)))
            }
        }
        return headers
    }

    /// The value as a text that may have tags.
    func template(_ tags: TemplateDialect?) throws(StubError) -> Template { try template(try text(), tags) }

    func template(_ text: String, _ tags: TemplateDialect?) throws(StubError) -> Template {
        guard let tags, Template.hasTags(text) else { return Template(constant: text) }
        return try placed { () throws(TemplateError) in try Template(text, dialect: tags) }
    }

    /// A body of text.
    func body(_ text: String, isJSON: Bool, tags: TemplateDialect?) throws(StubError) -> StubBody {
        guard let tags, Template.hasTags(text) else { return .bytes(Array(text.utf8)) }
        return StubBody(
            try placed { () throws(TemplateError) in try Template(text, dialect: tags, isJSON: isJSON) }
        )
    }

    /// The body of a file with this name.
    func fileBody(_ bytes: [UInt8], isJSON: Bool, _ tags: TemplateDialect?) throws(StubError) -> StubBody {
        let name = try string()
        guard let tags, let text = String(validating: bytes, as: UTF8.self), Template.hasTags(text) else {
            return .bytes(bytes)
        }
        do throws(TemplateError) {
            return StubBody(try Template(text, dialect: tags, isJSON: isJSON || name.hasSuffix(".json")))
        } catch {
            let place = TextPosition(byteOffset: error.offset ?? 0, in: bytes)
            throw problem("__files/\(name):\(place.line):\(place.column): \(error.text)")
        }
    }

    /// A body that is a document.
    ///
    /// - Parameter isWrapped: whether the document is this value below a further key.
    func body(
        document: JSONValue,
        isWrapped: Bool = false,
        isMatcher: Bool = false,
        tags: TemplateDialect?
    ) throws(StubError) -> StubBody {
        guard let tags else { return .bytes(document.bytes) }
        let template = try placed(below: isWrapped ? 1 : 0) { () throws(TemplateError) in
            try Template(document: document, dialect: tags, isMatcher: isMatcher)
        }
        return StubBody(template)
    }

    /// Makes a template, and gives mistakes in it their place.
    private func placed(
        below depth: Int = 0,
        _ make: () throws(TemplateError) -> Template
    ) throws(StubError) -> Template {
        do throws(TemplateError) {
            return try make()
        } catch {
            var mistake = error
            mistake.path = Array(error.path.dropFirst(depth))
            throw problem(mistake)
        }
    }

    /// The stub's error for a mistake in a template.
    func problem(_ mistake: TemplateError) -> StubError {
        var problem = StubError(mistake.text, at: path + mistake.path, isAboutKey: mistake.isAboutKey)
        problem.tag = mistake.ordinal
        return problem
    }
}

extension StubBody {
    init(_ template: Template) {
        self = template.constantBytes.map(StubBody.bytes) ?? .template(template)
    }
}
