import Backlot
import BacklotJSON
import Logging

/// Puts an app's routes where they belong, unless there is something wrong with it.
struct FlokiMount {
    private let routes: any Routes
    private let path: String
    private let configuration: FlokiConfiguration
    private let source: SourceLocation

    init(routes: any Routes, path: String, configuration: FlokiConfiguration, source: SourceLocation) {
        self.routes = routes
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
        self.configuration = configuration
        self.source = source
    }

    /// The app's whole path, without a slash at its end.
    private var mount: String { routes.basePath + path }

    func add(_ app: FlokiApp) {
        guard let (documents, texts) = documents(app) else { return }
        let languages = LanguageChoice(codes: texts.codes)
        addDocuments(documents, texts)
        let indicator = "\(mount)/\(configuration.indicatorPath)"
        routes.add(
            MountedApp(
                wire: "floki",
                basePath: "\(mount)/",
                facts: ["indicator": indicator],
                inspector: FlokiInspector()
            ) { $0 == indicator }
        )
        for feed in app.feeds {
            let site = FeedSite(
                feed: feed.mount(texts),
                configuration: configuration,
                languages: languages,
                mount: mount
            )
            for finding in findings(site.feed, texts) {
                routes.report("the feed '\(feed.name)' is not what clients accept: \(finding)", feed.source)
            }
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

    /// The indicator and the app data; nil where there are mistakes, which are reported.
    private func documents(_ app: FlokiApp) -> (AppDocuments, TextTable)? {
        var isRight = true
        func report(_ problem: String, _ place: SourceLocation) {
            routes.report(problem, place)
            isRight = false
        }
        if let problem = configuration.address.problem { report(problem, source) }
        if !(1...VersionIndicator.longestTTL).contains(configuration.ttl) {
            report("the ttl is \(configuration.ttl): write 1 to \(VersionIndicator.longestTTL) seconds", source)
        }
        do {
            let earlier = try configuration.record?.read()
            let texts = try TextTable(app.languages, earlier: earlier?.texts ?? [:])
            for problem in strangeTexts(app, texts) { report(problem.text, problem.source) }
            let data = AppData(tabs: app.tabs.map(\.tab), texts: texts, devices: app.devices)
            let bytes = data.template.rendered(for: WirePlace(base: fixedBase ?? WireMark.base))
            for finding in findings(data) {
                switch finding.severity {
                case .error: report("the app data is not what clients accept: \(finding)", source)
                case .warning: Logger(label: "backlot.floki").warning("\(finding)")
                }
            }
            guard let record = AppRecord(bytes, texts: texts.numbers.numbers, after: earlier) else {
                report("there is no version after \(AppRecord.maximumVersion)", source)
                return nil
            }
            guard isRight else { return nil }
            if record != earlier { try configuration.record?.write(record) }
            return (AppDocuments(data, version: record.version, configuration: configuration, mount: mount), texts)
        } catch let mistake as TextTable.Mistake {
            report(mistake.text, source)
        } catch {
            report("\(error)", source)
        }
        return nil
    }

    /// The address that is part of the content; nil for one that each request names.
    private var fixedBase: String? {
        guard case .fixed(let url) = configuration.address else { return nil }
        return url + mount
    }

    private func findings(_ data: AppData) -> [Finding] {
        let place = WirePlace(base: fixedBase ?? "http://localhost\(mount)")
        guard let document = try? JSONValue(parsing: data.template.rendered(for: place)) else { return [] }
        return FlokiRules.findings(in: document, as: .appData, name: "\(path)/\(configuration.dataPath)")
    }

    /// What is wrong with a feed that has no entries yet: its sections.
    private func findings(_ feed: MountedFeed, _ texts: TextTable) -> [Finding] {
        let language = texts.codes.first ?? ""
        let place = WirePlace(base: "http://localhost", language: language)
        let response = FeedAnswer.response(FeedWindow(), of: feed, for: place, language: language)
        guard case .bytes(let bytes) = response.body, let document = try? JSONValue(parsing: bytes) else { return [] }
        return FlokiRules.findings(in: document, name: "\(path)/\(feed.name)").filter { $0.severity == .error }
    }

    /// Names of texts that no language has.
    private func strangeTexts(_ app: FlokiApp, _ texts: TextTable) -> [(text: String, source: SourceLocation)] {
        func isStrange(_ name: TextName?) -> Bool { name.map { texts.numbers[$0] == nil } ?? false }
        var problems: [(String, SourceLocation)] = []
        for (tab, place) in app.tabs {
            let movie = tab.controller as? MovieViewController
            for name in [tab.title, tab.shortTitle, movie?.titleID, movie?.textID] where isStrange(name) {
                problems.append(("the tab \(tab.id) has the text '\(name?.name ?? "")', and no language does", place))
            }
        }
        for (name, feed, place) in app.sectionNames where isStrange(name) {
            problems.append(("a section of '\(feed)' has the text '\(name.name)', and no language does", place))
        }
        return problems
    }

    private func addDocuments(_ documents: AppDocuments, _ texts: TextTable) {
        let indicator = AppDocumentHandler(documents: documents) { $0.indicator }
        let data = AppDocumentHandler(documents: documents) { $0.data }
        for (name, handler, kind) in [
            (configuration.indicatorPath, indicator, FlokiRules.Document.indicator),
            (configuration.dataPath, data, .appData),
        ] {
            routes.add(Route(.get, "\(path)/\(name)", handler: handler, source: source))
            check("/\(name)", kind, texts)
        }
    }

    private func add(_ site: FeedSite, _ texts: TextTable, _ source: SourceLocation) {
        let base = "\(path)/\(site.feed.name)"
        func add(_ suffix: String, _ answer: @escaping @Sendable (Request) async throws -> Response) {
            routes.add(Route(.get, base + suffix, handler: FunctionHandler(answer), source: source))
        }
        for suffix in ["", "/", "/{language}"] { add(suffix, site.main) }
        add("/older/{language}", site.older)
        add("/search/{language}", site.search)
        add("/tagged/{language}", site.tagged)
        for suffix in ["", "/", "/{suffix}"] { add("/items/{language}/{id}\(suffix)", site.page) }
        let isNews = "\(site.feed.key)" == "items"
        if isNews {
            add("/video/{language}", site.video)
        } else {
            add("/gallery/{language}", site.gallery)
        }
        for code in texts.codes { check("/\(site.feed.name)/\(code)", isNews ? .news : .gallery, texts) }
    }

    private func check(_ page: String, _ kind: FlokiRules.Document, _ texts: TextTable) {
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
