import Backlot
import BacklotHTTP
import BacklotJSON

/// Reads a file below `Routes/`, by what its name says.
struct FileParsing {
    private let backend: MockBackend
    private let folder: RoutesFolder

    init(_ backend: MockBackend, _ folder: RoutesFolder) {
        self.backend = backend
        self.folder = folder
    }

    /// What a file means.
    ///
    /// - Parameter draft: what it would hold; nil for what it holds.
    /// - Returns: nil for files that are about something else.
    /// - Throws: `FileProblems`.
    func parse(_ file: String, draft: [UInt8]? = nil) throws(FileProblems) -> LoadedFile? {
        if file.hasPrefix("mappings/") {
            guard file.hasSuffix(".json") else { return nil }
            return try MappingFileReader(file: file, folder: folder).read(try bytes(file, draft))
        }
        let apps = backend.configuration.apps
        let app: AppFileName?
        let data: DataFileReader?
        let name: RouteFileName?
        do throws(RouteFileName.Mistake) {
            app = try AppFileName(file, among: apps)
            data = app == nil ? try DataFileReader(file) : nil
            name = app == nil && data == nil ? try RouteFileName(file, besides: apps.map(\.kind)) : nil
        } catch {
            throw FileProblems(list: [FileProblem(file, error.text)])
        }
        if let app, let format = apps.first(where: { $0.kind == app.group.kind }) {
            return try AppFileReader(name: app, format: format, backend: backend).read(try bytes(file, draft))
        }
        if let data { return try data.read(try bytes(file, draft)) }
        guard let name else { return nil }
        let reader = RouteFileReader(name, folder: folder, pages: backend.configuration.pages)
        return try reader.read(try bytes(file, draft))
    }

    private func bytes(_ file: String, _ draft: [UInt8]?) throws(FileProblems) -> [UInt8] {
        if let draft { return draft }
        do throws(UnreadableFile) {
            return try folder.read(file)
        } catch {
            throw FileProblems(list: [FileProblem(file, "the file \(error.reason)")])
        }
    }
}
