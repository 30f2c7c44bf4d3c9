public import Backlot

extension Router {
    /// Lets a backend of mocks answer where no route does. Fallbacks that are added afterwards, such as static files, are asked
    /// where no stub matches.
    public func mocks(_ backend: MockBackend) {
        if let recorder = backend.recorder { add(recorder.fallback(for: backend)) }
        add(MockFallback(backend: backend))
        add { backend.apps }
        guard let pages = backend.configuration.pages else { return }
        let app = MountedApp(
            pages.appProtocol,
            basePath: backend.configuration.path,
            facts: pages.facts,
            inspector: pages.inspector,
            lookup: backend.lookup,
            sessions: AppSessions(backend.sessions),
            openPages: { backend.openPages }
        ) { backend.hasPage(at: $0) }
        add(pages.words.map { app.speaking($0.vocabulary) } ?? app)
    }

    /// Answers 404 where nothing else has answered, with the stubs that come nearest and what they have against the
    /// request. To be called after all other fallbacks were added.
    public func explainMismatches(of backend: MockBackend) {
        add(MismatchFallback(backend: backend))
    }
}

/// Lets the stubs of a backend answer where no route does.
struct MockFallback: Fallback {
    let backend: MockBackend

    func answer(_ request: Request) throws -> FallbackAnswer {
        backend.respond(to: request)
    }
}
