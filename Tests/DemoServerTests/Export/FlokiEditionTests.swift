import Applin
import Backlot
import BacklotTesting
import Floki
import Foundation
import TestSupport
import Testing
import Xpedite

@testable import demo_server

/// `demo-server floki export`
@Suite(.timeLimit(.minutes(5))) struct FlokiEditionTests {
    private static let base = "https://static.example.com/gazette"

    private func edition(
        of app: NewspaperApp,
        base: String = base,
        earlier: FlokiEdition.Earlier? = nil
    ) async throws -> FlokiEdition {
        let router = Router()
        app.register(on: router, record: nil)
        let export = AppExport(path: NewspaperApp.path, base: base)
        return try await FlokiEdition(export, over: InProcessTransport(router.handler()), after: earlier)
    }

    /// A newspaper with many pictures and a story with a page.
    private func paper() async throws -> NewspaperApp {
        let app = NewspaperApp(store: MemoryFeedStore())
        for language in ["en", "es"] {
            let stories = (1...40).map { item($0, "Story \($0)").sections(1).page("<p>Text \($0) \(language)</p>") }
            try await app.news.save(stories, language: language)
        }
        try await app.photos.save((1...30).map { thumb($0, url: "/a.png", image: "/b.png", width: 2, height: 2) })
        return app
    }

    private func json(_ edition: FlokiEdition, _ path: String) throws -> JSONValue {
        try JSONValue(parsing: try #require(edition.export.files[path]))
    }

    @Test func `An edition is what clients ask for`() async throws {
        let edition = try await edition(of: try await paper())
        let pages = (11...40).flatMap { id in ["en", "es"].map { "news/items/\($0)/\(id)/index.html" } }
        let older = (1...10).flatMap { id in ["en", "es"].map { "news/items/\($0)/\(id)/index.html" } }
        let rest = [
            "v1-app", "v1-appdata", "news/en", "news/es", "news/older/en", "news/older/es", "photos/en", "photos/es",
            "photos/older/en", "photos/older/es", "about/index.html", "about/en/index.html", "about/es/index.html",
        ]
        #expect(Set(edition.export.files.keys) == Set(pages + older + rest))
        #expect(try json(edition, "v1-app")["url"]?.string == "\(Self.base)/v1-appdata")
        let window = try json(edition, "news/en")
        #expect(window["items"]?.array?.count == 30)
        #expect(window["items"]?[0]?["url"]?.string?.hasPrefix("\(Self.base)/news/items/en/40/?r=") == true)
        #expect(window["has_older"] == nil)
        #expect(window["sections"]?.array?.count == 3)
        #expect(try json(edition, "news/older/es")["items"]?.array?.count == 10)
        #expect(try json(edition, "photos/older/en")["thumbs"]?.array?.count == 12)
        let page = String(decoding: try #require(edition.export.files["news/items/es/7/index.html"]), as: UTF8.self)
        #expect(page.contains("<p>Text 7 es</p>"))
        // Nothing names this process, or an address that takes parameters.
        for (path, bytes) in edition.export.files {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("localhost"), "\(path)")
            for word in ["_WORDS_", "tags_regex", "videos_regex", "gallery_regex"] {
                #expect(!text.contains(word), "\(path)")
            }
        }
    }

    @Test func `The version is raised with the app data`() async throws {
        let app = try await paper()
        let first = try await edition(of: app)
        #expect(first.version == 1)
        let data = try json(first, "v1-appdata")
        let same = try await edition(of: app, earlier: (7, data))
        #expect(same.version == 7)
        #expect(try json(same, "v1-app")["v"] == 7)
        let moved = try await edition(of: app, base: "http://a", earlier: (7, data))
        #expect(moved.version == 8)
        await #expect(throws: ExportError.self) {
            _ = try await edition(
                of: app,
                base: "http://a",
                earlier: (Int64(Int32.max), data)
            )
        }
    }

    @Test func `What clients would not accept is refused`() async throws {
        let app = try await paper()
        let wrong = StoredEntry(id: 50, sortID: 50, wire: Array(#"{"id":50,"title":"No section","body":""}"#.utf8))
        try await app.news.store.apply([.save(wrong, language: "es")], to: "news")
        let problem = await #expect(throws: ExportError.self) { _ = try await edition(of: app) }
        #expect(problem?.description.hasPrefix("clients would not accept this:\nerror: /news/es › item 50") == true)
    }

    @Test func `The end of the task ends the work`() async throws {
        let app = try await paper()
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) { _ = try await edition(of: app) }
            }
        }
    }

    @Test func `Empty feeds are refused`() async throws {
        let problem = await #expect(throws: ExportError.self) {
            _ = try await edition(of: NewspaperApp(store: MemoryFeedStore()))
        }
        #expect(problem?.description.hasPrefix("all feeds are empty, so nothing was written: ") == true)
    }

    @Test func `An entry that opens nothing is named`() async throws {
        let app = try await paper()
        try await app.news.save([item(50, "Gone").sections(1).url("/gone/")], language: "es")
        let problem = await #expect(throws: ExportError.self) { _ = try await edition(of: app) }
        let text = problem?.description ?? ""
        #expect(text.contains("error: /news/es\n") && text.contains("[dead-link] at /items/0/url"), "\(text)")
        #expect(text.contains("/gone/\", which answers 404 Not Found"), "\(text)")
    }

    @Test func `An app of another protocol is exported too`() async throws {
        let router = Router()
        router.applin("/shop/") { app in
            app.page("/") { _ in listPage("Shop") { navButton("Books") { push("/books") } } }
            app.page("/books") { _ in listPage("Books") { text("None.") } }
            app.rpc("/buy") { _ in }
        }
        var export = AppExport(path: "/shop", base: Self.base)
        try await export.crawl(.applin, from: "", over: InProcessTransport(router.handler()))
        #expect(export.files.keys.sorted() == ["books", "index.html"])
        #expect(try JSONValue(parsing: try #require(export.files["books"]))["page"]?["title"] == "Books")
    }

    @Test func `An app whose clients only post is refused`() async throws {
        let transport = try InProcessTransport(Router.demo().handler())
        let problem = await #expect(throws: ExportError.self) {
            var export = AppExport(path: "", base: Self.base)
            try await export.crawl(.xpedite, from: "xpedite", over: transport)
        }
        #expect(problem?.description.hasPrefix("the app has no GET responses") == true)
    }

    @Test(arguments: [
        (["a", "--base-url", "example.com"], "--base-url is 'example.com'"),
        (["a", "--base-url", "https://a/?b"], "--base-url is"), (["a"], "--base-url"),
        (["a", "--base-url", "https://a", "--public", "nowhere"], "--public is 'nowhere'"),
        (["a", "--base-url", "https://a", "--public", "."], "--public is '.': it has no folder 'floki'"),
        (["a", "--base-url", "https://a", "--feeds", "disk:a"], "unknown store 'disk'"),
        (["a", "--base-url", "https://a", "--feeds", "sqlite:typo"], "the store 'typo' doesn't exist"),
    ])
    func `Wrong arguments are refused`(arguments: [String], problem: String) async throws {
        try await withTemporaryFolder { folder in
            let outcome = try ServerProcess("demo-server", ["floki", "export"] + arguments, in: folder.path).outcome()
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(problem), "\(outcome.errors)")
            for name in ["a", "typo"] {
                #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(name)"), "\(name)")
            }
        }
    }

    @Test(arguments: ["Public/floki", "Public/floki/a/edition", "linked"])
    func `An edition isn't written into the folder whose files it copies`(path: String) async throws {
        try await withTemporaryFolder { folder in
            try folder.write("1", to: "Public/floki/a/b.png")
            try folder.makeLink("linked", to: "Public/floki")
            let arguments = ["floki", "export", path, "--base-url", "https://a", "--feeds", "memory"]
            let outcome = try ServerProcess("demo-server", arguments, in: folder.path).outcome().withStatus(64)
            let error =
                "'\(path)' is part of 'Public/floki', whose files are copied into the edition: name a folder elsewhere."
            #expect(outcome.errors.contains(error), "\(outcome.errors)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/Public").count == 3)
        }
    }

    @Test func `An edition without pictures is written, with a note`() async throws {
        try await withTemporaryFolder { folder in
            let arguments = ["a", "--base-url", "https://a", "--feeds", "memory"]
            let outcome = try ServerProcess("demo-server", ["floki", "export"] + arguments, in: folder.path).outcome()
            #expect(outcome.status == 0)
            #expect(
                outcome.errors
                    == "note: the edition has no pictures and other files: name their folder with --public\n"
            )
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/a/pictures"))
        }
    }

    /// A web server that knows nothing of Floki.
    private final class PythonServer {
        static let program = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        private let process = Process()
        let port: Int

        init(_ program: String, serving folder: String) throws {
            let output = Pipe()
            process.executableURL = URL(filePath: program)
            process.arguments = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var line: [UInt8] = []
            try process.limited(seconds: 60) {
                while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
                    line.append(byte)
                }
            }
            let text = String(decoding: line, as: UTF8.self)
            port = try #require(text.firstMatch(of: #/port (\d+)/#).flatMap { Int($0.output.1) })
        }

        deinit {
            // Threads of Dispatch block other signals, and so do programs that they start.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    @Test(.enabled(if: PythonServer.program != nil), arguments: FlokiClientConfiguration.Platform.allCases)
    func `Clients read an edition from any web server`(platform: FlokiClientConfiguration.Platform) async throws {
        try await withTemporaryFolder { folder in
            let server = try PythonServer(try #require(PythonServer.program), serving: folder.path)
            let url = "http://127.0.0.1:\(server.port)/gazette"
            let arguments = ["\(folder.path)/gazette", "--feeds", "memory", "--base-url", url]
            let outcome = try ServerProcess("demo-server", ["floki", "export"] + arguments).outcome().withStatus(0)
            #expect(outcome.output.hasSuffix("clients begin at \(url)/v1-app\n"), "\(outcome.output)")

            var configuration = FlokiClientConfiguration()
            configuration.platform = platform
            configuration.language = "es"
            let app = try FlokiClient(url: "\(url)/v1-app", configuration: configuration)
            try await app.launch()
            try await app.show("Noticias")
            #expect(app.ids.count == 10)
            #expect(!app.hasOlder)
            try await app.open(1)
            #expect(app.page?.contains("Lleva a 200 personas") == true)
            try app.back()
            let picture = try #require(try app.picture(of: 1))
            let response = try await SocketTransport().response(
                to: ClientRequest(.get, try HTTPURL(picture)),
                limits: ClientLimits()
            )
            #expect(response.status == .ok)
            try await app.show("Fotos")
            #expect(app.ids.count == 12)
            if platform == .iOS {
                try await app.show("Acerca de")
                #expect(app.page?.contains("Acerca de la Gaceta") == true)
            }
        }
    }
}
