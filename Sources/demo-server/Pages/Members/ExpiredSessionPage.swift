import Applin
import Backlot

/// Lets the session end without the client's doing.
struct ExpiredSessionPage: DemoPage {
    let path = "/expired_session"
    let title = "Expired Session"
    let subText = "The client's cookie stays, and means nothing"

    let mount: DemoMount
    let sessions: any SessionStore

    func page(_ request: Request) async throws -> any Page {
        let user = try await request.session.user
        return navPage(title) {
            scroll {
                form {
                    text(user.map { "You are logged in as \($0)." } ?? "You are not logged in.")
                    formButton("Let the session expire, and open the members' page") {
                        rpc("/expired_session/expire")
                        push("/members")
                    }
                    navButton("Log in") { push("/log_in") }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/expired_session/expire") { request in
            guard let user = try await request.session.user else { return }
            // A log-out would tell the client to forget its cookie. A session that is too old tells it nothing.
            try await sessions.removeAll(of: user, mount: mount.path)
        }
    }
}
