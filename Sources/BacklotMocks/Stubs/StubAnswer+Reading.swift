import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

extension StubAnswer {
    /// The keys of an answer that WireMock knows.
    static let keys =
        [
            "status", "statusMessage", "headers", "body", "jsonBody", "base64Body", "bodyFileName",
            "fixedDelayMilliseconds",
            "delayDistribution", "chunkedDribbleDelay", "fault", "transformers", "transformerParameters",
        ] + AnswerForwarding.keys
    /// Ours.
    static let ownKeys = ["page", "template", "logIn", "logOut", "requiresLogin"]
    static let ignoredKeys = ["fromConfiguredStub", "wasConfigured", "gzipDisabled", "originalProxiedRequest"]
    private static let bodyKeys = ["body", "jsonBody", "base64Body", "bodyFileName", "page"]
    private static let json = "application/json"

    /// Reads an answer.
    ///
    /// - Parameter isOwn: whether our own keys are known too.
    init(_ field: Field, isOwn: Bool, _ reading: inout StubReading) throws(StubProblem) {
        try reading.check(field, knows: Self.keys + (isOwn ? Self.ownKeys : []), ignored: Self.ignoredKeys)
        if let status = field["status"] { self.status = .standard(try status.int(in: 200...599)) }
        delay = try AnswerDelay(field, &reading)
        dribble = try field["chunkedDribbleDelay"].map { field throws(StubProblem) in try AnswerDribble(field, &reading)
        }
        if let fault = field["fault"] {
            self.fault = ConnectionFault(rawValue: try fault.word(of: ConnectionFault.allCases.map(\.rawValue)))
        }
        if isOwn { session = try AnswerSession(field) }
        if let message = field["statusMessage"] {
            let text = try message.string()
            guard HTTPField.isValidValue(text) else {
                throw message.problem("it holds a line break or a control character")
            }
            status = HTTPResponse.Status(code: status.code, reasonPhrase: text)
        }
        if let parameters = field["transformerParameters"] { self.parameters = .object(try parameters.object()) }
        let tags = try Self.tags(field, isOwn: isOwn, &reading)
        forwarding = try AnswerForwarding(field, tags)
        try readHeaders(field, tags)
        try readBody(field, tags, &reading)
        prepare()
    }

    /// In our own files tags are read unless that is switched off; in WireMock's when it is asked for.
    private static func tags(
        _ field: Field,
        isOwn: Bool,
        _ reading: inout StubReading
    ) throws(StubProblem) -> StubReading.Tags {
        var names: [String] = []
        for element in try field["transformers"]?.elements() ?? [] {
            let name = try element.string()
            names.append(name)
            if name != "response-template" {
                throw element.problem("the transformer '\(name)' is not supported: only response-template is")
            }
        }
        if isOwn, try field["template"]?.bool() == false { return .none }
        return isOwn ? .mustache : names.contains("response-template") ? .handlebars : .none
    }

    private mutating func readHeaders(_ field: Field, _ tags: StubReading.Tags) throws(StubProblem) {
        for (key, member) in try field["headers"]?.members() ?? [] {
            guard let name = HTTPField.Name(key) else {
                throw StubProblem("'\(key)' can't be the name of a header field", at: member.path, isAboutKey: true)
            }
            let values = member.value.array == nil ? [member] : try member.elements()
            for value in values {
                let text = try value.text()
                guard HTTPField.isValidValue(text) else {
                    throw value.problem("\(text.shown) can't be the value of a header field; leave out line breaks")
                }
                headers.append(Header(name: name, value: try value.template(text, tags)))
            }
        }
    }

    private mutating func readBody(
        _ field: Field,
        _ tags: StubReading.Tags,
        _ reading: inout StubReading
    ) throws(StubProblem) {
        let found = Self.bodyKeys.compactMap { field[$0] }
        if found.count > 1 {
            throw found[1].problem("there is a body already; keep one of \(Self.bodyKeys.alternatives)")
        }
        // `jsonBody: null` is a body too.
        let isNull = field.value["jsonBody"]?.isNull == true && found.isEmpty
        guard let key = found.first ?? (isNull ? Field(.null, at: field.path + [.key("jsonBody")]) : nil) else {
            return
        }
        switch key.path.last {
        case .key("body"):
            try setBody(try key.text(), isJSON: hasJSONType, tags, key)
        case .key("jsonBody"):
            addType(Self.json)
            body = try key.body(document: key.value, tags: tags)
        case .key("page"):
            guard let format = reading.pages else {
                throw StubProblem(PageFormat.missing, at: key.path, isAboutKey: true)
            }
            addType(format.contentType)
            let document = format.answer(with: key.value)
            body = try key.body(document: document, isWrapped: key.value[format.envelope] == nil, tags: tags)
        case .key("base64Body"):
            guard let bytes = Base64.decode(try key.string()) else {
                throw key.problem("it is no base64; write letters, digits, + and /, with = at the end")
            }
            body = .bytes(bytes)
        default:
            guard let read = reading.bodyFile else {
                throw key.problem("there are no files here; write the body itself")
            }
            let name = try key.string()
            let isConstant = parameters?["disableBodyFileTemplating"]?.bool ?? false
            let fileTags = isConstant ? .none : tags
            if tags != .none, name.contains("{{") {
                body = .file(AnswerFile(try key.template(name, tags), fileTags))
                return
            }
            let bytes = try read(key)
            let isJSON = hasJSONType || key.value.string?.hasSuffix(".json") == true
            if let text = String(validating: bytes, as: UTF8.self) {
                body = try key.fileBody(text, isJSON: isJSON, tags: fileTags)
            } else {
                body = .bytes(bytes)
            }
        }
    }

