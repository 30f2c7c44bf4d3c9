import Backlot
import Testing

@testable import A2UI
@testable import A2UIServing

/// An app's place in the list of apps, which preview shows and `check` goes through.
@Suite(.timeLimit(.minutes(1))) struct MountedSurfaceTests {
    struct Empty: Codable, Sendable {}

    @Test(arguments: [nil, MemorySessionStore()])
    func `An app's pages are its surfaces`(sessions: MemorySessionStore?) throws {
        let router = Router()
        router.group("/clinic") { clinic in
            clinic.a2ui("/desk/", sessions: sessions) { app in
                for name in ["second", "first"] {
                    app.surface(name) { _ in
                        Empty()
                    } tree: { _ in
                        text("Hello")
                    }
                }
            }
        }
        let app = try #require(router.apps().first)
        #expect(app.appProtocol == .a2ui && app.basePath == "/clinic/desk/")
        #expect(app.openPages() == ["/clinic/desk/surfaces/first", "/clinic/desk/surfaces/second"])
        #expect(app.hasPage("/clinic/desk/surfaces/first") && !app.hasPage("/clinic/desk/"))
        #expect((app.sessions == nil) == (sessions == nil))
    }
}
