import Backlot

/// Finds the widget of an interaction in a document, and the user's action.
struct InteractionRouting {
    /// The ids that clients send for some widgets instead of the document's ids, with the kinds of these widgets.
    private static let specialIDs: [String: Kind] = [
        "Snabble.DynamicView.CustomerCard.information": CustomerCard.vocabulary,
        "Snabble.LocationPermission.notDetermined": ActionWidget.locationPermission.vocabulary,
        "Snabble.LocationPermission.denied-restricted": ActionWidget.locationPermission.vocabulary,
    ]
    private static let more = "more"
    private static let moreEnding = ".Purchases.more"

    private let widgets: [any Widget]

    init(_ document: Document) { widgets = document.allWidgets }

    /// The interaction that a packet stands for.
    ///
    /// Widgets may share an id: a parent and its child, or the children of two sections. The packet belongs to the first widget
    /// that accepts it. Toggles and choices are tried first, since they accept only packets with their values, and containers last.
    func interaction(for packet: InteractionPacket) throws(InteractionError) -> Interaction {
        try target(of: packet).interaction
    }

    /// The widget and the interaction that a packet stands for.
    func target(
        of packet: InteractionPacket
    ) throws(InteractionError) -> (widget: any Widget, interaction: Interaction) {
        var packet = packet
        var candidates = widgets.filter { $0.id == packet.widgetID }
        if candidates.isEmpty, let kind = Self.specialIDs[packet.widgetID],
            let widget = widgets.first(where: { Self.kind($0) == kind })
        {
            candidates = [widget]
            packet.elementID = packet.elementID ?? packet.widgetID
        }
        candidates = (0...2).flatMap { rank in candidates.filter { Self.rank($0) == rank } }
        var first: InteractionError?
        for widget in candidates {
            do throws(InteractionError) {
                let event = try Self.event(of: packet, with: widget)
                let interaction = Interaction(
                    widgetID: widget.id,
                    elementID: packet.elementID,
                    userInfo: packet.userInfo,
                    event: event
                )
                return (widget, interaction)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .unknownWidget(packet.widgetID, known: widgets.map(\.id))
    }

    /// The kind of a widget that may have one of ``specialIDs``; nil for other widgets.
    private static func kind(_ widget: any Widget) -> Kind? {
        switch widget {
        case is CustomerCard, is ActionWidget: DynamicViewsVocabulary.all.kind("\(widget.type)", as: .widget)
        default: nil
        }
    }

    private static func rank(_ widget: any Widget) -> Int {
        holdsOthers(widget) ? 2 : widget is Toggle || widget is MultiValue ? 0 : 1
    }

    static func holdsOthers(_ widget: any Widget) -> Bool { widget is Section || widget is DeveloperMode }

    /// The kinds of interactions that users can have with a widget.
    static func kinds(with widget: any Widget) -> [Interaction.Kind] {
        kinds(withType: "\(widget.type)")
    }

    /// The kinds of interactions that users can have with a widget of a type.
    static func kinds(withType type: String) -> [Interaction.Kind] {
        switch type {
        case "toggle": [.toggle]
        case "multiValue", "snabble.switchEnvironment": [.choice]
        case "snabble.lastPurchases": [.receipt, .more]
        default: [.tap]
        }
    }

    private static func event(
        of packet: InteractionPacket,
        with widget: any Widget
    ) throws(InteractionError) -> Interaction.Event {
        switch widget {
        case let toggle as Toggle: return try switched(toggle, packet)
        case let choices as MultiValue: return try chosen(choices, packet)
        case is LastPurchases: return try purchase(packet)
        default: return .tap
        }
    }

    private static func switched(
        _ toggle: Toggle,
        _ packet: InteractionPacket
    ) throws(InteractionError) -> Interaction.Event {
        // iOS clients send the state under the toggle's key, Android clients under `checked`.
        guard let isOn = (packet.userInfo[toggle.key] ?? packet.userInfo["checked"])?.bool else {
            throw .malformed(
                "userInfo of the toggle \(toggle.id.quoted) must be {\(toggle.key.quoted): true or false} or "
                    + "{\"checked\": true or false}"
            )
        }
        return .toggle(isOn)
    }

    private static func chosen(
        _ choices: MultiValue,
        _ packet: InteractionPacket
    ) throws(InteractionError) -> Interaction.Event {
        // iOS clients send the option's id as `value`, Android clients as `selection`.
        guard let value = (packet.userInfo["value"] ?? packet.userInfo["selection"])?.string else {
            throw .malformed(
                "userInfo of the \(choices.type) \(choices.id.quoted) must be {\"value\": \"an option's id\"} or "
                    + "{\"selection\": \"an option's id\"}"
            )
        }
        guard let option = choices.option(for: value) else {
            let ids = choices.values.prefix(20).map(\.id.excerpt).joined(separator: ", ")
            throw .malformed("\(value.quoted) isn't an option of \(choices.id.quoted), which has \(ids)")
        }
        return .choice(option.id)
    }

    /// The receipt's id is in `id`, in `elementId`, or in both. Without it, the user requests more purchases.
    private static func purchase(_ packet: InteractionPacket) throws(InteractionError) -> Interaction.Event {
        var element = packet.elementID
        if let id = element, id == more || id.hasSuffix(moreEnding) { element = nil }
        let id = packet.userInfo["id"] ?? .null
        guard !id.isNull else { return element.map { .receipt($0) } ?? .more }
        guard let receipt = id.string else {
            throw .malformed("the id of a receipt must be a string, not \(id.summary)")
        }
        if let element, element != receipt {
            throw .malformed(
                "elementId names the receipt \(element.quoted), but userInfo's id is \(receipt.quoted)"
            )
        }
        if packet.elementID != nil, element == nil { return .more }
        return .receipt(receipt)
    }
}
