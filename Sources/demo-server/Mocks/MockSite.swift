import Backlot
import BacklotMocks
import Logging

/// A folder of mock routes, with all that belongs to serving it: commands at `/__admin`, a journal, faults on demand.
struct MockSite: Sendable {
    let backend: MockBackend
    let files: RouteFiles
    private let journal: Journal
    private let faults = FaultBoard()

    /// The mocks of a folder; its files are not read yet.
    ///
    /// - Parameters:
    ///   - path: what they are mounted at.
    /// - Throws: `StartupError` when there is no such folder.
    init(folder: String, path: String, seed: UInt64? = nil, logger: Logger) throws {
        journal = Journal(path: path)
        var configuration = MockConfiguration()
        configuration.path = path
        configuration.seed = seed
        configuration.observer = journal
        backend = MockBackend(configuration, logger: logger)
        files = try RouteFiles(folder, backend: backend)
    }

    /// The mocks that options are about, with their files read; nil where there are none.
    ///
    /// - Throws: `StartupError` when there is no such folder, or a file is broken.
    static func load(_ options: MockOptions, path: String, logger: Logger) throws -> MockSite? {
        if options.routes == nil, !FolderLookup.exists(MockOptions.usualFolder) { return nil }
        let folder = options.routes ?? MockOptions.usualFolder
        let site = try MockSite(folder: folder, path: path, seed: options.seed, logger: logger)
        try site.files.load(keepGoing: options.keepGoing)
        return site
    }

    /// Adds what stands before all routes. To be called before other middlewares are added.
    ///
    /// Faults on demand hit what is below the mocks' path, and nothing else: a load balancer that asks whether the server is
    /// ready takes none away.
    func registerCommands(on router: Router, access: LocalAccess) {
        router.use(MockAdmin(backend, journal: journal, faults: faults, access: access))
        let faults = FaultInjection(faults, access: access) { [journal] in journal.answered($0, $1, $2) }
        router.use(BelowPath(path: backend.configuration.path, middleware: faults))
    }

    /// What the server prints of them once it accepts connections.
    var startUpLines: [StartUpLines.App] {
        [StartUpLines.App(name: "\(backend.stubs.count) mock routes", path: backend.configuration.path)]
    }
}
