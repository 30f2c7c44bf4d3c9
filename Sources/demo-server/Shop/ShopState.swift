import Backlot

/// What somebody has done in the shop's app. It is kept in the session, and decides what is served next.
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
    /// What was reset last, as the button's id.
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
