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
    private let bodyFiles: BodyFiles

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
        do throws(FileProblem) {
            if name.kind == .page || name.kind == .rpc, pages == nil {
                throw FileProblem(name.file, PageFormat.missing)
            }
            switch name.format {
            case .json: file.stubs = try bareJSON(bytes)
            case .yaml: try readYAML(bytes, &file)
            case .other(let ending): file.stubs = [bareBytes(bytes, ending: ending)]
            }
        } catch {
            throw FileProblems(list: [error])
        }
        file.bodyFiles = bodyFiles.asked
        file.routes = name.kind.methods.map { "\($0.rawValue) \(name.shape)" }
        return file
    }

    // MARK: Bare bodies

    private func bareJSON(_ bytes: [UInt8]) throws(FileProblem) -> [Stub] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(name.file, "the file is not UTF-8; save it as UTF-8")
        }
        var answer = StubAnswer()
        let parsed = try? JSONValue(parsing: bytes)
        let bare = pageFormat.flatMap { format in parsed.map(format.isBarePage) == true ? format : nil }
        let opening = bare.map { "{\"\($0.envelope)\":" } ?? ""
        let body = bare == nil ? text : "\(opening)\(text)}"
        do throws(TemplateMistake) {
            answer.body = try BodyTemplate(body, isJSON: true).map(AnswerBody.template) ?? .bytes(Array(body.utf8))
        } catch {
            let offset = max(0, (error.offset ?? 0) - opening.utf8.count)
            throw FileProblem(name.file, TextPosition(byteOffset: offset, in: bytes), error.text)
        }
        answer.addType(pageFormat?.contentType ?? "application/json")
        answer.prepare()
        let sample: JSONValue
        do {
            sample = try parsedSample(answer.body, parsed, bare)
        } catch {
            // A place in the file helps more than one in the filled-in template.
            var shown = error
            if case .bytes = answer.body {} else { do { _ = try JSONValue(parsing: bytes) } catch { shown = error } }
            let position = TextPosition(line: shown.line, column: shown.column)
            throw FileProblem(name.file, position, "this is no JSON: \(shown.kind)")
        }
        if let pageFormat {
            let source = parsed.map { SourceText.json(bytes, $0) }
            if let problem = problem(in: sample, pageFormat, below: bare == nil ? nil : [], []) {
                throw source?.problem(problem, in: name.file) ?? FileProblem(name.file, problem.text)
            }
        }
        return [stub(answer, RequestPattern(), document: ["status": 200, "body": .string(body)])]
    }

    private func parsedSample(
        _ body: AnswerBody,
        _ parsed: JSONValue?,
        _ bare: PageFormat?
    ) throws(JSONParseError) -> JSONValue {
        switch body {
        case .none, .file: return .null
        case .template(let template): return try JSONValue(parsing: template.sample())
        case .bytes(let bytes):
            if let parsed { return bare?.answer(with: parsed) ?? parsed }
            return try JSONValue(parsing: bytes)
        }
    }

    private func bareBytes(_ bytes: [UInt8], ending: String) -> Stub {
        var answer = StubAnswer()
        answer.body = .bytes(bytes)
        answer.addType(MediaType.byEnding[ending] ?? MediaType.unknown)
        answer.prepare()
        return stub(answer, RequestPattern(), document: ["status": 200])
    }

    // MARK: The fuller form

    private func readYAML(_ bytes: [UInt8], _ file: inout LoadedFile) throws(FileProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(name.file, "the file is not UTF-8; save it as UTF-8")
        }
        let document = try YAMLDocument(text, file: name.file)
        // The file may be a bare page.
        let isBare = name.kind == .page && pages?.isBarePage(document.value) == true
        let source = isBare ? SourceText.barePage(document) : .yaml(document)
        let form: JSONValue =
            isBare ? .object(["page": document.value]) : document.value.isNull ? .object(JSONObject()) : document.value
        var reading = StubReading(.refused)
        reading.pages = pages
        reading.bodyFile = { [bodyFiles] field throws(StubProblem) in try bodyFiles.read(field) }
        do throws(StubProblem) {
            for (index, item) in try RouteFileForm.items(Field(form)).enumerated() {
                let stub = try stub(item, index: index, source, &reading)
                file.stubs.append(stub)
                try checkPage(stub, item, source)
            }
        } catch {
            throw source.problem(error, in: name.file)
        }
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
            try reading.check(request, knows: RequestPattern.matcherKeys + ["query", "whenData"])
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

    private func checkPage(_ stub: Stub, _ item: RouteFileForm, _ source: SourceText) throws(StubProblem) {
        let answer = stub.answer
        guard let pageFormat, answer.status.kind == .successful, answer.fault == nil, answer.forwarding == nil else {
            return
        }
        let key = ["page", "jsonBody", "body", "bodyFileName", "base64Body"].first { item.answer[$0] != nil }
        guard let key, let field = item.answer[key] else {
            guard name.kind == .page else { return }
            throw item.answer.problem(
                "there is no page; write it under 'page:', beginning with \(pageFormat.beginning)"
            )
        }
        guard key == "page" || key == "jsonBody" else { return }
        guard case .bytes(let bytes)? = answer.body.sampleBytes.map(ResponseBody.bytes),
            let sample = try? JSONValue(parsing: bytes)
        else { throw field.problem("this is no JSON once its tags are filled in") }
        let isBare = field.value[pageFormat.envelope] == nil
        if let problem = problem(in: sample, pageFormat, below: isBare ? field.path : nil, field.path) { throw problem }
    }

    // MARK: Parts of both

    /// The mistakes for which clients would reject a page; nil for none.
    ///
    /// - Parameters:
    ///   - below: where the page stands in the file, when it has no envelope there; nil otherwise.
    ///   - path: where the document stands.
    private func problem(
        in document: JSONValue,
        _ format: PageFormat,
        below: [StubProblem.Step]?,
        _ path: [StubProblem.Step]
    ) -> StubProblem? {
        let findings = format.errors(in: document, path: name.path.text)
        guard let first = findings.first else { return nil }
        let rest = findings.dropFirst().map { "\n    \($0.line)" }.joined()
        let steps = first.steps
        let place = below.map { $0 + steps.dropFirst() } ?? (path + steps)
        return StubProblem(first.line + rest, at: place)
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
    /// A body like those that are sent; nil for no body.
    var sampleBytes: [UInt8]? {
        switch self {
        case .none: nil
        case .bytes(let bytes): bytes
        case .template(let template): template.sample()
        case .file: nil
        }
    }
}
