import Backlot
import BacklotTesting
import Floki
import Testing

@testable import demo_server

/// The Floki app as people use it, in process and over a socket. Each document is judged by the client when it comes.
@Suite(.timeLimit(.minutes(5))) struct NewspaperAppTests {
    private func withApp(
        _ reach: ClientReach = .inProcess,
        platform: FlokiClientConfiguration.Platform = .iOS,
        language: String = "en",
        _ body: (FlokiClient) async throws -> Void
    ) async throws {
        let router = Router.demo()
        var configuration = FlokiClientConfiguration()
        configuration.platform = platform
        configuration.language = language
        try await withFlokiClient(router, over: reach, configuration: configuration) { app in
            try await app.launch()
            try await body(app)
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `Read, search and look at pictures`(reach: ClientReach) async throws {
        try await withApp(reach) { app in
            #expect(app.version == 1)
            #expect(app.tabTitles == ["News", "Photos", "Movie of the week", "About"])
            try await app.show("News")
            #expect(app.ids == Array((1...10).reversed()))
            #expect(app.current?.list?.sections?.map { $0["name"] } == ["Town", "Sports", "Culture"])
            try await app.open(1)
            #expect(app.page?.contains("<h1>New ferry reaches the harbour</h1>") == true)
            #expect(app.page?.contains("runs on batteries") == true)
            try app.back()
            try await app.search("soup")
            #expect(app.results.map { $0["title"] } == ["Concerts in the garden"])
            try await app.moreResults()
            #expect(!app.hasMoreResults)
            try await app.follow("http://example.com/floki/tags/food")
            #expect(app.results.count == 2)
            try await app.follow("http://example.com/floki/videos/harbour")
            #expect(app.current?.className == "Movie_view_controller")

            try await app.show("Photos")
            #expect(app.ids.count == 12)
            while app.hasOlder { try await app.loadOlder() }
            #expect(app.ids == Array((1...40).reversed()))
            try await app.follow("http://example.com/galleries/bridge")
            #expect(app.ids.count == 10)
            try await app.show("About")
            #expect(app.page?.contains("About the Gazette") == true)
            try await app.show("Movie of the week")
            #expect(app.current?.url.contains("/floki/ts/harbour.m3u8") == true)
        }
    }

    @Test func `What Android shows of it`() async throws {
        try await withApp(platform: .android) { app in
            #expect(app.tabTitles == ["News", "Photos"])
            try await app.show("News")
            #expect(app.ids == Array((1...10).reversed()))
            for id in [8, 9] {
                try await app.open(id)
                #expect(app.note?.hasPrefix("Android 1.1 ignores taps") == true)
                #expect(app.stack.count == 1)
            }
            try await app.open(10)
            #expect(app.current?.className == "Movie_view_controller")
            try app.back()
            try await app.open(2)
            // The links of pages answer in the system's browser.
            for path in ["tags/market", "tags/food"] {
                try await app.follow("http://localhost/floki/\(path)")
                #expect(app.page?.contains("The market opens on Sundays") == true)
                try app.back()
            }
            try await app.follow("http://localhost/floki/videos/harbour")
            #expect(app.page?.contains("<video") == true)
            try app.back()
            for path in ["tags/nothing", "tags/%3Cb%3E", "videos/nothing"] {
                await #expect(throws: FlokiClientError.self) { try await app.follow("http://localhost/floki/\(path)") }
            }
            try await app.show("Photos")
            #expect(app.ids.count == 12)
            #expect(!app.hasOlder)
        }
    }

    @Test func `The app is in Spanish on a Spanish device`() async throws {
        try await withApp(language: "es") { app in
            #expect(app.tabTitles == ["Noticias", "Fotos", "Película de la semana", "Acerca de"])
            #expect(app.text(10_004) == "Cancelar")
            try await app.show("Noticias")
            #expect(app.titles.last == "Un nuevo ferry llega al puerto")
            try await app.search("jardin")
            #expect(app.results.map { $0["title"] } == ["Conciertos en el jardín"])
            try await app.open(9)
            // iOS appends no language to nested web pages.
            #expect(app.page?.contains("About the Gazette") == true)
            try app.back()
            try await app.open(8)
            #expect(app.ids.count == 12)
            try app.back()
            try await app.show("Acerca de")
            #expect(app.page?.contains("Acerca de la Gaceta") == true)
        }
    }

    @Test func `A story that is added is there at the next look`() async throws {
        let router = Router()
        let stores = DemoStores()
        DemoCatalogue.register(on: router, stores: stores)
        try await withFlokiClient(router) { app in
            try await app.launch()
            try await app.show("News")
            try await stores.newspaper.news.save([item(11, "Extra!").sections(3)], language: "en")
            try await stores.newspaper.news.remove([2])
            try await app.refresh()
            #expect(app.ids == [11, 10, 9, 8, 7, 6, 5, 4, 3, 1])
        }
    }
}
