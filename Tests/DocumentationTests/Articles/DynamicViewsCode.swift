import Backlot
import BacklotTesting
import DynamicViews
import Testing

/// Code of the article "Dynamic Views".
enum DynamicViewsCode {
    struct Settings: Codable, Sendable {
        var isTesting = false
    }

    enum SettingsKey: SessionKey {
        static let name = "settings"
        typealias Value = Settings
    }

    static func mount(on router: Router) {
        router.dynamicViews("/views/", sessions: MemorySessionStore()) { views in
            views.view("profile") { request in  // GET /views/profile.json
                let settings = try await request.session[SettingsKey.self] ?? Settings()
                return document {
                    section("Profile.header", id: "settings") {
                        toggle("Profile.showOnboarding", id: "onboarding", key: "showOnboarding")
                        version(id: "version")
                    }
                    if request.dialect.platform == .ios {
                        multiValue("Profile.environment", id: "environment") {
                            option("Profile.testing", id: "environment.testing")
                            option("Profile.staging", id: "environment.staging")
                        }
                    }
                    if settings.isTesting { text("Profile.isTesting", id: "note").padding(bottom: 16) }
                }
                .style(.list).padding(horizontal: 30, vertical: 16)
            }
            .on(.toggle, "onboarding") { isOn, request in  // POST /views/profile/interactions
                try await request.session.update(SettingsKey.self) { $0 = Settings(isTesting: isOn) }
            }
            .on(.choice, "environment") { option, request in }
            views.files("Views")  // a view for each NAME.json or NAME.android.json
            views.interactions(with: "dashboard").on(.receipt, "11") { receipt, request in }
        }
    }

    struct Shop: Codable, Sendable {
        var isOpen = false
    }

    enum ShopKey: SessionKey {
        static let name = "shop"
        typealias Value = Shop
    }

    static func mountHandlers(on views: DynamicViewsApp) {
        views.view("dashboard") { request in
            let shop = try await request.session[ShopKey.self] ?? Shop()
            return document {
                text("Dashboard.title", id: "title").textStyle(.title).textColor(.accent)
                startShopping(id: "start").onTap { interaction, request in
                    try await request.session.set(ShopKey.self, to: Shop(isOpen: true))
                }
                toggle("Dashboard.news", id: "news", key: "showNews").onToggle { isOn, request in }
                multiValue("Dashboard.town", id: "town") { option("Town.a", id: "town.a") }
                    .onChoice { option, request in }
                lastPurchases(projectId: "shop", id: "purchases")
                    .onReceipt { receipt, request in }.onMore { request in }
                if shop.isOpen { text("Dashboard.open", id: "open") }
            }
        }
    }

    static func test(_ router: Router) async throws {
        let app = try DynamicViewsClient(router)
        try await app.load("profile")
        try await app.toggle("Profile.showOnboarding")
        try await app.choose("staging", from: "Profile.environment")
        #expect(app.storage["environment"] == "environment.staging")
        print(app.screen)  // the document as a tree
    }
}
