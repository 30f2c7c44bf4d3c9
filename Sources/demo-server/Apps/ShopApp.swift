import Backlot
import DynamicViews

/// A shop's app of Dynamic Views: a dashboard and a profile. A tap on one changes how both look next.
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

/// The choices and taps of one user of the shop's app. They are kept in the session, and decide what is served next.
struct ShopState: Codable, Sendable, Equatable {
    /// Whether the app may use the location.
    enum Location: String, Codable, Sendable {
        case unknown, allowed, denied
    }

    var location = Location.unknown
    var isShopping = false
    var isOnWifi = false
    var showsCard = false
    /// The receipt that was tapped last.
    var receipt: String?
    var showsPurchases = false
    var showsOnboarding = false
    /// The id of the chosen environment.
    var environment: String?
    /// The id of the button that reset something last.
    var reset: String?
}

/// Where it is kept in the session.
enum ShopStateKey: SessionKey {
    static let name = "shop"
    typealias Value = ShopState
}

extension Request {
    /// What the client has done in the shop's app.
    var shop: ShopState {
        get async throws { try await session[ShopStateKey.self] ?? ShopState() }
    }

    /// Changes what the client has done.
    func updateShop(_ change: @escaping @Sendable (inout ShopState) -> Void) async throws {
        try await session.update(ShopStateKey.self) { value in
            var state = value ?? ShopState()
            change(&state)
            value = state
        }
    }
}
