public import Backlot

/// A widget with a built-in action in the app.
///
/// ``locationPermission(id:)``, ``startShopping(id:)``, ``allStores(id:)`` and ``connectWifi(id:)`` only need an id. Only Android
/// clients know ``devSettings(_:id:)``, which has a text, ``clientId(id:)`` and ``appUserId(id:)``.
///
/// Source: Dynamic Views documentation, SDK Action Widgets, and the public source of the Android client.
public struct ActionWidget: Widget, KeyedWidget {
    /// The work of a widget.
    struct Action: Sendable {
        let type: StaticString
        let vocabulary: Kind

        init(_ type: StaticString, _ meaning: String, formerName: String? = nil) {
            self.type = type
            let formerNames = formerName.map { [$0: Kind.renamed("\(type)")] } ?? [:]
            vocabulary = Kind(ActionWidget(type, id: ""), meaning, formerNames: formerNames)
        }

        /// Creates an action that only Android clients know.
        init(onAndroid type: StaticString, _ meaning: String, hasText: Bool = false) {
            self.type = type
            vocabulary = Kind(
                ActionWidget(type, text: hasText ? "" : nil, id: ""),
                meaning,
                support: .on("android"),
                instead: Kind.leftOutForIOS
            )
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

    static let devSettings = Action(
        onAndroid: "snabble.devSettings",
        "Leads to the settings for developers.",
        hasText: true
    )
    static let clientId = Action(
        onAndroid: "snabble.clientId",
        "Shows the client's id, and copies it when it is tapped."
    )
    static let appUserId = Action(
        onAndroid: "snabble.appUserId",
        "Shows the id of the app's user, and copies it when it is tapped."
    )

    /// Every action that clients know.
    static let actions = [
        locationPermission, startShopping, allStores, connectWifi, devSettings, clientId, appUserId,
    ]

    /// The name in interactions.
    public let id: String
    /// The text's localisation key; nil for an action without a text.
    public let text: String?
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// The action's name, such as `snabble.startShopping`.
    public let type: StaticString

    fileprivate init(_ type: StaticString, text: String? = nil, id: String) {
        self.type = type
        self.text = text
        self.id = id
    }

    init(_ object: DocumentObject, _ action: Action) throws(DocumentError) {
        let hasText = action.vocabulary.keys.contains { $0.name == "text" }
        let id = try object.requiredString("id")
        self.init(action.type, text: hasText ? try object.requiredString("text") : nil, id: id)
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    package func ownKeys(_ keys: inout some Keys) {
        if let text { keys.text(text) }
    }
}

/// Makes a widget that asks the user for the permission to use the location, and disappears once it is given.
///
/// ```swift
/// document { locationPermission(id: "location") }
/// ```
public func locationPermission(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.locationPermission.type, id: id)
}

/// Makes a widget that starts the scanner, for a user who has entered a shop.
///
/// ```swift
/// document { startShopping(id: "start").onTap { _, request in try await request.session.set(ShopKey.self, to: 7) } }
/// ```
public func startShopping(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.startShopping.type, id: id)
}

/// Makes a widget that leads to the list of all shops.
///
/// ```swift
/// document { allStores(id: "stores") }
/// ```
public func allStores(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.allStores.type, id: id)
}

/// Makes a widget that connects the device to the shop's network.
///
/// ```swift
/// document { connectWifi(id: "wifi") }
/// ```
public func connectWifi(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.connectWifi.type, id: id)
}

/// Makes a widget that leads to the settings for developers. Only Android clients know it.
///
/// ```swift
/// document { if request.dialect.platform == .android { devSettings("Profile.developer", id: "developer") } }
/// ```
/// - Parameter text: the text's localisation key.
public func devSettings(_ text: String, id: String) -> ActionWidget {
    ActionWidget(ActionWidget.devSettings.type, text: text, id: id)
}

/// Makes a widget that shows the client's id, and copies it when it is tapped. Only Android clients know it.
///
/// ```swift
/// document { if request.dialect.platform == .android { clientId(id: "client") } }
/// ```
public func clientId(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.clientId.type, id: id)
}

/// Not useful: clients show no text beside the id.
@available(*, deprecated, message: "clients show no text beside the id: write clientId(id: \"…\")")
public func clientId(_ text: String, id: String) -> ActionWidget { clientId(id: id) }

/// Makes a widget that shows the id of the app's user, and copies it when it is tapped. Only Android clients know it.
///
/// ```swift
/// document { if request.dialect.platform == .android { appUserId(id: "user") } }
/// ```
public func appUserId(id: String) -> ActionWidget {
    ActionWidget(ActionWidget.appUserId.type, id: id)
}

/// Not useful: clients show no text beside the id.
@available(*, deprecated, message: "clients show no text beside the id: write appUserId(id: \"…\")")
public func appUserId(_ text: String, id: String) -> ActionWidget { appUserId(id: id) }
