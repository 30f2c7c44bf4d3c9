import Applin
import Backlot

/// What the counter has counted to.
private enum CounterKey: SessionKey {
    static let name = "counter"
    typealias Value = Int
}

/// A number that is kept in the session, with or without a log-in.
struct CounterPage: DemoPage {
    let path = "/counter"
    let title = "Counter"
    let subText = "Kept in the session, also before a log-in"

    func page(_ request: Request) async throws -> any Page {
        let session = try await request.session
        let count = session[CounterKey.self] ?? 0
        let user = session.user
        return navPage(title) {
            scroll {
                form {
                    text("Counted to \(count) by \(user ?? "somebody who is not logged in").")
                    formButton("Count") {
                        rpc("/counter/increment")
                        poll()
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/counter/increment") { request in
            // Two taps at the same time count twice: a value that is read and then set could lose one.
            try await request.session.update(CounterKey.self) { $0 = ($0 ?? 0) + 1 }
        }
    }
}
