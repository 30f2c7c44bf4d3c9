package import Backlot

/// One file of mocks, read by itself.
package struct MockFile {
    /// The body of its first response; `null` unless that is JSON.
    package let document: JSONValue
    private let places: RouteFileLines?

    /// Reads a file. It blocks.
    ///
    /// - Parameters:
    ///   - path: its path, with a name such as `card.page.yaml`. Its bodies in `__files` are read from the folder beside it.
    ///   - formats: the protocols of pages and apps.
    /// - Throws: `MockFileErrors`.
    package init(_ path: String, formats: [FileFormat]) throws(MockFileErrors) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let name = String(parts.last ?? "")
        let parent =
            parts.count == 1
            ? "." : parts.count == 2 && path.hasPrefix("/") ? "/" : parts.dropLast().joined(separator: "/")
        guard let folder = RoutesFolder(parent) else {
            throw MockFileErrors(name, "there is no folder '\(parent)'")
        }
        let backend = MockBackend(MockConfiguration(formats: formats))
        backend.use(folder)
        guard let file = try backend.parse(name, in: folder) else {
            throw MockFileErrors(name, "the name is none of a mock route: write NAME.page.yaml")
        }
        document = file.firstDocument
        places = RouteFileLines(of: file.stubs.first?.id, in: name, backend)
    }

    /// The line of a part of the document; nil where it isn't known.
    package func line(of pointer: String) -> Int? { places?.line(of: pointer) }
}

extension MockBackend {
    /// The meaning of a file below `Routes/`, by its name.
    ///
    /// - Parameter draft: what it would hold; nil for what it holds.
    /// - Returns: nil for files that are about something else.
    /// - Throws: `MockFileErrors`.
    func parse(_ file: String, in folder: RoutesFolder, draft: [UInt8]? = nil) throws(MockFileErrors) -> LoadedFile? {
        func bytes() throws(MockFileErrors) -> [UInt8] {
            if let draft { return draft }
            return try mapErrors({ MockFileErrors(file, "the file \($0)") }) { try folder.read(file) }
        }
        if file.hasPrefix("mappings/") {
            guard file.hasSuffix(".json") else { return nil }
            return try MappingFileReader(file: file, folder: folder).read(try bytes())
        }
        let apps = configuration.apps
        let reader: ([UInt8]) throws(MockFileErrors) -> LoadedFile
        do throws(MessageError) {
            if let app = try AppFileName(file, among: apps),
                let format = apps.first(where: { $0.kind == app.group.kind })
            {
                reader = AppFileReader(name: app, format: format, backend: self).read
            } else if let settings = SettingsFile(file) {
                reader = settings.read
            } else if let data = try DataFileReader(file) {
                reader = data.read
            } else if let name = try RouteFileName(file, besides: apps.map(\.kind)) {
                reader = RouteFileReader(name, folder: folder, pages: configuration.pages).read
            } else {
                return nil
            }
        } catch {
            throw MockFileErrors(file, error.description)
        }
        return try reader(try bytes())
    }
}

/// The contents of a file under `Routes/`.
struct LoadedFile: Sendable {
    /// Its stubs, in the order of their matching.
    var stubs: [Stub] = []
    /// The data that it declares.
    var buckets: [DataBucket] = []
    /// Its part of the app of its folder; nil for a file with routes of its own.
    var app: AppFile?
    /// The parts of the app's file, as stubs that nothing serves.
    var parts: [Stub] = []
    /// Warnings about parts that may surprise its author.
    var warnings: [MockFileError] = []
    /// The places with states of scenarios in its stubs.
    var states: [UnusedParts.States] = []
    /// The targets of its pages' links.
    var links: [String] = []
    /// The files of bodies that it names, by their paths below the folder.
    var bodyFiles: [String] = []
    /// Its routes, such as `GET /users/[]`, and the ids of its stubs. No other file may have them.
    var routes: [String] = []
    /// The key that tells clients apart in its folder; nil without such a setting in the file.
    var stateKey: StateKey?

    /// The body of the file's first response; `null` unless that is JSON.
    var firstDocument: JSONValue { app?.document ?? stubs.first?.sample ?? .null }
}

extension Stub {
    /// The body as far as it doesn't depend on a request, its tags not filled in; nil for one that isn't JSON.
    var sample: JSONValue? { response.body.samples.first.flatMap { try? JSONValue(parsing: $0) } }
}
