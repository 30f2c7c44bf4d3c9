import Backlot
public import BacklotJSON

/// A widget that does its work in the app by itself and needs nothing but an id: ``locationPermission(id:)``,
/// ``startShopping(id:)``, ``allStores(id:)`` or ``connectWifi(id:)``.
///
/// Source: Dynamic Views documentation, SDK Action Widgets.
public struct ActionWidget: Widget {
    /// The work of a widget.
    struct Action: Sendable {
        let type: StaticString
        let vocabulary: Kind

        init(_ type: StaticString, _ meaning: String, formerName: String? = nil) {
            self.type = type
            let formerNames = formerName.map { [$0: Kind.renamed("\(type)")] } ?? [:]
            vocabulary = .widget("\(type)", meaning, formerNames: formerNames)
        }
    }

    static let locationPermission = Action(
        "snabble.locationPermission",
        "Asks the user for the permission to use the location, and disappears once it is given.",
        formerName: "locationPermission"
    )
    static let startShopping = Action("snabble.startShopping", "Starts the scanner, for a user who has entered a shop.")
    static let allStores = Action("snabble.allStores", "Leads to the list of all shops.")
    static let connectWifi = Action(
        "snabble.connectWifi",
        "Connects the device to the shop's network.",
        formerName: "connectWifi"
    )

    /// Every action that clients know.
    static let actions = [locationPermission, startShopping, allStores, connectWifi]

    /// The name in interactions.
    public let id: String
    /// The space around it.
    public var padding: Padding?
    let action: Action

    /// The action's name, such as `snabble.startShopping`.
    public var type: StaticString { action.type }

    init(_ action: Action, id: String) {
        self.action = action
        self.id = id
    }

    init(_ wire: WireReader, _ action: Action) throws(WireError) {
        self.action = action
        id = try wire.requiredString("id")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self)
    }
}

/// Makes a widget that asks the user for the permission to use the location, and disappears once it is given.
public func locationPermission(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.locationPermission, id: id)
}

/// Makes a widget that starts the scanner, for a user who has entered a shop.
public func startShopping(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.startShopping, id: id)
}

/// Makes a widget that leads to the list of all shops.
public func allStores(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.allStores, id: id)
}

/// Makes a widget that connects the device to the shop's network.
public func connectWifi(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.connectWifi, id: id)
}
