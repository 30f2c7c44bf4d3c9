import Applin
import Backlot
import BacklotChecks
import Testing

/// The code of the article on comparing deployments.
@Suite(.timeLimit(.minutes(5))) struct ComparingDeploymentsCode {
    private static func clinic(_ greeting: String) -> Router {
        let router = Router()
        router.applin("/", dialect: .objects) { app in
            app.page("/") { _ in navPage("Clinic") { text(greeting) } }
        }
        return router
    }

    @Test func `Two routers can be compared`() async throws {
        let (released, new) = (Self.clinic("Hello"), Self.clinic("Good to see you"))
        let report = try await Comparison(released, new).report()
        #expect(!report.isBreaking, "\(report)")
        #expect(report.count(.visible) == 1)
    }
}
