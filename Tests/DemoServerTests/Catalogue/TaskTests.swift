import Backlot
import Testing

@testable import demo_server

/// Which routes of the server as it is shipped take a task: those that have to wait for something, and no others.
@Suite(.timeLimit(.minutes(5))) struct TaskTests {
    /// The pages that wait for stores that all requests share, or for as long as their paths say.
    private static let waitingPages: Set = [
        "/checkbox_button", "/failing_poll", "/notes", "/notes/new", "/notes/{id}", "/notes/{id}/delete", "/photos",
        "/slow/{ms}",
    ]

    /// Whether a request takes a task although it has been answered before: what stores and files have read a moment ago
    /// needn't be waited for. On a slow machine that takes a few attempts.
    private func takesTask(_ request: Request, _ handler: any Handler) async -> Bool {
        for _ in 0..<20 {
            do {
                guard case .pending(let work) = try handler.respond(to: request) else { return false }
                _ = try? await work()
            } catch {
                return false
            }
        }
        return true
    }

    /// Those of some paths that take a task; parameters are 1.
    private func waiting(
        _ paths: some Sequence<String>,
        _ handler: any Handler,
        _ headers: HTTPFields = [:]
    ) async throws -> Set<String> {
        var found: Set<String> = []
        for path in paths {
            let target = path.replacing(/\{[^}]*\}/, with: "1")
            if await takesTask(try Request(.get, target, headers: headers), handler) { found.insert(path) }
        }
        return found
    }

    @Test func `Of the demo's pages only those that wait for others take a task, logged in or not`() async throws {
        try await withShippedServer { router in
            let handler = router.handler()
            for mount in DemoMount.all {
                let start = String(mount.path.dropLast())
                let logIn = try Request(
                    .post,
                    "\(start)/log_in/submit",
                    headers: [.contentType: "application/json"],
                    body: Array(#"{"log_in_name":"ada","log_in_password":"x"}"#.utf8)
                )
                let cookie = try #require(try await handler(logIn).headers[.setCookie]).prefix { $0 != ";" }
                let pages = DemoCatalogue(mount: mount, stores: DemoStores()).pages.map(\.path) + ["/p1", "/slow/{ms}"]
                let expected = Self.waitingPages.intersection(pages).map { start + $0 }
                for headers: HTTPFields in [[:], [.cookie: String(cookie)]] {
                    #expect(try await waiting(pages.map { start + $0 }, handler, headers) == Set(expected))
                }
            }
        }
    }

    @Test func `Health checks, files, mock pages and windows take none; a Floki app asks a store`() async throws {
        try await withShippedServer { router in
            let handler = router.handler()
            let paths = [
                "/healthz", "/readyz", "/image.png", "/__preview/web/shell.css", "/floki/news/en", "/mock/",
                "/mock/books", "/mock/books/1", "/mock/shop",
            ]
            let waiting = try await waiting(paths, handler)
            #expect(waiting == [])
            let versions: Set = ["/floki/v1-app", "/floki/v1-appdata"]
            let asking = try await self.waiting(versions, handler)
            #expect(asking == versions)
        }
    }
}
