import Backlot
import Floki
import FlokiSQLite
import Foundation
import ServerAnnouncement

/// Feeds of Floki in SQLite, measured.
///
///     bench-floki fill FILE COUNT
///     bench-floki serve SMALL LARGE [--port PORT]
///
/// `fill` makes a file with so many items, a tenth of them expired. `serve` answers with the feeds of two files, at `/small/news/en` and
/// `/large/news/en`, with the app data at `/small/v1-appdata`, with the same bytes at `/same`, and at `/encodings` with how often
/// the app data was encoded.
@main
struct BenchFloki {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "fill", let count = Int(arguments[3]) {
            return fill(arguments[2], count)
        }
        guard arguments.count >= 4, arguments[1] == "serve" else {
            fatalError("usage: bench-floki fill FILE COUNT, or bench-floki serve SMALL LARGE [--port PORT]")
        }
        let router = Router()
        let counted = CountedController()
        mount(arguments[2], at: "/small", counted, on: router)
        mount(arguments[3], at: "/large", CountedController(), on: router)
        router.get("/encodings") { _ in .text("\(counted.encodings)") }
        let data = try appData(router)
        router.get("/same") { _ in Response(headers: [.contentType: "application/json"], body: .bytes(data)) }
        let port = arguments.firstIndex(of: "--port").flatMap {
            arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil
        }
        let server = Server(
            router,
            host: "127.0.0.1",
            port: port ?? 0,
            onListening: { ListeningLine.announce(port: Int($0.port)) }
        )
        run { try await server.run() }
    }

    private static func mount(_ file: String, at path: String, _ counted: CountedController, on router: Router) {
        do {
            // Expired items stay: they are to be skipped.
            let news = NewsFeed("news", in: try SQLiteFeedStore(file, sweepInterval: .seconds(1_000_000)))
            router.floki(path) { app in
                app.language("en", ["news": "News", "counted": "Counted"])
                app.feed(news)
                app.tab(1, "news", newsViewController(news).searchBar().tags())
                app.tab(2, "counted", counted)
            }
        } catch {
            fatalError("\(error)")
        }
    }

    /// The app data, as a client of this machine gets it.
    private static func appData(_ router: Router) throws -> [UInt8] {
        let request = try Request(.get, "/small/v1-appdata")
        guard case .ready(let response) = try router.handler().answer(request), case .bytes(let bytes) = response.body
        else {
            fatalError("the app data is not answered at once")
        }
        return bytes
    }

    private static func fill(_ file: String, _ count: Int) {
        run {
            let store = try SQLiteFeedStore(file)
            let title = #""title":"A title of some words""#
            let wire = Array(#",\#(title),"body":"A text that is as long as such texts are."}"#.utf8)
            var prose = Prose(seed: 1)
            // A tenth has expired: those before the middle.
            let expired = count / 2 - count / 10..<count / 2
            for start in stride(from: 1, through: count, by: 10_000) {
                let changes = (start..<min(start + 10_000, count + 1)).map { id in
                    FeedChange.save(
                        StoredEntry(
                            id: id,
                            sortID: id,
                            expirationDate: expired.contains(id) ? 1 : 0,
                            wire: Array(#"{"id":\#(id)"#.utf8) + wire,
                            words: prose.words(of: id, count: count)
                        ),
                        language: "en"
                    )
                }
                try await store.apply(changes, to: "news")
            }
        }
    }

    /// Runs `body` to its end, and ends the program with it.
    private static func run(_ body: @escaping @Sendable () async throws -> Void) -> Never {
        Task.detached {
            do {
                try await body()
                exit(0)
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        // An asynchronous `main` ends its thread, which valgrind 3.19 doesn't survive.
        while true { pause() }
    }
}
