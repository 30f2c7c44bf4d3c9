import Backlot
import BacklotMocks

/// What drives mocks while they are served: commands at `/__admin`, faults on demand, and a journal.
struct MockControls {
    /// What the backend's configuration gets as its observer.
    let journal: Journal
    /// Where faults on demand wait.
    let faults = FaultBoard()
    /// Who may give commands.
    let access: LocalAccess
    private let cors: CORS?

    /// - Parameters:
    ///   - path: what the mocks are mounted at.
    ///   - host: what the server listens on.
    init(_ options: MockControlOptions, path: String, host: String) throws {
        journal = Journal(path: path)
        access = try options.access(host: host)
        cors = options.middleware
    }

    /// Puts commands and faults before what a router answers with. To be called before other middlewares are added.
    ///
    /// Faults on demand may hit whatever is below the mocks' path, and nothing else: a load balancer that asks whether the
    /// server is ready takes none away.
    ///
    /// - Parameter backend: the mocks; nil where there are none. Web clients are let in all the same.
    func use(on router: Router, for backend: MockBackend?) {
        if let cors { router.use(cors) }
        guard let backend else { return }
        router.use(MockAdmin(backend, journal: journal, faults: faults, access: access))
        let journal = journal
        let injection = FaultInjection(faults, access: access) { journal.answered($0, $1, $2) }
        router.use(BelowPath(path: backend.configuration.path, middleware: injection))
    }
}

/// A middleware that sees only what is below a path.
private struct BelowPath: Middleware {
    /// It begins and ends with a slash.
    let path: String
    let middleware: any Middleware

    func handle(_ request: Request, next: any Handler) async throws -> Response {
        guard request.path.hasPrefix(path) else { return try await next.handle(request) }
        return try await middleware.handle(request, next: next)
    }

    func answerAtOnce(_ request: Request, next: any Handler) throws -> Response? {
        guard request.path.hasPrefix(path) else { return try next.answerAtOnce(request) }
        return try middleware.answerAtOnce(request, next: next)
    }
}
