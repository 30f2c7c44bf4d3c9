package import Backlot

/// Makes stubs of one of our own route files.
struct RouteFileReader {
    let name: RouteFileName
    /// The protocol of pages; nil for mocks without pages.
    let pages: PageFormat?
    /// The routes of the app; nil if links are only noted.
    var app: RouteLookup?
    private let folder: RoutesFolder
    private let links = Locked<[String]>([])

    init(_ name: RouteFileName, folder: RoutesFolder, pages: PageFormat?) {
        self.name = name
        self.pages = pages
        self.folder = folder
    }

    /// Reads the file's bytes.
    ///
    /// - Throws: `MockFileErrors`.
    func read(_ bytes: [UInt8]) throws(MockFileErrors) -> LoadedFile {
        var file = LoadedFile()
        if name.kind.holdsPages, pages == nil { throw MockFileErrors(name.file, PageFormat.missing) }
        switch name.format {
        case .json:
            let text = SourceText.withoutMark(bytes)
            file.stubs = [try bareJSON(pageFormat == nil ? text : SchemaKey.blanked(text))]
        case .yaml: try readYAML(bytes, &file)
        case .other(let ending):
            var response = StubResponse()
            response.body = .bytes(bytes)
            response.addType(MediaType.byEnding[ending] ?? MediaType.unknown)
            file.stubs = [stub(response, RequestPattern(), document: ["status": 200])]
        }
        file.links = links.withLock { $0 }
        file.routes = name.routes
        return file
    }

    // MARK: Bare JSON

    private func bareJSON(_ bytes: [UInt8]) throws(MockFileErrors) -> Stub {
        let text = try SourceText.text(bytes, of: name.file)
        let source = try? SourceText(bytes, of: name.file)
        let parsed = source?.value
        // A bare page gets its envelope.
        let bare = pageFormat.flatMap { format in parsed.map(format.isBarePage) == true ? format : nil }
        let opening = bare.map { "{\"\($0.envelope)\":" } ?? ""
        let body = bare == nil ? text : "\(opening)\(text)}"
        var response = StubResponse()
        if let source, let parsed, TemplateBuilder.hasBlocks(parsed) {
            let document = bare.map { $0.response(with: parsed) } ?? parsed
            do throws(StubError) {
                response.body = try LocatedValue(parsed)
                    .body(document: document, isWrapped: bare != nil, tags: .own)
            } catch {
                throw source.problems([error])
            }
        } else if Template.hasTags(body) {
            do throws(TemplateError) {
                response.body = StubBody(try Template(body, isJSON: true))
            } catch {
                let offset = max(0, (error.offset ?? 0) - opening.utf8.count)
                throw MockFileErrors(name.file, error.text, at: TextPosition(byteOffset: offset, in: bytes))
            }
        } else {
            response.body = .bytes(Array(body.utf8))
        }
        response.addType(pageFormat?.contentType ?? "application/json")
        do throws(JSONParseError) {
            _ = try JSONValue(parsing: response.body.samples.first ?? [])
        } catch {
            // A place in the file helps more than one in the filled-in template.
            var shown = error
            do throws(JSONParseError) { _ = try JSONValue(parsing: bytes) } catch { shown = error }
            throw MockFileErrors(list: [MockFileError(name.file, shown, in: bytes)])
        }
        let found = pageFormat.map { problems(in: response.body, $0, LocatedValue(parsed ?? .null)) } ?? []
        guard found.isEmpty else {
            throw source?.problems(found) ?? MockFileErrors(list: found.map { MockFileError(name.file, $0.text) })
        }
        return stub(response, RequestPattern(), document: ["status": 200, "body": .string(body)])
    }

    // MARK: The fuller form

    private func readYAML(_ bytes: [UInt8], _ file: inout LoadedFile) throws(MockFileErrors) {
        var source = try SourceText(bytes, of: name.file)
        var form = source.document
        if name.kind == .page, pages?.isBarePage(form) == true {
            source.isBarePage = true
            form = ["page": form]
        }
        var reader = MockReader(isForeign: false)
        reader.pages = pages
        reader.folder = folder
        var found = reader.problems(in: LocatedValue(form), as: .routeFile)
        guard found.isEmpty else { throw source.problems(found) }
        do throws(StubError) {
            for (index, item) in try RouteFileForm.items(LocatedValue(form)).enumerated() {
                do throws(StubError) {
                    let stub = try stub(item, index: index, source, &reader)
                    source.add(stub, at: item.item.path, to: &file)
                    found += try pageProblems(stub, item)
                } catch {
                    found.append(error)
                }
            }
        } catch {
            found.append(error)
        }
        try source.finish(&file, reader, found)
    }

