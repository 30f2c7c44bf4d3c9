import Applin
import Backlot
import BacklotChecks
import BacklotClients
import Testing

/// The code of the article about explorations.
@Suite(.timeLimit(.minutes(5))) struct ExploreGuide {
    @Test func `Nothing comes to light in a thousand steps`() async throws {
        let router = Router()
        router.applin("/travel/") { app in
            app.page("/") { _ in navPage("Travel") { text("Where to?") } }
        }

        var options = ExploreOptions(seed: 7)
        options.maximumSteps = 1000
        options.forbidden = ["/pay"]
        let report = try await Explore(router, at: "/travel/", options: options).report()
        #expect(report.isClean, "\(report)")
    }
}
