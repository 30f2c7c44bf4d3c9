import Applin
import Backlot
import Glibc
import ServerAnnouncement

/// Answers on a free port of 127.0.0.1 that it prints: at `/page` with a page, at `/account` with the same page for those who are
/// logged in, and at `/me` with who is logged in.
///
///     bench-sessions STORE COUNT
///
/// The store is `memory`, `sqlite:FOLDER`, `sqlite-uncached:FOLDER`, where every request reads the file, a `redis://` URL, the same
/// with `copied-` before it, where copies of a moment ago are used, or a `postgres://` URL.
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
                router.applin("/", sessions: store) { app in
                    app.page("/page") { _ in page("Account") }
                    app.page("/account") { _, session in
                        _ = try session.requireLogin()
                        return page("Account")
                    }
                    for path in ["/", "/terms", "/privacy"] { app.page(path) { _ in navPage("Nothing") { empty() } } }
                    app.rpc("/save") { _ in }
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

    private static func page(_ title: String) -> NavPage {
        navPage(title) {
            scroll {
                form {
                    textfield("Username", varName: "username")
                    navButton("Terms") { push("/terms") }
                    navButton("Privacy") { push("/privacy") }
                    checkbox("I agree", varName: "agree")
                    formButton("Save") {
                        rpc("/save")
                        replaceAll("/")
                    }
                }
            }
        }
    }
}
