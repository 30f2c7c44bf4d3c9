import Backlot
import BacklotMocks
import Logging

/// A folder of mock routes, read and ready to be served.
struct MockSite: Sendable {
    let backend: MockBackend
    let files: RouteFiles

    /// The mocks that options are about; nil where there are none.
    ///
    /// - Parameters:
    ///   - folder: where they are; nil for the usual folder, if it is there.
    ///   - path: what they are mounted at.
    ///   - observer: who is told of what they answer.
    /// - Throws: `StartupError` when there is no such folder, or a file is broken.
    static func load(
        _ options: MockOptions,
        from folder: String?,
        path: String,
        observer: (any MockObserver)? = nil,
        logger: Logger
    ) throws -> MockSite? {
        if folder == nil, !FolderLookup.exists(MockOptions.usualFolder) { return nil }
        var configuration = MockConfiguration()
        configuration.path = path
        configuration.seed = options.seed
        configuration.observer = observer
        let backend = MockBackend(configuration, logger: logger)
        let files = try RouteFiles(folder ?? MockOptions.usualFolder, backend: backend)
        try files.load(keepGoing: options.keepGoing)
        return MockSite(backend: backend, files: files)
    }

    /// What the server prints of them once it accepts connections.
    var startUpLines: [StartUpLines.App] {
        [StartUpLines.App(name: "\(backend.stubs.count) mock routes", path: backend.configuration.path)]
    }
}
