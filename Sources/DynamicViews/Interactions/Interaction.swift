public import Backlot

/// An action of a user on a widget.
public struct Interaction: Sendable, Equatable {
    /// The kinds of actions, with their values.
    public enum Event: Sendable, Equatable {
        /// The widget was tapped.
        case tap
        /// The toggle was switched on, or off.
        case toggle(Bool)
        /// The option with that id was chosen.
        case choice(String)
        /// A purchase was tapped; this is its receipt's id.
        case receipt(String)
        /// The user requested more purchases.
        case more
    }

    /// The kinds of events.
    enum Kind: String, Sendable, CaseIterable {
        case tap, toggle, choice, receipt, more
    }

    /// The widget's id in the document.
    public let widgetID: String
    /// The tapped part of the widget. It may also be a widget's own name, if that differs from the document's id.
    public let elementID: String?
    /// The other values that the client sent.
    public let userInfo: JSONObject
    /// The user's action.
    public let event: Event

    var kind: Kind {
        switch event {
        case .tap: .tap
        case .toggle: .toggle
        case .choice: .choice
        case .receipt: .receipt
        case .more: .more
        }
    }
}

/// An interaction as clients forward it: `{"widgetId": "5", "elementId": "more", "userInfo": {…}}`; the last two are optional.
struct InteractionPacket: Equatable {
    let widgetID: String
    var elementID: String?
    var userInfo = JSONObject()

    init(widgetID: String, elementID: String? = nil, userInfo: JSONObject = [:]) {
        self.widgetID = widgetID
        self.elementID = elementID
        self.userInfo = userInfo
    }

    /// Reads a packet. `null` counts as absent, and other keys are ignored.
    init(_ value: JSONValue) throws(InteractionError) {
        do throws(DocumentError) {
            let object = try DocumentObject(value)
            widgetID = try object.requiredString("widgetId")
            elementID = try object.string("elementId")
            userInfo = try object.reader("userInfo")?.object ?? [:]
        } catch {
            let place = error.pointer.isEmpty ? "the interaction" : String(error.pointer.dropFirst())
            let form = "send {\"widgetId\": \"…\"}, with elementId and userInfo where they are needed"
            throw .malformed("\(place) \(error.problem): \(form)")
        }
    }
}

/// An interaction that can't be routed to a widget.
enum InteractionError: HTTPError, Equatable {
    /// The document lacks the widget.
    case unknownWidget(String, known: [String])
    /// The packet doesn't fit the widget. The text gives the reason.
    case malformed(String)

    /// 404 for a widget that the document doesn't have, otherwise 400.
    var status: HTTPResponse.Status {
        switch self {
        case .unknownWidget: .notFound
        case .malformed: .badRequest
        }
    }

    var reason: String {
        switch self {
        case .unknownWidget(let id, let known):
            "this view has no widget \(id.quoted); its widgets are "
                + known.prefix(20).map(\.excerpt).joined(separator: ", ")
        case .malformed(let problem): problem
        }
    }
}
