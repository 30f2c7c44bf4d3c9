import Backlot
import Logging

/// Adds the routes of an app, unless it has mistakes.
struct FlokiMount {
    private let routes: any Routes
    private let path: String
    private let configuration: FlokiConfiguration
    private let source: CodeLocation

    init(routes: any Routes, path: String, configuration: FlokiConfiguration, source: CodeLocation) {
        self.routes = routes
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
        self.configuration = configuration
        self.source = source
    }

    /// The app's whole path, without a slash at its end.
    private var mount: String { routes.basePath + path }

    func add(_ declaration: AppDeclaration) -> LiveFlokiApp {
        let assembly = AppAssembly(configuration: configuration, mount: mount, name: path, source: source)
        let app = LiveApp(declaration, assembly)
        guard let texts = begin(app) else { return LiveFlokiApp(app: nil) }
        addDocuments(app, texts)
        let template = ItemPage.revision(of: configuration.template)
        for feed in declaration.feeds { add(FeedSite(name: feed.name, app: app, template: template), feed, texts) }
        for page in declaration.pages {
            let site = WebPageSite(name: page.name, address: configuration.address, mount: mount)
            let handler = LiveHandler(app: app, respond: site.response)
            for suffix in ["", "/", "/{language}"] {
                routes.add(Route(.get, "\(path)/\(page.name)\(suffix)", handler: handler, source: page.source))
            }
        }
        return LiveFlokiApp(app: app)
    }

    /// Inspects the app, and makes its first edition.
    ///
    /// - Returns: its texts; nil after mistakes, which are reported.
    private func begin(_ app: LiveApp) -> TextTable? {
        let assembly = app.assembly
        var mistakes = assembly.configurationMistakes
        do {
            let earlier = try (configuration.record as? RecordFile)?.read()
            let draft = try assembly.draft(app.mounted, earlier: earlier?.texts ?? [:])
            mistakes += assembly.mistakes(draft)
            for finding in assembly.warnings(draft) { Logger(label: "backlot.floki").warning("\(finding)") }
            if mistakes.isEmpty {
                try app.begin(draft, after: earlier)
                return draft.texts
            }
            // This may throw a further mistake.
            _ = try assembly.edition(draft, mounted: nil, after: earlier)
        } catch {
            mistakes.append(("\(error)", source))
        }
        for mistake in mistakes { routes.report(mistake.text, mistake.source) }
        return nil
    }

    /// Adds the indicator and the app data.
    private func addDocuments(_ app: LiveApp, _ texts: TextTable) {
        func handler(_ document: @escaping @Sendable (AppDocuments.Pair) -> FlokiResponse) -> LiveHandler {
            LiveHandler(app: app, isCertain: true) { edition, request in
                .ready(document(try edition.documents.pair(for: request)).response(to: request))
            }
        }
        let indicator = handler { $0.indicator }
        let data = handler { $0.data }
        for (name, handler, kind) in [
            (configuration.indicatorPath, indicator, FlokiRules.Document.indicator),
            (configuration.dataPath, data, .appData),
        ] {
            routes.add(Route(.get, "\(path)/\(name)", handler: handler, source: source))
            addCheck("/\(name)", kind, texts)
        }
        addAppendedParameters([configuration.indicatorPath: indicator, configuration.dataPath: data])
        let start = "\(mount)/\(configuration.indicatorPath)"
        routes.add(
            MountedApp(
                .floki,
                basePath: "\(mount)/",
                facts: ["indicator": start],
                inspector: FlokiInspector(),
                openPages: { [start] }
            ) { $0 == start }
        )
    }

    /// Adds routes for documents with parameters behind their paths. An app at the root of a server gets no such routes, since they
    /// would take the requests meant for fallbacks.
    private func addAppendedParameters(_ documents: [String: LiveHandler]) {
        guard !path.isEmpty else { return }
        func cut(_ path: String) -> (folder: Substring, name: Substring) {
            guard let slash = path.lastIndex(of: "/") else { return ("", path[...]) }
            return (path[...slash], path[path.index(after: slash)...])
        }
        for (folder, documents) in Dictionary(grouping: documents, by: { cut($0.key).folder }) {
            let handlers = documents.map { (String(cut($0.key).name), $0.value) }
            let handler = AppendedParametersHandler(documents: Dictionary(uniqueKeysWithValues: handlers))
            routes.add(Route(.get, "\(path)/\(folder){document}", handler: handler, source: source))
        }
    }

    private func add(_ site: FeedSite, _ feed: AppDeclaration.DeclaredFeed, _ texts: TextTable) {
        let base = "\(path)/\(site.name)"
        func add(_ suffix: String, _ respond: @escaping @Sendable (AppEdition, Request) throws -> HandlerResult) {
            let handler = LiveHandler(app: site.app, respond: respond)
            routes.add(Route(.get, base + suffix, handler: handler, source: feed.source))
        }
        func addPending(_ suffix: String, _ respond: @escaping @Sendable (AppEdition, Request) async throws -> Response)
        {
            add(suffix) { edition, request in .pending { try await respond(edition, request) } }
        }
        for suffix in ["", "/", "/{language}"] { add(suffix, site.main) }
        add("/older/{language}", site.older)
        addPending("/search/{language}", site.search)
        addPending("/tagged/{language}", site.tagged)
        for suffix in ["", "/", "/{suffix}"] { addPending("/items/{language}/{id}\(suffix)", site.page) }
        switch feed.key {
        case .items: addPending("/video/{language}", site.video)
        case .thumbs: addPending("/gallery/{language}", site.gallery)
        }
        for code in texts.codes { addCheck("/\(site.name)/\(code)", FlokiRules.Document(feed.key), texts) }
    }

    /// Lets checks inspect a document.
    private func addCheck(_ page: String, _ kind: FlokiRules.Document, _ texts: TextTable) {
        // If servers share a record, it may have other numbers.
        let isKnown = configuration.record == nil || configuration.record is RecordFile
        let numbers = texts.languages.first.map { Set($0.texts.keys) } ?? []
        let facts = FlokiFacts(texts: isKnown ? numbers.union(ReservedTexts.range) : nil)
        routes.add(
            CheckablePage(
                basePath: "\(mount)/",
                path: page,
                samples: [],
                inspector: FlokiInspector(kind: kind, facts: facts)
            )
        )
    }
}
