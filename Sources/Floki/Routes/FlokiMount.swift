import Backlot

/// Adds the routes of an app, unless something is wrong with it.
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

    func add(_ app: FlokiApp) {
        let assembly = AppAssembly(
            app: app,
            configuration: configuration,
            mount: mount,
            name: path,
            source: source,
            report: { routes.report($0, $1) }
        )
        guard let (documents, texts) = assembly.documents() else { return }
        let languages = LanguageChoice(codes: texts.codes)
        let template = ItemPage.revision(of: configuration.template)
        add(documents, texts)
        for feed in app.feeds {
            let site = FeedSite(
                feed: feed.mount(texts),
                configuration: configuration,
                languages: languages,
                mount: mount,
                template: template
            )
            assembly.judge(site.feed, texts, feed.source)
            add(site, texts, feed.source)
        }
        for page in app.pages {
            let handler = WebPageHandler(
                languages: languages,
                address: configuration.address,
                mount: mount,
                html: page.html
            )
            for suffix in ["", "/", "/{language}"] {
                routes.add(Route(.get, "\(path)/\(page.name)\(suffix)", handler: handler, source: page.source))
            }
        }
    }

    /// Adds the indicator and the app data.
    private func add(_ documents: AppDocuments, _ texts: TextTable) {
        let indicator = AppDocumentHandler(documents: documents) { $0.indicator }
        let data = AppDocumentHandler(documents: documents) { $0.data }
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
                wire: "floki",
                basePath: "\(mount)/",
                facts: ["indicator": start],
                inspector: FlokiInspector(),
                openPages: { [start] }
            ) { $0 == start }
            .speaking(
                FlokiVocabulary.all,
                answers: [
                    VersionIndicator.vocabulary, AppData.vocabulary, FeedDocument.news, FeedDocument.gallery,
                ]
            )
        )
    }

    /// Adds routes for documents with parameters behind their paths. An app at the root of a server has none, since they would take
    /// the requests of fallbacks.
    private func addAppendedParameters(_ documents: [String: AppDocumentHandler]) {
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

    private func add(_ site: FeedSite, _ texts: TextTable, _ source: CodeLocation) {
        let base = "\(path)/\(site.feed.name)"
        func add(_ suffix: String, _ answer: @escaping @Sendable (Request) async throws -> Response) {
            routes.add(Route(.get, base + suffix, handler: FunctionHandler(answer), source: source))
        }
        for suffix in ["", "/", "/{language}"] { add(suffix, site.main) }
        add("/older/{language}", site.older)
        add("/search/{language}", site.search)
        add("/tagged/{language}", site.tagged)
        for suffix in ["", "/", "/{suffix}"] { add("/items/{language}/{id}\(suffix)", site.page) }
        switch site.feed.key {
        case .items: add("/video/{language}", site.video)
        case .thumbs: add("/gallery/{language}", site.gallery)
        }
        for code in texts.codes { addCheck("/\(site.feed.name)/\(code)", FlokiRules.Document(site.feed.key), texts) }
    }

    /// Lets checks judge a document.
    private func addCheck(_ page: String, _ kind: FlokiRules.Document, _ texts: TextTable) {
        let numbers = texts.languages.first.map { Set($0.texts.keys) } ?? []
        let facts = FeedFacts(texts: numbers.union(ReservedTexts.range))
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
