import Backlot
import BacklotJSON

extension WireReader {
    /// The widgets of an array, which must be there.
    func widgets(_ key: String) throws(WireError) -> [any Widget] {
        try requiredList(key) { reader throws(WireError) in try reader.widget() }
    }

    /// The widget that the object is.
    func widget() throws(WireError) -> any Widget {
        let type = try requiredString("type")
        guard let kind = WidgetKind(wire: type) else { throw error("type", "is none that clients know: '\(type)'") }
        switch kind {
        case .text: return try Text(self)
        case .image: return try Image(self)
        case .button: return try Button(self)
        case .information: return try Information(self)
        case .toggle: return try Toggle(self)
        case .section: return try Section(self)
        case .navigation: return try Navigation(self)
        case .multiValue: return try MultiValue(self)
        case .developerMode: return try DeveloperMode(self)
        case .customerCard: return try CustomerCard(self)
        case .lastPurchases: return try LastPurchases(self)
        case .locationPermission: return try LocationPermission(self)
        case .startShopping: return try StartShopping(self)
        case .allStores: return try AllStores(self)
        case .connectWifi: return try ConnectWifi(self)
        case .version: return try Version(self)
        }
    }
}
