import Applin
import Backlot

/// A number that is kept in the session, with or without a log-in.
struct CounterPage: DemoPage {
    let path = "/counter"
    let title = "Counter"
    let subText = "Kept in the session, also before a log-in"

    func page(_ request: Request) async throws -> any Page {
        let count = try await request.session.count
        let user = try await request.session.user
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
        app.rpc("/counter/increment") { try await $0.session.increment() }
    }
}
