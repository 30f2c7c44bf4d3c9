import Backlot

/// Reads a file of an app, and judges it.
struct AppFileReader {
    let name: AppFileName
    let format: AppFormat
    let backend: MockBackend

    /// Reads the file's bytes.
    ///
    /// - Throws: `MockFileErrors`.
    func read(_ bytes: [UInt8]) throws(MockFileErrors) -> LoadedFile {
        let source = try SourceText(bytes, of: name.file)
        let filling = try template(source.document, source)
        @Sendable func steps(_ pointer: String) -> [StubError.Step] {
            source.value.steps(to: JSONPointer.steps(of: pointer))
        }
        let file = AppFile(
            path: name.file,
            name: name.name,
            document: filling.sample,
            lines: SourceLines { source.position(of: steps($0), key: true).line },
            filled: filling.filled
        )
        var (errors, warnings): ([MockFileError], [MockFileError]) = ([], [])
        // What clients would refuse, and keys that are misspelt, are errors here.
        for finding in format.findings(in: file.document, name: file.path)
        where filling.isConstant || !finding.isAboutTag(in: file.document) {
            let isAboutKey = finding.isMistakeInFile && finding.severity == .warning
            let place = source.position(of: steps(finding.path.pointer), key: isAboutKey)
            let problem = MockFileError(name.file, place, finding.line)
            if finding.isMistakeInFile { errors.append(problem) } else { warnings.append(problem) }
        }
        guard errors.isEmpty else { throw MockFileErrors(list: errors) }
        if !format.hasTags, let pointer = file.document.firstTag() {
            let place = source.position(of: steps(pointer))
            let text = "tags aren't filled in here: clients see them as they stand"
            warnings.append(MockFileError(name.file, place, text))
        }
        return LoadedFile(app: file, warnings: warnings)
    }

    private typealias Filling = (sample: JSONValue, isConstant: Bool, filled: @Sendable (AppCall) throws -> JSONValue)

    /// The document, and how its tags are filled in.
    private func template(_ document: JSONValue, _ source: SourceText) throws(MockFileErrors) -> Filling {
        guard format.hasTags else { return (document, true, { _ in document }) }
        let template: Template
        do throws(TemplateError) {
            template = try Template(document: document, dialect: .own)
        } catch {
            throw source.problems([LocatedValue(document).problem(error)])
        }
        guard template.constantBytes == nil else { return (document, true, { _ in document }) }
        guard let sample = template.samples().lazy.compactMap({ try? JSONValue(parsing: $0) }).first else {
            throw MockFileErrors(name.file, "this is no JSON once its tags are filled in")
        }
        // Not the backend itself, which holds the app.
        let (name, prefix, sources) = (name.file, backend.prefix, backend.sources)
        let limit = backend.configuration.templateLimit
        return (
            sample,
            false,
            { call in
                let body = JSONValue.object(call.variables).bytes
                let request = MockRequest(call.request, body: body, below: prefix)
                let context = TemplateContext(
                    request: request,
                    pathParameters: .none,
                    user: call.user,
                    sources: sources,
                    data: DataView(buckets: nil, scope: MockClocks.client)
                )
                guard let bytes = try? template.bytes(context, limit: limit) else {
                    let text = "\(name): filling in its tags takes more than \(limit) bytes, which is the limit"
                    throw StatusError(.internalServerError, text)
                }
                if let value = try? JSONValue(parsing: bytes) { return value }
                throw StatusError(.internalServerError, "\(name) is no JSON once its tags are filled in")
            }
        )
    }
}

extension JSONValue {
    /// The pointer to the first text with a tag; nil for a document without tags.
    fileprivate func firstTag(at pointer: String = "") -> String? {
        switch self {
        case .string(let text): return text.contains("{{") ? pointer : nil
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                if let found = element.firstTag(at: "\(pointer)/\(index)") { return found }
            }
        case .object(let object):
            for member in object.members {
                if let found = member.value.firstTag(at: pointer + JSONPointer.step(member.key)) { return found }
            }
        default: break
        }
        return nil
    }
}
