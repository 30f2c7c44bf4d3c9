import Applin
import Backlot
import Floki

/// The gazette's editors at work: an Applin app below the Floki app that it fills.
struct Newsroom: Sendable {
    /// Where it is mounted.
    static let path = "\(GazetteApp.path)/desk/"

    let app: GazetteApp
    let access: DeskAccess
    /// Decides what has ended, and what is in the future.
    var clock = SessionClock.system

    /// Adds its pages, and the route for scripts.
    func register(on router: Router, sessions: any SessionStore) {
        router.applin(Self.path, sessions: sessions) { app in
            let lists = DeskLists(newsroom: self)
            app.page("/") { try await lists.start($0) }
            app.group(RateLimit(.perMinute(20))) { app in
                app.rpc("/log_in") { try await DeskLogIn(access: access).logIn($0) }
            }
            app.rpc("/log_out") { try await $0.session.logOut() }
            app.group(EditorsOnly(user: access.user), checkedAs: access.user) { app in
                lists.register(on: app)
                NewStoryPages(newsroom: self).register(on: app)
                StoryPages(newsroom: self).register(on: app)
            }
        }
        ScriptDesk(app: app, access: access).register(on: router)
    }

    /// Now, in seconds since 1970.
    var now: Int { clock.secondsSince1970 }

    /// The stories in the store.
    var stories: DeskStories { DeskStories(news: app.news, now: now) }
}

/// Answers 403 where no editor is logged in.
struct EditorsOnly: Middleware {
    /// The user of editors' sessions.
    let user: String

    func answer(_ request: Request, next: any Handler) throws -> Answer {
        .pending {
            guard try await request.session.user == user else {
                throw StatusError(.forbidden, "Please log in to the newsroom.")
            }
            return try await next(request)
        }
    }
}

/// Lets editors in.
struct DeskLogIn: Sendable {
    let access: DeskAccess

    private static let name = Variable<String>("desk_name")
    private static let password = Variable<String>("desk_password")

    /// The page for those who are not in yet.
    var page: any Page {
        navPage("Newsroom") {
            scroll {
                form {
                    if access.password == nil {
                        text("The newsroom is closed: its server was started without a --desk-password.")
                    } else {
                        text("For the editors of the Gazette. The server's first lines say how to log in.")
                        textfield(Self.name).label("Name").allow(.ascii).maxLines(1).initialString(DeskAccess.name)
                        textfield(Self.password).label("Password").maxLines(1)
                        formButton("Log In") {
                            rpc("/log_in")
                            replaceAll("/")
                        }
                    }
                }
            }
        }
    }

    func logIn(_ request: Request) async throws {
        let variables = try await request.variables()
        guard try access.admits(name: variables[Self.name], password: variables[Self.password]) else {
            throw UserError("Name or password is wrong.")
        }
        try await request.session.logIn(user: access.user)
    }
}
