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
        let source: SourceText
        if name.isLines, let lines = format.lines {
            source = try SourceText(bytes, of: name.file, lines, reactions: format.reactions?.key ?? "reactions")
        } else {
            source = try SourceText(bytes, of: name.file)
        }
        var (loaded, reader) = (LoadedFile(), MockReader(isForeign: false))
        let contents: AppContents
        do throws(StubError) {
            let file = LocatedValue(source.document)
            contents = try AppContents(file, format, source, &reader, &loaded)
        } catch {
            throw source.problems([error])
        }
        (loaded.parts, loaded.stubs) = (loaded.stubs, [])
        @Sendable func steps(_ pointer: String) -> [StubError.Step] {
            source.value.steps(to: JSONPointer.steps(of: pointer))
        }
        let file = AppFile(
            path: name.file,
            name: name.name,
            document: contents.sample,
            lines: SourceLines { source.position(of: steps($0), key: true).line },
            filled: { try contents.filled($0) },
            reaction: { try await contents.react($0, $1) }
        )
        var (errors, warnings): ([MockFileError], [MockFileError]) = ([], [])
        // What clients would refuse, and keys that are misspelt, are errors here.
        for finding in format.withState.findings(in: file.document, name: file.path)
        where !format.ignores(finding, contents.hasBlocks)
            && !(contents.hasTags && finding.isAboutTag(in: file.document))
        {
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
        loaded.app = file
        loaded.warnings = reader.warnings.map(source.problem) + warnings
        return loaded
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
