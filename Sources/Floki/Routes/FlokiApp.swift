import Backlot

/// An app that is being mounted: its languages, tabs, feeds and pages are added to it.
public final class FlokiApp {
    private(set) var languages: [Language] = []
    private(set) var tabs: [(tab: Tab, source: SourceLocation)] = []
    private(set) var devices = DeviceLists()
    private(set) var feeds: [(name: String, source: SourceLocation, mount: (TextTable) -> MountedFeed)] = []
    private(set) var sectionNames: [(name: TextName, feed: String, source: SourceLocation)] = []
    private(set) var pages: [(name: String, source: SourceLocation, html: @Sendable (WebPage) async throws -> String)] =
        []
    private let report: (String, SourceLocation) -> Void

    init(report: @escaping (String, SourceLocation) -> Void) { self.report = report }

    /// Adds a language with its texts. The first is the master: others have no texts that it lacks, and where they lack one, they
    /// get the master's.
    ///
    /// - Parameters:
    ///   - code: two letters, as ISO 639-1 has them: `en`.
    ///   - texts: The texts by their names. Those that clients have themselves are replaced by their names in ``TextName``.
    public func language(
        _ code: String,
        _ texts: KeyValuePairs<TextName, String>,
        file: String = #fileID,
        line: Int = #line
    ) {
        let source = SourceLocation(file: file, line: line)
        guard Language.isCode(code) else {
            return report("the language '\(code)' is not written as two letters, such as en", source)
        }
        guard !languages.contains(where: { $0.code == code }) else {
            return report("the language '\(code)' is there twice", source)
        }
        var all: [TextName: String] = [:]
        for (name, text) in texts where all.updateValue(text, forKey: name) != nil {
            report("the language '\(code)' has the text '\(name.name)' twice", source)
        }
        languages.append(Language(code: code, texts: all))
    }

    /// Adds a tab, to the right of those before. The feed that it shows is added too.
    ///
    /// - Parameters:
    ///   - id: positive, and unique in the app; clients keep what they have cached under it, so a tab keeps its own.
    ///   - title: a text of the app.
    ///   - short: a shorter one for the bar at the bottom.
    ///   - image: its picture.
    ///   - controller: what it shows.
    public func tab(
        _ id: Int,
        _ title: TextName,
        short: TextName? = nil,
        image: Picture? = nil,
        file: String = #fileID,
        line: Int = #line,
        _ controller: any ViewController
    ) {
        let source = SourceLocation(file: file, line: line)
        tabs.append((Tab(id: id, title: title, shortTitle: short, image: image, controller: controller), source))
    }

    /// Adds a feed: everything that clients and entries name must be added.
    public func feed<Entry>(_ feed: Feed<Entry>, file: String = #fileID, line: Int = #line) {
        let source = SourceLocation(file: file, line: line)
        if !FeedPath.isName(feed.name) {
            report("the feed's name '\(feed.name)' has other characters than letters, digits and -_.~", source)
        } else if feeds.contains(where: { $0.name == feed.name }) {
            report("the feed '\(feed.name)' is there twice", source)
        } else if feed.cacheSize < 1 || feed.cacheSize > 10_000 {
            report("the feed '\(feed.name)' has a cacheSize of \(feed.cacheSize): write 1 to 10,000", source)
        } else {
            feeds.append((feed.name, source, { MountedFeed(feed, texts: $0) }))
            sectionNames += feed.sections.map { ($0.name, feed.name, source) }
        }
    }

    /// Adds a web page, at `/name/` and at `/name/` with the code of a language behind it.
    ///
    /// - Parameter html: makes the page.
    public func page(
        _ name: String,
        file: String = #fileID,
        line: Int = #line,
        _ html: @escaping @Sendable (WebPage) async throws -> String
    ) {
        let source = SourceLocation(file: file, line: line)
        guard FeedPath.isName(name) else {
            return report("the page's name '\(name)' has other characters than letters, digits and -_.~", source)
        }
        pages.append((name, source, html))
    }

    /// Empties the cache of devices when their app starts next.
    ///
    /// - Parameter devices: their UDIDs; `simulator` stands for what isn't a device.
    public func deleteDiskCache(_ devices: String...) { self.devices.deletingDiskCache += devices }

    /// Lets devices draw a red slash over pictures that they had to scale.
    ///
    /// - Parameter devices: their UDIDs; `simulator` stands for what isn't a device.
    public func slashScaledImages(_ devices: String...) { self.devices.slashingScaledImages += devices }
}
