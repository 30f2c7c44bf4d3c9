package import Backlot
package import BacklotJSON

/// One file of mocks, read by itself.
package struct MockFile {
    /// What it answers first; `null` for an answer that is no JSON.
    package let document: JSONValue
    private let places: AnswerPlaces?

    /// Reads a file. It blocks.
    ///
    /// - Parameters:
    ///   - path: its path, with a name such as `card.page.yaml`. What it names in `__files` is looked for beside it.
    ///   - formats: the protocols of pages and apps.
    /// - Throws: `FileProblems`.
    package init(_ path: String, formats: [FileFormat]) throws(FileProblems) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let name = String(parts.last ?? "")
        let parent =
            parts.count == 1
            ? "." : parts.count == 2 && path.hasPrefix("/") ? "/" : parts.dropLast().joined(separator: "/")
        guard let folder = RoutesFolder(parent) else {
            throw FileProblems(list: [FileProblem(name, "there is no folder '\(parent)'")])
        }
        let backend = MockBackend(MockConfiguration(formats: formats))
        backend.use(folder)
        guard let file = try FileParsing(backend, folder).parse(name) else {
            throw FileProblems(list: [FileProblem(name, "the name is none of a mock route: write NAME.page.yaml")])
        }
        document = file.firstDocument
        places = AnswerPlaces(of: file.stubs.first?.id, in: name, backend)
    }

    /// The line of a part of the document; nil where it isn't known.
    package func line(of pointer: String) -> Int? { places?.line(of: pointer) }
}

extension LoadedFile {
    /// What the file answers first; `null` for an answer that is no JSON.
    var firstDocument: JSONValue {
        let sample = stubs.first?.answer.body.samples.first
        return app?.document ?? sample.flatMap { try? JSONValue(parsing: $0) } ?? .null
    }
}
