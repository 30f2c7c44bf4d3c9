import Backlot
import Testing

@testable import Floki

/// The record of an app that several servers share.
@Suite(.timeLimit(.minutes(5))) struct SharedRecordTests {
    private let memory = MemoryFeedStore()

    /// A server of the app.
    private struct Replica {
        let store: WatchedStore
        let handler: any Handler
        let app: LiveFlokiApp

        init(_ memory: MemoryFeedStore, _ title: String, texts: [String] = [], address: String? = nil) {
            let store = WatchedStore(memory)
            self.store = store
            var configuration = FlokiConfiguration()
            configuration.record = store
            if let address { configuration.address = .fixed(address) }
            let router = Router()
            app = router.floki("/floki", configuration: configuration) { Self.declare($0, store, title, texts) }
            handler = router.handler()
        }

        static func declare(_ app: FlokiApp, _ store: WatchedStore, _ title: String, _ texts: [String] = []) {
            let feed = NewsFeed("news", in: store).sections(Floki.section(1, "title"))
            let named = [("title", title)] + texts.map { ($0, $0) }
            app.language("en", named.map { (key: TextName($0), value: $1) }, CodeLocation(file: "a", line: 1))
            if title == "with French" { app.language("fr", ["title": "Titre"]) }
            app.feed(feed)
            app.tab(1, "title", newsViewController(feed))
        }

        func update(_ title: String) async throws {
            try await app.update { Self.declare($0, store, title) }
        }

        func json(_ path: String) async throws -> JSONValue {
            let response = try await handler.respond(to: try Request(.get, "/floki/\(path)")).response()
            return try JSONValue(parsing: response.bodyBytes)
        }

        var version: Int { get async throws { try await json("v1-app")["v"]?.int ?? 0 } }
        var title: String? {
            get async throws { try await json("v1-appdata")["langs"]?[0]?["en"]?.object?.members.last?.value.string }
        }
        var section: String? { get async throws { try await json("news/en")["sections"]?[0]?["name"]?.string } }
    }

    @Test func `Servers with the same content agree, and windows ask once`() async throws {
        let replicas = (0..<3).map { _ in Replica(memory, "One") }
        for replica in replicas {
            for _ in 0..<3 { #expect(try await replica.section == "One") }
            #expect(replica.store.takeCalls()["record"] == 1)
            #expect(try await replica.version == 1)
            #expect(try await replica.title == "One")
            #expect(replica.store.takeCalls()["record"] == 2)
        }
        #expect(await memory.record(of: "/floki")?.version == 1)
    }

    @Test func `A server that starts with other content raises the version once, and the others follow`() async throws {
        let old = Replica(memory, "Old")
        #expect(try await old.version == 1)
        let new = Replica(memory, "New", texts: ["more"])
        #expect(try await new.version == 2)
        for replica in [old, new, old] {
            #expect(try await replica.version == 2)
            #expect(try await replica.json("v1-appdata") == new.json("v1-appdata"))
            #expect(try await replica.section == "New")
        }
        #expect(old.store.takeCalls()["replaceRecord"] == 1)
        #expect(await memory.record(of: "/floki")?.version == 2)
    }

    @Test func `Texts keep the numbers that the record has`() async throws {
        let first = Replica(memory, "T", texts: ["m", "z"])
        #expect(try await first.json("v1-appdata")["langs"]?[0]?["en"] == ["1": "m", "2": "T", "3": "z"])
        let second = Replica(memory, "T", texts: ["a", "m", "z"])
        #expect(try await second.json("v1-appdata")["langs"]?[0]?["en"] == ["1": "m", "2": "T", "3": "z", "4": "a"])
    }

    @Test func `A running app changes on all servers`() async throws {
        let (one, two) = (Replica(memory, "A"), Replica(memory, "A"))
        for replica in [one, two] { #expect(try await replica.version == 1) }
        try await one.update("B")
        for replica in [one, two] {
            #expect(try await replica.version == 2)
            #expect(try await replica.title == "B")
            #expect(try await replica.section == "B")
        }
        try await two.update("with French")
        #expect(try await one.version == 3)
        #expect(try await one.json("news/fr")["sections"]?[0]?["name"] == "Titre")
        try await one.update("with French")
        for replica in [one, two] { #expect(try await replica.version == 3) }
    }

    @Test func `What was declared at run time outlives the start of another server, and of all`() async throws {
        let (one, two) = (Replica(memory, "A"), Replica(memory, "A"))
        for replica in [one, two] { #expect(try await replica.version == 1) }
        try await one.update("B")
        let restarted = Replica(memory, "A")
        for replica in [restarted, one, two, Replica(memory, "A")] {
            #expect(try await replica.version == 2)
            #expect(try await replica.title == "B")
        }
        #expect(restarted.store.takeCalls()["replaceRecord"] == nil)
        try await two.update("C")
        #expect(try await Replica(memory, "A").title == "C")
        // A server with another declaration replaces earlier updates, and a later update replaces that declaration.
        let newer = Replica(memory, "D")
        for replica in [newer, one] { #expect(try await replica.version == 4) }
        try await one.update("E")
        for replica in [Replica(memory, "D"), newer, one] {
            #expect(try await replica.version == 5)
            #expect(try await replica.title == "E")
        }
        #expect(try await Replica(memory, "A").version == 6)
        // Another build that changes before its first response.
        try await Replica(memory, "F").update("G")
        #expect(try await Replica(memory, "F").title == "G")
    }

    @Test func `A record without the mounted declaration is made to have it`() async throws {
        #expect(try await Replica(memory, "A").version == 1)
        let record = try #require(await memory.record(of: "/floki"))
        let hash = try #require(record.mounted)
        let text = String(decoding: record.bytes, as: UTF8.self)
        let without = text.split(separator: "\n").filter { !$0.contains("mounted") }.joined(separator: "\n")
        let older = try AppRecord(parsing: Array(without.replacing("},\n}", with: "}\n}").utf8))
        #expect(older.mounted == nil)
        #expect(await memory.replaceRecord(of: "/floki", version: 1, with: older))
        #expect(try await Replica(memory, "A").version == 1)
        #expect(await memory.record(of: "/floki")?.mounted == hash)
    }

    @Test func `A server that follows another accepts entries in the sections that clients have`() async throws {
        func feed(_ section: Int) throws -> (NewsFeed, any Handler) {
            var configuration = FlokiConfiguration()
            configuration.record = memory
            let feed = NewsFeed("news", in: memory).sections(Floki.section(section, "a"))
            let router = Router()
            router.floki("/floki", configuration: configuration) { app in
                app.language("en", ["a": "A"])
                app.feed(feed)
                app.tab(1, "a", newsViewController(feed))
            }
            return (feed, router.handler())
        }
        let (old, oldHandler) = try feed(1)
        _ = try await oldHandler.respond(to: try Request(.get, "/floki/v1-app")).response()
        try await old.save([item(1, "x").sections(1)], language: "en")
        let (_, newHandler) = try feed(2)
        for handler in [newHandler, oldHandler] {
            _ = try await handler.respond(to: try Request(.get, "/floki/v1-app")).response()
        }
        try await old.save([item(2, "x").sections(2)], language: "en")
        let error = await #expect(throws: FeedError.self) {
            try await old.save([item(3, "x").sections(1)], language: "en")
        }
        #expect(error?.description.contains("[outside-sections]") == true)
    }

    @Test func `Two that change at once both count`() async throws {
        let (one, two) = (Replica(memory, "A"), Replica(memory, "A"))
        for replica in [one, two] { #expect(try await replica.version == 1) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask { try await one.update("one \(number)") }
                group.addTask { try await two.update("two \(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await one.version == 21)
        #expect(try await two.version == 21)
        #expect(try await one.title == two.title)
    }

    @Test func `Without the database there is no response, and with it again there is`() async throws {
        let replica = Replica(memory, "A")
        replica.store.isAway = true
        for path in ["v1-app", "v1-appdata", "news/en", "news/search/en?q=a"] {
            let error = await #expect(throws: StatusError.self) { try await replica.json(path) }
            #expect(error?.status == .serviceUnavailable)
            #expect(error?.headers[.retryAfter] == "2")
        }
        replica.store.isAway = false
        #expect(try await replica.version == 1)
        replica.store.isAway = true
        await #expect(throws: StatusError.self) { try await replica.version }
        replica.store.isAway = false
        #expect(try await replica.version == 1)
        #expect(replica.store.takeCalls()["record"] ?? 0 > 1)
    }

    @Test func `Without news of other servers, the record is asked each time`() async throws {
        let (one, two) = (Replica(memory, "A"), Replica(memory, "A"))
        for replica in [one, two] { #expect(try await replica.version == 1) }
        two.store.isCurrent = false
        try await one.update("B")
        #expect(try await two.version == 2)
        #expect(try await two.title == "B")
    }

    @Test func `The version and the data are the newest, also before a server hears of them`() async throws {
        let (one, two) = (Replica(memory, "A"), Replica(memory, "A"))
        for replica in [one, two] { #expect(try await replica.section == "A") }
        two.store.isLate = true
        try await one.update("B")
        #expect(try await two.section == "A")
        #expect(try await two.version == 2)
        #expect(try await two.title == "B")
        #expect(try await two.section == "B")
    }

    @Test func `A version never goes back, also when the record was lost`() async throws {
        let one = Replica(memory, "A")
        #expect(try await one.version == 1)
        for title in ["B", "C"] { try await one.update(title) }
        #expect(try await one.version == 3)
        // Another database, without the record, as after a loss.
        let empty = MemoryFeedStore()
        let survivor = Replica(memory, "C")
        #expect(try await survivor.version == 3)
        let lost = try #require(await memory.record(of: "/floki"))
        #expect(await empty.replaceRecord(of: "/floki", version: 0, with: lost))
        #expect(try await Replica(empty, "D").version == 4)
        // An earlier one was restored.
        let early = try #require(AppRecord([1], texts: [:], isShared: true, after: nil))
        #expect(await memory.replaceRecord(of: "/floki", version: 3, with: early))
        one.store.isCurrent = false
        #expect(try await one.version == 3)
        #expect(await memory.record(of: "/floki")?.version == 3)
        #expect(try await one.title == "C")
    }

    @Test func `There is no version after the last`() async throws {
        let text = #"{"version":2147483647,"content":"x","texts":{}}"#
        let last = try AppRecord(parsing: Array(text.utf8))
        #expect(await memory.replaceRecord(of: "/floki", version: 0, with: last))
        let replica = Replica(memory, "A")
        await #expect(throws: StatusError.self) { try await replica.version }
        await #expect(throws: RecordError.self) { try await replica.update("B") }
    }

    @Test func `A record without the app data is no edition`() async throws {
        let replica = Replica(memory, "A")
        #expect(try await replica.version == 1)
        for text in [#""x""#, #""{}""#, #""{\"langs\":[]}""#, "7"] {
            let version = (await memory.record(of: "/floki")?.version ?? 0) + 1
            let json = #"{"version":\#(version),"content":"x","texts":{},"document":\#(text),"sections":{}}"#
            let record = try AppRecord(parsing: Array(json.utf8))
            #expect(await memory.replaceRecord(of: "/floki", version: version - 1, with: record))
            await #expect(throws: StatusError.self) { try await replica.version }
        }
        try await replica.update("B")
        #expect(try await replica.version == 6)
    }

    @Test func `Apps at several paths have records of their own`() async throws {
        let store = WatchedStore(memory)
        var configuration = FlokiConfiguration()
        configuration.record = store
        let router = Router()
        for (path, title) in [("/a", "A"), ("/b", "B")] {
            router.floki(path, configuration: configuration) { Replica.declare($0, store, title) }
        }
        let handler = router.handler()
        for path in ["/a", "/b"] {
            let response = try await handler.respond(to: try Request(.get, "\(path)/v1-app")).response()
            #expect(try JSONValue(parsing: response.bodyBytes)["v"] == 1)
        }
        #expect(await memory.record(of: "/a") != memory.record(of: "/b"))
    }

    @Test func `A record with an app's data is read as it was written`() throws {
        let bytes = Array("{\"a\":\"\(TemplateMark.base)/x\"}".utf8)
        let sections: [String: [String: [UInt8]]] = [
            "news": ["en": Array("[{}]".utf8), "es": Array("[]".utf8)], "b": [:],
        ]
        let record = try #require(AppRecord(bytes, texts: ["a": 1], sections: sections, isShared: true, after: nil))
        #expect(try AppRecord(parsing: record.bytes) == record)
        let other = AppRecord(bytes, texts: ["a": 1], sections: ["b": [:]], isShared: true, after: record)
        #expect(other?.version == 2)
    }
}
