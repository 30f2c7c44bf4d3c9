import Applin
import Backlot
import Floki

/// The pages of the newspaper's editors: an Applin app below the Floki app that it fills.
struct EditorsApp: Sendable {
    /// The path that it is mounted at for clients of the documented dialect.
    static let path = "\(NewspaperApp.path)/desk/"
    /// The same newsroom in each dialect.
    static let mounts = [
        DemoMount(path: path, dialect: .documented), DemoMount(path: "\(path)objects/", dialect: .objects),
    ]

    let app: NewspaperApp
    let access: EditorAccess
    /// The clock that decides which stories have ended or are due.
    var clock = SessionClock.system

    /// Adds the editors' pages, and the route for scripts.
    func register(on router: Router, sessions: any SessionStore) {
        let limit = RateLimit(.perMinute(20))
        for mount in Self.mounts {
            router.applin(mount.path, dialect: mount.dialect, sessions: sessions) { register(on: $0, limit) }
        }
        ScriptPublishing(app: app, access: access).register(on: router)
    }

    private func register(on app: ApplinApp, _ limit: RateLimit) {
        app.page("/") { request in
            try await request.session.user == access.user ? try await start : access.page
        }
        app.group(limit) { app in
            app.rpc("/log_in") { try await access.logIn($0) }
        }
        app.rpc("/log_out") { try await $0.session.logOut() }
        app.group(EditorsOnly(user: access.user), checkedAs: access.user) { app in
            registerLists(on: app)
            registerNewStories(on: app)
            registerStories(on: app)
        }
    }

    /// Now, in seconds since 1970.
    var now: Int { clock.secondsSince1970 }

    /// The stories in the store.
    var stories: EditorStories { EditorStories(news: app.news, now: now) }

    // MARK: The lists of published stories, and of those that readers don't see yet

    /// The first page: the published stories.
    private var start: any Page {
        get async throws {
            let stories = try await stories.page(.published(includingEnded: false), after: nil)
            return listPage("EditorsApp", poll: .seconds(5)) {
                navButton("New story", push("/new"))
                navButton("Breaking news", push("/breaking"))
                navButton("Drafts", push("/drafts")).subText("Stories that readers don't see yet")
                formSection("Published") { rows(stories, "/published", none: "Readers see no story.") }
                formSection("You are the \(EditorAccess.name)") {
                    navButton("Log out", rpc("/log_out"), logout(), replaceAll("/"))
                }
            }
            // The list is current when the editor comes back from a story, and shows stories that others publish.
        }
    }

    private func registerLists(on app: ApplinApp) {
        app.page("/drafts") { _ in try await drafts(after: nil) }
        app.page("/drafts/{place}", samples: ["/drafts/1-1"]) { try await drafts(after: place(of: $0)) }
        app.page("/published/{place}", samples: ["/published/1-1"]) { request in
            let older = try await stories.page(.published(includingEnded: false), after: try place(of: request))
            return listPage("Older Stories") { rows(older, "/published", none: "There are no older stories.") }
        }
    }

    private func drafts(after place: EntryQuery.Place?) async throws -> any Page {
        let drafts = try await stories.page(.drafts, after: place)
        return listPage("Drafts") { rows(drafts, "/drafts", none: "There are no drafts.") }
    }

    @WidgetListBuilder private func rows(_ page: EditorStories.ListPage, _ path: String, none: String) -> [any Widget] {
        if page.rows.isEmpty { text(none) }
        for story in page.rows {
            navButton(story.title, push("/stories/\(story.id)")).subText(story.details)
        }
        if let next = page.next { navButton("More", push("\(path)/\(next.sortID)-\(next.id)")) }
    }

    /// The place that a path names: `{place}`.
    private func place(of request: Request) throws -> EntryQuery.Place {
        let numbers = (request.parameters["place"] ?? "").split(separator: "-").map { Int($0) }
        guard numbers.count == 2, let sortID = numbers[0], let id = numbers[1] else {
            throw StatusError(.notFound, "This list is not here: go back, and open it anew.")
        }
        return EntryQuery.Place(sortID: sortID, id: id)
    }
}

/// Responds with 403 unless an editor is logged in.
private struct EditorsOnly: Middleware {
    /// The user of editors' sessions.
    let user: String

    func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        .pending {
            guard try await request.session.user == user else {
                throw StatusError(.forbidden, "Please log in to the newsroom.")
            }
            return try await next(request)
        }
    }
}
