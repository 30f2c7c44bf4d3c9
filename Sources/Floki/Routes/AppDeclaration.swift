import Backlot

/// What an app is declared to be: its languages, tabs, feeds and pages, and where each of them was declared.
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

    /// What can't be served, since requests for it have no route: feeds and pages that an earlier declaration lacks.
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
