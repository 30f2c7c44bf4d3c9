import Backlot
import BacklotMocks

/// What drives mocks while they are served: commands at `/__admin`, faults on demand, and a journal.
struct MockControls {
    /// What the backend's configuration gets as its observer.
    let journal: Journal
    /// Where faults on demand wait.
    let faults = FaultBoard()

    /// - Parameter path: what the mocks are mounted at.
    init(path: String) {
        journal = Journal(path: path)
    }

    /// Puts commands and faults before what a router answers with. To be called before other middlewares are added.
    ///
    /// Faults on demand may hit whatever is below the mocks' path, and nothing else: a load balancer that asks whether the
    /// server is ready takes none away.
    ///
    /// - Parameter backend: the mocks.
    func use(on router: Router, for backend: MockBackend, _ operations: Operations) {
        let settings = operations.settings
        let admin = MockAdmin(backend, journal: journal, faults: faults, access: settings.access)
        router.use(admin)
        operations.adminRouter?.use(admin.admitting(settings.ownAccess))
        let journal = journal
        let injection = FaultInjection(faults, access: settings.access) { journal.answered($0, $1, $2) }
        router.use(BelowPath(path: backend.configuration.path, middleware: injection))
    }
}

/// A middleware that sees only what is below a path.
private struct BelowPath: Middleware {
    /// It begins and ends with a slash.
    let path: String
    let middleware: any Middleware

    func answer(_ request: Request, next: any Handler) throws -> Answer {
        guard request.path.hasPrefix(path) else { return try next.answer(request) }
        return try middleware.answer(request, next: next)
    }
}
