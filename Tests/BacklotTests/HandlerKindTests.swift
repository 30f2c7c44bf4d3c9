import Backlot
import Testing

/// Which handlers take a task: those that suspend, and those of the main actor.
@Suite(.timeLimit(.minutes(5))) struct HandlerKindTests {
    private static func plain(_ request: Request) throws -> Response { .text("done") }
    private static func suspending(_ request: Request) async throws -> Response { .text("done") }
    @MainActor private static func onMainActor(_ request: Request) -> Response {
        MainActor.assertIsolated()
        return .text("done")
    }
    private static func user(_ request: Request, _ session: Session) -> Response { .text(session.user ?? "done") }
    private static func userLater(_ request: Request, _ session: Session) async -> Response { user(request, session) }
    @MainActor private static func userOnMainActor(_ request: Request, _ session: Session) throws -> Response {
        MainActor.assertIsolated()
        return user(request, session)
    }

    private static let rows: [(kind: String, takesTask: Bool, add: @Sendable (RouteVerb) -> Void)] = [
        ("a closure", false, { $0("/") { _ in .text("done") } }),
        (
            "a closure of several lines", false,
            {
                $0("/") { _ in
                    let text = "done"; return .text(text)
                }
            }
        ),
        ("a closure that throws", false, { $0("/") { .text("done" + (try $0.parameter("a", as: String.self))) } }),
        ("a closure that waits", true, { $0("/") { .text("done\(try await $0.body.collect().count)") } }),
        ("a function", false, { $0("/", plain) }),
        ("a function that suspends", true, { $0("/", suspending) }),
        ("a function of the main actor", true, { $0("/", onMainActor) }),
        ("a closure with a session", false, { $0("/") { _, session in .text(session.user ?? "done") } }),
        ("a closure that waits with a session", true, { $0("/") { await userLater($0, $1) } }),
        ("a function with a session", false, { $0("/", user) }),
        ("a function that suspends with a session", true, { $0("/", userLater) }),
        ("a function of the main actor with a session", true, { $0("/", userOnMainActor) }),
    ]

    @Test(arguments: rows.indices) func `Handlers that never suspend take no task`(index: Int) async throws {
        let row = Self.rows[index]
        let router = Router()
        router.group("", SessionMiddleware(path: "/", store: MemorySessionStore())) { row.add($0.get) }
        let handler = router.handler()
        let request = try Request(.get, "/")
        guard row.kind != "a closure that throws" else {
            #expect(throws: (any Error).self) { try handler.respond(to: request) }
            return
        }
        let result = try handler.respond(to: request)
        let takesTask = if case .pending = result { true } else { false }
        #expect(takesTask == row.takesTask, "\(row.kind)")
        #expect(try await result.value.bodyText.hasPrefix("done"))
    }

    @Test func `A route is added for any method`() async throws {
        let router = Router()
        router.on(.patch)("/") { _ in .text("patched") }
        let handler = router.handler()
        #expect(try await handler(Request(.patch, "/")).bodyText == "patched")
    }
}
