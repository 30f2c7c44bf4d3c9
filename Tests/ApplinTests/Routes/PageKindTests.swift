import Applin
import Backlot
import TestSupport
import Testing

/// Pages take a task only if their handlers suspend or belong to the main actor.
@Suite(.timeLimit(.minutes(5))) struct PageKindTests {
    private struct Entry: Decodable { let name: String }

    private static func made(_ name: String = "") -> any Page { navPage("a") { text("done") } }
    private static func plain(_ request: Request) throws -> any Page { made() }
    private static func suspending(_ request: Request) async throws -> any Page { made() }
    @MainActor private static func onMainActor(_ request: Request) -> any Page {
        MainActor.assertIsolated()
        return made()
    }
    private static func user(_ request: Request, _ session: Session) -> any Page { made() }
    @MainActor private static func userOnMainActor(_ request: Request, _ session: Session) throws -> any Page {
        MainActor.assertIsolated()
        return made()
    }
    private static func entry(_ entry: Entry?, _ request: Request) -> any Page { made(entry?.name ?? "") }
    @MainActor private static func entryOnMainActor(_ entry: Entry?, _ request: Request) -> any Page {
        MainActor.assertIsolated()
        return made(entry?.name ?? "")
    }
    private static let check = FormValidator(Entry.self)
    private static func form(_ errors: FormFields<Entry>, _ request: Request) throws -> any Page { made() }
    @MainActor private static func formOnMainActor(_ errors: FormFields<Entry>, _ request: Request) throws -> any Page {
        MainActor.assertIsolated()
        return made()
    }

    private static let rows: [(kind: String, takesTask: Bool, add: @Sendable (ApplinApp) -> Void)] = [
        ("a closure", false, { $0.page("/a") { _ in navPage("a") { text("done") } } }),
        ("a closure that waits", true, { $0.page("/a") { try await suspending($0) } }),
        ("a function", false, { $0.page("/a", plain) }),
        ("a function that suspends", true, { $0.page("/a", suspending) }),
        ("a function of the main actor", true, { $0.page("/a", onMainActor) }),
        ("with a session", false, { $0.page("/a") { _, session in navPage("a") { text(session.user ?? "done") } } }),
        ("with a session by name", false, { $0.page("/a", user) }),
        ("with a session, waiting", true, { $0.page("/a") { _, session in await Task { made() }.value } }),
        ("with a session of the main actor", true, { $0.page("/a", userOnMainActor) }),
        ("with input", false, { $0.page("/a", Entry.self) { input, _ in made(input?.name ?? "") } }),
        ("with input by name", false, { $0.page("/a", Entry.self, entry) }),
        ("with input, waiting", true, { $0.page("/a", Entry.self) { _, request in try await suspending(request) } }),
        ("with input of the main actor", true, { $0.page("/a", Entry.self, entryOnMainActor) }),
        ("with a check", false, { $0.page("/a", check: check) { errors, _ in made(errors["name"] ?? "") } }),
        ("with a check by name", false, { $0.page("/a", check: check, form) }),
        ("with a check, waiting", true, { $0.page("/a", check: check) { try await suspending($1) } }),
        ("with a check of the main actor", true, { $0.page("/a", check: check, formOnMainActor) }),
    ]

    @Test(arguments: rows.indices) func `Pages whose handlers never suspend take no task`(index: Int) async throws {
        let row = Self.rows[index]
        let router = Router()
        router.applin("/", sessions: MemorySessionStore()) { row.add($0) }
        let result = try router.handler().respond(to: Request(.get, "/a"))
        let takesTask = if case .pending = result { true } else { false }
        #expect(takesTask == row.takesTask, "\(row.kind)")
        #expect(try await result.value.bodyText.contains("done"))
    }

    /// A package may have `.defaultIsolation(MainActor.self)`: its functions are handlers all the same.
    @Test(.enabled(if: CompilerSnippets.modules != nil, "the compiled modules are not beside the test bundle"))
    func `Functions of a module that is the main actor's are handlers`() async throws {
        let snippets = CompilerSnippets(
            good: """
                import Applin
                import Backlot
                nonisolated struct Entry: Decodable { let name: String }
                func home(_ request: Request) -> any Page { navPage("Home") { text("a") } }
                func members(_ request: Request, _ session: Session) throws -> any Page { navPage("Members") { text("a") } }
                func later(_ request: Request) async throws -> any Page { navPage("Later") { text("a") } }
                func search(_ entry: Entry?, _ request: Request) -> any Page { navPage("Search") { text("a") } }
                func signUp(_ errors: FormFields<Entry>, _ request: Request) -> any Page { navPage("Sign Up") { text("a") } }
                func save(_ request: Request) throws {}
                func list(_ request: Request) -> Response { .text("a") }
                func mine(_ request: Request, _ session: Session) throws -> Response { .text("a") }
                struct Shop {
                    func home(_ request: Request) throws -> any Page { navPage("Shop") { text("a") } }
                }
                func register(_ router: Router) {
                    router.get("/list", list)
                    router.applin("/") { app in
                        app.page("/", home)
                        app.page("/members", members)
                        app.page("/later", later)
                        app.page("/shop", Shop().home)
                        app.page("/search", Entry.self, search)
                        app.page("/sign_up", check: FormValidator(Entry.self), signUp)
                        app.page("/closure") { request in navPage("a") { text(request.path) } }
                        app.page("/waiting") { request in
                            let user = try await request.session.user
                            return navPage("a") { text(user ?? "") }
                        }
                        app.page("/there") { await home($0) }
                        app.rpc("/save", save)
                        app.post("/mine", mine)
                    }
                }
                """,
            opening: "",
            options: ["-default-isolation", "MainActor"],
            []
        )
        #expect(try await snippets.compile() == [])
    }
}