    private func stub(
        _ form: RouteFileForm,
        index: Int,
        _ source: SourceText,
        _ reader: inout MockReader
    ) throws(StubError) -> Stub {
        var pattern = RequestPattern()
        if let request = form.request {
            if form.response.value["template"]?.bool != false { try request.refuseTags() }
            try pattern.readMatchers(request, &reader)
        }
        var response = try StubResponse(form.response, isOwn: true, stream: name.kind.stream, &reader)
        addUsualType(&response, form.response.value)
        var stub = self.stub(response, pattern, document: form.response.value, index: index)
        stub.source = .file(name.file, line: source.position(of: form.item.path).line)
        try stub.readShared(form.item)
        stub.data = try StubData(form.request, form.item, &reader)
        stub.moves = try ScenarioMoves(form.item)
        stub.log = form.item.value["log"]?.string
        stub.expectedRules = form.item["expect"]?.each.compactMap(\.value.string) ?? []
        return stub
    }

    /// Texts are text/plain, and JSON on a page's path is a page.
    private func addUsualType(_ response: inout StubResponse, _ form: JSONValue) {
        let named = form["headers"]?.object?.keys ?? []
        guard !named.contains(where: { $0.lowercased() == "content-type" }) else { return }
        let pageType = response.status.kind == .successful ? pageFormat?.contentType : nil
        func holds(_ key: String) -> Bool { form[key]?.isNull == false }
        if let pageType, holds("jsonBody") {
            response.headers.removeAll { $0.name == .contentType }
            response.addType(pageType)
        } else if holds("body") {
            response.addType("text/plain; charset=utf-8")
        } else if let file = form["bodyFileName"]?.string {
            response.addType(pageType ?? MediaType.byEnding[MediaType.ending(of: file)] ?? MediaType.unknown)
        }
    }

    /// The protocol of the file's responses; nil for a file without its pages.
    private var pageFormat: PageFormat? { name.kind.holdsPages ? pages : nil }

    private func pageProblems(_ stub: Stub, _ form: RouteFileForm) throws(StubError) -> [StubError] {
        let response = stub.response
        if name.kind.stream != nil, response.stream == nil, response.status.kind == .successful, response.fault == nil,
            response.forwarding == nil, name.kind == .ws || response.body.isNone
        {
            throw form.response.problem("there are no steps; write them under 'steps:', beginning with '- send: hello'")
        }
        guard let pageFormat, response.status.kind == .successful, response.fault == nil, response.forwarding == nil
        else {
            return []
        }
        guard let field = form.response["page"] ?? form.response["jsonBody"] else {
            let isWritten = ["body", "bodyFileName", "base64Body"].contains { form.response[$0] != nil }
            guard name.kind == .page, !isWritten else { return [] }
            throw form.response.problem(
                "there is no page; write it under 'page:', beginning with \(pageFormat.beginning)"
            )
        }
        return problems(in: response.body, pageFormat, field, expected: stub.expectedRules)
    }

    // MARK: Parts of both

    /// The mistakes for which clients would reject a page, each with its place.
    ///
    /// - Parameters:
    ///   - body: the page in its envelope, whose tags are filled in in several ways.
    ///   - field: what the file holds: the same, or the page without its envelope.
    ///   - expected: the rules that may be broken.
    private func problems(
        in body: StubBody,
        _ format: PageFormat,
        _ field: LocatedValue,
        expected: [String] = []
    ) -> [StubError] {
        let documents = body.samples.compactMap { try? JSONValue(parsing: $0) }
        guard !documents.isEmpty else { return [field.problem("this is no JSON once its tags are filled in")] }
        // An app that knows nothing notes what it was asked about.
        let noting = RouteLookup { [links] path in
            if !path.contains("{{") { links.withLock { $0.append(path) } }
            return nil
        }
        let envelope = field.value[format.envelope] == nil ? 1 : 0
        var problems: [StubError] = []
        for (index, document) in documents.enumerated() {
            for finding in format.errors(in: document, path: name.path.text, app: app ?? noting)
            where !expected.contains(finding.rule) && !(body.hasTags && finding.isAboutTag(in: document)) {
                let names = JSONPointer.steps(of: finding.path.pointer).dropFirst(envelope)
                let steps = field.value.steps(to: names, takesElse: index > 0)
                let problem = StubError(finding.line, at: field.path + steps)
                if !problems.contains(where: { $0.text == problem.text }) { problems.append(problem) }
            }
        }
        return problems
    }

    private func stub(_ response: StubResponse, _ pattern: RequestPattern, document: JSONValue, index: Int = 0) -> Stub
    {
        let method = name.kind == .page ? "ANY" : name.kind.methods[0].rawValue
        let id = StubID(name: "\(name.file)#\(index)")
        var stub = Stub(id, at: name.path, name.kind.methods, as: method, in: name.file, response: document)
        stub.request.conditions = pattern.conditions
        stub.response = response
        stub.opensWebSocket = name.kind == .ws
        stub.response.takesVariables = name.kind.holdsPages
        return stub
    }
}

extension PageFormat {
    /// The error for a page in a file of mocks without a protocol.
    static let missing =
        "these mocks know no protocol for pages; let MockConfiguration.formats hold one, such as .applin()"

