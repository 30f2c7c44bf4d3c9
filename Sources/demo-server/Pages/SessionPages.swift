import Applin
import Backlot

/// Takes a name and any password.
struct LogInPage: ReadyPage {
    let path = "/log_in"
    let title = "Log In"
    let subText = "Any name, any password"

    private static let name = Variable<String>("log_in_name")
    private static let password = Variable<String>("log_in_password")

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    text("This is a demo: any name and any password will do. Use none that you use elsewhere.")
                    textfield(Self.name).label("Name").allow(.ascii).maxLines(1)
                    textfield(Self.password).label("Password").allow(.ascii).maxLines(1)
                    formButton("Log In") {
                        rpc("/log_in/submit")
                        replaceAll("/members")
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/log_in/submit") { request in
            let variables = try await request.variables()
            let name = try variables[Self.name]
            let password = try variables[Self.password]
            guard !name.isBlank, name.count <= 50 else {
                throw UserError("Please enter a name of up to 50 characters.")
            }
            guard !password.isEmpty else { throw UserError("Please enter a password: any will do.") }
            try await request.session.logIn(user: name)
        }
    }
}

/// A page for those who are logged in, with the ways out.
struct MembersPage: SessionPage {
    let path = "/members"
    let title = "Members"
    let subText = "403 unless you are logged in; log out"
    let samples = [PageSample("/members", user: "ada")]

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let user = try session.requireLogin("You are not logged in, or not any more. Please log in.")
        return navPage(title) {
            scroll {
                column {
                    text("You are logged in as \(user).")
                    formSection("Leave") {
                        navButton("Log out") {
                            rpc("/log_out")
                            logout()
                            replaceAll("/")
                        }
                        .subText("The backend first, then the client")
                        navButton("Log out everywhere") {
                            rpc("/log_out_everywhere")
                            logout()
                            replaceAll("/")
                        }
                        .subText("On other devices too")
                        navButton("Log out of the client only") {
                            logout()
                            replaceAll("/")
                        }
                        .subText("The backend is not told")
                    }
                    formSection("Stay") {
                        navButton("Count in the session") { push("/counter") }
                        navButton("All demos") { replaceAll("/") }
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/log_out") { try await $0.session.logOut() }
        app.rpc("/log_out_everywhere") { try await $0.session.logOutEverywhere() }
    }
}

/// The key of the counter's number in a session.
private enum CounterKey: SessionKey {
    static let name = "counter"
    typealias Value = Int
}

/// A number that is kept in the session, with or without a log-in.
struct CounterPage: SessionPage {
    let path = "/counter"
    let title = "Counter"
    let subText = "Kept in the session, also before a log-in"

    func page(_ request: Request, _ session: Session) throws -> any Page {
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

/// Lets the session end without the client's doing.
struct ExpiredSessionPage: SessionPage {
    let path = "/expired_session"
    let title = "Expired Session"
    let subText = "The client's cookie stays, and means nothing"

    let mount: DemoMount
    let sessions: any SessionStore

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let user = session.user
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
