import Backlot
import DynamicViews

/// A shop's app of Dynamic Views: a dashboard and a profile. A tap on one changes how both look next.
struct ShopApp: Sendable {
    /// The app's base path.
    static let path = "/views/"

    /// The texts and pictures that the app has.
    static let catalogue = Catalogue(
        texts: DashboardView.texts.union(ProfileView.texts),
        images: DashboardView.images
    )

    /// Adds the views.
    func register(on router: Router, sessions: any SessionStore) {
        var configuration = DynamicViewsConfiguration()
        configuration.catalogue = Self.catalogue
        router.dynamicViews(Self.path, sessions: sessions, configuration: configuration) { views in
            views.view("dashboard") { DashboardView(state: try await $0.shop).document }
            views.view("profile") { request in
                ProfileView(state: try await request.shop, platform: request.dialect.platform).document
            }
        }
    }
}

/// The choices and taps of one user of the shop's app. They are kept in the session, and determine the next documents.
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

/// The key of the user's choices in the session.
enum ShopStateKey: SessionKey {
    static let name = "shop"
    typealias Value = ShopState
}

extension Request {
    /// The client's choices and taps in the shop's app.
    var shop: ShopState {
        get async throws { try await session[ShopStateKey.self] ?? ShopState() }
    }

    /// Changes the client's choices and taps.
    func updateShop(_ change: @escaping @Sendable (inout ShopState) -> Void) async throws {
        try await session.update(ShopStateKey.self) { value in
            var state = value ?? ShopState()
            change(&state)
            value = state
        }
    }
}
