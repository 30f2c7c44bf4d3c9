import Backlot

/// An app while it is being declared. Its languages, tabs, feeds and pages are added here.
public final class FlokiApp {
    private(set) var declaration = AppDeclaration()
    private let report: (String, CodeLocation) -> Void

    init(report: @escaping (String, CodeLocation) -> Void) { self.report = report }

    /// Adds a language with its texts. The first language is the master: another language can't have a text that the master lacks,
    /// and gets the master's text for each one that it lacks itself.
    ///
    /// ```swift
    /// app.language("en", ["news": "News", "about": "About", .cancel: "Never mind"])
    /// app.language("es", ["news": "Noticias", "about": "Acerca de"])
    /// ```
    /// - Parameters:
    ///   - code: two letters from ISO 639-1, such as `en`, or three from ISO 639-2, which Android doesn't read.
    ///   - texts: the texts by their names. The names in ``TextName`` replace texts that clients have by default.
    public func language(
        _ code: String,
        _ texts: KeyValuePairs<TextName, String>,
        file: String = #fileID,
        line: Int = #line
    ) {
        language(code, Array(texts), CodeLocation(file: file, line: line))
    }

    func language(_ code: String, _ texts: [(key: TextName, value: String)], _ source: CodeLocation) {
        guard Language.isCode(code) else {
            return report(Language.problem(code), source)
        }
        guard Language.isKnown(code) else {
            return report("'\(code)' is not the code of a language in ISO 639-1, so no device requests it", source)
        }
        guard !declaration.languages.contains(where: { $0.code == code }) else {
            return report("language '\(code)' is declared twice", source)
        }
        var all: [TextName: String] = [:]
        for (name, text) in texts where all.updateValue(text, forKey: name) != nil {
            report("language '\(code)' declares the text '\(name.name)' twice", source)
        }
        declaration.languages.append(Language(code: code, texts: all))
    }

    /// Adds a tab; otherwise as ``tab(_:_:short:image:file:line:_:)``.
    func add(_ tab: Tab, _ source: CodeLocation) { declaration.tabs.append((tab, source)) }

    /// Adds a tab, to the right of the tabs before. Add the feed that it shows with ``feed(_:file:line:)``.
    ///
    /// ```swift
    /// app.tab(1, "news", newsViewController(news).searchBar())
    /// ```
    /// - Parameters:
    ///   - id: positive, and unique in the app. Clients store the tab's content under it, so don't change it.
    ///   - title: a text of the app.
    ///   - short: a shorter text, for the bar at the bottom.
    ///   - image: the picture of the tab.
    ///   - controller: the content of the tab.
    public func tab(
        _ id: Int,
        _ title: TextName,
        short: TextName? = nil,
        image: Picture? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ controller: any ViewController
    ) {
        let source = CodeLocation(file: file, line: line)
        add(Tab(id: id, title: title, shortTitle: short, image: image, controller: controller), source)
    }

    /// Adds a feed. Add each feed that a tab or an entry shows.
    ///
    /// ```swift
    /// app.feed(news)
    /// ```
    public func feed<Entry>(_ feed: Feed<Entry>, file: String = #fileID, line: Int = #line) {
        let source = CodeLocation(file: file, line: line)
        if !FeedPath.isName(feed.name) {
            report(FeedPath.problem("feed", feed.name), source)
        } else if declaration.feeds.contains(where: { $0.name == feed.name }) {
            report("feed '\(feed.name)' is declared twice", source)
        } else if feed.cacheSize < 1 || feed.cacheSize > 10_000 {
            report("feed '\(feed.name)' has a cacheSize of \(feed.cacheSize): write 1 to 10,000", source)
        } else {
            let declared = AppDeclaration.DeclaredFeed(
                name: feed.name,
                key: Entry.key,
                sectionIDs: Set(feed.sections.map(\.id)),
                source: source
            ) { MountedFeed(feed, texts: $0) }
            declaration.feeds.append(declared)
            declaration.sectionNames += feed.sections.map { ($0.name, feed.name, source) }
        }
    }

    /// Adds a web page at `/name/`, and in each language at `/name/` and its code.
    ///
    /// ```swift
    /// let about = app.page("about") { page in page.language == "es" ? "<h1>Acerca de</h1>" : "<h1>About</h1>" }
    /// app.tab(2, "about", webViewController(about))
    /// ```
    /// - Parameter html: makes the page.
    /// - Returns: the page's address, for ``webViewController(_:)``.
    @discardableResult
    public func page(
        _ name: String,
        file: String = #fileID,
        line: Int = #line,
        _ html: @escaping @Sendable (WebPage) async throws -> String
    ) -> Link {
        let source = CodeLocation(file: file, line: line)
        if FeedPath.isName(name) {
            declaration.pages.append(AppDeclaration.DeclaredPage(name: name, source: source, html: html))
        } else {
            report(FeedPath.problem("page", name), source)
        }
        return Link("/\(name)/")
    }

    /// Makes devices empty their cache when their app starts next.
    ///
    /// - Parameter devices: their UDIDs. `simulator` stands for everything that isn't a device.
    public func deleteDiskCache(_ devices: String...) {
        declaration.devices.deletingDiskCache += devices
    }

    /// Makes devices draw a red slash over pictures that they had to scale.
    ///
    /// - Parameter devices: their UDIDs. `simulator` stands for everything that isn't a device.
    public func slashScaledImages(_ devices: String...) {
        declaration.devices.slashingScaledImages += devices
    }
}

/// The declaration of an app: its languages, tabs, feeds and pages, each with its location in the source.
struct AppDeclaration: Sendable {
    /// A feed that an app shows.
    struct DeclaredFeed: Sendable {
        let name: String
        let key: FeedKey
        let sectionIDs: Set<Int>
        let source: CodeLocation
        /// Makes the feed's sections of the app's texts.
        let mount: @Sendable (TextTable) -> MountedFeed
    }

    /// A web page of an app.
    struct DeclaredPage: Sendable {
        let name: String
        let source: CodeLocation
        let html: @Sendable (WebPage) async throws -> String
    }

    var languages: [Language] = []
    var tabs: [(tab: Tab, source: CodeLocation)] = []
    var devices = DeviceLists()
    var feeds: [DeclaredFeed] = []
    var sectionNames: [(name: TextName, feed: String, source: CodeLocation)] = []
    var pages: [DeclaredPage] = []

    /// The feeds and pages that an earlier declaration lacks: they can't be served, since they have no routes.
    func additions(to earlier: AppDeclaration) -> [(text: String, source: CodeLocation)] {
        var problems: [(String, CodeLocation)] = []
        let advice = "mount it with router.floki(…), since a running server gets no new addresses"
        for feed in feeds {
            guard let former = earlier.feeds.first(where: { $0.name == feed.name }) else {
                problems.append(("feed '\(feed.name)' is new: \(advice)", feed.source))
                continue
            }
            if former.key != feed.key {
                let text =
                    "feed '\(feed.name)' had \(former.key.rawValue), and has \(feed.key.rawValue) now: give it another name"
                problems.append((text, feed.source))
            }
        }
        for page in pages where !earlier.pages.contains(where: { $0.name == page.name }) {
            problems.append(("page '\(page.name)' is new: \(advice)", page.source))
        }
        return problems
    }
}
