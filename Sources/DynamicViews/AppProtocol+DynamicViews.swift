public import Backlot

extension AppProtocol {
    /// Dynamic Views: documents of widgets.
    public static let dynamicViews: AppProtocol = {
        var views = AppProtocol(
            "dynamic-views",
            title: "Dynamic Views",
            summary: "documents of widgets, for iOS and Android",
            inspector: DynamicViewsInspector(),
            vocabulary: DynamicViewsVocabulary.all,
            recognises: { document in
                document["configuration"]?.object != nil && document["widgets"]?.array != nil
                    || document["views"]?.array != nil && document.object?.count == 1
            },
            start: { $0["views"]?.array != nil }
        )
        views.formerNames = ["views"]
        views.module = "DynamicViews"
        views.format = { .dynamicViews() }
        views.clients = Dialect.Platform.allCases.map { KnownClient("dynamic-views-\($0.rawValue)") }
        views.tree = { DynamicViewsRules.tree(of: $0) }
        views.mayBeResponse = { $0["widgets"] != nil }
        var android = views
        android.inspector = DynamicViewsInspector(dialect: .android)
        android.tree = { DynamicViewsRules.tree(of: $0, dialect: .android) }
        views.variant = { [android] in $0.contains("dialect=android") ? android : nil }
        return views
    }()
}
