import Backlot
import DynamicViews

/// A shop's app of Dynamic Views: a dashboard and a profile. What is tapped on one changes what both look like next.
struct ShopApp: Sendable {
    /// Where it is mounted.
    static let path = "/views/"

    /// The texts and pictures that the app has.
    static let catalogue = Catalogue(
        texts: DashboardView.texts.union(ProfileView.texts),
        images: DashboardView.images
    )

    /// Adds the views, and what interactions do.
    func register(on router: Router, sessions: any SessionStore) {
        var configuration = DynamicViewsConfiguration()
        configuration.catalogue = Self.catalogue
        router.dynamicViews(Self.path, sessions: sessions, configuration: configuration) { views in
            registerDashboard(views)
            registerProfile(views)
        }
    }

    private func registerDashboard(_ views: ViewsApp) {
        views.view("dashboard") { DashboardView(state: try await $0.shop).document }
            .on(.tap, DashboardView.location) { interaction, request in
                let isDenied = interaction.elementID?.hasSuffix(".denied-restricted") ?? false
                try await request.updateShop { $0.location = isDenied ? .denied : .allowed }
            }
            .on(.tap, DashboardView.shopping) { _, request in try await request.updateShop { $0.isShopping.toggle() } }
            .on(.tap, DashboardView.wifi) { _, request in try await request.updateShop { $0.isOnWifi = true } }
            .on(.tap, DashboardView.card) { _, request in try await request.updateShop { $0.showsCard.toggle() } }
            .on(.receipt, DashboardView.purchases) { receipt, request in
                try await request.updateShop { $0.receipt = receipt }
            }
            .on(.more, DashboardView.purchases) { _, request in
                try await request.updateShop { $0.showsPurchases = true }
            }
    }

    private func registerProfile(_ views: ViewsApp) {
        let profile = views.view("profile") { request in
            ProfileView(state: try await request.shop, platform: request.dialect.platform).document
        }
        profile
            .on(.toggle, ProfileView.onboarding) { isOn, request in
                try await request.updateShop { $0.showsOnboarding = isOn }
            }
            .on(.choice, ProfileView.environment) { option, request in
                try await request.updateShop { $0.environment = option }
            }
        for button in ProfileView.resets {
            profile.on(.tap, button) { _, request in try await request.updateShop { $0 = ShopState(reset: button) } }
        }
    }
}
