public import Backlot

/// Judges Applin pages by what goes over the wire, whether they come from this library, a mock file or another backend.
///
/// Source: Applin documentation, and what its public clients were seen to accept, reject and crash on.
public enum ApplinRules {
    /// Each page is compared with the vocabulary, and then judged by these rules for what no vocabulary can say.
    static let rules: [DocumentInspector<PageFacts>.Rule] = [
        PageRules.path, PageRules.reservedPath, InputRules.post,
        PageRules.pollSeconds, PageRules.stream, PageRules.end, PageRules.backButtons,
        PageRules.nesting,
        WidgetRules.buttonTexts, WidgetRules.aspectRatios, WidgetRules.selectors,
        WidgetRules.checkboxActions,
        EntryRules.leftovers, InputRules.names, InputRules.duplicates, InputRules.collisions, InputRules.missing,
        ActionRules.forms, ActionRules.afterModals, ActionRules.cancelButtons, ActionRules.loneErrorPolls,
        DeadLinkRules.slashes, DeadLinkRules.selfPushes, DeadLinkRules.deadLinks,
        URLRules.calls, URLRules.colons, URLRules.launches, URLRules.pictures, URLRules.escapes,
    ]

    /// What is wrong with a page; empty when all is well. The findings are in the order of the page.
    ///
    /// - Parameters:
    ///   - document: The body of an answer: an object with the page under `page`.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - dialect: The dialect of the app's clients.
    ///   - clients: The oldest client that the app is for; nil judges for the newest of the dialect alone.
    ///   - app: The app's other routes; nil when they are unknown, and links are not followed.
    ///   - baseURL: The app's base URL, such as `https://example.com/travel/`; nil when it is unknown, and absolute URLs
    ///     can't be judged.
    public static func findings(
        inPage document: JSONValue,
        path: String,
        dialect: Dialect,
        clients: PartialRangeFrom<ClientVersion>? = nil,
        app: RouteLookup?,
        baseURL: String? = nil
    ) -> [Finding] {
        findings(
            inPage: document,
            path: path,
            for: dialect.audience(since: clients?.lowerBound),
            app: app,
            baseURL: baseURL
        )
    }

    /// The same for some clients of one dialect, who may know words of their own.
    package static func findings(
        inPage document: JSONValue,
        path: String,
        for audience: Audience,
        words: ApplinLanguage = .standard,
        app: RouteLookup?,
        baseURL: String? = nil,
        lines: SourceLines? = nil
    ) -> [Finding] {
        words.judge.findings(
            in: document,
            as: PageResponse.vocabulary,
            name: path,
            for: audience,
            facts: PageFacts(
                dialect: Dialect(of: audience.versions.upperBound),
                app: app,
                baseURL: baseURL.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            ),
            lines: lines
        )
    }

    /// The tree of a page, also of one that clients reject.
    ///
    /// - Parameter dialect: nil takes the dialect of the page's first action.
    package static func tree(
        of document: JSONValue,
        dialect: Dialect?,
        words: ApplinLanguage = .standard
    ) -> DocumentTree {
        let dialect = dialect ?? Dialect(ofActionsIn: document) ?? .objects
        return words.judge.tree(of: document, as: PageResponse.vocabulary, for: dialect.audience)
    }
}

/// What is known about the app around a page.
struct PageFacts: Sendable {
    let dialect: Dialect
    /// The app's routes; nil when they are unknown.
    let app: RouteLookup?
    /// The app's base URL, with a slash at its end; nil when it is unknown.
    let baseURL: String?
}

typealias CheckedPage = CheckedDocument<PageFacts>

extension CheckedPage {
    /// The page inside of the answer; nil when the answer has none.
    var page: DocumentNode? { tree.contents(of: root, under: "page").first }

    /// The page's path below the app's base URL.
    var path: String { name }
}
