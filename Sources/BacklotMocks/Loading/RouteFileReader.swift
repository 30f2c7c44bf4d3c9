import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Makes stubs of one of our own route files.
struct RouteFileReader {
    let name: RouteFileName
    let folder: RoutesFolder
    /// The protocol of pages; nil for mocks without pages.
    let pages: PageFormat?
    /// What the app answers; nil when links are noted only.
    var app: RouteLookup?
    private let bodyFiles: BodyFiles
    private let links = Locked<[String]>([])

    init(_ name: RouteFileName, folder: RoutesFolder, pages: PageFormat?) {
        self.name = name
        self.folder = folder
        self.pages = pages
        bodyFiles = BodyFiles(folder)
    }

    /// Reads the file's bytes.
    ///
    /// - Throws: `FileProblems`.
    func read(_ bytes: [UInt8]) throws(FileProblems) -> LoadedFile {
        var file = LoadedFile()
        if name.kind == .page || name.kind == .rpc, pages == nil { throw problems(PageFormat.missing) }
        let text = SourceText.withoutMark(bytes)
        switch name.format {
        case .json: file.stubs = try bareJSON(pageFormat == nil ? text : SchemaKey.blanked(text))
        case .yaml: try readYAML(text, &file)
        case .other(let ending): file.stubs = [bareBytes(bytes, ending: ending)]
        }
        file.bodyFiles = bodyFiles.asked
        file.links = links.withLock { $0 }
        file.routes = name.kind.methods.map { "\($0.rawValue) \(name.shape)" }
        return file
    }

    private func problems(_ text: String, _ position: TextPosition = TextPosition()) -> FileProblems {
        FileProblems(list: [FileProblem(name.file, position, text)])
    }

    private func problems(_ list: [StubProblem], _ source: SourceText) -> FileProblems {
        FileProblems(list: list.map { source.problem($0, in: name.file) })
    }

    // MARK: Bare bodies

