/// A Floki app: a feed of news, and a page about the app.
extension AppTemplate {
    var flokiProgram: String {
        #"""
        import Backlot
        import BacklotSQLite
        import BacklotService
        import Floki

        @main
        struct \#(name.type): ServerApp {
            static let sessionStores: [SessionStoreKind] = [.memory, .sqlite]

            func routes(_ router: Router, _ service: ServiceContext) async throws {
                let news = NewsFeed("news", in: MemoryFeedStore())
                router.floki("/floki") { app in
                    app.language("en", ["news": "News", "about": "About"])
                    app.feed(news)
                    app.tab(1, "news", newsViewController(news).allowManualReload())
                    app.tab(2, "about", webViewController("/about/"))
                    app.page("about") { _ in "<h1>\#(name.type)</h1>" }
                }
                try await news.save(
                    [item(1, "Welcome", "The first item of \#(name.type).").page("<p>Write more of them.</p>")],
                    language: "en"
                )
            }
        }

        """#
    }

    var flokiTest: String {
        #"""
        import Backlot
        import BacklotTesting
        import Testing

        @testable import \#(name.module)

        struct \#(name.type)Tests {
            @Test(arguments: ClientReach.allCases)  // in process, and over a socket
            func `The news are read`(reach: ClientReach) async throws {
                try await withFlokiClient(try await \#(name.type).router(), over: reach) { app in
                    try await app.launch()
                    #expect(app.tabTitles == ["News", "About"])
                    try await app.show("News")
                    #expect(app.ids == [1])
                    try await app.open(1)
                    #expect(app.page?.contains("Write more of them.") == true)
                }
            }
        }

        """#
    }
}
