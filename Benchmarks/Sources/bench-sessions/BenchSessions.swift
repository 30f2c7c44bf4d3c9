import Backlot
import Glibc
import ServerAnnouncement

/// Says who is logged in, at `/me`, on a free port of 127.0.0.1 that it prints.
///
///     bench-sessions STORE COUNT
///
/// The store is `memory`, `sqlite:FOLDER`, `sqlite-uncached:FOLDER`, where every request reads the file, or a `redis://` or
/// `postgres://` URL.
/// It is filled with so many sessions first, whose ids are their numbers with zeros before them.
@main
struct BenchSessions {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            print("usage: bench-sessions STORE COUNT")
            exit(64)
        }
        Task.detached {
            do {
                let store = try makeStore(arguments[1])
                try await SampleSessions.fill(store, count: count)
                let router = Router()
                router.group("/", SessionMiddleware(path: "/", store: store)) { app in
                    app.get("/me") { .text(try await $0.session.requireLogin()) }
                }
                try await Server(router, port: 0) { ListeningLine.announce(port: Int($0.port)) }.run()
                exit(0)
            } catch {
                print("\(error)")
                exit(1)
            }
        }
        while true { pause() }
    }
}
