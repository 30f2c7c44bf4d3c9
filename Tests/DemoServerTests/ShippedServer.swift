import ArgumentParser
import Backlot
import BacklotPreview
import TestSupport

@testable import BacklotService
@testable import demo_server

/// Makes the routes of the shipped server, with all its defaults but the place of its sessions, while `body` runs.
///
/// - Parameter options: further options, by their names without hyphens before them.
func withShippedServer(
    _ options: [String: String] = [:],
    _ body: (Router) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        var options = options
        options["sessions"] = "sqlite:\(folder.path)/sessions.sqlite"
        options["log-level"] = "critical"
        let sources = try SettingSources(options: options, environment: [:], file: nil)
        let settings = try DemoServer.serviceSettings(sources)
        let context = try AppContext(settings, sources, isServing: true)
        let router = Router()
        context.operations.use(on: router)
        for middleware in DemoServer.middlewares { router.use(middleware) }
        try await DemoServer.parse([]).routes(router, context)
        router.preview(settings.access)
        try await body(router)
    }
}
