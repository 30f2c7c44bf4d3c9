import Applin
import Backlot

extension DemoSection {
    /// Pages that show the uses of sessions.
    static func sessions(_ mount: DemoMount, _ sessions: any SessionStore) -> DemoSection {
        DemoSection("Sessions") {
            DemoPage("/log_in", "Log In", "Any name, any password") {
                text("This is a demo: any name and any password will do. Use none that you use elsewhere.")
                textfield("Name", name).allow(.ascii).maxLines(1)
                textfield("Password", password).allow(.ascii).maxLines(1)
                formButton("Log In", rpc("/log_in/submit"), replaceAll("/members"))
            }
            .targets { app in
                app.rpc("/log_in/submit") { request in
                    let variables = try await request.variables()
                    let (name, password) = (try variables[name], try variables[password])
                    guard !name.isBlank, name.count <= 50 else {
                        throw UserError("Please enter a name of up to 50 characters.")
                    }
                    guard !password.isEmpty else { throw UserError("Please enter a password: any will do.") }
                    try await request.session.logIn(user: name)
                }
            }

            // With the ways out.
            DemoPage.ofSession("/members", "Members", "403 unless you are logged in; log out") { session in
                let user = try session.requireLogin("You are not logged in, or not any more. Please log in.")
                return listPage("Members") {
                    text("You are logged in as \(user).")
                    formSection("Leave") {
                        navButton("Log out", rpc("/log_out"), logout(), replaceAll("/"))
                            .subText("The backend first, then the client")
                        navButton("Log out everywhere", rpc("/log_out_everywhere"), logout(), replaceAll("/"))
                            .subText("On other devices too")
                        navButton("Log out of the client only", logout(), replaceAll("/"))
                            .subText("The backend is not told")
                    }
                    formSection("Stay") {
                        navButton("Count in the session", push("/counter"))
                        navButton("All demos", replaceAll("/"))
                    }
                }
            }
            .samples(CheckSample("/members", user: "ada"))
            .targets { app in
                app.rpc("/log_out") { try await $0.session.logOut() }
                app.rpc("/log_out_everywhere") { try await $0.session.logOutEverywhere() }
            }

            DemoPage.ofSession("/counter", "Counter", "Kept in the session, also before a log-in") { session in
                let (count, user) = (session[CounterKey.self] ?? 0, session.user)
                return formPage("Counter") {
                    text("Counted to \(count) by \(user ?? "somebody who is not logged in").")
                    formButton("Count", rpc("/counter/increment"), poll())
                }
            }
            .targets { app in
                app.rpc("/counter/increment") { request in
                    // Two taps at the same time count twice: a value that is read and then set could lose one.
                    try await request.session.update(CounterKey.self) { $0 = ($0 ?? 0) + 1 }
                }
            }

            // The session ends without any action of the client.
            DemoPage.ofSession("/expired_session", "Expired Session", "The client's cookie stays, and means nothing") {
                session in
                let user = session.user
                return formPage("Expired Session") {
                    text(user.map { "You are logged in as \($0)." } ?? "You are not logged in.")
                    formButton("Let the session expire, and open the members' page") {
                        rpc("/expired_session/expire")
                        push("/members")
                    }
                    navButton("Log in", push("/log_in"))
                }
            }
            .targets { app in
                app.rpc("/expired_session/expire") { request in
                    guard let user = try await request.session.user else { return }
                    // A log-out would tell the client to forget its cookie. An expired session doesn't.
                    try await sessions.removeAll(of: user, mount: mount.path)
                }
            }
        }
    }

    private static let name = Variable<String>("log_in_name")
    private static let password = Variable<String>("log_in_password")
}

/// The key of the counter's number in a session.
private enum CounterKey: SessionKey {
    static let name = "counter"
    typealias Value = Int
}
