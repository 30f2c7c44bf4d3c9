public import Backlot

/// Inspects Applin pages as clients get them, whether they come from this library, a mock file or another backend.
///
/// Source: Applin documentation, and the observed behaviour of its public clients: what they accept, reject and crash on.
public enum ApplinRules {
    /// Each page is compared with the vocabulary. These rules then check what a vocabulary can't express.
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

    /// The findings for a page, in its order; empty without faults.
    ///
    /// - Parameters:
    ///   - document: The body of a response: an object with the page under `page`.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - dialect: The dialect of the app's clients.
    ///   - clients: The oldest client that the app is for; nil checks for the newest of the dialect only.
    ///   - app: The app's other routes; nil if unknown; then links aren't followed.
    ///   - baseURL: The app's base URL, such as `https://example.com/travel/`; nil if unknown; then absolute URLs can't be checked.
    public static func findings(
        in document: JSONValue,
        path: String,
        dialect: Dialect,
        clients: PartialRangeFrom<ClientVersion>? = nil,
        app: RouteLookup?,
        baseURL: String? = nil
    ) -> [Finding] {
        findings(
            in: document,
            path: path,
            for: dialect.audience(since: clients?.lowerBound),
            app: app,
            baseURL: baseURL
        )
    }

    /// The findings for some clients of one dialect, which may have their own words.
    package static func findings(
        in document: JSONValue,
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

    /// The tree of a page, even of one that clients reject.
    ///
    /// - Parameter dialect: the dialect of the page; nil for that of its first action.
    package static func tree(
        of document: JSONValue,
        dialect: Dialect?,
        words: ApplinLanguage = .standard
    ) -> DocumentTree {
        let dialect = dialect ?? Dialect(ofActionsIn: document) ?? .objects
        return words.judge.tree(of: document, as: PageResponse.vocabulary, for: dialect.audience)
    }
}

/// Facts about the app around a page.
struct PageFacts: Sendable {
    let dialect: Dialect
    /// The app's routes; nil if unknown.
    let app: RouteLookup?
    /// The app's base URL, with a slash at its end; nil if unknown.
    let baseURL: String?
}

typealias CheckedPage = CheckedDocument<PageFacts>

extension CheckedPage {
    /// The page in the response; nil for a response without one.
    var page: DocumentNode? { tree.contents(of: root, under: "page").first }

    /// The page's path below the app's base URL.
    var path: String { name }
}
