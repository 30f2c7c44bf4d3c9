import Backlot
import BacklotJSON
import Logging

/// Makes the documents of an app, and reports what is wrong with it.
struct AppAssembly {
    let app: FlokiApp
    let configuration: FlokiConfiguration
    /// The app's whole path, without a slash at its end.
    let mount: String
    /// The path in the texts of findings.
    let name: String
    let source: CodeLocation
    let report: (String, CodeLocation) -> Void

    /// The indicator and the app data; nil after mistakes, which are reported.
    func documents() -> (AppDocuments, TextTable)? {
        let problems = configurationProblems
        for problem in problems { report(problem, source) }
        do {
            let earlier = try configuration.record?.read()
            let texts = try TextTable(app.languages, earlier: earlier?.texts ?? [:])
            let data = AppData(tabs: app.tabs.map(\.tab), texts: texts, devices: app.devices)
            let mistakes = unknownTexts(texts) + missingFeeds + mistakes(in: data)
            for mistake in mistakes { report(mistake.text, mistake.source) }
            let bytes = data.template.rendered(for: WirePlace(base: fixedBase ?? WireMark.base))
            guard let record = AppRecord(bytes, texts: texts.numbers.numbers, after: earlier) else {
                report(
                    "version \(AppRecord.maximumVersion) of the app data is the highest that clients can read",
                    source
                )
                return nil
            }
            guard problems.isEmpty, mistakes.isEmpty else { return nil }
            if record != earlier { try configuration.record?.write(record) }
            return (
                AppDocuments(
                    data,
                    version: configuration.version ?? record.version,
                    configuration: configuration,
                    mount: mount
                ), texts
            )
        } catch {
            report("\(error)", source)
            return nil
        }
    }

    /// Reports what clients would not accept in a feed without entries: its sections.
    func judge(_ feed: MountedFeed, _ texts: TextTable, _ source: CodeLocation) {
        let language = texts.codes.first ?? ""
        let place = WirePlace(base: "http://localhost", language: language)
        let bytes = FeedDocument.bytes(FeedWindow(), of: feed, for: place, language: language)
        guard let document = try? JSONValue(parsing: bytes) else { return }
        let findings = FlokiRules.findings(
            in: document,
            as: FlokiRules.Document(feed.key),
            name: "\(name)/\(feed.name)"
        )
        for finding in findings where finding.severity == .error {
            report("clients would not accept the feed '\(feed.name)': \(finding)", source)
        }
    }

    /// The address that is a part of the content; nil if each request has its own.
    private var fixedBase: String? {
        guard case .fixed(let url) = configuration.address else { return nil }
        return url + mount
    }

    private var configurationProblems: [String] {
        var problems: [String] = []
        if let problem = configuration.address.problem { problems.append(problem) }
        if !(1...VersionIndicator.longestTTL).contains(configuration.ttl.wholeSeconds) {
            problems.append("the ttl is \(configuration.ttl): write 1 to \(VersionIndicator.longestTTL) seconds")
        }
        return problems
    }

    /// What clients would not accept in the app data. Warnings are logged.
    private func mistakes(in data: AppData) -> [(text: String, source: CodeLocation)] {
        let place = WirePlace(base: fixedBase ?? "http://localhost\(mount)")
        guard let document = try? JSONValue(parsing: data.template.rendered(for: place)) else { return [] }
        let findings = FlokiRules.findings(in: document, as: .appData, name: "\(name)/\(configuration.dataPath)")
        for finding in findings where finding.severity == .warning {
            Logger(label: "backlot.floki").warning("\(finding)")
        }
        return findings.filter { $0.severity == .error }
            .map { ("clients would not accept the app data: \($0)", declaration(of: $0)) }
    }

    /// Where what a finding is about was declared: a tab, or the app.
    private func declaration(of finding: Finding) -> CodeLocation {
        let steps = JSONPointer.steps(of: finding.path.pointer)
        guard steps.first == "tabs", let index = steps.dropFirst().first.flatMap({ Int($0) }),
            app.tabs.indices.contains(index)
        else { return source }
        return app.tabs[index].source
    }

    /// Feeds that tabs show, and that nobody answers for.
    private var missingFeeds: [(text: String, source: CodeLocation)] {
        app.tabs.compactMap { tab, source in
            let news = (tab.controller as? NewsViewController)?.feed
            guard let feed = news ?? (tab.controller as? GalleryViewController)?.feed,
                !app.feeds.contains(where: { $0.name == feed })
            else { return nil }
            return ("tab \(tab.id) shows the feed '\(feed)', which the app lacks: add it with app.feed(…)", source)
        }
    }

    /// Names of texts that no language has.
    private func unknownTexts(_ texts: TextTable) -> [(text: String, source: CodeLocation)] {
        func isUnknown(_ name: TextName?) -> Bool { name.map { texts.numbers[$0] == nil } ?? false }
        var problems: [(String, CodeLocation)] = []
        for (tab, source) in app.tabs {
            let movie = tab.controller as? MovieViewController
            for name in [tab.title, tab.shortTitle, movie?.titleID, movie?.textID] where isUnknown(name) {
                problems.append(("tab \(tab.id) shows the text '\(name?.name ?? "")', which no language has", source))
            }
        }
        for (name, feed, source) in app.sectionNames where isUnknown(name) {
            problems.append(
                ("a section of feed '\(feed)' shows the text '\(name.name)', which no language has", source)
            )
        }
        return problems
    }
}
