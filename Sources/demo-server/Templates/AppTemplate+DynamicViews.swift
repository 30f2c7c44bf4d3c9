/// An app of Dynamic Views: settings, and what a switch changes.
extension AppTemplate {
    var viewsProgram: String {
        #"""
        import Backlot
        import BacklotSQLite
        import BacklotService
        import DynamicViews

        /// Whether a user wants hints, kept in the session.
        enum HintsKey: SessionKey {
            static let name = "hints"
            typealias Value = Bool
        }

        @main
        struct \#(name.type): ServerApp {
            static let sessionStores: [SessionStoreKind] = [.memory, .sqlite]

            func routes(_ router: Router, _ service: ServiceContext) async throws {
                router.dynamicViews("/views/", sessions: service.sessions) { views in
                    views.view("settings") { request in
                        let showsHints = try await request.session[HintsKey.self] ?? false
                        return document {
                            section("Settings.header", id: "settings") {
                                toggle("Settings.showHints", id: "hints", key: "showHints")
                                version(id: "version")
                            }
                            if showsHints { text("Settings.hint", id: "hint").padding(bottom: 16) }
                        }
                        .style(.list).padding(horizontal: 30, vertical: 16)
                    }
                    .on(.toggle, "hints") { isOn, request in
                        try await request.session.update(HintsKey.self) { $0 = isOn }
                    }
                }
            }
        }

        """#
    }

    var viewsTest: String {
        #"""
        import Backlot
        import BacklotTesting
        import Testing

        @testable import \#(name.module)

        struct \#(name.type)Tests {
            @Test func `Every view is as clients want it`() async throws {
                let report = await (try await \#(name.type).router()).check()
                #expect(!report.hasErrors, "\(report)")
            }

            @Test(arguments: ClientReach.allCases)  // in process, and over a socket
            func `A switch shows a hint`(reach: ClientReach) async throws {
                try await withDynamicViewsClient(try await \#(name.type).router(), over: reach) { app in
                    try await app.load("settings")
                    #expect(!app.screen.contains("Settings.hint"))
                    try await app.toggle("Settings.showHints")
                    #expect(app.screen.contains("Settings.hint"))
                }
            }
        }

        """#
    }
}
