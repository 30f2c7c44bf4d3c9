public import Backlot

/// A route of a backend of mocks, for listings.
public struct MockRoute: Sendable, Equatable {
    /// The methods; empty for a route of all methods.
    public let methods: [String]
    /// The path below the host, with its parameters; or the regular expression.
    public let path: String
    /// The file or command that made it.
    public let source: StubSource
}

extension MockBackend {
    /// Every route, by path: one for each stub.
    public var routes: [MockRoute] {
        stubs.all.map { stub in
            let path = stub.request.url.key.map { prefix + $0.value } ?? "\(configuration.path)*"
            let methods = stub.request.methods.map(\.rawValue).filter { $0 != "HEAD" }
            return MockRoute(methods: methods, path: path, source: stub.source)
        }
        .sorted { ($0.path, $0.source.file ?? "", $0.source.line) < ($1.path, $1.source.file ?? "", $1.source.line) }
    }

    /// The routes below the path at which the mocks are mounted.
    var lookup: RouteLookup {
        RouteLookup { [self] path in methods(at: String(path.prefix { $0 != "?" && $0 != "#" })) }
    }

    /// Whether a path from the host's root is a page's.
    func hasPage(at path: String) -> Bool {
        guard let pages = configuration.pages, path.hasPrefix(prefix + "/"),
            let request = try? MockRequest(.get, String(path.dropFirst(prefix.count)))
        else { return false }
        var budget = MatchBudget()
        return stubs.candidates(for: request).contains {
            $0.stub.isPage(of: pages) && $0.stub.request.url.matches(request, &budget)
        }
    }

    /// Whether some file is a page.
    fileprivate var hasPages: Bool {
        configuration.pages.map { pages in stubs.all.contains { $0.isPage(of: pages) } } ?? false
    }

    /// The paths of pages that need no parameters, from the host's root, in order.
    var openPages: [String] {
        guard let pages = configuration.pages else { return [] }
        let paths = stubs.all.filter { $0.isPage(of: pages) }.compactMap { $0.request.url.key?.value }
        return Set(paths.map { prefix + $0 }.filter { !$0.contains("{") && hasPage(at: $0) }).sorted()
    }

    /// The methods with a route at a path; the path begins at the mocks' base path.
    func methods(at path: String) -> [HTTPRequest.Method] {
        guard let request = try? MockRequest(.get, path.hasPrefix("/") ? path : "/\(path)") else { return [] }
        var methods: [HTTPRequest.Method] = []
        var budget = MatchBudget()
        for stub in stubs.candidates(for: request).map(\.stub) where stub.request.url.matches(request, &budget) {
            methods += stub.request.methods.isEmpty ? [.get, .head, .post, .put] : stub.request.methods
        }
        return methods
    }
}

extension Router {
    /// Adds a backend of mocks for requests without a route. Fallbacks that are added afterwards, such as static files, get the
    /// requests that match no stub.
    public func mocks(_ backend: MockBackend) {
        if let recorder = backend.recorder { add(recorder.fallback(for: backend)) }
        add(MockFallback(backend: backend))
        add { backend.apps }
        if let pages = backend.configuration.pages {
            let app = MountedApp(
                pages.appProtocol,
                basePath: backend.configuration.path,
                facts: pages.facts.merging(backend.facts) { own, _ in own },
                inspector: pages.inspector,
                lookup: backend.lookup,
                sessions: AppSessions(backend.sessions),
                openPages: { backend.openPages }
            ) { backend.hasPage(at: $0) }
            let spoken = pages.words.map { app.speaking($0.vocabulary) } ?? app
            add { backend.hasPages ? [spoken] : [] }
        }
        add(backend.routesApp)
    }

    /// Responds with 404 to requests without a route, and names the nearest stubs with their differences. To be called after all other fallbacks were added.
    public func explainMismatches(of backend: MockBackend) {
        add(NearestRoutes(backend: backend))
    }
}

extension MockBackend {
    /// The facts of each app of the mocks: their path.
    var facts: [String: String] { ["mocks": configuration.path] }

    /// All routes, as an app for preview, which lists and tries them. It has a separate path. It has the mocks' path too, if no route
    /// responds there and the mocks have no pages.
    fileprivate var routesApp: MountedApp {
        let list = "\(prefix)/__preview/mocks"
        return MountedApp(
            AppProtocol(
                "mocks",
                title: "Mock routes",
                summary: "to try, with the last requests and the state",
                inspector: NoRules()
            ),
            basePath: configuration.path,
            facts: facts,
            inspector: NoRules(),
            sessions: AppSessions(sessions),
            openPages: { [list] }
        ) { [self] path in
            guard path != list else { return true }
            return path == configuration.path && !hasPages && apps.isEmpty
                && (try? Request(.get, path)).map { probed(by: $0, body: []) == nil } ?? false
        }
    }
}

/// Judges nothing: routes may respond with anything.
private struct NoRules: PageInspector {
    let exampleResponse = "{}"

    func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] { [] }
}

/// Lets the stubs of a backend respond to requests without a route.
struct MockFallback: Fallback {
    let backend: MockBackend

    func respond(to request: Request) throws -> Ready<Response?> {
        backend.respond(to: request)
    }
}
