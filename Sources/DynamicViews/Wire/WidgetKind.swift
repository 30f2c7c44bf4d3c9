/// The types of widgets that clients know.
///
/// Source: Dynamic Views documentation, Widget Reference; `navigation` is known to clients and not documented.
enum WidgetKind: String, Sendable, CaseIterable {
    case text, image, button, information, toggle, section, navigation, multiValue, developerMode, version
    case customerCard = "snabble.customerCard"
    case lastPurchases = "snabble.lastPurchases"
    case locationPermission = "snabble.locationPermission"
    case startShopping = "snabble.startShopping"
    case allStores = "snabble.allStores"
    case connectWifi = "snabble.connectWifi"

    /// The kind that a type on the wire stands for.
    init?(wire type: String) {
        if let kind = WidgetKind(rawValue: type) {
            self = kind
        } else if type == Dialect.VersionType.prefixed.rawValue {
            self = .version
        } else {
            return nil
        }
    }

    /// What documents of earlier days call some of them.
    static let formerTypes: [String: WidgetKind] = [
        "purchases": .lastPurchases, "connectWifi": .connectWifi, "locationPermission": .locationPermission,
    ]
}
