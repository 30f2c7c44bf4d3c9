import Backlot
import BacklotTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import Floki

/// The windows that clients get for the entries that they report.
@Suite(.timeLimit(.minutes(5))) struct WindowTests {
    @Test(arguments: [
        ("/floki/news/en", [9, 8, 7]),
        ("/floki/news/en?d=2&l=3&h=5", [9, 8, 7]),
        ("/floki/news/en?l=9&h=9", [9, 8, 7]),
        ("/floki/news/en?o=7", [6, 5, 4]),
        ("/floki/news/en&o=7", [6, 5, 4]),
        ("/floki/news/en&d=1&o=7&l=2", [6, 5, 4]),
        ("/floki/news/en?d=1&o=2", [1]),
        ("/floki/news/en?o=1", []),
        ("/floki/news/en?o=0", [9, 8, 7]),
        ("/floki/news/en?o=-4", [9, 8, 7]),
        ("/floki/news/en?o=abc", [9, 8, 7]),
        ("/floki/news/en?o=99999999999999999999", [9, 8, 7]),
        ("/floki/news/en?o=", [9, 8, 7]),
        ("/floki/news/en?o=20", [9, 8, 7]),
        ("/floki/n%65ws/%65n?o=7", [6, 5, 4]),
        ("/floki/news/older/en?d=2&l=5&h=9", [4, 3, 2]),
        ("/floki/news/older/en&l=5", [4, 3, 2]),
        ("/floki/news/older/en?l=1", []),
        ("/floki/news/older/en", []),
        ("/floki/news/older/en?l=0", []),
        ("/floki/news/older/en?h=9", []),
    ])
    func `A window has the entries that its parameters ask for`(target: String, ids: [Int]) async throws {
        let site = try TestSite()
        try await site.save(1...9)
        #expect(try await site.ids(target) == ids)
    }

    @Test(arguments: [
        ("/floki/news/en", true), ("/floki/news/en?l=1", false), ("/floki/news/en?l=2", true),
        ("/floki/news/en?l=10", true), ("/floki/news/en?o=7", true), ("/floki/news/en?o=4", false),
        ("/floki/news/en?o=5", true), ("/floki/news/en?o=4&l=4", false), ("/floki/news/older/en?l=5", true),
        ("/floki/news/older/en?l=4", false), ("/floki/news/older/en", false),
    ])
    func `Whether there is more`(target: String, hasOlder: Bool) async throws {
        let site = try TestSite()
        try await site.save(1...9)
        #expect((try await site.json(target)["has_older"]?.bool ?? false) == hasOlder)
    }

    @Test func `Entries are in descending order of sort_id, then of id`() async throws {
        let site = try TestSite(cacheSize: 4)
        try await site.news.save(
            [item(1, "a").sortID(50), item(2, "b"), item(3, "c").sortID(50), item(4, "d")],
            language: "en"
        )
        #expect(try await site.ids("/floki/news/en") == [3, 1, 4, 2])
        #expect(try await site.ids("/floki/news/en?o=3") == [1, 4, 2])
        #expect(try await site.ids("/floki/news/en?o=1") == [4, 2])
        // Unknown: where its id would be as a sort_id.
        #expect(try await site.ids("/floki/news/en?o=49") == [4, 2])
        #expect(try await site.ids("/floki/news/en?o=51") == [3, 1, 4, 2])
        // By ids, and then in the order of the feed.
        #expect(try await site.ids("/floki/news/older/en?l=4") == [3, 1, 2])
    }

    @Test(arguments: [
        // The window is 20, 19, 18. The client drops its entries if others lie between them and the window.
        ("l=5&h=10", [10, 9, 8, 7, 6, 5], true), ("l=9&h=10", [10, 9], true), ("h=10", (1...10).reversed(), true),
        ("l=16&h=16", [16], true), ("l=1&h=16", (1...16).reversed(), true),
        ("l=16&h=17", [], true), ("l=5&h=19", [], true), ("l=5&h=20", [], true), ("l=5&h=99", [], true),
        ("l=5", [], true), ("l=5&h=0", [], true), ("l=5&h=x", [], true), ("l=9&h=3", [3], true),
    ])
    func `No hole remains between the window and what a client has`(
        query: String,
        removed: [Int],
        hasOlder: Bool
    ) async throws {
        let site = try TestSite()
        try await site.save(1...20)
        let response = try await site.json("/floki/news/en?d=2&\(query)")
        #expect(response.ids == [20, 19, 18])
        #expect(response.numbers("to_delete") ?? [] == removed)
        #expect((response["has_older"]?.bool ?? false) == hasOlder)
        // Nor is anything dropped when nothing lies between.
        try await site.news.remove(Array(11...17))
        let close = try await site.json("/floki/news/en?l=10&h=10").numbers("to_delete") ?? []
        #expect(close == Array((11...17).reversed()))
    }

    @Test func `A client's list has no hole after a long absence`() async throws {
        let site = try TestSite()
        try await site.save(1...5)
        let app = try FlokiClient(
            url: "http://localhost/floki/v1-app",
            transport: site.transport,
            now: site.clock.now.load(ordering: .relaxed)
        )
        try await app.launch()
        try await app.show("News")
        #expect(app.ids == [5, 4, 3])
        try await site.save(6...20)
        try await app.refresh()
        #expect(app.ids == [20, 19, 18])
        while app.hasOlder { try await app.loadOlder() }
        #expect(app.ids == (1...20).reversed())
    }

    @Test func `An item that was removed is where it was`() async throws {
        let site = try TestSite(cacheSize: 2)
        try await site.news.save([item(1, "a"), item(2, "b"), item(3, "c").sortID(100), item(4, "d")], language: "en")
        try await site.news.remove([3])
        #expect(try await site.ids("/floki/news/en?o=3") == [4, 2])
    }

    @Test func `What was removed`() async throws {
        let site = try TestSite(cacheSize: 2)
        try await site.save(1...9)
        try await site.news.remove([8, 3, 5, 77])
        #expect(try await site.json("/floki/news/en").numbers("to_delete") == [5, 3])
        #expect(try await site.json("/floki/news/en?l=4&h=9").numbers("to_delete") == [5, 8])
        #expect(try await site.json("/floki/news/en?l=0").numbers("to_delete") == [5, 3])
        #expect(try await site.json("/floki/news/en?o=9&l=1").numbers("to_delete") == [5, 3, 8])
        #expect(try await site.json("/floki/news/es")["to_delete"] == nil)
        try await site.save([5])
        let response = try await site.json("/floki/news/en?l=1")
        #expect(response.numbers("to_delete") == [3, 8])
        #expect(Set(response.ids).isDisjoint(with: response.numbers("to_delete") ?? []))
    }

    @Test func `What has ended is left out, a second after its date`() async throws {
        let site = try TestSite()
        try await site.save([1])
        try await site.news.save(
            [
                item(2, "b").expires(at: Date(timeIntervalSince1970: 1_000)),
                item(3, "c").expires(at: Date(timeIntervalSince1970: 2_000)),
            ],
            language: "en"
        )
        #expect(try await site.ids("/floki/news/en") == [3, 2, 1])
        site.clock.now.store(1_001, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [3, 1])
        #expect(try await site.ids("/floki/news/en?o=2") == [1])
        site.clock.now.store(3_000, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [1])
        #expect(try await site.json("/floki/news/en?l=4")["has_older"] == true)
        #expect(try await site.json("/floki/news/en?l=1")["has_older"] == nil)
        #expect(try await site.ids("/floki/news/older/en?l=4") == [1])
        #expect(try await site.json("/floki/news/en")["to_delete"] == nil)
    }

    @Test func `Sections go out with every response, the highest first`() async throws {
        let site = try TestSite(sections: [section(4, "politics").showCount().visible(false)])
        let empty = try await site.json("/floki/news/es")
        let sections: JSONValue = [
            [
                "id": 4, "name": "Política", "visible": false, "interactive": false, "starts_collapsed": false,
                "show_count": true,
            ]
        ]
        #expect(empty == ["items": [], "sections": sections])
        #expect(try await site.json("/floki/news/older/en")["sections"]?[0]?["name"] == "Politics")
        #expect(try await site.json("/floki/news/search/en?q=x&page=1")["sections"] == nil)
        await #expect(throws: FeedError.self) { try await site.save([1]) }
        await #expect(throws: FeedError.self) { try await site.save([1]) { $0.sections(5) } }
        try await site.save([1]) { $0.sections(5, 4) }
        #expect(try await site.json("/floki/news/en").ids == [1])
    }

    @Test func `Languages have their own items, or share them`() async throws {
        let site = try TestSite()
        try await site.save([1, 2])
        try await site.news.save([item(2, "Dos")], language: "es")
        #expect(try await site.ids("/floki/news/en") == [2, 1])
        #expect(try await site.ids("/floki/news/es") == [2])
        for target in ["/floki/news/fr", "/floki/news/EN", "/floki/news/eng", "/floki/my-photos~/xx"] {
            #expect(try await site.status(target) == 404)
        }
        try await site.photos.save([thumb(1, url: "a.png", image: "s.png", width: 1, height: 2)])
        #expect(try await site.ids("/floki/my-photos~/es") == [1])
        #expect(try await site.ids("/floki/my%2dphotos%7e/en") == [1])
        await #expect(throws: FeedError.self) { try await site.news.save([item(1, "a")]) }
        await #expect(throws: FeedError.self) { try await site.news.save([item(1, "a")], language: "eng") }
        await #expect(throws: FeedError.self) {
            try await site.photos.save([thumb(1, url: "a", image: "s", width: 1, height: 2)], language: "en")
        }
        try await site.news.remove([2], language: "es")
        #expect(try await site.ids("/floki/news/es") == [])
        #expect(try await site.ids("/floki/news/en") == [2, 1])
    }

    @Test(arguments: [("1", "pad"), ("2", "four"), ("3", "old"), ("0", "old"), ("x", "old"), ("", "old")])
    func `Each kind of device has its pictures`(device: String, picture: String) async throws {
        let site = try TestSite()
        let link = Link.byDevice(iPad: "/i/pad", iPhone4: "/i/four", other: "/i/old")
        try await site.save([1]) { $0.image(link) }
        let image = try await site.json("/floki/news/en?d=\(device)")["items"]?[0]?["image"]
        #expect(image == .string("http://localhost/floki/i/\(picture)"))
    }

    @Test func `Addresses are relative in feeds and absolute in results`() async throws {
        let site = try TestSite()
        try await site.save([1]) { $0.image("i/1.png").url("x/1").tags("t") }
        let item = try await site.json("/floki/news/en")["items"]?[0]
        #expect(item?["image"] == "i/1.png")
        #expect(item?["url"] == "x/1")
        for target in ["/floki/news/search/en?q=item&page=1", "/floki/news/tagged/en?tag=t&page=1"] {
            let item = try await site.json(target)["items"]?[0]
            #expect(item?["image"] == "http://localhost/floki/news/i/1.png")
            #expect(item?["url"] == "http://localhost/floki/news/x/1")
        }
    }

    @Test(arguments: [
        ("localhost", true), ("a.b:80", true), ("[::1]:8080", true), ("bad host", false), ("a\"b", false),
        ("a/b", false),
        ("a?b", false), ("", false), (String(repeating: "a", count: 256), false),
    ])
    func `A host that can't stand in a URL is refused`(host: String, isRight: Bool) {
        #expect(AppAddress.isHost(host) == isRight)
    }
}