    private var hasJSONType: Bool {
        headers.contains { $0.name == .contentType && $0.value.constant?.contains("json") == true }
    }

    mutating func addType(_ type: String) {
        guard !headers.contains(where: { $0.name == .contentType }) else { return }
        headers.append(Header(name: .contentType, value: Template(constant: type)))
    }

    private mutating func setBody(
        _ text: String,
        isJSON: Bool,
        _ tags: StubReading.Tags,
        _ field: Field
    ) throws(StubProblem) {
        body = try field.body(text, isJSON: isJSON, tags: tags)
    }
}

extension AnswerSession {
    init(_ field: Field) throws(StubProblem) {
        if let requirement = field["requiresLogin"] {
            if let text = requirement.value.string {
                (requiresLogin, self.text) = (true, text)
            } else {
                requiresLogin = try requirement.bool()
            }
        }
        if let logIn = field["logIn"] {
            let text = try logIn.text()
            if text.isEmpty { throw logIn.problem("a user has a name; write one, such as \"{{variables.username}}\"") }
            self.logIn = try logIn.template(text, .mustache)
        }
        logOut = try field["logOut"]?.bool() ?? false
        if self.logIn != nil, logOut { throw field.problem("an answer logs in or out; keep one of logIn and logOut") }
    }
}

extension Field {
    func template(_ text: String, _ tags: StubReading.Tags) throws(StubProblem) -> Template {
        guard let dialect = tags.dialect, Template.hasTags(text) else { return Template(constant: text) }
        do throws(TemplateMistake) {
            return try Template(text, dialect: dialect)
        } catch {
            throw problem(error)
        }
    }

    /// A body of text.
    func body(_ text: String, isJSON: Bool, tags: StubReading.Tags) throws(StubProblem) -> AnswerBody {
        guard let dialect = tags.dialect, Template.hasTags(text) else { return .bytes(Array(text.utf8)) }
        do throws(TemplateMistake) {
            return AnswerBody(try Template(text, dialect: dialect, isJSON: isJSON))
        } catch {
            throw problem(error)
        }
    }

    /// A body of a file that the field names.
    func fileBody(_ text: String, isJSON: Bool, tags: StubReading.Tags) throws(StubProblem) -> AnswerBody {
        guard let dialect = tags.dialect, Template.hasTags(text) else { return .bytes(Array(text.utf8)) }
        do throws(TemplateMistake) {
            return AnswerBody(try Template(text, dialect: dialect, isJSON: isJSON))
        } catch {
            let place = TextPosition(byteOffset: error.offset ?? 0, in: Array(text.utf8))
            throw problem("__files/\(try string()):\(place.line):\(place.column): \(error.text)")
        }
    }

    /// A body that is a document.
    ///
    /// - Parameter isWrapped: whether the document is this field's value below a key of its own.
    func body(document: JSONValue, isWrapped: Bool = false, tags: StubReading.Tags) throws(StubProblem) -> AnswerBody {
        guard let dialect = tags.dialect else { return .bytes(document.bytes) }
        do throws(TemplateMistake) {
            return AnswerBody(try Template(document: document, dialect: dialect))
        } catch {
            var mistake = error
            if isWrapped { mistake.path = Array(error.path.dropFirst()) }
            throw problem(mistake)
        }
    }

    /// The mistake in a template that this is about.
    func problem(_ mistake: TemplateMistake) -> StubProblem {
        var problem = StubProblem(mistake.text, at: path + mistake.path, isAboutKey: mistake.isAboutKey)
        problem.tag = mistake.ordinal
        return problem
    }
}

extension StubReading.Tags {
    /// How tags are read; nil where braces are braces.
    var dialect: TemplateDialect? {
        switch self {
        case .none: nil
        case .mustache: .own
        case .handlebars: .wireMock
        }
    }
}

extension AnswerBody {
    init(_ template: Template) {
        self = template.constantBytes.map(AnswerBody.bytes) ?? .template(template)
    }
}
