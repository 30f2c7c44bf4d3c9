import Backlot

/// Makes the documents that clients get from an app's declaration, and finds mistakes in it.
struct AppAssembly: Sendable {
    typealias SetupError = (text: String, source: CodeLocation)

    let configuration: FlokiConfiguration
    /// The app's whole path, without a slash at its end.
    let mount: String
    /// The path in the texts of findings.
    let name: String
    let source: CodeLocation

    /// The record of the app, if several servers share it; nil if only this process counts versions.
    var records: (any AppRecordStore)? { configuration.record is RecordFile ? nil : configuration.record }

    /// An app with its texts numbered.
    struct Draft {
        let declaration: AppDeclaration
        let texts: TextTable
        let data: AppData
        let feeds: [MountedFeed]
    }

    /// - Parameter earlier: the numbers of texts in the record.
    func draft(_ declaration: AppDeclaration, earlier: [String: Int]) throws -> Draft {
        let texts = try TextTable(declaration.languages, earlier: earlier)
        return Draft(
            declaration: declaration,
            texts: texts,
            data: AppData(tabs: declaration.tabs.map(\.tab), texts: texts, devices: declaration.devices),
            feeds: declaration.feeds.map { $0.mount(texts) }
        )
    }

    /// A hash of the content that clients get from a declaration, independent of the record.
    func contentHash(of declaration: AppDeclaration) throws -> String {
        try edition(draft(declaration, earlier: [:]), mounted: nil, after: nil).record.content
    }

    /// The edition that clients get.
    ///
    /// - Parameter mounted: the hash of the declaration that the app was mounted with, for servers that share the record.
    /// - Throws: ``RecordError`` after the highest version.
    func edition(_ draft: Draft, mounted: String?, after earlier: AppRecord?) throws(RecordError) -> AppEdition {
        let bytes = draft.data.template.rendered(for: TemplateValues(base: fixedBase ?? TemplateMark.base))
        let record = AppRecord(
            bytes,
            texts: draft.texts.numbers.numbers,
            sections: draft.feeds.reduce(into: [:]) { $0[$1.name] = $1.sections },
            isShared: records != nil,
            mounted: mounted,
            after: earlier
        )
        guard let record else {
            let highest = AppRecord.maximumVersion
            throw RecordError(
                description: "version \(highest) of the app data is the highest that clients can read"
            )
        }
        return AppEdition(
            record: record,
            languages: LanguageChoice(codes: draft.texts.codes),
            documents: AppDocuments(
                draft.data.template,
                version: configuration.version ?? record.version,
                configuration: configuration,
                mount: mount
            ),
            feeds: draft.feeds.reduce(into: [:]) { $0[$1.name] = $1 },
            pages: draft.declaration.pages.reduce(into: [:]) { $0[$1.name] = $1.html }
        )
    }

    /// The edition if another server has declared newer content: that content, with the feeds and pages of this server.
    ///
    /// - Throws: ``RecordError`` for a record without the content.
    func edition(_ own: AppEdition, following record: AppRecord) throws(RecordError) -> AppEdition {
        let languages = (try? JSONValue(parsing: record.document))?["langs"]?.array ?? []
        let codes = languages.compactMap { $0.object?.keys.first }
        guard !codes.isEmpty else {
            throw RecordError(
                description: "the record of the app '\(mount)' lacks the app data: restore an earlier one"
            )
        }
        return AppEdition(
            record: record,
            languages: LanguageChoice(codes: codes),
            documents: AppDocuments(
                JSONTemplate(record.document),
                version: record.version,
                configuration: configuration,
                mount: mount
            ),
            feeds: own.feeds.mapValues { feed in record.sections[feed.name].map(feed.with(sections:)) ?? feed },
            pages: own.pages
        )
    }

