public import Backlot

extension AppProtocol {
    /// Floki: feeds, galleries and films in tabs.
    public static let floki: AppProtocol = {
        var floki = AppProtocol(
            "floki",
            title: "Floki",
            summary: "feeds, galleries and films in tabs",
            inspector: FlokiInspector(),
            vocabulary: FlokiVocabulary.all,
            responses: [VersionIndicator.vocabulary, AppData.vocabulary, FeedDocument.news, FeedDocument.gallery],
            recognises: { FlokiRules.Document($0) != nil },
            start: { FlokiRules.Document($0) == .indicator }
        )
        floki.module = "Floki"
        floki.comparison.rows = ["item", "thumb", "section"]
        floki.tree = { FlokiRules.tree(of: $0) }
        floki.format = { .floki() }
        floki.clients = [KnownClient("floki")]
        return floki
    }()
}
