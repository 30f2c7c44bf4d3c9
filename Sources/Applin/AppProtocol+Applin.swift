public import Backlot

extension AppProtocol {
    /// Applin: pages of widgets.
    public static let applin: AppProtocol = {
        var applin = AppProtocol(
            "applin",
            title: "Applin",
            summary: "pages of widgets, for iOS and Android",
            inspector: ApplinInspector(dialect: nil),
            vocabulary: ApplinVocabulary.all,
            recognises: { $0["page"]?["typ"]?.string != nil }
        )
        applin.module = "Applin"
        applin.comparison.variables = ["var_name", "var_name1", "var_name2"]
        applin.comparison.targets = ["page", "url"]
        applin.comparison.requirements = ["min_chars"]
        applin.comparison.isUnmistakable = true
        applin.tree = { ApplinRules.tree(of: $0, dialect: nil) }
        applin.mayBeResponse = { $0["page"]?.object != nil }
        applin.format = { .applin() }
        applin.clients = [
            KnownClient("applin-ios", releases: ReleasedClients.hyphenReleases + ReleasedClients.releases)
        ]
        applin.releases = ReleaseVerdicts(
            dialect: { Dialect(of: $0).rawValue },
            groups: { ReleasedClients.groups(of: $0) },
            verdicts: { ReleasedClients.verdicts(onBody: $0, path: $1, of: $2, baseURL: $3) }
        )
        return applin
    }()
}

extension FileFormat {
    /// Applin's pages, as files of mocks hold them: `NAME.page.json` and `NAME.page.yaml`.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the clients; nil takes the dialect of each page's first action.
    ///   - extensions: The widgets and actions that the clients know beside Applin's.
    public static func applin(_ dialect: Dialect? = nil, extensions: [ApplinExtension] = []) -> FileFormat {
        let words = ApplinLanguage(extensions)
        var format = PageFormat(
            .applin,
            facts: dialect.map { ["dialect": $0.rawValue] } ?? [:],
            contentType: "application/vnd.applin_response",
            envelope: "page",
            mark: "typ",
            beginning: "typ: nav_page",
            inspector: ApplinInspector(dialect, nil, nil, words)
        )
        format.words = (words.vocabulary, .page)
        return .pages(format)
    }
}
