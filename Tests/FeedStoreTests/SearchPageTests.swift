import Backlot
import Floki
import FlokiPostgreSQL
import FlokiSQLite
import TestSupport
import Testing

/// Pages of searches over a socket: whole, or refused.
@Suite(.timeLimit(.minutes(5))) struct SearchPageTests {
    /// Serves an app with a feed of pages with 50 entries.
    private func withSite(_ store: any FeedStore, _ body: (SocketAddress) async throws -> Void) async throws {
        let news = NewsFeed("news", in: store).cacheSize(50)
        let router = Router()
        router.floki("/floki") { app in
            app.language("en", ["news": "News"])
            app.feed(news)
            app.tab(1, "news", newsViewController(news).searchBar().tags())
        }
        try await withServer(router.handler(), body)
    }

    /// Entries with a common word, and each twentieth with a further one.
    private func save(_ count: Int, in store: any FeedStore) async throws {
        let changes = (1...count).map { id in
            let wire = #"{"id":\#(id),"title":"t","body":""}"#
            let words = id % 20 == 0 ? ["common", "some"] : ["common"]
            return FeedChange.save(.make(id, wire, words: words, tags: ["tag:\(words.last ?? "")"]), language: "en")
        }
        try await store.apply(changes, to: "news")
    }

    private func ids(_ response: IncomingResponse) throws -> [Int64] {
        try JSONValue(parsing: response.body)["items"]?.array?.compactMap { $0["id"]?.number?.int64 } ?? []
    }

    /// A page that can be read, and one that takes too long.
    private func checkPages(of store: any FeedStore, whole: String, tooLong: String) async throws {
        try await withSite(store) { address in
            for version in HTTPVersions.each {
                let page = try await address.exchange(version, "/floki/news/search/en?\(whole)")
                #expect(page.status == .ok)
                #expect(try ids(page) == (1951...2000).reversed().map { $0 })
                let refused = try await address.exchange(version, "/floki/news/search/en?\(tooLong)")
                #expect(refused.status == .serviceUnavailable)
                #expect(refused.headers[.retryAfter] != nil)
            }
        }
    }

    @Test func `A search in memory that takes too long is 503`() async throws {
        let store = MemoryFeedStore([:], mostSearched: 900)
        try await save(2_000, in: store)
        try await checkPages(of: store, whole: "q=common", tooLong: "q=common&page=19")
    }

    @Test func `A search in SQLite that takes too long is 503`() async throws {
        try await withTemporaryFolder { folder in
            // It looks at the clock once for 256 entries.
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite", patience: .zero, logger: .silent)
            try await save(2_000, in: store)
            try await checkPages(of: store, whole: "q=common", tooLong: "q=common&page=19")
        }
    }

    @Test(.enabled(if: PostgreSQLServer.isInstalled))
    func `A search in PostgreSQL that takes too long is 503`() async throws {
        let database = try await SharedPostgreSQL.shared.database()
        let store = try database.server.feeds(database: database.name, patience: .seconds(2))
        try await save(2_000, in: store)
        try database.server.psql(
            """
            CREATE OR REPLACE FUNCTION floki_query(words text[], configuration regconfig) RETURNS tsquery
            LANGUAGE plpgsql STABLE AS $$ BEGIN
                IF current_query() LIKE '%LIMIT 8192\n) AS walked%' THEN PERFORM pg_sleep(60); END IF;
                RETURN words[1]::tsquery;
            END $$
            """,
            database: database.name
        )
        try await checkPages(of: store, whole: "q=common", tooLong: "q=some")
    }

    @Test(arguments: [TestedStore.memory, .sqlite])
    func `Pages behind the first 10,000 entries are refused, and those behind the end are empty`(
        kind: TestedStore
    ) async throws {
        try await kind.withStore { store in
            try await save(10_020, in: store)
            try await withSite(store) { address in
                for version in HTTPVersions.each {
                    for (kind, name) in [("search", "q"), ("tagged", "tag")] {
                        func page(_ word: String, _ page: String) async throws -> IncomingResponse {
                            try await address.exchange(version, "/floki/news/\(kind)/en?\(name)=\(word)&page=\(page)")
                        }
                        // The feed has 9,519 entries with this tag, and 10,020 with the word.
                        let last = kind == "search" ? "200" : "191"
                        #expect(try ids(try await page("common", last)).count == (kind == "search" ? 50 : 19))
                        for number in ["201", "999999999999"] {
                            let response = try await page("common", number)
                            if kind == "search" {
                                #expect(response.status == .badRequest)
                                #expect(response.text.contains("'page' is behind the first 10000 entries"))
                            } else {
                                #expect(response.status == .ok)
                                #expect(try ids(response) == [])
                            }
                        }
                        for number in ["12", "201", "999999999999"] {
                            let response = try await page("some", number)
                            #expect(response.status == .ok)
                            #expect(try ids(response) == [])
                        }
                    }
                }
            }
        }
    }
}
