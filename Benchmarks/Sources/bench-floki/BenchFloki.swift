import Applin
import Backlot
import BacklotPostgreSQL
import Floki
import FlokiPostgreSQL
import FlokiSQLite
import Foundation
import ServerAnnouncement

/// Feeds of Floki, measured.
///
///     bench-floki fill STORE COUNT
///     bench-floki serve NAME=STORE… [--port PORT]
///
/// A store is the path of a file of SQLite, or the address of a database of PostgreSQL. `fill` puts so many items into it, a tenth of
/// them expired. `serve` answers with the feeds of stores at `/NAME/news/en`, and reads each window; at `/kept/news/en` with the last
/// one's, and keeps windows. The app data is at `/NAME/v1-appdata`, and the first one's same bytes at `/same`; `/encodings` says how
/// often that was encoded. At `/page` is a page of Applin.
@main
struct BenchFloki {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "fill", let count = Int(arguments[3]) {
            return fill(arguments[2], count)
        }
        let stores = arguments.dropFirst(2).compactMap { argument in
            argument.firstIndex(of: "=").map {
                (name: String(argument[..<$0]), store: String(argument[argument.index(after: $0)...]))
            }
        }
        guard arguments.count >= 3, arguments[1] == "serve", let first = stores.first, let last = stores.last else {
            fatalError("usage: bench-floki fill STORE COUNT, or bench-floki serve NAME=STORE… [--port PORT]")
        }
        let router = Router()
        let counted = CountedController()
        for store in stores {
            mount(store.store, at: "/\(store.name)", store == first ? counted : CountedController(), on: router)
        }
        mount(last.store, at: "/kept", keepsWindows: true, CountedController(), on: router)
        router.get("/encodings") { _ in .text("\(counted.encodings)") }
        router.applin("/") { app in
            app.page("/page") { _ in
                navPage("New Account") {
                    scroll {
                        form {
                            textfield("Username", varName: "username")
                            navButton("Terms") { push("/terms") }
                            checkbox("I agree", varName: "agree")
                            formButton("Create Account") { rpc("/create_account") }
                        }
                    }
                }
            }
            app.rpc("/create_account") { _ in }
            app.page("/terms") { _ in navPage("Terms") { text("None.") } }
        }
        let data = try appData(router, first.name)
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

    private static func store(_ place: String) throws -> any FeedStore {
        // Expired items stay: they are to be skipped.
        let never = Duration.seconds(1_000_000)
        guard place.hasPrefix("postgres:") else { return try SQLiteFeedStore(place, sweepInterval: never) }
        return PostgreSQLFeedStore(PostgreSQLDatabase(try PostgreSQLAddress(place)), sweepInterval: never)
    }

    private static func mount(
        _ place: String,
        at path: String,
        keepsWindows: Bool = false,
        _ counted: CountedController,
        on router: Router
    ) {
        do {
            let news = NewsFeed("news", in: try store(place))
            var configuration = FlokiConfiguration()
            if keepsWindows {
                // As in production, so that the request's Host makes no difference.
                configuration.address = .fixed("http://127.0.0.1")
            } else {
                configuration.windowCacheBytes = 0
            }
            router.floki(path, configuration: configuration) { app in
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
    private static func appData(_ router: Router, _ name: String) throws -> [UInt8] {
        let request = try Request(.get, "/\(name)/v1-appdata")
        guard case .ready(let response) = try router.handler().respond(to: request),
            case .bytes(let bytes) = response.body
        else {
            fatalError("the app data is not answered at once")
        }
        return bytes
    }

    private static func fill(_ place: String, _ count: Int) {
        run {
            let store = try store(place)
            let title = #""title":"A title of some words""#
            let wire = Array(#",\#(title),"body":"A text that is as long as such texts are."}"#.utf8)
            var prose = Prose(seed: 1)
            // A tenth has expired: those before the middle.
            let expired = count / 2 - count / 10..<count / 2
            for start in stride(from: 1, through: count, by: 5_000) {
                let changes = (start..<min(start + 5_000, count + 1)).map { id in
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