    private func bareJSON(_ bytes: [UInt8]) throws(FileProblems) -> [Stub] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problems("the file is not UTF-8; save it as UTF-8")
        }
        var answer = StubAnswer()
        let parsed = try? JSONValue(parsing: bytes)
        let bare = pageFormat.flatMap { format in parsed.map(format.isBarePage) == true ? format : nil }
        if let parsed, TemplateBuilder.hasBlocks(parsed) {
            let document = bare.map { $0.answer(with: parsed) } ?? parsed
            do throws(StubProblem) {
                answer.body = try Field(parsed).body(document: document, isWrapped: bare != nil, tags: .mustache)
            } catch {
                throw problems([error], .json(bytes, parsed))
            }
        } else {
            answer.body = try textBody(text, bytes, bare)
        }
        answer.addType(pageFormat?.contentType ?? "application/json")
        answer.prepare()
        let body = bare == nil ? text : "{\"\(bare?.envelope ?? "")\":\(text)}"
        try check(answer.body, bytes, parsed, isBare: bare != nil)
        return [stub(answer, RequestPattern(), document: ["status": 200, "body": .string(body)])]
    }

    /// The body as it is written, with the envelope of a bare page around it.
    private func textBody(
        _ text: String,
        _ bytes: [UInt8],
        _ bare: PageFormat?
    ) throws(FileProblems) -> AnswerBody {
        let opening = bare.map { "{\"\($0.envelope)\":" } ?? ""
        let body = bare == nil ? text : "\(opening)\(text)}"
        guard Template.hasTags(body) else { return .bytes(Array(body.utf8)) }
        do throws(TemplateMistake) {
            return AnswerBody(try Template(body, isJSON: true))
        } catch {
            let offset = max(0, (error.offset ?? 0) - opening.utf8.count)
            throw problems(error.text, TextPosition(byteOffset: offset, in: bytes))
        }
    }

    /// Judges a bare body: as JSON, and as a page where it is one.
    private func check(
        _ body: AnswerBody,
        _ bytes: [UInt8],
        _ parsed: JSONValue?,
        isBare: Bool
    ) throws(FileProblems) {
        let samples = body.samples
        let first: JSONValue
        do throws(JSONParseError) {
            first = try JSONValue(parsing: samples.first ?? [])
        } catch {
            // A place in the file helps more than one in the filled-in template.
            var shown = error
            do throws(JSONParseError) { _ = try JSONValue(parsing: bytes) } catch { shown = error }
            throw FileProblems(list: [FileProblem(name.file, shown, in: bytes)])
        }
        guard let pageFormat else { return }
        let others = samples.dropFirst().compactMap { try? JSONValue(parsing: $0) }
        let found = problems(in: [first] + others, pageFormat, below: isBare ? [] : nil, [])
        guard !found.isEmpty else { return }
        guard let parsed else { throw FileProblems(list: found.map { FileProblem(name.file, $0.text) }) }
        throw problems(found, .json(bytes, parsed))
    }

    private func bareBytes(_ bytes: [UInt8], ending: String) -> Stub {
        var answer = StubAnswer()
        answer.body = .bytes(bytes)
        answer.addType(MediaType.byEnding[ending] ?? MediaType.unknown)
        answer.prepare()
        return stub(answer, RequestPattern(), document: ["status": 200])
    }

    // MARK: The fuller form

    private func readYAML(_ bytes: [UInt8], _ file: inout LoadedFile) throws(FileProblems) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problems("the file is not UTF-8; save it as UTF-8")
        }
        let document: YAMLDocument
        do throws(FileProblem) {
            document = try YAMLDocument(text, file: name.file)
        } catch {
            throw FileProblems(list: [error])
        }
        // The file may be a bare page.
        let isBare = name.kind == .page && pages?.isBarePage(document.value) == true
        let source = isBare ? SourceText.barePage(document) : .yaml(document)
        let form: JSONValue =
            isBare ? .object(["page": document.value]) : document.value.isNull ? .object(JSONObject()) : document.value
        var reading = StubReading(.refused)
        reading.pages = pages
        reading.bodyFile = { [bodyFiles] field throws(StubProblem) in try bodyFiles.read(field) }
        var found: [StubProblem] = []
        do throws(StubProblem) {
            for (index, item) in try RouteFileForm.items(Field(form)).enumerated() {
                do throws(StubProblem) {
                    let stub = try stub(item, index: index, source, &reading)
                    file.stubs.append(stub)
                    if let states = source.states(of: stub, at: item.item.path) { file.states.append(states) }
                    found += try pageProblems(stub, item)
                } catch {
                    found.append(error)
                }
            }
        } catch {
            found.append(error)
        }
        guard found.isEmpty else { throw problems(found, source) }
        file.warnings = reading.warnings.map { source.problem($0, in: name.file) }
    }

    private func stub(
        _ item: RouteFileForm,
        index: Int,
        _ source: SourceText,
        _ reading: inout StubReading
    ) throws(StubProblem) -> Stub {
        var pattern = RequestPattern()
        if let request = item.request {
            for key in ["method"] + RequestPattern.urlKeys {
                guard let member = request[key] else { continue }
                throw StubProblem(
                    "the file's name says which requests it answers: \(name.kind.rawValue) of \(name.path.text); remove this key, or move it to a file of its own",
                    at: member.path,
                    isAboutKey: true
                )
            }
            try reading.check(request, knows: RouteFileForm.requestKeys)
            try pattern.readMatchers(request, &reading)
        }
        var answer = try StubAnswer(item.answer, isOwn: true, &reading)
        try addUsualType(&answer, item)
        var stub = self.stub(answer, pattern, document: item.answer.value, index: index)
        stub.source = .file(name.file, line: source.position(of: item.item.path).line)
        stub.name = try item.item["name"]?.string()
        stub.priority = try item.item.stubPriority()
        stub.scenario = try StubScenario(item.item)
        stub.data = try StubData(item.request, item.item, &reading)
        stub.expectedRules = try item.item["expect"]?.strings() ?? []
        return stub
    }

    /// Texts are text/plain, and JSON on a page's path is a page.
    private func addUsualType(_ answer: inout StubAnswer, _ item: RouteFileForm) throws(StubProblem) {
        let hasType = item.answer["headers"]?.value.object?.keys.contains { $0.lowercased() == "content-type" } ?? false
        guard !hasType else { return }
        let pageType = answer.status.kind == .successful ? pageFormat?.contentType : nil
        if let pageType, item.answer["jsonBody"] != nil {
            answer.headers.removeAll { $0.name == .contentType }
            answer.addType(pageType)
        } else if item.answer["body"] != nil {
            answer.addType("text/plain; charset=utf-8")
        } else if let file = item.answer["bodyFileName"]?.value.string {
            let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
            answer.addType(pageType ?? MediaType.byEnding[ending] ?? MediaType.unknown)
        }
        answer.prepare()
    }

    /// The protocol of the file's answers; nil for a file that holds none of its pages.
    private var pageFormat: PageFormat? { name.kind == .page || name.kind == .rpc ? pages : nil }

    private func pageProblems(_ stub: Stub, _ item: RouteFileForm) throws(StubProblem) -> [StubProblem] {
        let answer = stub.answer
        guard let pageFormat, answer.status.kind == .successful, answer.fault == nil, answer.forwarding == nil else {
            return []
        }
        let key = ["page", "jsonBody", "body", "bodyFileName", "base64Body"].first { item.answer[$0] != nil }
        guard let key, let field = item.answer[key] else {
            guard name.kind == .page else { return [] }
            throw item.answer.problem(
                "there is no page; write it under 'page:', beginning with \(pageFormat.beginning)"
            )
        }
        guard key == "page" || key == "jsonBody" else { return [] }
        let samples = answer.body.samples.compactMap { try? JSONValue(parsing: $0) }
        guard !samples.isEmpty else { throw field.problem("this is no JSON once its tags are filled in") }
        let isBare = field.value[pageFormat.envelope] == nil
        return problems(
            in: samples,
            pageFormat,
            below: isBare ? field.path : nil,
            field.path,
            expected: stub.expectedRules
        )
    }

    // MARK: Parts of both

    /// The mistakes for which clients would reject a page, each with its place.
    ///
    /// - Parameters:
    ///   - documents: the page with its tags filled in, in several ways.
    ///   - below: where the page stands in the file, when it has no envelope there; nil otherwise.
    ///   - path: where the document stands.
    ///   - expected: the rules that may be broken.
    private func problems(
        in documents: [JSONValue],
        _ format: PageFormat,
        below: [StubProblem.Step]?,
        _ path: [StubProblem.Step],
        expected: [String] = []
    ) -> [StubProblem] {
        var problems: [StubProblem] = []
        for document in documents {
            for finding in format.errors(in: document, path: name.path.text, app: app ?? noting)
            where !expected.contains(finding.rule) {
                let steps = finding.steps
                let place = below.map { $0 + steps.dropFirst() } ?? (path + steps)
                let problem = StubProblem(finding.line, at: place)
                if !problems.contains(where: { $0.text == problem.text }) { problems.append(problem) }
            }
        }
        return problems
    }

    /// An app that knows nothing, and notes what it was asked about.
    private var noting: RouteLookup {
        RouteLookup { [links] path in
            if !path.contains("{{") { links.withLock { $0.append(path) } }
            return nil
        }
    }

    private func stub(_ answer: StubAnswer, _ pattern: RequestPattern, document: JSONValue, index: Int = 0) -> Stub {
        var (answer, pattern) = (answer, pattern)
        answer.takesVariables = name.kind == .page || name.kind == .rpc
        pattern.methods = name.kind.methods
        pattern.url = .template(name.path)
        let id = StubID(name: "\(name.file)#\(index)")
        let request: JSONObject = [
            "method": name.kind == .page ? "ANY" : .string(name.kind.methods[0].rawValue),
            name.path.hasParameters ? "urlPathTemplate" : "urlPath": .string(name.path.text),
        ]
        let json: JSONValue = .object([
            "id": .string("\(id)"), "uuid": .string("\(id)"), "name": .string(name.file), "request": .object(request),
            "response": document, "metadata": ["file": .string(name.file)],
        ])
        return Stub(
            id: id,
            name: nil,
            source: .file(name.file, line: 1),
            request: pattern,
            answer: answer,
            scenario: nil,
            json: json
        )
    }
}

extension AnswerBody {
    /// Bodies like those that are sent, each with other parts of its template; none for no body.
    var samples: [[UInt8]] {
        switch self {
        case .none, .file: []
        case .bytes(let bytes): [bytes]
        case .template(let template): template.samples()
        }
    }
}

extension MockBackend {
    /// What is wrong with other bytes for a file of routes; nil for nothing.
    package func problem(in bytes: [UInt8], of name: RouteFileName, in folder: RoutesFolder) -> FileProblem? {
        do throws(FileProblems) {
            _ = try RouteFileReader(name, folder: folder, pages: configuration.pages).read(bytes)
            return nil
        } catch {
            return error.list.first
        }
    }
}