    /// The mistakes that keep the app from being served.
    func mistakes(_ draft: Draft) -> [SetupError] {
        unknownTexts(draft) + missingFeeds(draft.declaration)
            + findings(draft).filter { $0.severity == .error }
            .map { ("clients would not accept the app data: \($0)", declaration(of: $0, draft.declaration)) }
            + zip(draft.declaration.feeds, draft.feeds).flatMap { judge($1, draft.texts, $0.source) }
    }

    /// The warnings about content that clients may not show as intended.
    func warnings(_ draft: Draft) -> [Finding] { findings(draft).filter { $0.severity == .warning } }

    /// The errors of a feed without entries: in its sections.
    private func judge(_ feed: MountedFeed, _ texts: TextTable, _ source: CodeLocation) -> [SetupError] {
        let language = texts.codes.first ?? ""
        let place = TemplateValues(base: "http://localhost", language: language)
        let bytes = FeedDocument.bytes(FeedWindow(), of: feed, for: place, language: language)
        guard let document = try? JSONValue(parsing: bytes) else { return [] }
        let findings = FlokiRules.findings(
            in: document,
            as: FlokiRules.Document(feed.key),
            name: "\(name)/\(feed.name)"
        )
        return findings.filter { $0.severity == .error }
            .map { ("clients would not accept the feed '\(feed.name)': \($0)", source) }
    }

    /// The address that the content includes; nil if each request has its own.
    private var fixedBase: String? {
        guard case .fixed(let url) = configuration.address else { return nil }
        return url + mount
    }

    /// The mistakes in the configuration.
    var configurationMistakes: [SetupError] {
        var problems: [SetupError] = []
        if let problem = configuration.address.problem { problems.append((problem, source)) }
        if !(1...VersionIndicator.longestTTL).contains(configuration.ttl.wholeSeconds) {
            let text = "the ttl is \(configuration.ttl): write 1 to \(VersionIndicator.longestTTL) seconds"
            problems.append((text, source))
        }
        return problems
    }

    private func findings(_ draft: Draft) -> [Finding] {
        let place = TemplateValues(base: fixedBase ?? "http://localhost\(mount)")
        guard let document = try? JSONValue(parsing: draft.data.template.rendered(for: place)) else { return [] }
        return FlokiRules.findings(in: document, as: .appData, name: "\(name)/\(configuration.dataPath)")
    }

    /// The location that declared the subject of a finding: a tab, or the app.
    private func declaration(of finding: Finding, _ app: AppDeclaration) -> CodeLocation {
        let steps = JSONPointer.steps(of: finding.path.pointer)
        guard steps.first == "tabs", let index = steps.dropFirst().first.flatMap({ Int($0) }),
            app.tabs.indices.contains(index)
        else { return source }
        return app.tabs[index].source
    }

    /// The errors for feeds that tabs show but the app lacks.
    private func missingFeeds(_ app: AppDeclaration) -> [SetupError] {
        app.tabs.compactMap { tab, source in
            let news = (tab.controller as? NewsViewController)?.feed
            guard let feed = news ?? (tab.controller as? GalleryViewController)?.feed,
                !app.feeds.contains(where: { $0.name == feed })
            else { return nil }
            return ("tab \(tab.id) shows the feed '\(feed)', which the app lacks: add it with app.feed(…)", source)
        }
    }

    /// The errors for names of texts that no language has.
    private func unknownTexts(_ draft: Draft) -> [SetupError] {
        func isUnknown(_ name: TextName?) -> Bool { name.map { draft.texts.numbers[$0] == nil } ?? false }
        var problems: [SetupError] = []
        for (tab, source) in draft.declaration.tabs {
            let movie = tab.controller as? MovieViewController
            for name in [tab.title, tab.shortTitle, movie?.titleID, movie?.textID] where isUnknown(name) {
                problems.append(("tab \(tab.id) shows the text '\(name?.name ?? "")', which no language has", source))
            }
        }
        for (name, feed, source) in draft.declaration.sectionNames where isUnknown(name) {
            problems.append(
                ("a section of feed '\(feed)' shows the text '\(name.name)', which no language has", source)
            )
        }
        return problems
    }
}
