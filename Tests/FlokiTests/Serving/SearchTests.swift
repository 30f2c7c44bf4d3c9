import Backlot
import BacklotTesting
import FoundationEssentials
import Testing

@testable import Floki

/// Searches for words, tags, videos and galleries.
@Suite(.timeLimit(.minutes(5))) struct SearchTests {
    private func site() async throws -> TestSite {
        let site = try TestSite(cacheSize: 2)
        let movie = movieViewController("http://a.b/ts/x.m3u8").title("x")
        try await site.news.save(
            [
                item(1, "El Camión rojo", "Übergröße"), item(2, "Camiones", "azul").tags("cars & bikes"),
                item(3, "rojo", "un camion").footer("fin").tags("cars & bikes"),
                item(4, "Film").opens(movie).video("roly-poly"),
                item(5, "camino").expires(at: Date(timeIntervalSince1970: 900)),
            ],
            language: "es"
        )
        return site
    }

    @Test(arguments: [
        ("q=camion&page=1", [3, 2]), ("q=camion&page=2", [1]), ("q=camion&page=3", []),
        ("q=camion&page=999999999999", []), ("q=cami%C3%B3n&page=2", [1]), ("q=CAMION+rojo&page=1", [3, 1]),
        ("q=rojo%20camion", [3, 1]), ("q=roj", [3, 1]), ("q=ojo", []), ("q=ubergrosse", [1]), ("q=fin", [3]),
        ("q=bikes", [3, 2]), ("q=camino", []), ("q=", []), ("q=%20+", []), ("q=%22*", []),
        ("q=rojo+OR+azul", []), ("q=nothing", []), ("page=2&q=camion&d=1&l=4", [1]),
    ])
    func `A search finds entries by words`(query: String, ids: [Int]) async throws {
        #expect(try await site().ids("/floki/news/search/es?\(query)") == ids)
    }

    @Test(arguments: [
        "page=1", "q=a&page=0", "q=a&page=-1", "q=a&page=x", "q=a&page=", "q=a&page=1.5", "q=%FF&page=1",
        "q=a&page=99999999999999999999",
    ])
    func `What can't be searched is 400`(query: String) async throws {
        #expect(try await site().status("/floki/news/search/es?\(query)") == 400)
    }

    @Test(arguments: [
        ("tagged/es?tag=cars+%26+bikes&page=1", [3, 2]), ("tagged/es?tag=cars+%26+bikes&page=2", []),
        ("tagged/es?tag=cars&page=1", []), ("tagged/en?tag=cars+%26+bikes&page=1", []),
        ("video/es?video=roly-poly", [4]), ("video/es?video=roly%2dpoly&d=1", [4]), ("video/es?video=nothing", []),
    ])
    func `A search finds entries by tags and videos`(target: String, ids: [Int]) async throws {
        #expect(try await site().ids("/floki/news/\(target)") == ids)
    }

    @Test func `A video is one item with its data`() async throws {
        let video = try await site().json("/floki/news/video/es?video=roly-poly")["items"]?[0]
        #expect(video?["class_type"] == "Movie_view_controller")
        #expect(video?["url"] == "http://a.b/ts/x.m3u8")
        #expect(video?["data"]?["title"] == "x")
    }

    @Test func `The file and the picture of a movie are relative to it in every list`() async throws {
        let site = try TestSite()
        let movie = movieViewController("http://a.b/ts/x.m3u8").preview("p.png").progressiveFile("x.m4v")
        let other = movieViewController("/ts/y.m3u8").preview("/p.png")
        let first = item(1, "Film").opens(movie).tags("t").video("v")
        try await site.news.save([first, item(2, "Film").opens(other)], language: "en")
        for target in ["en", "search/en?q=film", "tagged/en?tag=t", "video/en?video=v"] {
            let items = try await site.json("/floki/news/\(target)")["items"]?.array ?? []
            let data = try #require(items.last?["data"])
            #expect(data["preview_url"] == "p.png" && data["progressive_file"] == "x.m4v", "\(target): \(data)")
            if items.count > 1 { #expect(items[0]["data"]?["preview_url"] == "http://localhost/floki/p.png") }
        }
    }

    @Test(arguments: ["tagged/es?page=1", "tagged/es?tag=a&page=0", "video/es", "video/es?video=%FF"])
    func `What is missing is 400`(target: String) async throws {
        #expect(try await site().status("/floki/news/\(target)") == 400)
    }

    @Test(arguments: [
        ("tagged/es?tag=f%25C3%25BAtbol&page=1", [2, 1]), ("tagged/es?tag=f%C3%BAtbol&page=1", [2, 1]),
        ("tagged/es?tag=a%2520b&page=1", [3]), ("tagged/es?tag=a+b&page=1", [3]),
        ("tagged/es?tag=100%2525&page=1", [4]),
        ("tagged/es?tag=100%25&page=1", [4]), ("tagged/es?tag=%25C3&page=1", []), ("tagged/es?tag=%25&page=1", []),
        ("tagged/es?tag=%2525&page=1", []), ("tagged/es?tag=%25zz&page=1", []), ("video/es?video=g%25C3%25B3l", [5]),
        ("video/es?video=g%C3%B3l", [5]), ("video/es?video=%25FF", []),
    ])
    func `Names that are encoded twice`(target: String, ids: [Int]) async throws {
        let site = try TestSite(cacheSize: 3)
        let movie = movieViewController("http://a.b/ts/x.m3u8")
        try await site.news.save(
            [
                item(1, "a").tags("fútbol"), item(2, "b").tags("fútbol"), item(3, "c").tags("a b"),
                item(4, "d").tags("100%"),
                item(5, "e").opens(movie).video("gól"),
            ],
            language: "es"
        )
        #expect(try await site.ids("/floki/news/\(target)") == ids)
    }

    @Test(arguments: [
        "search/en?q=%EA%B0%80%EB%82%98", "search/en?q=%E1%84%80%E1%85%A1%E1%84%82%E1%85%A1",
        "tagged/en?tag=%EA%B0%80%EB%82%98", "tagged/en?tag=%E1%84%80%E1%85%A1%E1%84%82%E1%85%A1",
    ])
    func `An entry has words and tags that look alike`(target: String) async throws {
        let site = try TestSite()
        let alike = ["\u{AC00}\u{B098}", "\u{1100}\u{1161}\u{1102}\u{1161}"]
        try await site.news.save([item(1, alike[0], alike[1]).tags(alike)], language: "en")
        #expect(try await site.ids("/floki/news/\(target)") == [1])
    }

    @Test(arguments: ["search/en?q=item&page=1", "search/en?q=nothing", "tagged/en?tag=t&page=1", "tagged/en?tag=x"])
    func `What is found is flat`(target: String) async throws {
        let site = try TestSite(cacheSize: 2, sections: [section(4, "politics")])
        let text = #"a ","section_ids":[1]," b"#
        try await site.news.save(
            [
                item(1, "Item").sections(4).tags("t"),
                item(2, text, "item").sections(4).tags("t").expires(at: Date(timeIntervalSince1970: 2_000)),
            ],
            language: "en"
        )
        let found = try await site.json("/floki/news/\(target)")
        #expect(found["sections"] == nil)
        for entry in found["items"]?.array ?? [] {
            #expect(entry["section_ids"] == nil)
            #expect(["Item", text].contains(entry["title"]?.string))
        }
        if !found.ids.isEmpty { #expect(found.ids == [2, 1]) }
        #expect(try await site.json("/floki/news/en")["items"]?[0]?["section_ids"] == [4])
    }

    @Test(arguments: [
        (#"{"id":1,"section_ids":[4,5],"x":1}"#, #"{"id":1,"x":1}"#), (#"{"id":1,"section_ids":[4]}"#, #"{"id":1}"#),
        (#"{"section_ids":[4],"id":1}"#, #"{"id":1}"#), (#"{"section_ids":[]}"#, "{}"), (#"{"id":1}"#, #"{"id":1}"#),
        (#"{"t":"\"section_ids\":[4]"}"#, #"{"t":"\"section_ids\":[4]"}"#),
        (#"{"section_ids":["#, #"{"section_ids":["#),
    ])
    func `Sections are taken out`(wire: String, flat: String) {
        #expect(String(decoding: JSONTemplate(Array(wire.utf8)).withoutSections.bytes, as: UTF8.self) == flat)
    }

    @Test func `A gallery is all of its pictures`() async throws {
        let site = try TestSite(cacheSize: 2)
        let thumbs = (1...7).map { thumb($0, url: "b.png", image: "s.png", width: 9, height: 9).tags("sea") }
        try await site.photos.save(thumbs)
        let gallery = try await site.json("/floki/my-photos~/gallery/en?tag=sea")
        #expect(gallery.ids == [7, 6, 5, 4, 3, 2, 1])
        #expect(gallery["thumbs"]?[0]?["url"] == "http://localhost/floki/my-photos~/b.png")
        #expect(try await site.ids("/floki/my-photos~/gallery/en?tag=land") == [])
    }
}