    /// The mistakes for which clients would reject the page of a file. The targets of its links are followed later, by
    /// `check`, once all files are loaded.
    ///
    /// - Parameters:
    ///   - document: the answer, with the page in its envelope.
    ///   - path: the page's path, such as `/items/{id}`.
    ///   - app: what its links may lead to.
    package func errors(in document: JSONValue, path: String, app: RouteLookup) -> [Finding] {
        inspector.findings(in: document, path: path, app: app).filter { $0.severity == .error }
    }
}

extension Finding {
    /// The finding in one line, without the page's path.
    var line: String {
        let place = path.steps.isEmpty ? "" : path.steps.joined(separator: " › ") + ": "
        return "\(place)\(message) \(fix) [\(rule)]"
    }
}

extension StubBody {
    /// Whether it depends on the request.
    fileprivate var hasTags: Bool { if case .template = self { true } else { false } }

    /// Bodies like those that are sent, each with other parts of its template; none for no body.
    var samples: [[UInt8]] {
        switch self {
        case .none, .file: []
        case .bytes(let bytes): [bytes]
        case .template(let template): template.samples()
        }
    }
}

/// One answer of a route file in YAML: `request`, and the answer's own keys beside it or below `response`.
struct RouteFileForm {
    /// The keys beside the response's own.
    static let keys: [Key] =
        [
            .optional("request", .object(.ownRequest), "The requests that it matches; without it, all."),
            .optional("response", .object(.ownResponse), "The answer; its keys may also stand beside this one."),
        ] + Stub.sharedKeys + ScenarioMoves.keys + [
            DataChange.key,
            .optional(
                "expect",
                .either([.string, .array(.string)]),
                "Rules that the page breaks on purpose, such as duplicate-var-name."
            ),
        ]
    static let responses = Key.optional(
        "responses",
        .objects(.item),
        "Several responses: the first one with a matching request is sent."
    )
    /// The keys beside `responses` that apply to all of them.
    private static let sharedKeys = ["scenarioName", "requiresLogin", "template"]
    private static let itemKeys = Set(keys.map(\.name))

    /// The response with the keys beside it.
    let item: LocatedValue
    let request: LocatedValue?
    let response: LocatedValue

    /// The responses of a file that has only keys of its kind, in their order.
    static func items(_ file: LocatedValue) throws(StubError) -> [RouteFileForm] {
        guard let responses = file["responses"] else { return [try RouteFileForm(file)] }
        for (key, member) in try file.members() where key != "responses" && !sharedKeys.contains(key) {
            throw member.keyProblem(
                "beside 'responses' stand \(sharedKeys.alternatives) only; move '\(key)' into one of the responses"
            )
        }
        var items: [RouteFileForm] = []
        for element in responses.each {
            var object = try element.object()
            for key in sharedKeys where object[key] == nil && file[key] != nil { object[key] = file[key]?.value }
            items.append(try RouteFileForm(LocatedValue(.object(object), at: element.path)))
        }
        guard !items.isEmpty else { throw responses.problem("the list is empty; write at least one answer") }
        return items
    }

    private init(_ item: LocatedValue) throws(StubError) {
        self.item = item
        request = item["request"]
        let own = try item.members().filter { !Self.itemKeys.contains($0.key) && $0.key != "responses" }
        // Keys that all responses of the file share may stand beside `response`.
        if item["response"] != nil, let extra = own.first(where: { !Self.sharedKeys.contains($0.key) }) {
            throw extra.field.keyProblem("there is a 'response' already; move '\(extra.key)' into it")
        }
        var merged = item["response"]?.value.object ?? JSONObject()
        for member in own where merged[member.key] == nil { merged[member.key] = member.field.value }
        response = LocatedValue(.object(merged), at: item["response"]?.path ?? item.path)
    }
}

extension MockBackend {
    /// The error in other bytes for a file of routes, or nil.
    package func problem(in bytes: [UInt8], of name: RouteFileName, in folder: RoutesFolder) -> MockFileError? {
        RouteFileReader(name, folder: folder, pages: configuration.pages).problems(bytes).first
    }
}

extension RouteFileReader {
    /// The errors of a file.
    func problems(_ bytes: [UInt8]) -> [MockFileError] {
        do throws(MockFileErrors) {
            _ = try read(bytes)
            return []
        } catch {
            return error.list
        }
    }
}

extension LocatedValue {
    /// Refuses tags in the matchers of a request, which nothing fills in, but for those of data.
    fileprivate func refuseTags() throws(StubError) {
        if let text = value.string {
            guard Template.hasTags(text), let template = try? Template(text, dialect: .own), template.constant == nil
            else {
                return
            }
            let cure = "write the condition under 'whenData', or 'template: false' beside 'request' if braces are meant"
            throw problem("the tag in \(text.shown) isn't filled in here, only in matchers of data; \(cure)")
        }
        for element in value.array == nil ? [] : try elements() { try element.refuseTags() }
        for (key, member) in value.object == nil ? [] : try members() where key != "whenData" {
            try member.refuseTags()
        }
    }
}
