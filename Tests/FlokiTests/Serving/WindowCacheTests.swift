import Backlot
import BacklotTesting
import Foundation
import Synchronization
import Testing

@testable import Floki

/// Responses with windows from memory.
@Suite(.timeLimit(.minutes(5))) struct WindowCacheTests {
    private let store = WatchedStore()

    private func site(size: Int? = nil) throws -> TestSite {
        var configuration = FlokiConfiguration()
        if let size { configuration.windowCacheBytes = size }
        return try TestSite(store: store, configuration: configuration)
    }

    /// The response, if it is there at once; otherwise nil, and the work is done.
    private func ready(
        _ site: TestSite,
        _ target: String,
        _ method: HTTPRequest.Method = .get,
        _ headers: HTTPFields = [:]
    ) async throws -> Response? {
        let result = try site.handler.respond(to: try Request(method, target, headers: headers))
        if case .ready(let response) = result { return response }
        _ = try await result.response()
        return nil
    }

    /// Asks twice, so that the window is in memory.
    private func warm(_ site: TestSite, _ target: String) async throws -> Response {
        _ = try await ready(site, target)
        _ = store.takeCalls()
        return try #require(try await ready(site, target))
    }

    @Test(arguments: [
        "/floki/news/en", "/floki/news/en?d=1&l=2&h=9", "/floki/news/en?o=7", "/floki/news/older/en?l=5",
        "/floki/news/es",
    ])
    func `An unchanged window costs no call of the store`(target: String) async throws {
        let site = try site()
        try await site.save(1...9)
        #expect(try await ready(site, target) == nil)
        let first = try await site.response(target)
        #expect(first.status == .ok)
        _ = store.takeCalls()
        for _ in 0..<3 {
            let response = try #require(try await ready(site, target))
            #expect(response.bodyBytes == first.body)
            #expect(response.headers[.eTag] == first.headers[.eTag])
        }
        let tag = try #require(first.headers[.eTag])
        let same = try #require(try await ready(site, target, .get, [.ifNoneMatch: tag]))
        #expect(same.status == .notModified)
        #expect(same.bodyBytes.isEmpty)
        #expect(try await ready(site, target, .head)?.status == .ok)
        #expect(store.takeCalls().isEmpty)
    }

    @Test func `A change is seen by the next request`() async throws {
        let site = try site()
        try await site.save(1...3)
        _ = try await warm(site, "/floki/news/en")
        try await site.save([4])
        #expect(try await site.ids("/floki/news/en") == [4, 3, 2])
        try await site.news.remove([4])
        #expect(try await site.ids("/floki/news/en") == [3, 2, 1])
        // Changes of other feeds and languages that aren't in it.
        _ = try await warm(site, "/floki/news/en")
        try await site.photos.save([thumb(1, url: "a", image: "b", width: 1, height: 1)])
        #expect(try await ready(site, "/floki/news/en") != nil)
    }

    @Test func `A window lasts until an entry in it ends`() async throws {
        let site = try site()
        try await site.save(1...3)
        try await site.save([4]) { $0.expires(at: Date(timeIntervalSince1970: 1_010)) }
        _ = try await warm(site, "/floki/news/en")
        site.clock.now.store(1_010, ordering: .relaxed)
        #expect(try await ready(site, "/floki/news/en") != nil)
        site.clock.now.store(1_011, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [3, 2, 1])
        #expect(try await ready(site, "/floki/news/en") != nil)
        // A clock that goes back brings it back.
        site.clock.now.store(1_009, ordering: .relaxed)
        #expect(try await site.ids("/floki/news/en") == [4, 3, 2])
    }

    @Test func `Without news of other servers, the store is asked`() async throws {
        let site = try site()
        try await site.save(1...3)
        _ = try await warm(site, "/floki/news/en")
        store.isCurrent = false
        #expect(try await ready(site, "/floki/news/en") == nil)
        #expect(store.takeCalls()["window"] == 1)
        store.isCurrent = true
        // Meanwhile an entry may have been scheduled.
        #expect(try await ready(site, "/floki/news/en") == nil)
        #expect(store.takeCalls() == ["publishDrafts": 1, "window": 1])
        #expect(try await ready(site, "/floki/news/en") != nil)
    }

    @Test func `Off is off`() async throws {
        let site = try site(size: 0)
        try await site.save(1...3)
        for _ in 0..<3 { #expect(try await ready(site, "/floki/news/en") == nil) }
        #expect(store.takeCalls()["window"] == 3)
    }

    @Test func `Devices share what is the same for all, and nothing else`() async throws {
        let site = try site()
        try await site.save(1...3)
        _ = try await warm(site, "/floki/news/en?d=1")
        for query in ["?d=2", "?d=0", "", "?d=77"] { #expect(try await ready(site, "/floki/news/en\(query)") != nil) }
        let image = Link.byDevice(iPad: "pad.png", iPhone4: "four.png", other: "old.png")
        try await site.save([4]) { $0.image(image) }
        for round in 0..<2 {
            for (device, name) in [(1, "pad.png"), (2, "four.png"), (0, "old.png"), (9, "old.png")] {
                let target = "/floki/news/en?d=\(device)"
                if round == 1 { #expect(try await ready(site, target) != nil, "\(target)") }
                #expect(try await site.json(target)["items"]?[0]?["image"]?.string == name)
            }
        }
    }

    @Test func `Each address, language and start has its own window`() async throws {
        let site = try site()
        try await site.save(1...9) { $0.image("/a.png") }
        try await site.news.save([item(1, "uno")], language: "es")
        for _ in 0..<3 {
            for host in ["a.example", "b.example:8080"] {
                let headers: HTTPFields = [HTTPField.Name("Host")!: host]
                let request = try Request(.get, "/floki/news/en", headers: headers)
                let bytes = try await site.handler.respond(to: request).response().bodyBytes
                #expect(String(decoding: bytes, as: UTF8.self).contains("http://\(host)/floki/a.png"))
            }
            #expect(try await site.ids("/floki/news/es") == [1])
            #expect(try await site.ids("/floki/news/en?o=5") == [4, 3, 2])
            #expect(try await site.ids("/floki/news/older/en?l=4") == [3, 2, 1])
            #expect(try await site.json("/floki/news/en?l=9")["has_older"]?.bool == true)
            #expect(try await site.json("/floki/news/en?l=1")["has_older"] == nil as JSONValue?)
        }
    }

    @Test(arguments: ["/floki/news", "/floki/news/", "/floki/news/&d=1"])
    func `Without the code of a language, each request gets its own`(target: String) async throws {
        let site = try site()
        try await site.news.save([item(1, "one")], language: "en")
        try await site.news.save([item(2, "dos")], language: "es")
        for _ in 0..<4 {
            for (language, id) in [("en", 1), ("es", 2)] {
                let request = try Request(.get, target, headers: [.acceptLanguage: language])
                let bytes = try await site.handler.respond(to: request).response().bodyBytes
                #expect(try JSONValue(parsing: bytes).ids == [id])
            }
        }
    }

    @Test func `A request in the same words is answered by what it is now`() async throws {
        let site = try site()
        try await site.save(1...3)
        for _ in 0..<3 { #expect(try await site.ids("/floki/news/en?d=1&l=1&h=3") == [3, 2, 1]) }
        try await site.save([4])
        for _ in 0..<3 { #expect(try await site.ids("/floki/news/en?d=1&l=1&h=3") == [4, 3, 2]) }
        try await site.live.update { app in
            app.language("en", ["a": "A"])
            app.feed(site.news.cacheSize(1))
            app.tab(1, "a", newsViewController(site.news))
        }
        for _ in 0..<3 { #expect(try await site.ids("/floki/news/en?d=1&l=1&h=3") == [4]) }
    }

    @Test func `Parameters that mean the same share a window`() async throws {
        let site = try site()
        try await site.save(1...3)
        _ = try await warm(site, "/floki/news/en?l=2147483648&h=2147483648")
        #expect(try await ready(site, "/floki/news/en?h=99999999999&l=9223372036854775807&x=y") != nil)
        #expect(try await ready(site, "/floki/news/en&l=2147483648&h=2147483648") != nil)
        _ = try await warm(site, "/floki/news/en?o=9007199254740992")
        #expect(try await ready(site, "/floki/news/en?o=9223372036854775807") != nil)
        _ = try await warm(site, "/floki/news/en")
        #expect(try await ready(site, "/floki/news/en?o=-1&l=x&h=") != nil)
    }

    @Test func `Strangers fill no memory, and push out nothing that is asked for`() async throws {
        let size = 64 * 1024
        let site = try site(size: size)
        try await site.save(1...3)
        _ = try await warm(site, "/floki/news/en")
        for number in 1...1_000 {
            // Two requests each, so that the window seems to be in frequent use.
            for _ in 0..<2 { _ = try await ready(site, "/floki/news/en?l=\(number)") }
            if number.isMultiple(of: 20) { #expect(try await ready(site, "/floki/news/en") != nil) }
            #expect(site.live.app?.cache.size ?? 0 <= size)
        }
        for number in 1...500 {
            let headers: HTTPFields = [HTTPField.Name("Host")!: "host\(number).example"]
            _ = try await ready(site, "/floki/news/en", .get, headers)
            #expect(site.live.app?.cache.size ?? 0 <= size)
        }
        #expect(try await ready(site, "/floki/news/en") != nil)
    }

    @Test func `A response that is larger than its room is not kept`() async throws {
        let site = try site(size: 8_000)
        try await site.save([1]) { item in
            var item = item
            item.body = String(repeating: "x", count: 2_000)
            return item
        }
        for _ in 0..<2 { #expect(try await ready(site, "/floki/news/en") == nil) }
        #expect(site.live.app?.cache.size == 0)
    }

    @Test func `What is written while a window is read makes it out of date`() async throws {
        let site = try site()
        try await site.save(1...3)
        store.interruptWindow { try await site.save([4]) }
        #expect(try await site.ids("/floki/news/en") == [3, 2, 1])
        // With this one it is known that no entry is due at the new revision.
        #expect(try await site.ids("/floki/news/es") == [])
        #expect(try await site.ids("/floki/news/en") == [4, 3, 2])
        // Nobody has written meanwhile, so that this one is kept.
        #expect(try await ready(site, "/floki/news/en") != nil)
    }

    @Test func `A response is right for its revision, while no entry has ended`() {
        let cache = ResponseCache(limit: 100_000)
        let key = ResponseCache.Key(edition: 1, feed: "f", language: "en", isOlder: false, base: "")
        let response = FlokiResponse(.json, [1], .ofRequest)
        let slot = ResponseCache.Slot(response, for: .other, isByDevice: false, revision: 4, start: 10, end: 20)
        cache.add(slot, for: key)
        #expect(cache.response(for: key, .iPad, revision: 4, now: 10)?.bytes == [1])
        for (revision, now) in [(5, 10), (3, 10), (4, 9), (4, 20)] {
            #expect(cache.response(for: key, .iPad, revision: revision, now: now) == nil)
        }
    }

    @Test func `Responses that nobody gets any more are forgotten`() {
        let cache = ResponseCache(limit: 10_000_000)
        func key(_ feed: String, _ lowest: Int) -> ResponseCache.Key {
            let parameters = ClientParameters(QueryParameters("l=\(lowest)"[...]))
            return ResponseCache.Key(
                edition: 1,
                feed: feed,
                language: "en",
                isOlder: false,
                parameters: parameters,
                base: ""
            )
        }
        func add(_ feed: String, _ lowest: Int, revision: Int, start: Int, end: Int = 1_000) {
            let response = FlokiResponse(.json, Array(repeating: 1, count: 5_000), .ofRequest)
            let slot = ResponseCache.Slot(
                response,
                for: .other,
                isByDevice: false,
                revision: revision,
                start: start,
                end: end
            )
            cache.add(slot, for: key(feed, lowest))
            // A second request for each other response moves it to the part of the cache that keeps it longer.
            if lowest.isMultiple(of: 2) {
                _ = cache.response(for: key(feed, lowest), .other, revision: revision, now: start)
            }
        }
        func isKept(_ feed: String, _ lowest: Int, revision: Int, now: Int) -> Bool {
            cache.response(for: key(feed, lowest), .other, revision: revision, now: now) != nil
        }
        for number in 1...50 { add("a", number, revision: 1, start: 10) }
        for number in 1...2 { add("b", number, revision: 7, start: 10, end: number == 1 ? 20 : 1_000) }
        let full = cache.size
        // At the next revision of a feed, what is of the one before has no use; the other feed hasn't changed.
        add("a", 1, revision: 2, start: 11)
        #expect(cache.size < full / 10)
        #expect(
            isKept("a", 1, revision: 2, now: 11) && isKept("b", 1, revision: 7, now: 11)
                && isKept("b", 2, revision: 7, now: 11)
        )
        // The cache forgets windows after their end too. It looks for outdated responses at most once a second.
        add("a", 2, revision: 2, start: 20)
        add("a", 3, revision: 3, start: 20)
        #expect(isKept("a", 1, revision: 2, now: 20) && isKept("b", 2, revision: 7, now: 20))
        #expect(!isKept("b", 1, revision: 7, now: 19))
        add("a", 4, revision: 3, start: 21)
        #expect(!isKept("a", 1, revision: 2, now: 21) && isKept("a", 3, revision: 3, now: 21))
    }
}

extension Response {
    /// The bytes of a body that is there as a whole.
    var bodyBytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
